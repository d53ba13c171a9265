// RUN: amp-opt %s --amp-cpu-decompose-softmax --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @f32
func.func @f32(%x: tensor<4x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NOT: linalg.softmax
  // CHECK: arith.maxnumf
  // CHECK: math.exp
  // CHECK: arith.addf
  // CHECK: arith.divf
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @f16
func.func @f16(%x: tensor<?x8xf16>, %e: tensor<?x8xf16>) -> tensor<?x8xf16> {
  // CHECK: arith.extf %{{.*}} : f16 to f32
  // CHECK: arith.maxnumf {{.*}} : f32
  // CHECK: math.exp {{.*}} : f32
  // CHECK: arith.addf {{.*}} : f32
  // CHECK: arith.divf {{.*}} : f32
  // CHECK: arith.truncf %{{.*}} : f32 to f16
  %0 = linalg.softmax dimension(1) ins(%x : tensor<?x8xf16>) outs(%e : tensor<?x8xf16>) -> tensor<?x8xf16>
  return %0 : tensor<?x8xf16>
}

// -----

func.func @buffers(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  // expected-error @below {{works on buffers; the CPU target takes it on tensors}}
  linalg.softmax dimension(1) ins(%x : memref<4x8xf32>) outs(%y : memref<4x8xf32>)
  return
}
