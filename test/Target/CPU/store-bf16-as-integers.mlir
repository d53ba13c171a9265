// RUN: amp-opt %s --amp-cpu-store-bf16-as-integers | FileCheck %s

// CHECK-NOT: bf16
// CHECK: llvm.mlir.global private constant @weights(dense<[16256, 16384]> : tensor<2xi16>) {{.*}}!llvm.array<2 x i16>
llvm.mlir.global private constant @weights(dense<[1.0, 2.0]> : tensor<2xbf16>) : !llvm.array<2 x bf16>

// CHECK-LABEL: llvm.func @f(%arg0: !llvm.ptr, %arg1: i16) -> vector<4xi16>
llvm.func @f(%p: !llvm.ptr, %x: bf16) -> vector<4xbf16> {
  // CHECK: llvm.mlir.constant(-16256 : i16)
  %c = llvm.mlir.constant(-4.0 : bf16) : bf16
  // CHECK: llvm.getelementptr %arg0[1] : (!llvm.ptr) -> !llvm.ptr, i16
  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, bf16
  // CHECK: llvm.store %{{.*}} : i16, !llvm.ptr
  llvm.store %c, %q : bf16, !llvm.ptr
  llvm.store %x, %p : bf16, !llvm.ptr
  // CHECK: llvm.mlir.constant(dense<16256> : vector<4xi16>)
  %v = llvm.mlir.constant(dense<1.0> : vector<4xbf16>) : vector<4xbf16>
  llvm.return %v : vector<4xbf16>
}
