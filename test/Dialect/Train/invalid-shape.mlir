// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @reshape_c1_two_dynamic(%x: tensor<?x?x4xf32>) {
  // expected-error @below {{'train.reshape' op expects one dynamic dimension on both sides or none, but got ?x?x4 and ?x4}}
  %0 = train.reshape %x : (tensor<?x?x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @reshape_c1_one_side(%x: tensor<?x4xf32>) {
  // expected-error @below {{'train.reshape' op expects one dynamic dimension on both sides or none, but got ?x4 and 8}}
  %0 = train.reshape %x : (tensor<?x4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @reshape_c2_count(%x: tensor<3x4xf32>) {
  // expected-error @below {{'train.reshape' op expects as many elements in the result as in the input, but got 3x4 and 2x5}}
  %0 = train.reshape %x : (tensor<3x4xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @reshape_c2_overflow(%x: tensor<4294967296x4294967296x2xf32>) {
  // expected-error @below {{has more than 2^63 - 1 elements}}
  %0 = train.reshape %x : (tensor<4294967296x4294967296x2xf32>) -> tensor<0xf32>
  return
}

// -----

func.func @reshape_c2_dynamic_count(%x: tensor<?x4xf32>) {
  // expected-error @below {{'train.reshape' op expects as many elements in the result as in the input, but got ?x4 and ?x6}}
  %0 = train.reshape %x : (tensor<?x4xf32>) -> tensor<?x6xf32>
  return
}

// -----

func.func @transpose_c1_repeated(%x: tensor<3x4xf32>) {
  // expected-error @below {{'train.transpose' op expects a permutation of 2 dimensions but got [0, 0]}}
  %0 = train.transpose %x permutation [0, 0] : (tensor<3x4xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @transpose_c1_too_few(%x: tensor<3x4xf32>) {
  // expected-error @below {{'train.transpose' op expects a permutation of 2 dimensions but got [0]}}
  %0 = train.transpose %x permutation [0] : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @transpose_c2_other_shape(%x: tensor<?x4xf32>) {
  // expected-error @below {{'train.transpose' op expects a result of shape 4x? but got 5x?}}
  %0 = train.transpose %x permutation [1, 0] : (tensor<?x4xf32>) -> tensor<5x?xf32>
  return
}

// -----

func.func @broadcast_c1_decreasing(%b: tensor<4xf32>, %x: tensor<2x3x4xf32>) {
  // expected-error @below {{'train.broadcast' op expects increasing dimensions but got 0 after 1}}
  %0 = train.broadcast %b like %x dimensions [1, 0] : (tensor<4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @broadcast_c2_input_shape(%b: tensor<5xf32>, %x: tensor<?x4xf32>) {
  // expected-error @below {{'train.broadcast' op expects input of shape 4 but got 5}}
  %0 = train.broadcast %b like %x dimensions [0] : (tensor<5xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @broadcast_c3_result_shape(%b: tensor<4xf32>, %x: tensor<?x4xf32>) {
  // expected-error @below {{'train.broadcast' op expects a result of shape ?x4 but got ?x5}}
  %0 = train.broadcast %b like %x dimensions [0] : (tensor<4xf32>, tensor<?x4xf32>) -> tensor<?x5xf32>
  return
}

// -----

func.func @reduce_c1_out_of_range(%x: tensor<?x4xf32>) {
  // expected-error @below {{'train.reduce' op expects dimensions within [0, 2) but got 2}}
  %0 = train.reduce sum %x dimensions [2] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @reduce_c1_negative(%x: tensor<?x4xf32>) {
  // expected-error @below {{'train.reduce' op expects dimensions within [0, 2) but got -1}}
  %0 = train.reduce sum %x dimensions [-1] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @reduce_c1_repeated(%x: tensor<?x4xf32>) {
  // expected-error @below {{'train.reduce' op expects increasing dimensions but got 0 after 0}}
  %0 = train.reduce sum %x dimensions [0, 0] : (tensor<?x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_c2_result_shape(%x: tensor<?x4xf32>) {
  // expected-error @below {{'train.reduce' op expects a result of shape 4 but got 5}}
  %0 = train.reduce mean %x dimensions [0] : (tensor<?x4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @reduce_grad_c1_out_of_range(%g: tensor<4xf32>, %x: tensor<?x4xf32>) {
  // expected-error @below {{'train.reduce_grad' op expects dimensions within [0, 2) but got 3}}
  %0 = train.reduce_grad sum %g, %x, %g dimensions [3] : (tensor<4xf32>, tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @reduce_grad_c2_grad_shape(%g: tensor<5xf32>, %x: tensor<?x4xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{'train.reduce_grad' op expects grad of shape 4 but got 5}}
  %0 = train.reduce_grad sum %g, %x, %y dimensions [0] : (tensor<5xf32>, tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @reduce_grad_c2_output_shape(%g: tensor<4xf32>, %x: tensor<?x4xf32>, %y: tensor<5xf32>) {
  // expected-error @below {{'train.reduce_grad' op expects output of shape 4 but got 5}}
  %0 = train.reduce_grad sum %g, %x, %y dimensions [0] : (tensor<4xf32>, tensor<?x4xf32>, tensor<5xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @reduce_grad_c3_result_shape(%g: tensor<4xf32>, %x: tensor<?x4xf32>) {
  // expected-error @below {{'train.reduce_grad' op expects a result of shape ?x4 but got ?x5}}
  %0 = train.reduce_grad sum %g, %x, %g dimensions [0] : (tensor<4xf32>, tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x5xf32>
  return
}
