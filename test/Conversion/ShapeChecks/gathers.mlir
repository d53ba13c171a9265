// RUN: amp-opt %s --amp-insert-shape-checks --canonicalize --split-input-file | FileCheck %s

#row = affine_map<(r, c) -> (r)>
#all = affine_map<(r, c) -> (r, c)>

// The greatest index is found before the loops, along the rows alone; the number of the column is
// never too large.
// CHECK-LABEL: func.func @rows
// CHECK-SAME: (%[[TABLE:.*]]: tensor<?x16xf32>, %[[INDICES:.*]]: tensor<?xi32>,
// CHECK: %[[SIZE:.*]] = tensor.dim %[[TABLE]], %c0
// CHECK: %[[GREATEST:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["reduction"]
// CHECK-SAME: ins(%[[INDICES]] : tensor<?xi32>)
// CHECK: arith.index_cast
// CHECK-NEXT: arith.maxui
// CHECK: %[[INDEX:.*]] = tensor.extract %[[GREATEST]][]
// CHECK-NEXT: %[[FITS:.*]] = arith.cmpi ult, %[[INDEX]], %[[SIZE]]
// CHECK-NEXT: %[[NONE:.*]] = arith.cmpi eq
// CHECK-NEXT: %[[OK:.*]] = arith.ori %[[FITS]], %[[NONE]]
// CHECK-NEXT: amp.assert %[[OK]], "'tensor.extract' op index {0} of dimension 0 is out of bounds, expected less than {1}"(%[[INDEX]], %[[SIZE]])
// CHECK-NOT: amp.assert
func.func @rows(%table: tensor<?x16xf32>, %indices: tensor<?xi32>, %out: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %0 = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%indices : tensor<?xi32>) outs(%out : tensor<?x16xf32>) {
  ^bb0(%index: i32, %old: f32):
    %row = arith.index_cast %index : i32 to index
    %column = linalg.index 1 : index
    %1 = tensor.extract %table[%row, %column] : tensor<?x16xf32>
    linalg.yield %1 : f32
  } -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}

// -----

#id = affine_map<(i) -> (i)>

// Bounds that arithmetic shows cost nothing.
// CHECK-LABEL: func.func @proven
// CHECK-NOT: amp.assert
func.func @proven(%table: tensor<32xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%empty : tensor<8xf32>) {
  ^bb0(%old: f32):
    %c31 = arith.constant 31 : index
    %i = linalg.index 0 : index
    %reversed = arith.subi %c31, %i : index
    %1 = tensor.extract %table[%reversed] : tensor<32xf32>
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @proven_by_type
// CHECK: amp.assert %{{.*}}, "'linalg.generic' op dimension 0 of operand 1
// CHECK-NOT: amp.assert
func.func @proven_by_type(%table: tensor<256xf32>, %indices: tensor<?xi8>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %c128 = arith.constant 128 : i32
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%indices : tensor<?xi8>) outs(%out : tensor<?xf32>) {
  ^bb0(%index: i8, %old: f32):
    %wide = arith.extsi %index : i8 to i32
    %shifted = arith.addi %wide, %c128 : i32
    %i = arith.index_cast %shifted : i32 to index
    %1 = tensor.extract %table[%i] : tensor<256xf32>
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

#id = affine_map<(i) -> (i)>

// Near miss: one more.
// CHECK-LABEL: func.func @one_too_many
// CHECK: amp.assert %{{.*}}, "'tensor.extract' op index {0} of dimension 0
func.func @one_too_many(%table: tensor<255xf32>, %indices: tensor<4xi8>, %out: tensor<4xf32>) -> tensor<4xf32> {
  %c128 = arith.constant 128 : i32
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%indices : tensor<4xi8>) outs(%out : tensor<4xf32>) {
  ^bb0(%index: i8, %old: f32):
    %wide = arith.extsi %index : i8 to i32
    %shifted = arith.addi %wide, %c128 : i32
    %i = arith.index_cast %shifted : i32 to index
    %1 = tensor.extract %table[%i] : tensor<255xf32>
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

#id = affine_map<(i) -> (i)>

// The number of a loop is compared by its extent.
// CHECK-LABEL: func.func @loop_number
// CHECK-SAME: (%[[TABLE:.*]]: tensor<?xf32>, %[[OUT:.*]]: tensor<?xf32>)
// CHECK-DAG: %[[SIZE:.*]] = tensor.dim %[[TABLE]], %c0
// CHECK-DAG: %[[LOOPS:.*]] = tensor.dim %[[OUT]], %c0
// CHECK: arith.cmpi ule, %[[LOOPS]], %[[SIZE]]
// CHECK: amp.assert %{{.*}}, "'tensor.extract' op dimension 0 of operand 0 has size {1}, expected at least {0} for the loops"
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
func.func @loop_number(%table: tensor<?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%out : tensor<?xf32>) {
  ^bb0(%old: f32):
    %i = linalg.index 0 : index
    %1 = tensor.extract %table[%i] : tensor<?xf32>
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>

// An index that depends on a result is checked where it is used.
// CHECK-LABEL: func.func @chain
// CHECK: linalg.generic
// CHECK: %[[I:.*]] = arith.index_cast
// CHECK-NEXT: %[[FITS:.*]] = arith.cmpi ult, %[[I]]
// CHECK-NEXT: amp.assert %[[FITS]], "'tensor.extract' op index {0} of dimension 0
// CHECK-NEXT: tensor.extract
func.func @chain(%next: tensor<?xi32>, %steps: tensor<?xf32>, %start: tensor<i32>) -> tensor<i32> {
  %0 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%steps : tensor<?xf32>) outs(%start : tensor<i32>) {
  ^bb0(%step: f32, %at: i32):
    %i = arith.index_cast %at : i32 to index
    %1 = tensor.extract %next[%i] : tensor<?xi32>
    linalg.yield %1 : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
