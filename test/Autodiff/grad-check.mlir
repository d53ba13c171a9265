// RUN: amp-grad-check %s --function=right | FileCheck %s --check-prefix=RIGHT
// RUN: not amp-grad-check %s --function=sign 2>&1 | FileCheck %s --check-prefix=SIGN
// RUN: not amp-grad-check %s --function=term 2>&1 | FileCheck %s --check-prefix=TERM
// RUN: not amp-grad-check %s --function=factor 2>&1 | FileCheck %s --check-prefix=FACTOR
// RUN: not amp-grad-check %s --function=order 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not amp-grad-check %s --function=kink --low=1e-6 --high=2e-6 2>&1 | FileCheck %s --check-prefix=KINK
// RUN: not amp-grad-check %s --function=single 2>&1 | FileCheck %s --check-prefix=SINGLE
// RUN: not amp-grad-check %s --function=absent 2>&1 | FileCheck %s --check-prefix=ABSENT

// The check itself: gradients that were written wrong do not pass.

// RIGHT: @right: 4 derivatives, max error
func.func @right(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = train.mul %x, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
func.func @right.grad(%x: tensor<4xf64>, %seed: tensor<4xf64>) -> tensor<4xf64> {
  %0 = train.mul %seed, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %1 = train.add %0, %0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %1 : tensor<4xf64>
}

// SIGN: amp-grad-check: @sign: the gradient of element 0 of argument 1 is {{.*}} but the difference quotient is {{.*}}: the error {{.*}} exceeds the tolerance
func.func @sign(%x: tensor<4xf64>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %0 = train.sub %x, %y : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
func.func @sign.grad(%x: tensor<4xf64>, %y: tensor<4xf64>, %seed: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  return %seed, %seed : tensor<4xf64>, tensor<4xf64>
}

// One use of %x is forgotten.

// TERM: @term: the gradient of element 0 of argument 0 is {{.*}} exceeds the tolerance
func.func @term(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = train.mul %x, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
func.func @term.grad(%x: tensor<4xf64>, %seed: tensor<4xf64>) -> tensor<4xf64> {
  %0 = train.mul %seed, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// Off by a factor of 1 + 1e-7.

// FACTOR: @factor: the gradient of element {{.*}} of argument 0 is {{.*}} exceeds the tolerance
func.func @factor(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = train.neg %x : (tensor<4xf64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
func.func @factor.grad(%x: tensor<4xf64>, %seed: tensor<4xf64>) -> tensor<4xf64> {
  %factor = arith.constant dense<-1.0000001> : tensor<4xf64>
  %0 = train.mul %seed, %factor : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// The right numbers in the wrong places.

// ORDER: @order: the gradient of element 1 of argument 0 is {{.*}} exceeds the tolerance
func.func @order(%x: tensor<2x3xf64>) -> tensor<3x2xf64> {
  %0 = train.transpose %x permutation [1, 0] : (tensor<2x3xf64>) -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}
func.func @order.grad(%x: tensor<2x3xf64>, %seed: tensor<3x2xf64>) -> tensor<2x3xf64> {
  %0 = train.reshape %seed : (tensor<3x2xf64>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}

// KINK: @kink is not smooth at element 0 of argument 0: the difference quotients are {{.*}} and {{.*}}; choose another --seed
func.func @kink(%x: tensor<1xf64>) -> tensor<1xf64> {
  %0 = train.relu %x : (tensor<1xf64>) -> tensor<1xf64>
  return %0 : tensor<1xf64>
}

// SINGLE: argument 0 of @single has elements of type f32; expects f64
func.func @single(%x: tensor<1xf32>) -> tensor<1xf32> {
  return %x : tensor<1xf32>
}

// ABSENT: expects the option 'function' to name a func.func but got 'absent'
