// RUN: amp-opt %s --amp-cpu-lower-asserts --split-input-file | FileCheck %s

// CHECK-NOT: __amp
// CHECK-LABEL: func.func @none
// CHECK-NEXT: return
func.func @none() {
  return
}

// -----

// The place and the message are one text, which ends with a zero.
// CHECK-LABEL: func.func @fails
// CHECK-SAME: (%[[OK:.*]]: i1, %[[N:.*]]: index)
// CHECK-NEXT: cf.cond_br %[[OK]] weights([1048576, 1]), ^[[NEXT:.*]], ^[[FAILS:.*]]
// CHECK: ^[[NEXT]]:
// CHECK-NEXT: %[[RESULT:.*]] = arith.addi %[[N]], %[[N]]
// CHECK-NEXT: return %[[RESULT]]
// CHECK: ^[[FAILS]]:
// CHECK-DAG: %[[TEXT:.*]] = llvm.mlir.addressof @[[MESSAGE:.*]] : !llvm.ptr
// CHECK-DAG: %[[COUNT:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[NONE:.*]] = arith.constant 0 : index
// CHECK-NEXT: call @__amp_report_failure(%[[TEXT]], %[[COUNT]], %[[N]], %[[NONE]])
// CHECK-NEXT: %[[POISON:.*]] = ub.poison : index
// CHECK-NEXT: return %[[POISON]]
// CHECK: llvm.mlir.global internal constant @[[MESSAGE]]("model.mlir:3:7: 'train.add' op has size {0}\00")
// CHECK: func.func private @__amp_report_failure(!llvm.ptr, index, index, index)
func.func @fails(%ok: i1, %n: index) -> index {
  amp.assert %ok, "'train.add' op has size {0}"(%n) loc("model.mlir":3:7)
  %0 = arith.addi %n, %n : index
  return %0 : index
}

// -----

// CHECK-LABEL: func.func @cf
// CHECK-NOT: cf.assert
// CHECK: llvm.mlir.global internal constant @{{.*}}("model.mlir:5:1: 'cf.assert' op does not hold: {0} is text\00")
func.func @cf(%ok: i1) {
  cf.assert %ok, "{0} is text" loc(fused["model.mlir":5:1, "other"])
  return
}

// -----

// Buffers are left to the call.
// CHECK-LABEL: func.func @allocates
// CHECK: ^[[NEXT:.*]]:
// CHECK-NEXT: memref.dealloc
// CHECK: call @__amp_report_failure
// CHECK-NEXT: return
func.func @allocates(%ok: i1) {
  %buffer = memref.alloc() : memref<4xf32>
  amp.assert %ok, "fails"
  memref.dealloc %buffer : memref<4xf32>
  return
}

// -----

// Callers of what can fail ask, through any number of calls, and others do not.
// CHECK-LABEL: func.func private @inner
// CHECK: call @__amp_report_failure
func.func private @inner(%ok: i1) {
  amp.assert %ok, "fails"
  return
}

// CHECK-LABEL: func.func private @middle
// CHECK: call @inner
// CHECK-NEXT: %[[FAILED:.*]] = call @__amp_has_failed() : () -> i1
// CHECK-NEXT: cf.cond_br %[[FAILED]] weights([1, 1048576]), ^[[FAILS:.*]], ^
// CHECK: ^[[FAILS]]:
// CHECK-NEXT: return
func.func private @middle(%ok: i1) {
  call @inner(%ok) : (i1) -> ()
  return
}

// CHECK-LABEL: func.func private @harmless
// CHECK-NEXT: return
func.func private @harmless() {
  return
}

// CHECK-LABEL: func.func @outer
// CHECK: call @middle
// CHECK-NEXT: call @__amp_has_failed
// CHECK: call @harmless
// CHECK-NEXT: call_indirect
// CHECK-NEXT: call @__amp_has_failed
// CHECK-NEXT: cf.cond_br
func.func @outer(%ok: i1, %unknown: () -> ()) {
  call @middle(%ok) : (i1) -> ()
  call @harmless() : () -> ()
  call_indirect %unknown() : () -> ()
  return
}
