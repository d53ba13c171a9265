// RUN: amp-opt %s --amp-insert-shape-checks --canonicalize | FileCheck %s

// One check at the start: what the others compare is the same by then.
// CHECK-LABEL: func.func @elementwise
// CHECK-SAME: (%[[X:.*]]: tensor<?x2xf32>, %[[Y:.*]]: tensor<?x2xf32>)
// CHECK-DAG: %[[FOUND:.*]] = tensor.dim %[[Y]], %c0
// CHECK-DAG: %[[EXPECTED:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[AGREE:.*]] = arith.cmpi eq, %[[FOUND]], %[[EXPECTED]]
// CHECK-NEXT: amp.assert %[[AGREE]], "'train.add' op dimension 0 of operand 1 has size {0}, expected {1} as in operand 0"(%[[FOUND]], %[[EXPECTED]])
// CHECK-NEXT: train.relu
// CHECK-NOT: amp.assert
func.func @elementwise(%x: tensor<?x2xf32>, %y: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %0 = train.relu %x : (tensor<?x2xf32>) -> tensor<?x2xf32>
  %1 = train.add %0, %y : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  %2 = train.mul %1, %x : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return %2 : tensor<?x2xf32>
}

// CHECK-LABEL: func.func @static
// CHECK-NEXT: train.add
// CHECK-NEXT: tensor.extract_slice
// CHECK-NEXT: tensor.insert_slice
// CHECK-NEXT: return
func.func @static(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = train.add %x, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = tensor.extract_slice %0[0, 2] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
  %2 = tensor.insert_slice %1 into %0[0, 4] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// A destination that was made for the operand needs none.
// CHECK-LABEL: func.func @traced
// CHECK-NOT: amp.assert
func.func @traced(%x: tensor<?x4xf32>) -> tensor<4x?xf32> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x4xf32>
  %empty = tensor.empty(%rows) : tensor<4x?xf32>
  %0 = linalg.transpose ins(%x : tensor<?x4xf32>) outs(%empty : tensor<4x?xf32>) permutation = [1, 0]
  %1 = tensor.extract_slice %0[0, 0] [4, %rows] [1, 1] : tensor<4x?xf32> to tensor<4x?xf32>
  %2 = arith.addf %0, %1 : tensor<4x?xf32>
  return %2 : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @nobody_runs_it
// CHECK-NEXT: return
func.func @nobody_runs_it(%x: tensor<?xf32>, %y: tensor<?xf32>) {
  %0 = arith.addf %x, %y : tensor<?xf32>
  return
}

// What one branch has found out does not hold in the other, and is asked there alone.
// CHECK-LABEL: func.func @branches
// CHECK-NOT: amp.assert
// CHECK: scf.if
// CHECK: amp.assert
// CHECK: arith.addf
// CHECK: else
// CHECK: amp.assert
// CHECK: arith.mulf
func.func @branches(%c: i1, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = scf.if %c -> tensor<?xf32> {
    %1 = arith.addf %x, %y : tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  } else {
    %1 = arith.mulf %x, %y : tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// A choice between two tensors is no op on their elements.
// CHECK-LABEL: func.func @select
// CHECK-NEXT: arith.select
func.func @select(%c: i1, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.select %c, %x, %y : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @buffers
// CHECK: memref.dim
// CHECK: amp.assert %{{.*}}, "'linalg.copy' op dimension 0 of operand 1 has size {0}, expected {1} as in operand 0"
func.func @buffers(%x: memref<?xf32>, %y: memref<?xf32>) {
  linalg.copy ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

// The parallel part of a loop holds nothing but what it inserts.
// CHECK-LABEL: func.func @parallel
// CHECK: scf.forall
// CHECK: amp.assert %{{.*}}, "'tensor.parallel_insert_slice' op slice of dimension 0 of operand 1 ends at {0}, expected at most {1}"
// CHECK: scf.forall.in_parallel
// CHECK-NEXT: tensor.parallel_insert_slice
func.func @parallel(%x: tensor<1xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = scf.forall (%i) in (8) shared_outs(%o = %y) -> tensor<?xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %0 : tensor<?xf32>
}
