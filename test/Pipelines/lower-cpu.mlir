// RUN: amp-opt %s --amp-stage-lower-cpu | FileCheck %s

// Nothing but the llvm dialect is left.
// CHECK-NOT: {{(arith|linalg|tensor|memref|scf|cf|vector|math|func|tosa)[.]}}
// CHECK-LABEL: llvm.func @elementwise
// CHECK: llvm.fadd
func.func @elementwise(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.addf %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: llvm.func @tosa_add
// CHECK: llvm.fadd
func.func @tosa_add(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A private function is inlined and gone.
// CHECK-NOT: @helper
func.func private @helper(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.sqrt %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: llvm.func @caller
// CHECK-NOT: llvm.call @helper
// CHECK: llvm.intr.sqrt
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @helper(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
