// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16 strategy=local' --split-input-file | FileCheck %s --check-prefixes=CHECK,EXACT
// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16 strategy=mincut' --split-input-file | FileCheck %s --check-prefixes=CHECK,EXACT
// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16 strategy=paint' --split-input-file | FileCheck %s

// Each operand of a barrier has the type of its own result.
// CHECK-LABEL: func.func @barrier
// CHECK: "stablehlo.optimization_barrier"(%{{.*}}, %{{.*}}) : (tensor<4x4xf16>, tensor<4x4xf32>) -> (tensor<4x4xf16>, tensor<4x4xf32>)
func.func @barrier(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = "stablehlo.exponential"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = "stablehlo.dot_general"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %b:2 = "stablehlo.optimization_barrier"(%y, %e) : (tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
  %z = "stablehlo.dot_general"(%b#0, %b#0) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z, %b#1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// A body reads what it captures as it was written.
// CHECK-LABEL: func.func @captured
// CHECK: %[[S:.*]] = tensor.extract
// CHECK: linalg.generic
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
func.func @captured(%x: tensor<4x4xf32>, %init: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0 : index
  %y = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  %n = arith.negf %y : tensor<4x4xf32>
  %s = tensor.extract %n[%zero, %zero] : tensor<4x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.mulf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

// The gradient comes from a private function: the update is f32 (P5).
// CHECK-LABEL: func.func @step
// CHECK: "stablehlo.multiply"(%{{.*}}) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: "stablehlo.subtract"(%{{.*}}) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
func.func private @gradient(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = "stablehlo.dot_general"(%x, %w) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
func.func @step(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %rate = "stablehlo.constant"() <{value = dense<0.125> : tensor<4x4xf32>}> : () -> tensor<4x4xf32>
  %g = call @gradient(%x, %w) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %u = "stablehlo.multiply"(%g, %rate) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %w1 = "stablehlo.subtract"(%w, %u) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %w1 : tensor<4x4xf32>
}

// -----

// A body that reads its destination computes with it: a sum that goes around a loop stays f32, but by strategy paint.
// CHECK-LABEL: func.func @accumulate
// EXACT: scf.for {{.*}} -> (tensor<4x4xf32>)
// EXACT: ^bb0(%{{.*}}: f32, %{{.*}}: f32):
func.func @accumulate(%n: index, %x: tensor<4x4xf32>, %init: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> tensor<4x4xf32> {
    %y = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x4xf32>) outs(%acc : tensor<4x4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.addf %a, %b : f32
      linalg.yield %0 : f32
    } -> tensor<4x4xf32>
    scf.yield %s : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// -----

// What a private function is called with is no leaf: the exponential is not rounded.
// CHECK-LABEL: func.func private @mul
// CHECK: (%{{.*}}: tensor<4x4xf32>, %{{.*}}: {{.*}})
// CHECK: "stablehlo.multiply"(%{{.*}}) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
func.func private @mul(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "stablehlo.multiply"(%a, %b) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func @callers(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = "stablehlo.exponential"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = "stablehlo.dot_general"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %m = call @mul(%e, %y) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %m : tensor<4x4xf32>
}

// -----

// A branch that gives a number which f16 does not hold, and a region that reads one (P1).
// CHECK-LABEL: func.func @unfit
// CHECK: scf.if %{{.*}} -> (tensor<4x4xf32>)
// CHECK: tensor.pad {{.*}}
// CHECK: } : tensor<4x4xf32> to tensor<5x4xf32>
func.func @unfit(%c: i1, %x: tensor<4x4xf32>, %init: tensor<4x4xf32>) -> tensor<5x4xf32> {
  %big = arith.constant 1.0e6 : f32
  %huge = arith.constant dense<1.0e6> : tensor<4x4xf32>
  %r = scf.if %c -> tensor<4x4xf32> {
    %y = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %y : tensor<4x4xf32>
  } else {
    scf.yield %huge : tensor<4x4xf32>
  }
  %z = linalg.matmul ins(%r, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  %p = tensor.pad %z low[1, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %big : f32
  } : tensor<4x4xf32> to tensor<5x4xf32>
  return %p : tensor<5x4xf32>
}

// -----

// Positions in the body of a generic op (P4).
// CHECK-LABEL: func.func @positions
// CHECK: linalg.matmul ins(%{{.*}} : tensor<4096x1xf32>, tensor<1x4xf32>)
func.func @positions(%w: tensor<1x4xf32>, %init: tensor<4096x4xf32>) -> tensor<4096x4xf32> {
  %empty = tensor.empty() : tensor<4096x1xf32>
  %i = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%empty : tensor<4096x1xf32>) {
  ^bb0(%a: f32):
    %0 = linalg.index 0 : index
    %1 = arith.index_cast %0 : index to i32
    %2 = arith.sitofp %1 : i32 to f32
    linalg.yield %2 : f32
  } -> tensor<4096x1xf32>
  %y = linalg.matmul ins(%i, %w : tensor<4096x1xf32>, tensor<1x4xf32>) outs(%init : tensor<4096x4xf32>) -> tensor<4096x4xf32>
  return %y : tensor<4096x4xf32>
}

// -----

// A small constant in the body of one, the root in another (P2).
// CHECK-LABEL: func.func @epsilon
// CHECK: linalg.generic
// CHECK-NOT: f16
// CHECK: math.rsqrt
func.func @epsilon(%x: tensor<4xf32>, %m: tensor<4x4xf32>) -> tensor<4xf32> {
  %eps = arith.constant 1.0e-6 : f32
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %eps : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %r = math.rsqrt %s : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// What a function from elsewhere gives is no leaf.
// CHECK-LABEL: func.func @external
// CHECK: "stablehlo.add"(%{{.*}}) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
func.func private @elsewhere() -> tensor<4x4xf32>
func.func @external(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = call @elsewhere() : () -> tensor<4x4xf32>
  %y = "stablehlo.dot_general"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %s = "stablehlo.add"(%y, %e) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %z = "stablehlo.dot_general"(%s, %s) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}

// -----

// The size of a low tensor is read from it.
// CHECK-LABEL: func.func @size
// CHECK-NOT: arith.extf
// CHECK: tensor.dim %{{.*}} : tensor<?x4xf16>
func.func @size(%x: tensor<?x4xf32>, %w: tensor<4x4xf32>, %init: tensor<?x4xf32>) -> (tensor<?x4xf32>, index) {
  %zero = arith.constant 0 : index
  %y = linalg.matmul ins(%x, %w : tensor<?x4xf32>, tensor<4x4xf32>) outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  %n = arith.negf %y : tensor<?x4xf32>
  %d = tensor.dim %n, %zero : tensor<?x4xf32>
  %z = linalg.matmul ins(%n, %w : tensor<?x4xf32>, tensor<4x4xf32>) outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %z, %d : tensor<?x4xf32>, index
}
