// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @sgd_c1_gradient_shape(%w: tensor<4xf32>, %g: tensor<5xf32>) {
  // expected-error @below {{'train.sgd' op expects gradient of shape 4 but got 5}}
  %0 = train.sgd %w, %g {learning_rate = 1.0e-1 : f64, weight_decay = 0.0 : f64} : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sgd_c2_other_type(%w: tensor<4xf32>) {
  // expected-error @below {{'train.sgd' op expects result 0 to have its operand's type 'tensor<4xf32>' but got 'tensor<4xf16>'}}
  %0 = train.sgd %w, %w {learning_rate = 1.0e-1 : f64, weight_decay = 0.0 : f64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @momentum_c1_velocity_shape(%w: tensor<4xf32>, %v: tensor<5xf32>) {
  // expected-error @below {{'train.momentum' op expects every state of shape 4 but got 5}}
  %0, %1 = train.momentum %w, %w, %v {learning_rate = 1.0e-1 : f64, momentum = 0.9 : f64, nesterov = false, weight_decay = 0.0 : f64} : (tensor<4xf32>, tensor<4xf32>, tensor<5xf32>) -> (tensor<4xf32>, tensor<5xf32>)
  return
}

// -----

func.func @momentum_c2_other_type(%w: tensor<4xf32>) {
  // expected-error @below {{'train.momentum' op expects result 1 to have its operand's type 'tensor<4xf32>' but got 'tensor<4xf16>'}}
  %0, %1 = train.momentum %w, %w, %w {learning_rate = 1.0e-1 : f64, momentum = 0.9 : f64, nesterov = false, weight_decay = 0.0 : f64} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf16>)
  return
}

// -----

func.func @adam_c1_gradient_shape(%w: tensor<4xf32>, %g: tensor<5xf32>, %t: tensor<i64>) {
  // expected-error @below {{'train.adam' op expects gradient of shape 4 but got 5}}
  %0, %1, %2 = train.adam %w, %g, %w, %w, %t
      {learning_rate = 1.0e-3 : f64, beta1 = 0.9 : f64, beta2 = 0.999 : f64, epsilon = 1.0e-8 : f64, weight_decay = 0.0 : f64}
      : (tensor<4xf32>, tensor<5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @adam_c2_other_type(%w: tensor<4xf32>, %t: tensor<i64>) {
  // expected-error @below {{'train.adam' op expects result 2 to have its operand's type 'tensor<4xf32>' but got 'tensor<4xf16>'}}
  %0, %1, %2 = train.adam %w, %w, %w, %w, %t
      {learning_rate = 1.0e-3 : f64, beta1 = 0.9 : f64, beta2 = 0.999 : f64, epsilon = 1.0e-8 : f64, weight_decay = 0.0 : f64}
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf16>)
  return
}

// -----

func.func @adamw_c1_gradient_shape(%w: tensor<4xf32>, %g: tensor<5xf32>, %t: tensor<i64>) {
  // expected-error @below {{'train.adamw' op expects gradient of shape 4 but got 5}}
  %0, %1, %2 = train.adamw %w, %g, %w, %w, %t
      {learning_rate = 1.0e-3 : f64, beta1 = 0.9 : f64, beta2 = 0.999 : f64, epsilon = 1.0e-8 : f64, weight_decay = 0.0 : f64}
      : (tensor<4xf32>, tensor<5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @adamw_c2_other_type(%w: tensor<4xf32>, %t: tensor<i64>) {
  // expected-error @below {{'train.adamw' op expects result 2 to have its operand's type 'tensor<4xf32>' but got 'tensor<4xf16>'}}
  %0, %1, %2 = train.adamw %w, %w, %w, %w, %t
      {learning_rate = 1.0e-3 : f64, beta1 = 0.9 : f64, beta2 = 0.999 : f64, epsilon = 1.0e-8 : f64, weight_decay = 0.0 : f64}
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf16>)
  return
}

// -----

func.func @global_norm_c1_none() {
  // expected-error @below {{'train.global_norm' op expects at least one gradient}}
  %0 = train.global_norm : () -> tensor<f32>
  return
}

// -----

func.func @clip_c1_other_type(%g: tensor<4xf32>, %n: tensor<f32>) {
  // expected-error @below {{'train.clip' op expects the result to have the gradient's type 'tensor<4xf32>' but got 'tensor<4xf16>'}}
  %0 = train.clip %g norm %n {max_norm = 1.0 : f64} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf16>
  return
}

// -----

func.func @clip_c2_negative(%g: tensor<4xf32>, %n: tensor<f32>) {
  // expected-error @below {{'train.clip' op expects a positive max_norm but got -1}}
  %0 = train.clip %g norm %n {max_norm = -1.0 : f64} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
