// RUN: amp-opt %s --amp-insert-shape-checks --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @cast
// CHECK: "'tensor.cast' op dimension 1 of operand 0 has size {0}, expected {1} as in result 0"
// CHECK-NOT: amp.assert
func.func @cast(%x: tensor<?x?xf32>) -> tensor<?x4xf32> {
  %0 = tensor.cast %x : tensor<?x?xf32> to tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @widen
// CHECK-NOT: amp.assert
func.func @widen(%x: tensor<4x?xf32>) -> tensor<?x?xf32> {
  %0 = tensor.cast %x : tensor<4x?xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @ranked
// CHECK: "'tensor.cast' op operand 0 has rank {0}, expected {1} as in result 0"
// CHECK-NOT: amp.assert
func.func @ranked(%x: tensor<*xf32>) -> tensor<?xf32> {
  %0 = tensor.cast %x : tensor<*xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @expand
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>, %[[N:.*]]: index)
// CHECK: "'tensor.expand_shape' op dimension 0 of result 0 is {0}, expected at least {1}"(%[[N]], %c0)
// CHECK: %[[PRODUCT:.*]] = arith.muli %[[N]], %c4
// CHECK: "'tensor.expand_shape' op dimension 0 of operand 0 has size {0}, expected {1} as in dimensions 0 to 1 of result 0"(%{{.*}}, %[[PRODUCT]])
func.func @expand(%x: tensor<?xf32>, %n: index) -> tensor<?x4xf32> {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @reshape
// CHECK: "'tensor.reshape' op element 0 of operand 1 is {0}, expected at least {1}"
// CHECK: "'tensor.reshape' op element 1 of operand 1 is {0}, expected {1} as in dimension 1 of result 0"
// CHECK: "'tensor.reshape' op operand 0 has {0} elements, expected {1} for the shape in operand 1"
func.func @reshape(%x: tensor<?xf32>, %shape: tensor<2xi32>) -> tensor<?x4xf32> {
  %0 = tensor.reshape %x(%shape) : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @extract_slice
// CHECK: "'tensor.extract_slice' op size of the slice of dimension 0 of operand 0 is {0}, expected at least {1}"
// CHECK: "'tensor.extract_slice' op slice of dimension 0 of operand 0 starts at {0}, expected at most {1}"
// CHECK: "'tensor.extract_slice' op slice of dimension 0 of operand 0 has size {0}, expected at most {1}"
// CHECK: "'tensor.extract_slice' op slice of dimension 0 of operand 0 ends at {0}, expected at most {1}"
// CHECK-NOT: amp.assert
func.func @extract_slice(%x: tensor<?x8xf32>, %start: index, %size: index) -> tensor<?x4xf32> {
  %0 = tensor.extract_slice %x[%start, 2] [%size, 4] [1, 1] : tensor<?x8xf32> to tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// A dimension that the slice drops counts, and the steps of another one do.
// CHECK-LABEL: func.func @steps
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>, %[[N:.*]]: index)
// CHECK: %[[ROWS:.*]] = tensor.dim %[[X]], %c0
// CHECK: "'tensor.extract_slice' op slice of dimension 0 of operand 0 ends at {0}, expected at most {1}"(%c6, %[[ROWS]])
// CHECK-NEXT: %[[COLUMNS:.*]] = tensor.dim %[[X]], %c1
// CHECK: arith.addi %[[N]], %c-1
// CHECK: %[[END:.*]] = arith.addi
// CHECK: "'tensor.extract_slice' op slice of dimension 1 of operand 0 ends at {0}, expected at most {1}"(%[[END]], %[[COLUMNS]])
func.func @steps(%x: tensor<?x?xf32>, %n: index) -> tensor<?xf32> {
  %0 = tensor.extract_slice %x[5, 0] [1, %n] [1, 3] : tensor<?x?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @insert_slice
// CHECK: "'tensor.insert_slice' op dimension 0 of operand 0 has size {0}, expected {1} as in the slice"
// CHECK: "'tensor.insert_slice' op slice of dimension 1 of operand 1 ends at {0}, expected at most {1}"
func.func @insert_slice(%x: tensor<?xf32>, %y: tensor<8x?xf32>, %n: index) -> tensor<8x?xf32> {
  %0 = tensor.insert_slice %x into %y[2, 1] [1, %n] [1, 1] : tensor<?xf32> into tensor<8x?xf32>
  return %0 : tensor<8x?xf32>
}

// CHECK-LABEL: func.func @pad
// CHECK: "'tensor.pad' op padding before dimension 0 of operand 0 is {0}, expected at least {1}"
// CHECK: "'tensor.pad' op padding after dimension 0 of operand 0 is {0}, expected at least {1}"
// CHECK: "'tensor.pad' op dimension 0 of operand 0 has size {0} when it is padded, expected {1} as in result 0"
func.func @pad(%x: tensor<?xf32>, %low: index, %high: index) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[%low] high[%high] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @concat
// CHECK: "'tensor.concat' op dimension 1 of operand 1 has size {0}, expected {1} as in operand 0"
// CHECK-NOT: amp.assert
func.func @concat(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = tensor.concat dim(0) %x, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @empty
// CHECK: "'tensor.empty' op dimension 0 of result 0 is {0}, expected at least {1}"
func.func @empty(%n: index) -> tensor<?xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @elements
// CHECK: "'tensor.extract' op index {0} of dimension 0 is out of bounds, expected less than {1}"
// CHECK: "'tensor.insert' op index {0} of dimension 0 is out of bounds, expected less than {1}"
// CHECK: "'tensor.dim' op dimension {0} does not exist, expected less than {1}"
func.func @elements(%x: tensor<?xf32>, %i: index, %j: index) -> (tensor<?xf32>, index) {
  %0 = tensor.extract %x[%i] : tensor<?xf32>
  %1 = tensor.insert %0 into %x[%j] : tensor<?xf32>
  %2 = tensor.dim %x, %i : tensor<?xf32>
  return %1, %2 : tensor<?xf32>, index
}

// The size of a collapsed dimension is a product; what is divided and multiplied again is compared.
// CHECK-LABEL: func.func @collapsed
// CHECK: %[[COUNT:.*]] = arith.muli %{{.*}}, %c6
// CHECK: %[[ROWS:.*]] = arith.divsi %{{.*}}, %c4
// CHECK: %[[PRODUCT:.*]] = arith.muli %[[ROWS]], %c4
// CHECK: amp.assert %{{.*}}, "'tensor.expand_shape' op dimension 0 of operand 0 has size {0}, expected {1} as in dimensions 0 to 1 of result 0"(%[[COUNT]], %[[PRODUCT]])
// CHECK-NOT: amp.assert
func.func @collapsed(%x: tensor<2x?x3xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %0 = tensor.collapse_shape %x [[0, 1, 2]] : tensor<2x?x3xf32> into tensor<?xf32>
  %count = tensor.dim %0, %c0 : tensor<?xf32>
  %rows = arith.divsi %count, %c4 : index
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [%rows, 4] : tensor<?xf32> into tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
