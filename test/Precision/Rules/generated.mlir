// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16' --split-input-file | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16 level=O3' --split-input-file -o %t
// RUN: amp-opt %t --allow-unregistered-dialect --amp='dtype=f16 level=O3' --split-input-file | diff %t -

// What generated graphs have broken: the verifier takes the result, and graphs.test runs them twice.
// CHECK-LABEL: func.func @afor1
// CHECK-LABEL: func.func @genvec
// CHECK-LABEL: func.func @cycle
// CHECK-LABEL: func.func @terminator
// CHECK: ^bb1:
// CHECK-NEXT: arith.truncf
// CHECK-LABEL: func.func @waits
// CHECK: call @never(%{{.*}}) : ({{.*}}) -> tensor<4x4xf32>
// CHECK-LABEL: func.func private @inside(%{{.*}}: f32) -> f32

// A rounding in another mode is none that the pass would make.
// CHECK-LABEL: func.func @rounding
// CHECK-DAG: arith.truncf %arg0 to_nearest_away : tensor<4x4xf32> to tensor<4x4xf16>
// CHECK-DAG: arith.truncf %arg0 : tensor<4x4xf32> to tensor<4x4xf16>
// CHECK-LABEL: func.func @empty
// CHECK-COUNT-1: tensor.empty
// CHECK-NOT: tensor.empty

func.func @afor1(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>) {

%a = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
%n = arith.negf %a : tensor<4x4xf32>
%b = linalg.matmul ins(%n, %n : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>

%r = affine.for %i = 0 to 1 iter_args(%v = %n) -> (tensor<4x4xf32>) {
  %e = math.exp %v : tensor<4x4xf32>
  affine.yield %e : tensor<4x4xf32> }
%h = linalg.matmul ins(%r, %r : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>

return %h : tensor<4x4xf32>
}


// -----

func.func @afor0b(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>) {

%a = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>

%r = affine.for %i = 0 to 0 iter_args(%v = %a) -> (tensor<4x4xf32>) {
  %e = math.exp %v : tensor<4x4xf32>
  affine.yield %e : tensor<4x4xf32> }
%h = linalg.matmul ins(%r, %r : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>

return %h : tensor<4x4xf32>
}


// -----

func.func @genvec(%v: vector<8xf32>) -> (tensor<4xvector<8xf32>>) {
%z = arith.addf %v, %v {amp.precision="low"} : vector<8xf32>
%o = tensor.empty() : tensor<4xvector<8xf32>>
%g = linalg.generic {indexing_maps=[affine_map<(i)->()>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%z : vector<8xf32>) outs(%o : tensor<4xvector<8xf32>>) {
^bb0(%p: vector<8xf32>, %q: vector<8xf32>):
  linalg.yield %p : vector<8xf32> } -> tensor<4xvector<8xf32>>
return %g : tensor<4xvector<8xf32>>
}


// -----

func.func @cycle(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  return %x : tensor<4x4xf32>
^casts:
  %a = arith.extf %b : tensor<4x4xf16> to tensor<4x4xf32>
  %b = arith.truncf %a : tensor<4x4xf32> to tensor<4x4xf16>
  %c = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %c : tensor<4x4xf32>
^moves:
  %d = arith.negf %e : tensor<4x4xf32>
  %e = arith.negf %d : tensor<4x4xf32>
  %f = linalg.matmul ins(%e, %e : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %f : tensor<4x4xf32>
}


// -----

func.func @terminator(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %t = "test.term"()[^next] : () -> tensor<4x4xf32>
^next:
  %y = linalg.matmul ins(%t, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}


// -----

func.func private @never(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  cf.br ^loop
^loop:
  cf.br ^loop
}
func.func @waits(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = call @never(%y) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %z = linalg.matmul ins(%r, %r : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}


// -----

func.func private @inside(%x: f32) -> f32 {
  %0 = arith.negf %x : f32
  return %0 : f32
}
func.func @called_from_a_body(%x: tensor<4xf32>, %c: f32) -> (tensor<4xf32>, f32) {
  %m = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = func.call @inside(%a) : (f32) -> f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %low = arith.addf %c, %c {amp.precision = "low"} : f32
  %r = func.call @inside(%low) : (f32) -> f32
  return %m, %r : tensor<4xf32>, f32
}


// -----

func.func @rounding(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf16>) {
  %u = arith.truncf %x to_nearest_away : tensor<4x4xf32> to tensor<4x4xf16>
  %y = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y, %u : tensor<4x4xf32>, tensor<4x4xf16>
}


// -----

func.func @empty(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %y = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
