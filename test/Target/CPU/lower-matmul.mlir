// RUN: amp-opt %s --amp-cpu-lower-matmul=vector-bits=512 | FileCheck %s

// CHECK-LABEL: func @plain(
//  CHECK-SAME:   %[[A:.*]]: memref<64x784xf16>, %[[B:.*]]: memref<784x256xf16>, %[[C:.*]]: memref<64x256xf32>
//   CHECK-DAG:   %[[A_BASE:.*]], %{{.*}}, %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[A]]
//   CHECK-DAG:   %[[B_BASE:.*]], %{{.*}}, %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[B]]
//   CHECK-DAG:   %[[C_BASE:.*]], %{{.*}}, %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[C]]
//       CHECK:   %[[A_VIEW:.*]] = memref.reinterpret_cast %[[A_BASE]] to offset: [0], sizes: [64, 784], strides: [784, 1]
//       CHECK:   %[[A_ANY:.*]] = memref.cast %[[A_VIEW]]
//       CHECK:   %[[B_VIEW:.*]] = memref.reinterpret_cast %[[B_BASE]] to offset: [0], sizes: [784, 256], strides: [256, 1]
//       CHECK:   %[[B_ANY:.*]] = memref.cast %[[B_VIEW]]
//       CHECK:   %[[C_VIEW:.*]] = memref.reinterpret_cast %[[C_BASE]] to offset: [0], sizes: [64, 256], strides: [256, 1]
//       CHECK:   %[[C_ANY:.*]] = memref.cast %[[C_VIEW]]
//       CHECK:   call @amp_matmul_f16_f16_f32(%[[A_ANY]], %[[B_ANY]], %[[C_ANY]])
//   CHECK-NOT:   linalg
func.func @plain(%a: memref<64x784xf16>, %b: memref<784x256xf16>, %c: memref<64x256xf32>) {
  linalg.matmul ins(%a, %b : memref<64x784xf16>, memref<784x256xf16>)
                outs(%c : memref<64x256xf32>)
  return
}

// A transposed operand is the same matrix with its strides swapped.

// CHECK-LABEL: func @transposed_lhs
//       CHECK:   sizes: [64, 784], strides: [1, 64] : memref<bf16>
//       CHECK:   sizes: [784, 256], strides: [256, 1] : memref<bf16>
//       CHECK:   call @amp_matmul_bf16_bf16_f32
func.func @transposed_lhs(%a: memref<784x64xbf16>, %b: memref<784x256xbf16>,
                          %c: memref<64x256xf32>) {
  linalg.matmul
    indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>,
                     affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : memref<784x64xbf16>, memref<784x256xbf16>) outs(%c : memref<64x256xf32>)
  return
}

// CHECK-LABEL: func @transposed_rhs
//       CHECK:   sizes: [64, 784], strides: [784, 1] : memref<f32>
//       CHECK:   sizes: [784, 256], strides: [1, 784] : memref<f32>
//       CHECK:   call @amp_matmul_f32_f32_f32
func.func @transposed_rhs(%a: memref<64x784xf32>, %b: memref<256x784xf32>,
                          %c: memref<64x256xf32>) {
  linalg.matmul
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : memref<64x784xf32>, memref<256x784xf32>) outs(%c : memref<64x256xf32>)
  return
}

// CHECK-LABEL: func @mixed_types
//       CHECK:   call @amp_matmul_f16_f32_f32
//       CHECK:   call @amp_matmul_bf16_f64_f64
func.func @mixed_types(%a: memref<4x8xf16>, %b: memref<8x4xf32>, %c: memref<4x4xf32>,
                       %d: memref<4x8xbf16>, %e: memref<8x4xf64>, %f: memref<4x4xf64>) {
  linalg.matmul ins(%a, %b : memref<4x8xf16>, memref<8x4xf32>) outs(%c : memref<4x4xf32>)
  linalg.matmul ins(%d, %e : memref<4x8xbf16>, memref<8x4xf64>) outs(%f : memref<4x4xf64>)
  return
}

// Dynamic sizes, strides and offset come from the operand.

// CHECK-LABEL: func @dynamic
//  CHECK-SAME:   %[[A:[a-z0-9]*]]
//       CHECK:   %{{.*}}, %[[OFFSET:.*]], %[[SIZES:.*]]:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[A]]
//       CHECK:   to offset: [%[[OFFSET]]], sizes: [%[[SIZES]]#0, %[[SIZES]]#1], strides: [%[[STRIDES]]#0, 1]
//       CHECK:   call @amp_matmul_f32_f32_f32
func.func @dynamic(%a: memref<?x?xf32, strided<[?, 1], offset: ?>>, %b: memref<?x?xf32>,
                   %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32>)
                outs(%c : memref<?x?xf32>)
  return
}

// CHECK-LABEL: func @batch
//   CHECK-DAG:   %[[BATCHES:.*]] = arith.constant 6 : index
//       CHECK:   scf.for %[[I:.*]] = %{{.*}} to %[[BATCHES]]
//       CHECK:     %[[STEP:.*]] = arith.muli %[[I]], %c32
//       CHECK:     offset: [%[[STEP]]], sizes: [4, 8], strides: [8, 1]
//       CHECK:     func.call @amp_matmul_f32_f32_f32
func.func @batch(%a: memref<6x4x8xf32>, %b: memref<6x8x5xf32>, %c: memref<6x4x5xf32>) {
  linalg.batch_matmul ins(%a, %b : memref<6x4x8xf32>, memref<6x8x5xf32>)
                      outs(%c : memref<6x4x5xf32>)
  return
}

// Rows that lie together in memory are one dimension: a linear layer on batch x time is one product.

// CHECK-LABEL: func @merged_rows
//   CHECK-NOT:   scf.for
//       CHECK:   sizes: [24, 8], strides: [8, 1]
//       CHECK:   sizes: [24, 5], strides: [5, 1]
//       CHECK:   call @amp_matmul_f32_f32_f32
#lhs = affine_map<(b, t, n, k) -> (b, t, k)>
#rhs = affine_map<(b, t, n, k) -> (k, n)>
#out = affine_map<(b, t, n, k) -> (b, t, n)>
func.func @merged_rows(%a: memref<6x4x8xf32>, %b: memref<8x5xf32>, %c: memref<6x4x5xf32>) {
  linalg.generic {indexing_maps = [#lhs, #rhs, #out],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%a, %b : memref<6x4x8xf32>, memref<8x5xf32>) outs(%c : memref<6x4x5xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// CHECK-LABEL: func @matvec
//       CHECK:   sizes: [4, 8], strides: [8, 1]
//       CHECK:   sizes: [8, 1], strides: [1, 1]
//       CHECK:   sizes: [4, 1], strides: [1, 1]
//       CHECK:   call @amp_matmul_f32_f32_f32
func.func @matvec(%a: memref<4x8xf32>, %x: memref<8xf32>, %y: memref<4xf32>) {
  linalg.matvec ins(%a, %x : memref<4x8xf32>, memref<8xf32>) outs(%y : memref<4xf32>)
  return
}

// A half output: one f32 accumulator, one rounding.

// CHECK-LABEL: func @half_output
//  CHECK-SAME:   %[[C:[a-z0-9]*]]: memref<?x5xf16>
//       CHECK:   %[[ACC:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?x5xf32>
//       CHECK:   linalg.generic {{.*}} ins(%[[C]] : memref<?x5xf16>) outs(%[[ACC]] : memref<?x5xf32>)
//       CHECK:     arith.extf
//       CHECK:   call @amp_matmul_f16_f16_f32
//       CHECK:   linalg.generic {{.*}} ins(%[[ACC]] : memref<?x5xf32>) outs(%[[C]] : memref<?x5xf16>)
//       CHECK:     arith.truncf
//       CHECK:   memref.dealloc %[[ACC]]
func.func @half_output(%a: memref<?x8xf16>, %b: memref<8x5xf16>, %c: memref<?x5xf16>) {
  linalg.matmul ins(%a, %b : memref<?x8xf16>, memref<8x5xf16>) outs(%c : memref<?x5xf16>)
  return
}

// The kernel's parts are shared; each kernel is there once.

// CHECK-DAG: func.func private @amp_matmul_f16_f16_f32({{.*}}) attributes {llvm.linkage = #llvm.linkage<internal>}
// CHECK-DAG: func.func private @amp_matmul_pack_f16_f32_by_8(
// CHECK-DAG: func.func private @amp_matmul_pack_f16_f32_by_32(
// CHECK-DAG: func.func private @amp_matmul_tile_f32_8x32(
// CHECK-DAG: func.func private @amp_matmul_tile_f32_8x16(
// CHECK-DAG: func.func private @amp_matmul_tile_f32_4x32(
// CHECK-DAG: func.func private @amp_matmul_tile_f32_2x32(
// CHECK-DAG: func.func private @amp_matmul_tile_f64_8x16(
// CHECK-NOT: func.func private @amp_matmul_f16_f16_f32_0
