// One small model through every stage; docs/Pipeline.md explains them. `amp-run` runs the same stages, and its
// `--emit=autodiff`, `--emit=precision` and `--emit=lowered` print what the commands below do.

// Stage 1: a graph that computes a loss, the variables that it reads, and a task that says how it is trained.
//
// RUN: amp-opt %s | FileCheck %s --check-prefix=GRAPH
// GRAPH: train.variable{{.*}} @w : tensor<4x2xf32>
// GRAPH-LABEL: func.func @loss
// GRAPH: train.linear %{{.*}} : (tensor<?x4xf32>, tensor<4x2xf32>) -> tensor<?x2xf32>
// GRAPH: train.task @tiny

train.variable @w : tensor<4x2xf32> = #train.glorot<uniform>

func.func @loss(%x: tensor<?x4xf32> {train.name = "x"},
                %label: tensor<?xi32> {train.name = "label"}) -> tensor<f32> {
  %w = train.read @w : tensor<4x2xf32>
  %logits = train.linear %x, %w : (tensor<?x4xf32>, tensor<4x2xf32>) -> tensor<?x2xf32>
  %loss = train.cross_entropy %logits, %label : (tensor<?x2xf32>, tensor<?xi32>) -> tensor<f32>
  return %loss : tensor<f32>
}

train.task @tiny loss(@loss) optimizer(#train.sgd<learning_rate = 1.0e-1>)

// Stage 2, autodiff: the step is a function of its own, with gradients and the optimizer's step as ops. Still f32.
//
// RUN: amp-opt %s --amp-stage-autodiff | FileCheck %s --check-prefix=AUTODIFF
// AUTODIFF-LABEL: func.func @tiny.step
// AUTODIFF: %[[W:.*]] = train.read @w
// AUTODIFF: %[[LOGITS:.*]] = train.linear %[[X:.*]], %[[W]]
// AUTODIFF: train.cross_entropy %[[LOGITS]]
// AUTODIFF: %[[DLOGITS:.*]] = train.cross_entropy_grad %{{.*}}, %[[LOGITS]]
// AUTODIFF: %[[DW:.*]] = train.matmul %[[X]], %[[DLOGITS]] {{.*}}transpose_lhs
// AUTODIFF: %[[W1:.*]] = train.sgd %[[W]], %[[DW]]
// AUTODIFF: train.assign @w, %[[W1]]
// AUTODIFF-LABEL: func.func @tiny.eval

// Stage 3, precision: both matrix products read f16; the loss, the weight's gradient and its update are f32. The loss
// scale seeds the backward pass, and an update with an overflow is skipped as a whole.
//
// RUN: amp-opt %s --amp-stage-autodiff --amp='dtype=f16' | FileCheck %s --check-prefix=PRECISION
// PRECISION: train.variable half_copy @w.f16 : tensor<4x2xf16> of @w
// PRECISION: train.variable scale_state @amp.scale
// PRECISION-LABEL: func.func @tiny.step
// PRECISION: %[[SCALE:.*]] = train.read @amp.scale
// PRECISION: train.linear {{.*}} : (tensor<?x4xf16>, tensor<4x2xf16>)
// PRECISION: train.cross_entropy %{{.*}} : (tensor<?x2xf32>, tensor<?xi32>) -> tensor<f32>
// PRECISION: train.cross_entropy_grad %[[SCALE]],
// PRECISION: %[[DW:.*]] = train.matmul {{.*}} : (tensor<?x4xf16>, tensor<?x2xf16>) -> tensor<4x2xf32>
// PRECISION: %[[FINITE:.*]], %{{.*}}, %{{.*}} = amp.check_gradients %[[DW]]
// PRECISION: amp.guarded %[[FINITE]]
// PRECISION: %[[G:.*]] = amp.unscale %[[DW]]
// PRECISION: %[[W1:.*]] = train.sgd %{{.*}}, %[[G]]
// PRECISION: %[[HALF:.*]] = amp.cast %[[W1]]
// PRECISION-DAG: train.assign @w, %[[W1]]
// PRECISION-DAG: train.assign @w.f16, %[[HALF]]
// PRECISION: amp.update_scale %[[FINITE]], %[[SCALE]]

// Stage 4, lowering: first linalg, whose products accumulate in f32 ...
//
// RUN: amp-opt %s --amp-stage-autodiff --amp='dtype=f16' --amp-convert-train-to-linalg | FileCheck %s --check-prefix=LINALG
// LINALG-LABEL: func.func @tiny.step
// LINALG: linalg.matmul ins({{.*}} : tensor<?x4xf16>, tensor<4x2xf16>) outs({{.*}} : tensor<?x2xf32>)

// ... then the llvm dialect, where variables are arguments of the step.
//
// RUN: amp-opt %s --amp-stage-autodiff --amp='dtype=f16' --amp-stage-lower-cpu | FileCheck %s --check-prefix=LOWERED
// LOWERED-NOT: train.variable @
// LOWERED: llvm.func @tiny.step
// LOWERED: llvm.func @tiny.eval
