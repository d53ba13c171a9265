// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @cast_c1_other_shape(%x: tensor<4x8xf32>) {
  // expected-error @below {{'amp.cast' op expects a result with the shape of 'tensor<4x8xf32>' but got 'tensor<8x4xf16>'}}
  %0 = amp.cast %x : tensor<4x8xf32> to tensor<8x4xf16>
  return
}

// -----

func.func @cast_c2_same_type(%x: tensor<4xf16>) {
  // expected-error @below {{'amp.cast' op expects two different element types but got 'f16' twice}}
  %0 = amp.cast %x : tensor<4xf16> to tensor<4xf16>
  return
}

// -----

func.func @unscale_c1_other_shape(%g: tensor<4xf32>, %inv: tensor<f32>) {
  // expected-error @below {{'amp.unscale' op expects a result with the shape of 'tensor<4xf32>' but got 'tensor<8xf32>'}}
  %0 = amp.unscale %g by %inv : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @unscale_c2_twice(%g: tensor<4xf32>, %inv: tensor<f32>) {
  // expected-note @below {{already unscaled here}}
  %0 = amp.unscale %g by %inv : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // expected-error @below {{'amp.unscale' op unscales a gradient twice}}
  %1 = amp.unscale %0 by %inv : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @check_gradients_c1_none(%inv: tensor<f32>) {
  // expected-error @below {{'amp.check_gradients' op expects at least one gradient}}
  %f, %n, %norm = "amp.check_gradients"(%inv) : (tensor<f32>) -> (tensor<i1>, tensor<0xi1>, tensor<f32>)
  return
}

// -----

func.func @check_gradients_c2_flag_count(%g: tensor<4xf32>, %inv: tensor<f32>) {
  // expected-error @below {{'amp.check_gradients' op expects one element of 'nonfinite' per gradient, but got 3 for 1}}
  %f, %n, %norm = amp.check_gradients %g by %inv : (tensor<4xf32>, tensor<f32>) -> (tensor<i1>, tensor<3xi1>, tensor<f32>)
  return
}

// -----

func.func @update_scale_c1_shrinking_growth(%f: tensor<i1>, %s: tensor<f32>, %i: tensor<i32>) {
  // expected-error @below {{'amp.update_scale' op expects a growth_factor of at least 1 but got 5.000000e-01}}
  %0:5 = amp.update_scale %f, %s, %i, %i, %i, %i
      {growth_factor = 0.5 : f64, backoff_factor = 0.5 : f64, growth_interval = 2000 : i32, hysteresis = 1 : i32}
      : (tensor<i1>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
      -> (tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @update_scale_c1_growing_backoff(%f: tensor<i1>, %s: tensor<f32>, %i: tensor<i32>) {
  // expected-error @below {{'amp.update_scale' op expects a backoff_factor in (0, 1] but got 1.500000e+00}}
  %0:5 = amp.update_scale %f, %s, %i, %i, %i, %i
      {growth_factor = 2.0 : f64, backoff_factor = 1.5 : f64, growth_interval = 2000 : i32, hysteresis = 1 : i32}
      : (tensor<i1>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
      -> (tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @update_scale_c1_nan(%f: tensor<i1>, %s: tensor<f32>, %i: tensor<i32>) {
  // expected-error @below {{'amp.update_scale' op expects a growth_factor of at least 1 but got nan}}
  %0:5 = amp.update_scale %f, %s, %i, %i, %i, %i
      {growth_factor = 0x7FF8000000000000 : f64, backoff_factor = 0.5 : f64, growth_interval = 2000 : i32, hysteresis = 1 : i32}
      : (tensor<i1>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
      -> (tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @update_scale_c2_interval(%f: tensor<i1>, %s: tensor<f32>, %i: tensor<i32>) {
  // expected-error @below {{'amp.update_scale' op expects a growth_interval of at least 1 but got 0}}
  %0:5 = amp.update_scale %f, %s, %i, %i, %i, %i
      {growth_factor = 2.0 : f64, backoff_factor = 0.5 : f64, growth_interval = 0 : i32, hysteresis = 1 : i32}
      : (tensor<i1>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
      -> (tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @update_scale_c2_hysteresis(%f: tensor<i1>, %s: tensor<f32>, %i: tensor<i32>) {
  // expected-error @below {{'amp.update_scale' op expects a hysteresis of at least 1 but got -1}}
  %0:5 = amp.update_scale %f, %s, %i, %i, %i, %i
      {growth_factor = 2.0 : f64, backoff_factor = 0.5 : f64, growth_interval = 1 : i32, hysteresis = -1 : i32}
      : (tensor<i1>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
      -> (tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @update_scale_c3_negative_floor(%f: tensor<i1>, %s: tensor<f32>, %i: tensor<i32>) {
  // expected-error @below {{'amp.update_scale' op expects positive bounds of the scale}}
  %0:5 = amp.update_scale %f, %s, %i, %i, %i, %i
      {growth_factor = 2.0 : f64, backoff_factor = 0.5 : f64, growth_interval = 1 : i32, hysteresis = 1 : i32, min_scale = -1.0 : f32}
      : (tensor<i1>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
      -> (tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @update_scale_c3_crossed_bounds(%f: tensor<i1>, %s: tensor<f32>, %i: tensor<i32>) {
  // expected-error @below {{'amp.update_scale' op expects min_scale of at most max_scale but got 8.000000e+00 and 4.000000e+00}}
  %0:5 = amp.update_scale %f, %s, %i, %i, %i, %i
      {growth_factor = 2.0 : f64, backoff_factor = 0.5 : f64, growth_interval = 1 : i32, hysteresis = 1 : i32, min_scale = 8.0 : f32, max_scale = 4.0 : f32}
      : (tensor<i1>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
      -> (tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @guarded_c1_argument(%f: tensor<i1>) {
  // expected-error @below {{'amp.guarded' op expects a region without arguments but got 1}}
  "amp.guarded"(%f) ({
  ^bb0(%x: i32):
  }) : (tensor<i1>) -> ()
  return
}

// -----

func.func @guarded_c1_two_blocks(%f: tensor<i1>) {
  // expected-error @below {{'amp.guarded' op expects region #0 to have 0 or 1 blocks}}
  "amp.guarded"(%f) ({
  ^bb0:
    cf.br ^bb1
  ^bb1:
    cf.br ^bb1
  }) : (tensor<i1>) -> ()
  return
}

// -----

func.func @guarded_c2_clips_scaled(%f: tensor<i1>, %g: tensor<4xf32>, %n: tensor<f32>) {
  amp.guarded %f : tensor<i1> {
    // expected-error @below {{'train.clip' op clips a scaled gradient; expects the result of an amp.unscale}}
    %0 = train.clip %g norm %n {max_norm = 1.0 : f64} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  }
  return
}

// -----

func.func @guarded_integer_condition(%f: tensor<i32>) {
  // expected-error @below {{'amp.guarded' op operand #0 must be 0D tensor of 1-bit signless integer values, but got 'tensor<i32>'}}
  "amp.guarded"(%f) ({
  ^bb0:
  }) : (tensor<i32>) -> ()
  return
}

// -----

func.func @assert_c1_missing_value(%ok: i1, %n: index) {
  // expected-error @below {{'amp.assert' op refers to value 1 in its message but has 1}}
  amp.assert %ok, "has size {0}, expected {1}"(%n)
  return
}
