// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @matmul_c1_rank_3(%x: tensor<2x3x4xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{'train.matmul' op operand #0 must be 2D tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<2x3x4xf32>'}}
  %0 = train.matmul %x, %w : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @matmul_c2_inner(%x: tensor<?x4xf32>, %w: tensor<5x6xf32>) {
  // expected-error @below {{'train.matmul' op expects equal inner dimensions but got 4 and 5}}
  %0 = train.matmul %x, %w : (tensor<?x4xf32>, tensor<5x6xf32>) -> tensor<?x6xf32>
  return
}

// -----

func.func @matmul_c2_inner_transposed(%x: tensor<?x4xf32>, %w: tensor<4x6xf32>) {
  // expected-error @below {{'train.matmul' op expects equal inner dimensions but got 4 and 6}}
  %0 = train.matmul %x, %w {transpose_rhs} : (tensor<?x4xf32>, tensor<4x6xf32>) -> tensor<?x6xf32>
  return
}

// -----

func.func @matmul_c3_columns(%x: tensor<?x4xf32>, %w: tensor<4x6xf32>) {
  // expected-error @below {{'train.matmul' op expects a result of shape ?x6 but got ?x4}}
  %0 = train.matmul %x, %w : (tensor<?x4xf32>, tensor<4x6xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @matmul_c3_rows_transposed(%x: tensor<?x4xf32>, %w: tensor<?x6xf32>) {
  // expected-error @below {{'train.matmul' op expects a result of shape 4x6 but got 5x6}}
  %0 = train.matmul %x, %w {transpose_lhs} : (tensor<?x4xf32>, tensor<?x6xf32>) -> tensor<5x6xf32>
  return
}

// -----

func.func @linear_c1_bias_rank_2(%x: tensor<?x4xf32>, %w: tensor<4x6xf32>, %b: tensor<1x6xf32>) {
  // expected-error @below {{'train.linear' op operand #2 must be 1D tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<1x6xf32>'}}
  %0 = train.linear %x, %w bias %b : (tensor<?x4xf32>, tensor<4x6xf32>, tensor<1x6xf32>) -> tensor<?x6xf32>
  return
}

// -----

func.func @linear_c2_inner(%x: tensor<?x4xf32>, %w: tensor<6x4xf32>) {
  // expected-error @below {{'train.linear' op expects equal inner dimensions but got 4 and 6}}
  %0 = train.linear %x, %w : (tensor<?x4xf32>, tensor<6x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @linear_c3_columns(%x: tensor<?x4xf32>, %w: tensor<6x4xf32>) {
  // expected-error @below {{'train.linear' op expects a result of shape ?x6 but got ?x4}}
  %0 = train.linear %x, %w {transpose_weight} : (tensor<?x4xf32>, tensor<6x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @linear_c4_bias_size(%x: tensor<?x4xf32>, %w: tensor<4x6xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{'train.linear' op expects bias of shape 6 but got 4}}
  %0 = train.linear %x, %w bias %b : (tensor<?x4xf32>, tensor<4x6xf32>, tensor<4xf32>) -> tensor<?x6xf32>
  return
}

// -----

func.func @bias_add_c1_scalar(%x: tensor<f32>, %b: tensor<4xf32>) {
  // expected-error @below {{'train.bias_add' op expects input of at least rank 1 but got a scalar}}
  %0 = train.bias_add %x, %b : (tensor<f32>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @bias_add_c1_other_result_shape(%x: tensor<?x4xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{'train.bias_add' op expects a result of shape ?x4 but got ?x5}}
  %0 = train.bias_add %x, %b : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x5xf32>
  return
}

// -----

func.func @bias_add_c2_bias_size(%x: tensor<?x4xf32>, %b: tensor<5xf32>) {
  // expected-error @below {{'train.bias_add' op expects bias of shape 4 but got 5}}
  %0 = train.bias_add %x, %b : (tensor<?x4xf32>, tensor<5xf32>) -> tensor<?x4xf32>
  return
}
