// RUN: amp-opt %s --amp-build-gradient=function=f --split-input-file --verify-diagnostics

// expected-error @below {{expects the option 'function' to name a func.func but got 'f'}}
module {}

// -----

// expected-error @below {{expects one result, a tensor of f16, bf16, f32 or f64, to differentiate @f}}
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %x, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error @below {{expects one result, a tensor of f16, bf16, f32 or f64, to differentiate @f}}
func.func @f(%x: tensor<4xf32>) {
  return
}

// -----

// expected-error @below {{expects one result, a tensor of f16, bf16, f32 or f64, to differentiate @f}}
func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
  return %x : tensor<4xi32>
}

// -----

// expected-error @below {{cannot differentiate @f in an argument of type 'f32'; expects tensors of f16, bf16, f32 or f64}}
func.func @f(%x: tensor<4xf32>, %y: f32) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-note @below {{symbol defined here}}
func.func private @f.grad()
// expected-error @below {{cannot create @f.grad because there is a symbol of this name; rename it}}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-note @below {{gradient requested here}}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot differentiate 'math.sin': it has no differentiation rule}}
  %0 = math.sin %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
