// RUN: amp-opt %s --amp-cpu-vectorize-linalg --split-input-file | FileCheck %s

// Dense loops are one loop; a static size that is no multiple of 16 ends in a shorter vector.
// CHECK-LABEL: func @elementwise
// CHECK-SAME: (%[[X:.*]]: memref<5x7xf32>, %[[Y:.*]]: memref<5x7xf32>)
func.func @elementwise(%x: memref<5x7xf32>, %y: memref<5x7xf32>) {
  // CHECK-DAG: %[[XC:.*]] = memref.collapse_shape %[[X]]
  // CHECK-DAG: %[[YC:.*]] = memref.collapse_shape %[[Y]]
  // CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
  // CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
  // CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[C32]] step %[[C16]]
  // CHECK: %[[V:.*]] = vector.load %[[XC]][%[[I]]]
  // CHECK: %[[E:.*]] = math.exp %[[V]] : vector<16xf32>
  // CHECK: vector.store %[[E]], %[[YC]][%[[I]]]
  // CHECK: vector.load %[[XC]][%[[C32]]] : memref<35xf32>, vector<3xf32>
  // CHECK: vector.insert_strided_slice
  // CHECK: vector.extract_strided_slice %{{.*}} {offsets = [0], sizes = [3]
  // CHECK: vector.store %{{.*}}, %[[YC]][%[[C32]]] : memref<35xf32>, vector<3xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<5x7xf32>) outs(%y : memref<5x7xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// What is the same along the row is computed once per row, as a scalar.
// CHECK-LABEL: func @uniform
func.func @uniform(%x: memref<4x32xf32>, %s: memref<4xf32>, %y: memref<4x32xf32>) {
  // CHECK: scf.for
  // CHECK: memref.load %{{.*}} : memref<4xf32>
  // CHECK: %[[LOG:.*]] = math.log %{{.*}} : f32
  // CHECK: vector.broadcast %[[LOG]]
  // CHECK: scf.for
  // CHECK: arith.subf %{{.*}} : vector<16xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                                   affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<4x32xf32>, memref<4xf32>) outs(%y : memref<4x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = math.log %b : f32
    %1 = arith.subf %a, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// A sum along the row: 16 partial sums, from the number that changes nothing, then pairwise.
// CHECK-LABEL: func @sum
func.func @sum(%x: memref<4x?xf32>, %y: memref<4xf32>) {
  // CHECK: %[[ZERO:.*]] = arith.constant dense<-0.000000e+00> : vector<16xf32>
  // CHECK: %[[S:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[ZERO]])
  // CHECK: %[[V:.*]] = vector.load
  // CHECK: arith.addf %[[V]], %[[ACC]] : vector<16xf32>
  // CHECK: %[[T:.*]] = scf.if
  // CHECK: vector.create_mask
  // CHECK: arith.select
  // CHECK: %[[LO:.*]] = vector.extract_strided_slice %[[T]] {offsets = [0], sizes = [8]
  // CHECK: %[[HI:.*]] = vector.extract_strided_slice %[[T]] {offsets = [8], sizes = [8]
  // CHECK: arith.addf %[[LO]], %[[HI]] : vector<8xf32>
  // CHECK: arith.addf {{.*}} : vector<4xf32>
  // CHECK: arith.addf {{.*}} : vector<2xf32>
  // CHECK: arith.addf {{.*}} : vector<1xf32>
  // CHECK: memref.load
  // CHECK: arith.addf {{.*}} : f32
  // CHECK: memref.store
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x?xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %o : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A sum down the columns adds vectors in memory.
// CHECK-LABEL: func @columns
func.func @columns(%x: memref<?x32xf32>, %y: memref<32xf32>) {
  // CHECK: scf.for
  // CHECK: scf.for
  // CHECK: vector.load %{{.*}} : memref<?x32xf32>
  // CHECK: vector.load %{{.*}} : memref<32xf32>
  // CHECK: arith.addf
  // CHECK: vector.store %{{.*}} : memref<32xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
                  iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<?x32xf32>) outs(%y : memref<32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %o : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// i1 takes a byte; halves are moved as integers.
// CHECK-LABEL: func @stored_types
func.func @stored_types(%x: memref<16xi1>, %y: memref<16xbf16>) {
  // CHECK: builtin.unrealized_conversion_cast %{{.*}} : memref<16xi1> to memref<16xi8>
  // CHECK: builtin.unrealized_conversion_cast %{{.*}} : memref<16xbf16> to memref<16xi16>
  // CHECK: vector.load %{{.*}} : memref<16xi8>, vector<16xi8>
  // CHECK: arith.trunci %{{.*}} : vector<16xi8> to vector<16xi1>
  // CHECK: arith.bitcast %{{.*}} : vector<16xbf16> to vector<16xi16>
  // CHECK: vector.store %{{.*}} : memref<16xi16>, vector<16xi16>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%x : memref<16xi1>) outs(%y : memref<16xbf16>) {
  ^bb0(%a: i1, %o: bf16):
    %0 = arith.uitofp %a : i1 to bf16
    linalg.yield %0 : bf16
  }
  return
}

// -----

// A transposed input is gathered.
// CHECK-LABEL: func @transpose
func.func @transpose(%x: memref<32x16xf32>, %y: memref<16x32xf32>) {
  // CHECK: scf.for
  // CHECK: scf.for
  // CHECK-COUNT-16: memref.load
  // CHECK: vector.from_elements
  // CHECK: vector.store
  linalg.transpose ins(%x : memref<32x16xf32>) outs(%y : memref<16x32xf32>) permutation = [1, 0]
  return
}

// -----

// A copy between buffers that are not dense is a loop.
// CHECK-LABEL: func @copy
func.func @copy(%x: memref<4x16xf32, strided<[32, 1]>>, %y: memref<4x16xf32>) {
  // CHECK-NOT: memref.copy
  // CHECK: vector.load
  // CHECK: vector.store
  memref.copy %x, %y : memref<4x16xf32, strided<[32, 1]>> to memref<4x16xf32>
  return
}

// -----

// The end of a row of unknown length: a mask, or for integers 8, 4, 2 and 1 elements.
// CHECK-LABEL: func @dynamic
func.func @dynamic(%x: memref<?xf32>, %y: memref<?xf32>, %n: memref<?xi32>) {
  // CHECK: vector.create_mask
  // CHECK: vector.maskedload
  // CHECK: vector.maskedstore {{.*}} vector<16xf32>
  // CHECK-NOT: vector.maskedstore
  // CHECK: vector.store {{.*}} vector<8xi32>
  // CHECK: vector.store {{.*}} vector<4xi32>
  // CHECK: vector.store {{.*}} vector<2xi32>
  // CHECK: vector.store {{.*}} vector<1xi32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%x : memref<?xf32>) outs(%y, %n : memref<?xf32>, memref<?xi32>) {
  ^bb0(%a: f32, %o: f32, %p: i32):
    %0 = arith.addf %a, %a : f32
    %1 = arith.fptosi %a : f32 to i32
    linalg.yield %0, %1 : f32, i32
  }
  return
}
