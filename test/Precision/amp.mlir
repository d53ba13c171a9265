// The example network through autodiff and the pass: all casts, the whole backward pass, the update.
// RUN: amp-opt %source/examples/digits/model.mlir --amp-stage-autodiff --amp='dtype=f16' | FileCheck %s
// RUN: amp-opt %source/examples/digits/model.mlir --amp-stage-autodiff --amp='dtype=bf16' | FileCheck %s --check-prefix=BF16
// RUN: amp-opt %source/examples/digits/model.mlir --amp-stage-autodiff > %t.f32
// RUN: amp-opt %source/examples/digits/model.mlir --amp-stage-autodiff --amp='dtype=none' | diff - %t.f32
// RUN: amp-opt %source/examples/digits/model.mlir --amp-stage-autodiff --amp='dtype=f16 level=O0' | diff - %t.f32
// RUN: amp-opt %source/examples/digits/model.mlir --amp-stage-autodiff --amp | diff - %t.f32

// A second run changes nothing, also without the mark of the first.
// RUN: amp-opt %source/examples/digits/model.mlir --amp-stage-autodiff --amp='dtype=f16' > %t.f16
// RUN: amp-opt %t.f16 --amp='dtype=f16' | diff - %t.f16
// RUN: sed -e 's/ attributes {amp.low_type = f16}//' %t.f16 > %t.stripped
// RUN: not diff %t.stripped %t.f16 > %t.diff
// RUN: amp-opt %t.stripped --amp='dtype=f16' | diff - %t.f16
// RUN: amp-opt %t.f16 --canonicalize --cse > %t.canonical
// RUN: amp-opt %t.canonical --amp='dtype=f16' | diff - %t.canonical

// CHECK-LABEL: func.func @digits.step
// CHECK: %[[SCALE:.*]] = train.read @amp.scale
// CHECK: %[[X:.*]] = amp.cast %{{.*}} : tensor<?x64xf32> to tensor<?x64xf16>
// CHECK-NOT: amp.cast
// CHECK: %[[H1:.*]] = train.linear %[[X]], %{{.*}} bias %{{.*}} : (tensor<?x64xf16>, tensor<64x128xf16>, tensor<128xf32>) -> tensor<?x128xf16>
// CHECK-NEXT: %[[A1:.*]] = train.relu %[[H1]]
// CHECK-NEXT: %[[H2:.*]] = train.linear %[[A1]]
// CHECK-NEXT: %[[A2:.*]] = train.relu %[[H2]]
// CHECK-NEXT: %[[Z:.*]] = train.linear %[[A2]], {{.*}} -> tensor<?x10xf16>
// CHECK-NEXT: %[[Z32:.*]] = amp.cast %[[Z]]
// CHECK-NEXT: %[[LOSS:.*]] = train.cross_entropy %[[Z32]]
// CHECK-NEXT: %[[DZ:.*]] = train.cross_entropy_grad %[[SCALE]], %[[Z32]]
// CHECK-NEXT: %[[DZ16:.*]] = amp.cast %[[DZ]]
// CHECK-NEXT: %[[DA2:.*]] = train.matmul %[[DZ16]], {{.*}} -> tensor<?x64xf16>
// CHECK-NEXT: %[[DW3:.*]] = train.matmul %[[A2]], %[[DZ16]] {{.*}} -> tensor<64x10xf32>
// CHECK-NEXT: %[[DB3:.*]] = train.reduce sum %[[DZ]] {{.*}} -> tensor<10xf32>
// CHECK-NEXT: %[[DH2:.*]] = train.relu_grad %[[DA2]], %[[H2]] {{.*}} -> tensor<?x64xf16>
// CHECK-NEXT: %[[DA1:.*]] = train.matmul %[[DH2]], {{.*}} -> tensor<?x128xf16>
// CHECK-NEXT: %[[DW2:.*]] = train.matmul %[[A1]], %[[DH2]] {{.*}} -> tensor<128x64xf32>
// CHECK-NEXT: %[[DB2:.*]] = train.reduce sum %[[DH2]] {{.*}} : (tensor<?x64xf16>) -> tensor<64xf32>
// CHECK-NEXT: %[[DH1:.*]] = train.relu_grad %[[DA1]], %[[H1]] {{.*}} -> tensor<?x128xf16>
// CHECK-NEXT: %[[DW1:.*]] = train.matmul %[[X]], %[[DH1]] {{.*}} -> tensor<64x128xf32>
// CHECK-NEXT: %[[DB1:.*]] = train.reduce sum %[[DH1]] {{.*}} -> tensor<128xf32>
// CHECK-NEXT: %[[INV:.*]] = amp.inverse_scale %[[SCALE]]
// CHECK-NEXT: %[[FINITE:.*]], %[[NONFINITE:.*]], %[[NORM:.*]] = amp.check_gradients %[[DW1]], %[[DB1]], %[[DW2]], %[[DB2]], %[[DW3]], %[[DB3]] by %[[INV]]
// CHECK-NEXT: amp.guarded %[[FINITE]]
// CHECK-COUNT-6: amp.unscale
// CHECK-NOT: amp.unscale
// CHECK: train.assign @w1, %[[W1:.*]] : tensor<64x128xf32>
// CHECK-NEXT: train.assign @w1.f16,
// CHECK: train.assign @digits.step_count
// CHECK-NEXT: }
// CHECK: amp.update_scale %[[FINITE]], %[[SCALE]]
// CHECK: return %[[LOSS]], %[[FINITE]], %[[SCALE]], %[[NORM]], %[[NONFINITE]]

// CHECK-LABEL: func.func @digits.eval
// CHECK-NOT: train.read @w{{[1-3]}} :
// CHECK: train.linear %{{.*}} : (tensor<?x64xf16>, tensor<64x128xf16>, tensor<128xf32>) -> tensor<?x128xf16>
// CHECK: %[[Z32:.*]] = amp.cast %{{.*}} : tensor<?x10xf16> to tensor<?x10xf32>
// CHECK-NEXT: train.cross_entropy %[[Z32]]
// CHECK-NEXT: train.accuracy %[[Z32]]

// BF16-NOT: amp.scale
// BF16: @w1.bf16
// BF16-LABEL: func.func @digits.step
// BF16-NOT: amp.guarded
// BF16: train.matmul {{.*}} : (tensor<?x64xbf16>, tensor<?x128xbf16>) -> tensor<64x128xf32>
// BF16-NOT: amp.guarded
