// RUN: amp-opt %s --amp-cpu-lower-matmul | FileCheck %s --implicit-check-not=@amp_matmul

// What looks like a floating-point matrix product and is none.

// CHECK-LABEL: func @integers
//       CHECK:   linalg.matmul
func.func @integers(%a: memref<4x8xi8>, %b: memref<8x4xi8>, %c: memref<4x4xi32>) {
  linalg.matmul ins(%a, %b : memref<4x8xi8>, memref<8x4xi8>) outs(%c : memref<4x4xi32>)
  return
}

// CHECK-LABEL: func @dot_product
//       CHECK:   linalg.dot
func.func @dot_product(%a: memref<8xf32>, %b: memref<8xf32>, %c: memref<f32>) {
  linalg.dot ins(%a, %b : memref<8xf32>, memref<8xf32>) outs(%c : memref<f32>)
  return
}

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
#matmul = {indexing_maps = [#lhs, #rhs, #out],
           iterator_types = ["parallel", "parallel", "reduction"]}

// CHECK-LABEL: func @negated
//       CHECK:   linalg.generic
func.func @negated(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>) {
  linalg.generic #matmul ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>)
                         outs(%c : memref<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.negf %x : f32
    %1 = arith.mulf %0, %y : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// A sum of differences, and a product that does not meet the accumulator.

// CHECK-LABEL: func @subtracted
//       CHECK:   linalg.generic
func.func @subtracted(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>) {
  linalg.generic #matmul ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>)
                         outs(%c : memref<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.subf %acc, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// CHECK-LABEL: func @squares
//       CHECK:   linalg.generic
func.func @squares(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>) {
  linalg.generic #matmul ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>)
                         outs(%c : memref<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %x : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// The product is rounded to f16 before it is summed.

// CHECK-LABEL: func @rounded_product
//       CHECK:   linalg.generic
func.func @rounded_product(%a: memref<4x8xf16>, %b: memref<8x4xf16>, %c: memref<4x4xf32>) {
  linalg.generic #matmul ins(%a, %b : memref<4x8xf16>, memref<8x4xf16>)
                         outs(%c : memref<4x4xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %0 = arith.mulf %x, %y : f16
    %1 = arith.extf %0 : f16 to f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// An operand is rounded to bf16 on purpose.

// CHECK-LABEL: func @rounded_operand
//       CHECK:   linalg.generic
func.func @rounded_operand(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>) {
  linalg.generic #matmul ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>)
                         outs(%c : memref<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %low = arith.truncf %x : f32 to bf16
    %0 = arith.extf %low : bf16 to f32
    %1 = arith.mulf %0, %y : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// linalg rounds the f32 operand to the output's f16 first.

// CHECK-LABEL: func @operand_wider_than_half_output
//       CHECK:   linalg.matmul
func.func @operand_wider_than_half_output(%a: memref<4x8xf32>, %b: memref<8x4xf16>,
                                          %c: memref<4x4xf16>) {
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x4xf16>) outs(%c : memref<4x4xf16>)
  return
}

// CHECK-LABEL: func @tensors
//       CHECK:   linalg.matmul
func.func @tensors(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>)
    -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>)
                     outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// A window slides over the input: its index is a sum.

// CHECK-LABEL: func @convolution
//       CHECK:   linalg.conv_1d
func.func @convolution(%a: memref<10xf32>, %b: memref<3xf32>, %c: memref<8xf32>) {
  linalg.conv_1d ins(%a, %b : memref<10xf32>, memref<3xf32>) outs(%c : memref<8xf32>)
  return
}

// A rounding that the user wrote is no conversion of the operand.

// CHECK-LABEL: func @user_rounding
//   CHECK-NOT:   call @amp_matmul
//       CHECK:   arith.truncf
func.func @user_rounding(%a: memref<8x8xf64>, %b: memref<8x8xf64>, %c: memref<8x8xf64>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                   affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<8x8xf64>, memref<8x8xf64>) outs(%c : memref<8x8xf64>) {
  ^bb0(%x: f64, %y: f64, %acc: f64):
    %narrow = arith.truncf %x : f64 to f32
    %wide = arith.extf %narrow : f32 to f64
    %product = arith.mulf %wide, %y : f64
    %sum = arith.addf %acc, %product : f64
    linalg.yield %sum : f64
  }
  return
}

// Buffers that are not dense steps in ordinary memory.

// CHECK-LABEL: func @other_memory
//       CHECK:   linalg.matmul
func.func @other_memory(%a: memref<4x8xf32, 3>, %b: memref<8x4xf32>, %c: memref<4x4xf32>) {
  linalg.matmul ins(%a, %b : memref<4x8xf32, 3>, memref<8x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// CHECK-LABEL: func @layout_without_strides
//       CHECK:   linalg.matmul
#wrapped = affine_map<(i, j) -> (i mod 2, j)>
func.func @layout_without_strides(%a: memref<4x8xf32, #wrapped>, %b: memref<8x4xf32>,
                                  %c: memref<4x4xf32>) {
  linalg.matmul ins(%a, %b : memref<4x8xf32, #wrapped>, memref<8x4xf32>)
                outs(%c : memref<4x4xf32>)
  return
}

// The right operand is the same for every column.

// CHECK-LABEL: func @broadcast_rhs
//       CHECK:   linalg.matmul
func.func @broadcast_rhs(%a: memref<4x8xf32>, %b: memref<8xf32>, %c: memref<4x4xf32>) {
  linalg.matmul
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k)>,
                     affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : memref<4x8xf32>, memref<8xf32>) outs(%c : memref<4x4xf32>)
  return
}

// The kernels of the outer module have no name here.

// CHECK-LABEL: module @inner
//       CHECK:   linalg.matmul
module @inner {
  func.func @nested(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>) {
    linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%c : memref<4x4xf32>)
    return
  }
}
