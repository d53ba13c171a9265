// RUN: amp-opt %s --amp='dtype=f16' --verify-diagnostics

// expected-error @below {{cannot keep a half copy of @w as @w.f16 because there is a symbol of this name; rename it or use master-weights=cast}}
train.variable @w : tensor<8x4xf32> = #train.zeros
// expected-note @below {{symbol defined here}}
train.variable @w.f16 : tensor<8x4xf32> = #train.zeros

func.func @forward(%x: tensor<?x8xf32>) -> tensor<?x4xf32> {
  %w = train.read @w : tensor<8x4xf32>
  %y = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
