// RUN: amp-opt %s | amp-opt | FileCheck %s
// RUN: amp-opt %s --mlir-print-op-generic | amp-opt | FileCheck %s
// RUN: amp-opt %s --emit-bytecode | amp-opt | FileCheck %s

// CHECK-LABEL: func.func @gelu
func.func @gelu(%x: tensor<?x4xf16>) -> tensor<?x4xf16> {
  // CHECK: train.gelu %{{.*}} approximate tanh : (tensor<?x4xf16>) -> tensor<?x4xf16>
  %0 = train.gelu %x approximate tanh : (tensor<?x4xf16>) -> tensor<?x4xf16>
  return %0 : tensor<?x4xf16>
}

// CHECK-LABEL: func.func @reduce
func.func @reduce(%x: tensor<?x4xf16>) -> tensor<f32> {
  // CHECK: train.reduce mean %{{.*}} dimensions [0, 1] : (tensor<?x4xf16>) -> tensor<f32>
  %0 = train.reduce mean %x dimensions [0, 1] : (tensor<?x4xf16>) -> tensor<f32>
  return %0 : tensor<f32>
}
