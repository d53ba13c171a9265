// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @seed_c1_vector() {
  // expected-error @below {{'train.seed' op result #0 must be 0D tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<4xf32>'}}
  %0 = train.seed : tensor<4xf32>
  return
}

// -----

func.func @softmax_c1_other_shape(%x: tensor<?x4xf32>) {
  // expected-error @below {{'train.softmax' op expects a result of shape ?x4 but got ?x5}}
  %0 = train.softmax %x : (tensor<?x4xf32>) -> tensor<?x5xf32>
  return
}

// -----

func.func @softmax_c2_scalar(%x: tensor<f32>) {
  // expected-error @below {{'train.softmax' op expects input of at least rank 1 but got a scalar}}
  %0 = train.softmax %x : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @log_softmax_c1_other_shape(%x: tensor<?x4xf32>) {
  // expected-error @below {{'train.log_softmax' op expects a result of shape ?x4 but got ?x5}}
  %0 = train.log_softmax %x : (tensor<?x4xf32>) -> tensor<?x5xf32>
  return
}

// -----

func.func @log_softmax_c2_scalar(%x: tensor<f32>) {
  // expected-error @below {{'train.log_softmax' op expects input of at least rank 1 but got a scalar}}
  %0 = train.log_softmax %x : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @softmax_grad_c1_other_shape(%g: tensor<?x4xf32>, %y: tensor<?x5xf32>) {
  // expected-error @below {{'train.softmax_grad' op expects all operands of shape ?x4 but got ?x5}}
  %0 = train.softmax_grad %g, %y : (tensor<?x4xf32>, tensor<?x5xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @softmax_grad_c2_scalar(%g: tensor<f32>) {
  // expected-error @below {{'train.softmax_grad' op expects output of at least rank 1 but got a scalar}}
  %0 = train.softmax_grad %g, %g : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @log_softmax_grad_c1_other_shape(%g: tensor<?x4xf32>, %y: tensor<?x5xf32>) {
  // expected-error @below {{'train.log_softmax_grad' op expects all operands of shape ?x4 but got ?x5}}
  %0 = train.log_softmax_grad %g, %y : (tensor<?x4xf32>, tensor<?x5xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @log_softmax_grad_c2_scalar(%g: tensor<f32>) {
  // expected-error @below {{'train.log_softmax_grad' op expects output of at least rank 1 but got a scalar}}
  %0 = train.log_softmax_grad %g, %g : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_c1_labels_rank_2(%x: tensor<?x10xf32>, %l: tensor<?x1xi32>) {
  // expected-error @below {{'train.cross_entropy' op expects labels of rank 1 but got rank 2}}
  %0 = train.cross_entropy %x, %l : (tensor<?x10xf32>, tensor<?x1xi32>) -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_c1_logits_rank_1(%x: tensor<4xf32>, %l: tensor<?xi32>) {
  // expected-error @below {{'train.cross_entropy' op operand #0 must be 2D tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<4xf32>'}}
  %0 = train.cross_entropy %x, %l : (tensor<4xf32>, tensor<?xi32>) -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_c2_label_count(%x: tensor<8x10xf32>, %l: tensor<7xi32>) {
  // expected-error @below {{'train.cross_entropy' op expects labels of shape 8 but got 7}}
  %0 = train.cross_entropy %x, %l : (tensor<8x10xf32>, tensor<7xi32>) -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_c3_narrow_result(%x: tensor<8x10xf64>, %l: tensor<8xi32>) {
  // expected-error @below {{'train.cross_entropy' op expects a result of 'f64' elements but got 'f32'}}
  %0 = train.cross_entropy %x, %l : (tensor<8x10xf64>, tensor<8xi32>) -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_grad_c1_grad_rank_1(%g: tensor<4xf32>, %x: tensor<?x10xf32>, %l: tensor<?xi32>) {
  // expected-error @below {{'train.cross_entropy_grad' op operand #0 must be 0D tensor of 32-bit float or 64-bit float values, but got 'tensor<4xf32>'}}
  %0 = train.cross_entropy_grad %g, %x, %l : (tensor<4xf32>, tensor<?x10xf32>, tensor<?xi32>) -> tensor<?x10xf32>
  return
}

// -----

func.func @cross_entropy_grad_c2_label_count(%g: tensor<f32>, %x: tensor<8x10xf32>, %l: tensor<7xi32>) {
  // expected-error @below {{'train.cross_entropy_grad' op expects labels of shape 8 but got 7}}
  %0 = train.cross_entropy_grad %g, %x, %l : (tensor<f32>, tensor<8x10xf32>, tensor<7xi32>) -> tensor<8x10xf32>
  return
}

// -----

func.func @cross_entropy_grad_c3_other_shape(%g: tensor<f32>, %x: tensor<?x10xf32>, %l: tensor<?xi32>) {
  // expected-error @below {{'train.cross_entropy_grad' op expects a result of shape ?x10 but got ?x4}}
  %0 = train.cross_entropy_grad %g, %x, %l : (tensor<f32>, tensor<?x10xf32>, tensor<?xi32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @cross_entropy_grad_c3_wide_result(%g: tensor<f32>, %x: tensor<?x10xf32>, %l: tensor<?xi32>) {
  // expected-error @below {{'train.cross_entropy_grad' op expects a result of f16, bf16 or f32 elements but got 'f64'}}
  %0 = train.cross_entropy_grad %g, %x, %l : (tensor<f32>, tensor<?x10xf32>, tensor<?xi32>) -> tensor<?x10xf64>
  return
}

// -----

func.func @mse_c1_other_shape(%p: tensor<?x4xf32>, %t: tensor<?x5xf32>) {
  // expected-error @below {{'train.mse' op expects target of shape ?x4 but got ?x5}}
  %0 = train.mse %p, %t : (tensor<?x4xf32>, tensor<?x5xf32>) -> tensor<f32>
  return
}

// -----

func.func @mse_c2_wide_result(%p: tensor<?x4xf32>, %t: tensor<?x4xf32>) {
  // expected-error @below {{'train.mse' op expects a result of 'f32' elements but got 'f64'}}
  %0 = train.mse %p, %t : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<f64>
  return
}

// -----

func.func @mse_grad_c1_other_shape(%g: tensor<f32>, %p: tensor<?x4xf32>, %t: tensor<?x5xf32>) {
  // expected-error @below {{'train.mse_grad' op expects target of shape ?x4 but got ?x5}}
  %0 = train.mse_grad %g, %p, %t : (tensor<f32>, tensor<?x4xf32>, tensor<?x5xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @mse_grad_c1_grad_rank_1(%g: tensor<4xf32>, %p: tensor<?x4xf32>, %t: tensor<?x4xf32>) {
  // expected-error @below {{'train.mse_grad' op operand #0 must be 0D tensor of 32-bit float or 64-bit float values, but got 'tensor<4xf32>'}}
  %0 = train.mse_grad %g, %p, %t : (tensor<4xf32>, tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @mse_grad_c2_other_shape(%g: tensor<f32>, %p: tensor<?x4xf32>) {
  // expected-error @below {{'train.mse_grad' op expects a result of shape ?x4 but got ?x5}}
  %0 = train.mse_grad %g, %p, %p : (tensor<f32>, tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x5xf32>
  return
}

// -----

func.func @mse_grad_c2_narrow_result(%g: tensor<f32>, %p: tensor<?x4xf32>, %t: tensor<?x4xf64>) {
  // expected-error @below {{'train.mse_grad' op expects a result of f64 elements but got 'f32'}}
  %0 = train.mse_grad %g, %p, %t : (tensor<f32>, tensor<?x4xf32>, tensor<?x4xf64>) -> tensor<?x4xf32>
  return
}

// -----

func.func @accuracy_c1_labels_rank_2(%x: tensor<?x10xf32>, %l: tensor<?x1xi32>) {
  // expected-error @below {{'train.accuracy' op expects labels of rank 1 but got rank 2}}
  %0 = train.accuracy %x, %l : (tensor<?x10xf32>, tensor<?x1xi32>) -> tensor<f32>
  return
}

// -----

func.func @accuracy_c2_label_count(%x: tensor<8x10xf32>, %l: tensor<7xi32>) {
  // expected-error @below {{'train.accuracy' op expects labels of shape 8 but got 7}}
  %0 = train.accuracy %x, %l : (tensor<8x10xf32>, tensor<7xi32>) -> tensor<f32>
  return
}
