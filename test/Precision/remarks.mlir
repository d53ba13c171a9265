// RUN: amp-opt %s --amp='dtype=f16 strategy=local' --remarks-filter=amp-precision --verify-diagnostics
// RUN: amp-opt %s --amp='dtype=f16 strategy=local level=O2' --remarks-filter=amp-precision 2>&1 | FileCheck %s --check-prefix=O2

func.func @classes(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>, %t: tensor<?xi32>) -> (tensor<f32>, tensor<?x8xf32>) {
  // expected-remark @below {{'train.matmul' is f16: class allow}}
  %a = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  // expected-remark @below {{'train.relu' is f16: keeps the type of its operand}}
  %r = train.relu %a : (tensor<?x8xf32>) -> tensor<?x8xf32>
  // expected-remark @below {{'train.gelu' is f16: computes in f32, all it reads is low}}
  %g = train.gelu %r : (tensor<?x8xf32>) -> tensor<?x8xf32>
  // expected-remark @below {{'train.add' is f16: low operands and leaves}}
  %s = train.add %g, %x : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  // expected-remark @below {{'train.matmul' is f16: class allow}}
  %z = train.matmul %s, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  // expected-remark @below {{'train.softmax' stays f32: part of the loss (P5)}}
  %p = train.softmax %z : (tensor<?x8xf32>) -> tensor<?x8xf32>
  // expected-remark @below {{'train.cross_entropy' stays f32: class deny}}
  %l = train.cross_entropy %p, %t : (tensor<?x8xf32>, tensor<?xi32>) -> tensor<f32>
  // expected-remark @below {{'train.cast' is left alone: class keep}}
  %c = train.cast %z : (tensor<?x8xf32>) -> tensor<?x8xf32>
  return %l, %c : tensor<f32>, tensor<?x8xf32>
}

// O2: 'train.mul' is f16: level O2
func.func @f32(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>, %d: tensor<?x8xf64>) -> (tensor<?x8xf32>, tensor<8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf64>) {
  // expected-remark @below {{'train.mul' stays f32: no operand is low}}
  %m = train.mul %x, %x : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  // expected-remark @below {{'train.tanh' stays f32: computes in f32, reads f32}}
  %h = train.tanh %m : (tensor<?x8xf32>) -> tensor<?x8xf32>
  // expected-remark @below {{'train.neg' stays f32: keeps the type of its operand}}
  %n = train.neg %h : (tensor<?x8xf32>) -> tensor<?x8xf32>
  // expected-remark @below {{'train.matmul' is f16: class allow}}
  %a = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  // expected-remark @below {{'train.add' stays f32: operand 1 is f32 and neither an argument, a variable nor a constant}}
  %s = train.add %a, %n : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  // expected-remark @below {{'train.reduce' stays f32: its result is not bounded by its operands (P3)}}
  %r = train.reduce sum %a dimensions [0] : (tensor<?x8xf32>) -> tensor<8xf32>
  // expected-remark @below {{'train.add' is left alone: reads f64}}
  %e = train.add %x, %d : (tensor<?x8xf32>, tensor<?x8xf64>) -> tensor<?x8xf64>
  return %s, %r, %m, %h, %e : tensor<?x8xf32>, tensor<8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf64>
}

train.variable @w : tensor<8x8xf32> = #train.zeros
train.variable frozen @mask : tensor<8x8xf32> = #train.constant<-1.0e9>
func.func @rules(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %w = train.read @w : tensor<8x8xf32>
  %mask = train.read @mask : tensor<8x8xf32>
  // expected-remark @below {{'train.matmul' is f16: class allow}}
  %a = train.matmul %x, %x {train.forward = 0 : i64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = arith.constant dense<1.0e-8> : tensor<8x8xf32>
  // expected-remark @below {{'train.add' stays f32: 1e-08 vanishes in f16 (P1)}}
  %s = train.add %a, %c : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{'train.add' stays f32: @mask = -1e+09 overflows in f16 (P1)}}
  %k = train.add %a, %mask : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{'train.matmul' is f16 with an f32 result: as its forward op 'train.matmul' (P8)}}
  %dw = train.matmul %x, %a {train.gradient_of = 0 : i64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{'train.neg' stays f32: feeds only the update (P5)}}
  %n = train.neg %dw : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{'train.sgd' stays f32: class deny}}
  %w1 = train.sgd %w, %n {learning_rate = 0.1 : f64, weight_decay = 0.0 : f64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  train.assign @w, %w1 : tensor<8x8xf32>
  // expected-remark @below {{'train.add' stays f32: operand 0 is f32 and neither an argument, a variable nor a constant}}
  %y = train.add %s, %a : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{'train.add' stays f32: operand 0 is f32 and neither an argument, a variable nor a constant}}
  %z = train.add %y, %k : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %z : tensor<8x8xf32>
}

// Where the user's choice beats a rule, one remark more says so.
func.func @choices(%x: tensor<8x8xf32>, %t: tensor<8x8xf32>) -> (tensor<8xf32>, tensor<8x8xf32>, tensor<f32>) {
  %c = arith.constant dense<1.0e9> : tensor<8x8xf32>
  // expected-remark @below {{'train.mul' is f16: amp.precision}}
  // expected-remark @below {{'train.mul' is f16 by the user's choice against a rule: 1e+09 overflows in f16 (P1)}}
  %m = train.mul %x, %c {amp.precision = "low"} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{'train.reduce' is f16: amp.precision}}
  // expected-remark @below {{'train.reduce' is f16 by the user's choice against a rule: its result leaves the op in f32 (P3, P5)}}
  %s = train.reduce sum %m dimensions [0] {amp.precision = "low"} : (tensor<8x8xf32>) -> tensor<8xf32>
  // expected-remark @below {{'train.tanh' stays f32: amp.precision}}
  %h = train.tanh %m {amp.precision = "f32"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{'train.sigmoid' is f16: amp.precision}}
  // expected-remark @below {{'train.sigmoid' is f16 by the user's choice against a rule: losses, weight gradients and updates are f32 (P5)}}
  %g = train.sigmoid %x {amp.precision = "low"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{'train.mse' stays f32: class deny}}
  %l = train.mse %g, %t : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<f32>
  return %s, %h, %l : tensor<8xf32>, tensor<8x8xf32>, tensor<f32>
}
