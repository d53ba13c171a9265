// RUN: split-file %s %t
// RUN: amp-opt %t/casts.mlir --amp='dtype=f16' -o %t/once
// RUN: FileCheck %s < %t/once
// RUN: amp-opt %t/once --amp='dtype=f16' | diff %t/once -
// RUN: sed 's/attributes {amp.low_type = f16} //' %t/once > %t/stripped
// RUN: amp-opt %t/stripped --amp='dtype=f16' | diff %t/once -

// What the policy does not let it change it prints as it is without the pass.
// RUN: amp-opt %t/casts.mlir > %t/without
// RUN: amp-opt %t/casts.mlir --amp='dtype=none' | diff %t/without -
// RUN: amp-opt %t/casts.mlir --amp='dtype=f16 policy-json={"tables": []}' | diff %t/without -
// RUN: amp-opt %t/casts.mlir --amp='dtype=f16 policy-json={}' | diff %t/once -

// A rounding that the user wrote stays, and who reads the rounded value reads it (family T).
// CHECK-LABEL: func.func @rounding
// CHECK: %[[LOW:.*]] = arith.truncf %arg0 : tensor<4x4xf32> to tensor<4x4xf16>
// CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[LOW]] : tensor<4x4xf16> to tensor<4x4xf32>
// CHECK-NEXT: math.exp %[[WIDE]]

// What is widened from f16 goes in as it is: narrow(widen x) is x.
// CHECK-LABEL: func.func @widened
// CHECK-NOT: arith.truncf
// CHECK: linalg.matmul ins(%arg0, %arg0 : tensor<4x4xf16>, tensor<4x4xf16>)

//--- casts.mlir
func.func @rounding(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = arith.truncf %x : tensor<4x4xf32> to tensor<4x4xf16>
  %1 = arith.extf %0 : tensor<4x4xf16> to tensor<4x4xf32>
  %2 = math.exp %1 : tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
func.func @widened(%x: tensor<4x4xf16>, %init: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = arith.extf %x : tensor<4x4xf16> to tensor<4x4xf32>
  %1 = linalg.matmul ins(%0, %0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
