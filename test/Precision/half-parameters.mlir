// Parameters that are half already: their gradients leave unscaling in f32, and stay it up to the optimizer.

// RUN: amp-opt --amp-stage-autodiff --amp='dtype=f16' %s | FileCheck %s

// Every optimizer, half type, level and kind of master weights verifies, with and without clipping.
// DEFINE: %{half} = f16
// DEFINE: %{optimizer} = adamw
// DEFINE: %{clip} = clip_norm(1.0)
// DEFINE: %{edit} = sed -e 's/xf16>/x%{half}>/g' -e 's/#train.adamw/#train.%{optimizer}/' -e 's/clip_norm(1.0)/%{clip}/' %s
// DEFINE: %{all} = \
// DEFINE:   %{edit} | amp-opt --amp-stage-autodiff --amp='dtype=f16 master-weights=cast' -o %t && \
// DEFINE:   %{edit} | amp-opt --amp-stage-autodiff --amp='dtype=f16 level=O2' -o %t && \
// DEFINE:   %{edit} | amp-opt --amp-stage-autodiff --amp='dtype=f16 level=O3' -o %t && \
// DEFINE:   %{edit} | amp-opt --amp-stage-autodiff --amp='dtype=bf16 loss-scale=dynamic' -o %t

// RUN: %{all}
// REDEFINE: %{optimizer} = sgd
// RUN: %{all}
// REDEFINE: %{optimizer} = momentum
// RUN: %{all}
// REDEFINE: %{clip} =
// RUN: %{all}
// REDEFINE: %{half} = bf16
// REDEFINE: %{optimizer} = adam
// RUN: %{all}
// REDEFINE: %{clip} = clip_norm(1.0)
// RUN: %{all}

// It trains.
// RUN: %python -c "import numpy as n; n.savez('%t.npz', x=n.eye(4, dtype=n.float32), y=n.arange(4, dtype=n.int32) % 3)"
// RUN: amp-run %s --data=%t.npz --amp=f16 --batch=2 --steps=2 --checkpoint=%t.safetensors

// CHECK-LABEL: func.func @t.step
// CHECK:         amp.guarded
// CHECK:           %[[UNSCALED:.*]] = amp.unscale {{.*}} -> tensor<4x3xf32>
// CHECK:           %[[CLIPPED:.*]] = train.clip %[[UNSCALED]] {{.*}} -> tensor<4x3xf32>
// CHECK-NEXT:      {{.*}} = train.adamw {{.*}}%[[CLIPPED]],{{.*}} -> (tensor<4x3xf16>

train.variable @w : tensor<4x3xf16> = #train.he<normal>
train.variable @b : tensor<3xf16> = #train.zeros
func.func @loss(%x: tensor<?x4xf32> {train.name = "x"}, %y: tensor<?xi32> {train.name = "y"}) -> tensor<f32> {
  %w = train.read @w : tensor<4x3xf16>
  %b = train.read @b : tensor<3xf16>
  %h = train.linear %x, %w bias %b : (tensor<?x4xf32>, tensor<4x3xf16>, tensor<3xf16>) -> tensor<?x3xf32>
  %l = train.cross_entropy %h, %y : (tensor<?x3xf32>, tensor<?xi32>) -> tensor<f32>
  return %l : tensor<f32>
}
train.task @t loss(@loss) optimizer(#train.adamw<learning_rate = 1.0e-3>) clip_norm(1.0)
