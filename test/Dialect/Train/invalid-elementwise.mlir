// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @add_c1_other_shape(%x: tensor<?x4xf32>, %y: tensor<?x5xf32>) {
  // expected-error @below {{'train.add' op expects all operands of shape ?x4 but got ?x5}}
  %0 = train.add %x, %y : (tensor<?x4xf32>, tensor<?x5xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @sub_c1_other_shape(%x: tensor<?x4xf32>, %y: tensor<?x5xf32>) {
  // expected-error @below {{'train.sub' op expects all operands of shape ?x4 but got ?x5}}
  %0 = train.sub %x, %y : (tensor<?x4xf32>, tensor<?x5xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @mul_c1_other_shape(%x: tensor<?x4xf32>, %y: tensor<?x5xf32>) {
  // expected-error @below {{'train.mul' op expects all operands of shape ?x4 but got ?x5}}
  %0 = train.mul %x, %y : (tensor<?x4xf32>, tensor<?x5xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @div_c1_other_shape(%x: tensor<?x4xf32>, %y: tensor<?x5xf32>) {
  // expected-error @below {{'train.div' op expects all operands of shape ?x4 but got ?x5}}
  %0 = train.div %x, %y : (tensor<?x4xf32>, tensor<?x5xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @add_c1_other_result_shape(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) {
  // expected-error @below {{'train.add' op expects a result of shape ?x4 but got ?x5}}
  %0 = train.add %x, %y : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x5xf32>
  return
}

// -----

func.func @neg_c1_other_shape(%x: tensor<?x4xf32>) {
  // expected-error @below {{'train.neg' op expects a result of shape ?x4 but got 4}}
  %0 = train.neg %x : (tensor<?x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @relu_c1_other_shape(%x: tensor<?x4xf32>) {
  // expected-error @below {{'train.relu' op expects a result of shape ?x4 but got 4}}
  %0 = train.relu %x : (tensor<?x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @tanh_c1_other_shape(%x: tensor<?x4xf32>) {
  // expected-error @below {{'train.tanh' op expects a result of shape ?x4 but got 4}}
  %0 = train.tanh %x : (tensor<?x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sigmoid_c1_other_shape(%x: tensor<?x4xf32>) {
  // expected-error @below {{'train.sigmoid' op expects a result of shape ?x4 but got 4}}
  %0 = train.sigmoid %x : (tensor<?x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @gelu_c1_other_shape(%x: tensor<?x4xf32>) {
  // expected-error @below {{'train.gelu' op expects a result of shape ?x4 but got 4}}
  %0 = train.gelu %x : (tensor<?x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @cast_c1_other_shape(%x: tensor<?x4xf32>) {
  // expected-error @below {{'train.cast' op expects a result of shape ?x4 but got 4}}
  %0 = train.cast %x : (tensor<?x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @relu_grad_c1_other_shape(%g: tensor<?x4xf32>, %x: tensor<?x5xf32>) {
  // expected-error @below {{'train.relu_grad' op expects all operands of shape ?x4 but got ?x5}}
  %0 = train.relu_grad %g, %x : (tensor<?x4xf32>, tensor<?x5xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @relu_grad_c1_other_result_shape(%g: tensor<?x4xf32>, %x: tensor<?x4xf32>) {
  // expected-error @below {{'train.relu_grad' op expects a result of shape ?x4 but got scalar}}
  %0 = train.relu_grad %g, %x : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<f32>
  return
}

// -----

func.func @tanh_grad_c1_other_shape(%g: tensor<?x4xf32>, %x: tensor<?x5xf32>) {
  // expected-error @below {{'train.tanh_grad' op expects all operands of shape ?x4 but got ?x5}}
  %0 = train.tanh_grad %g, %x : (tensor<?x4xf32>, tensor<?x5xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @tanh_grad_c1_other_result_shape(%g: tensor<?x4xf32>, %x: tensor<?x4xf32>) {
  // expected-error @below {{'train.tanh_grad' op expects a result of shape ?x4 but got scalar}}
  %0 = train.tanh_grad %g, %x : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<f32>
  return
}

// -----

func.func @sigmoid_grad_c1_other_shape(%g: tensor<?x4xf32>, %x: tensor<?x5xf32>) {
  // expected-error @below {{'train.sigmoid_grad' op expects all operands of shape ?x4 but got ?x5}}
  %0 = train.sigmoid_grad %g, %x : (tensor<?x4xf32>, tensor<?x5xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @sigmoid_grad_c1_other_result_shape(%g: tensor<?x4xf32>, %x: tensor<?x4xf32>) {
  // expected-error @below {{'train.sigmoid_grad' op expects a result of shape ?x4 but got scalar}}
  %0 = train.sigmoid_grad %g, %x : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<f32>
  return
}

// -----

func.func @gelu_grad_c1_other_shape(%g: tensor<?x4xf32>, %x: tensor<?x5xf32>) {
  // expected-error @below {{'train.gelu_grad' op expects all operands of shape ?x4 but got ?x5}}
  %0 = train.gelu_grad %g, %x : (tensor<?x4xf32>, tensor<?x5xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @gelu_grad_c1_other_result_shape(%g: tensor<?x4xf32>, %x: tensor<?x4xf32>) {
  // expected-error @below {{'train.gelu_grad' op expects a result of shape ?x4 but got scalar}}
  %0 = train.gelu_grad %g, %x : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<f32>
  return
}
