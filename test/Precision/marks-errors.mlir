// RUN: amp-opt %s --amp='dtype=f16' --split-input-file --verify-diagnostics

func.func @other_half(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'train.tanh' op expects amp.precision to be "low", "f32", "keep" or, in this run, "f16" but got "bf16"}}
  %t = train.tanh %x {amp.precision = "bf16"} : (tensor<8xf32>) -> tensor<8xf32>
  return %t : tensor<8xf32>
}

// -----

func.func @not_a_word(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expects amp.precision to be "low", "f32", "keep" or, in this run, "f16" but got 16 : i64}}
  %t = train.tanh %x {amp.precision = 16} : (tensor<8xf32>) -> tensor<8xf32>
  return %t : tensor<8xf32>
}

// -----

func.func @no_model(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'arith.bitcast' op has no precision that amp.precision could choose; only "keep" is possible here}}
  %t = arith.bitcast %x {amp.precision = "low"} : tensor<8xf32> to tensor<8xf32>
  return %t : tensor<8xf32>
}

// -----

// Every bad mark is reported.
func.func @two(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expects amp.precision to be}}
  %t = train.tanh %x {amp.precision = "half"} : (tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{expects amp.precision to be}}
  %u = train.tanh %t {amp.precision = "float"} : (tensor<8xf32>) -> tensor<8xf32>
  // No error here.
  %v = arith.addf %u, %u {amp.precision = "keep"} : tensor<8xf32>
  return %v : tensor<8xf32>
}
