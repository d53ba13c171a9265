// RUN: mlir-opt %s --load-dialect-plugin=%plugin | FileCheck %s
// RUN: not mlir-opt %s 2>&1 | FileCheck %s --check-prefix=WITHOUT

// WITHOUT: error: Dialect `train' not found for custom op 'train.variable'

// CHECK: train.variable @w : tensor<2xf32>
train.variable @w : tensor<2xf32> = #train.zeros

// CHECK-LABEL: func @relu
// CHECK: train.relu
func.func @relu(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = train.relu %x : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
