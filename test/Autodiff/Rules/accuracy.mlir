// RUN: amp-opt %s --amp-build-gradient=function=f --split-input-file --verify-diagnostics

// An accuracy has no gradient, which matters only where one is asked for.

// expected-note @below {{gradient requested here}}
func.func @f(%x: tensor<?x5xf32>, %t: tensor<?xi32>) -> tensor<f32> {
  // expected-error @below {{cannot differentiate 'train.accuracy': it is constant wherever it has a derivative}}
  %0 = train.accuracy %x, %t : (tensor<?x5xf32>, tensor<?xi32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @f(%x: tensor<?x5xf32>, %t: tensor<?xi32>) -> tensor<f32> {
  %0 = train.accuracy %x, %t : (tensor<?x5xf32>, tensor<?xi32>) -> tensor<f32>
  %1 = train.cross_entropy %x, %t : (tensor<?x5xf32>, tensor<?xi32>) -> tensor<f32>
  return %1 : tensor<f32>
}
