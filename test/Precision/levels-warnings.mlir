// RUN: amp-opt %s --amp='dtype=f16 level=O3' --split-input-file --verify-diagnostics
// RUN: sed -e 's/expected-warning/No warning/' %s > %t.mlir
// RUN: amp-opt %t.mlir --amp='dtype=bf16 level=O3' --split-input-file --verify-diagnostics

train.variable @w : tensor<8x8xf32> = #train.zeros
train.variable optimizer_state @m : tensor<8x8xf32> = #train.zeros
train.variable optimizer_state @v : tensor<8x8xf32> = #train.zeros
func.func @small_epsilon(%x: tensor<8x8xf32>, %n: tensor<i64>) {
  %w = train.read @w : tensor<8x8xf32>
  %m = train.read @m : tensor<8x8xf32>
  %v = train.read @v : tensor<8x8xf32>
  %dw = train.matmul %x, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-warning @below {{level O3 keeps the second moment in f16, where gradients below 2.441406e-04 square to zero, and divides by epsilon 1.000000e-08 then; the step may diverge: use an epsilon of at least 2.441406e-04, dtype=bf16 or level=O2}}
  %w1, %m1, %v1 = train.adam %w, %dw, %m, %v, %n
      {learning_rate = 1.0e-3 : f64, beta1 = 0.9 : f64, beta2 = 0.999 : f64, epsilon = 1.0e-8 : f64, weight_decay = 0.0 : f64}
      : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i64>)
      -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
  // One warning is enough.
  %w2, %m2, %v2 = train.adam %w, %dw, %m, %v, %n
      {learning_rate = 1.0e-3 : f64, beta1 = 0.9 : f64, beta2 = 0.999 : f64, epsilon = 1.0e-8 : f64, weight_decay = 0.0 : f64}
      : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i64>)
      -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
  train.assign @w, %w1 : tensor<8x8xf32>
  return
}

// -----

train.variable @u : tensor<8x8xf32> = #train.zeros
func.func @large_epsilon(%x: tensor<8x8xf32>, %m: tensor<8x8xf32>, %n: tensor<i64>) {
  %w = train.read @u : tensor<8x8xf32>
  %dw = train.matmul %x, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %w1, %m1, %v1 = train.adam %w, %dw, %m, %m, %n
      {learning_rate = 1.0e-3 : f64, beta1 = 0.9 : f64, beta2 = 0.999 : f64, epsilon = 1.0e-3 : f64, weight_decay = 0.0 : f64}
      : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i64>)
      -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
  train.assign @u, %w1 : tensor<8x8xf32>
  return
}
