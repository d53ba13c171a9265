// RUN: amp-opt %s --amp-build-gradient=function=nn --amp-build-gradient=function=nt --amp-build-gradient=function=tn --amp-build-gradient=function=tt --amp-build-gradient=function=mixed | FileCheck %s
// RUN: amp-grad-check %s --function=nn,nt,tn,tt

// The gradients of a product are products: transposes are flags.

// CHECK-LABEL: func.func @nn.grad(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x4xf64>, %[[B:[^:]*]]: tensor<4x3xf64>, %[[SEED:[^:]*]]: tensor<?x3xf64>)
// CHECK: %[[DA:.*]] = train.matmul %[[SEED]], %[[B]] {transpose_rhs} : {{.*}} -> tensor<?x4xf64>
// CHECK-NEXT: %[[DB:.*]] = train.matmul %[[A]], %[[SEED]] {transpose_lhs} : {{.*}} -> tensor<4x3xf64>
// CHECK-NEXT: return %[[DA]], %[[DB]]
func.func @nn(%a: tensor<?x4xf64>, %b: tensor<4x3xf64>) -> tensor<?x3xf64> {
  %0 = train.matmul %a, %b : (tensor<?x4xf64>, tensor<4x3xf64>) -> tensor<?x3xf64>
  return %0 : tensor<?x3xf64>
}

// CHECK-LABEL: func.func @nt.grad(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x4xf64>, %[[B:[^:]*]]: tensor<3x4xf64>, %[[SEED:[^:]*]]: tensor<?x3xf64>)
// CHECK: %[[DA:.*]] = train.matmul %[[SEED]], %[[B]] : {{.*}} -> tensor<?x4xf64>
// CHECK-NEXT: %[[DB:.*]] = train.matmul %[[SEED]], %[[A]] {transpose_lhs} : {{.*}} -> tensor<3x4xf64>
// CHECK-NEXT: return %[[DA]], %[[DB]]
func.func @nt(%a: tensor<?x4xf64>, %b: tensor<3x4xf64>) -> tensor<?x3xf64> {
  %0 = train.matmul %a, %b {transpose_rhs} : (tensor<?x4xf64>, tensor<3x4xf64>) -> tensor<?x3xf64>
  return %0 : tensor<?x3xf64>
}

// CHECK-LABEL: func.func @tn.grad(
// CHECK-SAME: %[[A:[^:]*]]: tensor<4x?xf64>, %[[B:[^:]*]]: tensor<4x3xf64>, %[[SEED:[^:]*]]: tensor<?x3xf64>)
// CHECK: %[[DA:.*]] = train.matmul %[[B]], %[[SEED]] {transpose_rhs} : {{.*}} -> tensor<4x?xf64>
// CHECK-NEXT: %[[DB:.*]] = train.matmul %[[A]], %[[SEED]] : {{.*}} -> tensor<4x3xf64>
// CHECK-NEXT: return %[[DA]], %[[DB]]
func.func @tn(%a: tensor<4x?xf64>, %b: tensor<4x3xf64>) -> tensor<?x3xf64> {
  %0 = train.matmul %a, %b {transpose_lhs} : (tensor<4x?xf64>, tensor<4x3xf64>) -> tensor<?x3xf64>
  return %0 : tensor<?x3xf64>
}

// CHECK-LABEL: func.func @tt.grad(
// CHECK-SAME: %[[A:[^:]*]]: tensor<4x?xf64>, %[[B:[^:]*]]: tensor<3x4xf64>, %[[SEED:[^:]*]]: tensor<?x3xf64>)
// CHECK: %[[DA:.*]] = train.matmul %[[B]], %[[SEED]] {transpose_lhs, transpose_rhs} : {{.*}} -> tensor<4x?xf64>
// CHECK-NEXT: %[[DB:.*]] = train.matmul %[[SEED]], %[[A]] {transpose_lhs, transpose_rhs} : {{.*}} -> tensor<3x4xf64>
// CHECK-NEXT: return %[[DA]], %[[DB]]
func.func @tt(%a: tensor<4x?xf64>, %b: tensor<3x4xf64>) -> tensor<?x3xf64> {
  %0 = train.matmul %a, %b {transpose_lhs, transpose_rhs} : (tensor<4x?xf64>, tensor<3x4xf64>) -> tensor<?x3xf64>
  return %0 : tensor<?x3xf64>
}

// Every gradient leaves its product in its operand's type.

// CHECK-LABEL: func.func @mixed.grad(
// CHECK: train.matmul {{.*}} : (tensor<?x3xf16>, tensor<4x3xf32>) -> tensor<?x4xf16>
// CHECK: train.matmul {{.*}} : (tensor<?x4xf16>, tensor<?x3xf16>) -> tensor<4x3xf32>
func.func @mixed(%a: tensor<?x4xf16>, %b: tensor<4x3xf32>) -> tensor<?x3xf16> {
  %0 = train.matmul %a, %b : (tensor<?x4xf16>, tensor<4x3xf32>) -> tensor<?x3xf16>
  return %0 : tensor<?x3xf16>
}
