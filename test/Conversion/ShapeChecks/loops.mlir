// RUN: amp-opt %s --amp-insert-shape-checks --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @matmul
// CHECK: "'linalg.matmul' op dimension 0 of operand 1 has size {0}, expected {1} as in dimension 1 of operand 0"
// CHECK: "'linalg.matmul' op dimension 0 of operand 2 has size {0}, expected {1} as in operand 0"
// CHECK: "'linalg.matmul' op dimension 1 of operand 2 has size {0}, expected {1} as in operand 1"
// CHECK-NOT: amp.assert
func.func @matmul(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%z : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// An index that several loops make up is compared where it is greatest, unless there is none.
// CHECK-LABEL: func.func @conv
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>, %[[KERNEL:.*]]: tensor<3xf32>, %[[OUT:.*]]: tensor<?xf32>)
// CHECK-DAG: %[[OUTPUTS:.*]] = tensor.dim %[[OUT]], %c0
// CHECK-DAG: %[[SIZE:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[END:.*]] = affine.apply #{{.*}}()[%[[OUTPUTS]]]
// CHECK: %[[FITS:.*]] = arith.cmpi sle, %[[END]], %[[SIZE]]
// CHECK: %[[NONE:.*]] = arith.cmpi eq, %[[OUTPUTS]], %c0
// CHECK: %[[OK:.*]] = arith.ori %[[FITS]], %[[NONE]]
// CHECK: amp.assert %[[OK]], "'linalg.conv_1d' op dimension 0 of operand 0 has size {1}, expected at least {0} for the loops"(%[[END]], %[[SIZE]])
func.func @conv(%x: tensor<?xf32>, %kernel: tensor<3xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.conv_1d ins(%x, %kernel : tensor<?xf32>, tensor<3xf32>) outs(%out : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @backwards
// CHECK: "'linalg.generic' op dimension 0 of operand 0 is read at index {0}, expected at least {1}"
// CHECK: "'linalg.generic' op dimension 0 of operand 0 has size {1}, expected at least {0} for the loops"(%c8, %{{.*}})
func.func @backwards(%x: tensor<?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (-i + 7)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%out : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @softmax
// CHECK: "'linalg.softmax' op dimension 0 of operand 1 has size {0}, expected {1} as in operand 0"
func.func @softmax(%x: tensor<?x4xf32>, %out: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<?x4xf32>) outs(%out : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
