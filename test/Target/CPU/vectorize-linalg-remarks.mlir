// RUN: amp-opt %s --amp-cpu-vectorize-linalg --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter="amp-cpu" --remark-format=emitRemark

func.func @branch(%x: memref<16xf32>, %c: i1) {
  // expected-remark @below {{'linalg.generic' runs one element at a time: 'scf.if' does not work on vectors}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%x : memref<16xf32>) {
  ^bb0(%a: f32):
    %0 = scf.if %c -> f32 {
      scf.yield %a : f32
    } else {
      %1 = arith.negf %a : f32
      scf.yield %1 : f32
    }
    linalg.yield %0 : f32
  }
  return
}

// -----

func.func @argmax(%x: memref<16xf32>, %value: memref<f32>, %index: memref<index>) {
  // expected-remark @below {{a result is not combined by one sum, product, maximum, minimum or bit operation}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>,
                                   affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<16xf32>) outs(%value, %index : memref<f32>, memref<index>) {
  ^bb0(%a: f32, %v: f32, %k: index):
    %i = linalg.index 0 : index
    %gt = arith.cmpf ogt, %a, %v : f32
    %0 = arith.select %gt, %a, %v : f32
    %1 = arith.select %gt, %i, %k : index
    linalg.yield %0, %1 : f32, index
  }
  return
}

// -----

func.func @strided_output(%x: memref<16xf32>, %y: memref<16xf32, strided<[2]>>) {
  // expected-remark @below {{'linalg.copy' runs one element at a time: an output is not contiguous along any loop}}
  linalg.copy ins(%x : memref<16xf32>) outs(%y : memref<16xf32, strided<[2]>>)
  return
}

// -----

func.func @complex(%x: memref<16xcomplex<f32>>, %y: memref<16xcomplex<f32>>) {
  // expected-remark @below {{'linalg.copy' runs one element at a time: there are no vectors of complex<f32>}}
  linalg.copy ins(%x : memref<16xcomplex<f32>>) outs(%y : memref<16xcomplex<f32>>)
  return
}

// -----

// A lane beyond the end would divide by whatever it finds.
func.func @division(%x: memref<16xi32>, %y: memref<16xi32>) {
  // expected-remark @below {{'linalg.generic' runs one element at a time: 'arith.divsi' does not work on vectors}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%x : memref<16xi32>) outs(%y : memref<16xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.divsi %o, %a : i32
    linalg.yield %0 : i32
  }
  return
}

// -----

// One element is no loop: no remark.
func.func @scalar(%x: memref<f32>, %y: memref<1x1xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<f32>) outs(%y : memref<1x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  return
}
