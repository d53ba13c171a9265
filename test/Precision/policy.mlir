// RUN: rm -rf %t && split-file %s %t
// RUN: amp-opt %t/graph.mlir --amp='dtype=f16 strategy=local policy=%t/low-loss.json' | FileCheck %s --check-prefix=LOW
// RUN: amp-opt %t/graph.mlir --amp='dtype=f16 strategy=local policy-json={"classes": {"train.linear": "deny"}}' | FileCheck %s --check-prefix=DENY
// RUN: amp-opt %t/graph.mlir --amp='dtype=f16 strategy=local policy-json={"classes": {"train.linear": "keep"}}' | FileCheck %s --check-prefix=KEEP
// RUN: amp-opt %t/graph.mlir --amp='dtype=f16 strategy=local policy-json={"classes": {"train.linear": "allow"}, "tables": []}' | FileCheck %s --check-prefix=ONLY

// An empty policy is no policy; one without tables changes nothing at all.
// RUN: amp-opt %t/graph.mlir --amp='dtype=f16 strategy=local' > %t/plain
// RUN: amp-opt %t/graph.mlir --amp='dtype=f16 strategy=local policy=%t/empty.json' | diff - %t/plain
// RUN: amp-opt %t/graph.mlir --amp='dtype=f16 strategy=local policy-json={"version": 1, "tables": ["train"]}' | diff - %t/plain
// RUN: amp-opt %t/graph.mlir --amp='dtype=f16 strategy=local policy-json={"classes": {"train.linear": "allow"}}' | diff - %t/plain
// RUN: amp-opt %t/graph.mlir > %t/f32
// RUN: amp-opt %t/graph.mlir --amp='dtype=f16 strategy=local policy-json={"tables": []}' | diff - %t/f32

// Softmax and loss in f16: they read f16, and where their types allow they give it; gradients as small as 1e-8 then
// vanish unless the loss is scaled.
// LOW-LABEL: func.func @step
// LOW: train.softmax %{{.*}} {train.forward = 1 : i64} : (tensor<?x4xf16>) -> tensor<?x4xf16>
// LOW: train.cross_entropy %{{.*}} : (tensor<?x4xf16>, tensor<?xi32>) -> tensor<f32>
// LOW: train.cross_entropy_grad %{{.*}} : (tensor<f32>, tensor<?x4xf16>, tensor<?xi32>) -> tensor<?x4xf16>
// LOW: train.softmax_grad %{{.*}} : (tensor<?x4xf16>, tensor<?x4xf16>) -> tensor<?x4xf16>
// LOW: train.matmul %{{.*}} -> tensor<8x4xf32>

// A backward op follows its forward op, not its own name (P8): the matmuls of a denied linear are f32.
// DENY-LABEL: func.func @step
// DENY: train.linear %{{.*}} : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
// DENY: train.matmul %{{.*}} : (tensor<?x8xf32>, tensor<?x4xf32>) -> tensor<8x4xf32>
// KEEP-LABEL: func.func @step
// KEEP: train.linear %{{.*}} : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
// KEEP: train.matmul %{{.*}} : (tensor<?x8xf32>, tensor<?x4xf32>) -> tensor<8x4xf32>

// Without tables the ops that are not named are kept, but for the backward of one that is.
// ONLY-LABEL: func.func @step
// ONLY: train.linear %{{.*}} : (tensor<?x8xf16>, tensor<8x4xf16>) -> tensor<?x4xf16>
// ONLY: train.softmax %{{.*}} : (tensor<?x4xf32>) -> tensor<?x4xf32>
// ONLY: train.matmul %{{.*}} : (tensor<?x8xf16>, tensor<?x4xf16>) -> tensor<8x4xf32>

//--- low-loss.json
{
  "version": 1,
  "classes": {
    "train.softmax": "allow",
    "train.cross_entropy": "allow",
    "train.cross_entropy_grad": "allow"
  }
}
//--- empty.json
{}
//--- graph.mlir
train.variable @w : tensor<8x4xf32> = #train.zeros
func.func @step(%x: tensor<?x8xf32>, %t: tensor<?xi32>) -> tensor<f32> {
  %w = train.read @w : tensor<8x4xf32>
  %z = train.linear %x, %w {train.forward = 0 : i64} : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
  %s = train.softmax %z {train.forward = 1 : i64} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %loss = train.cross_entropy %s, %t {train.forward = 2 : i64} : (tensor<?x4xf32>, tensor<?xi32>) -> tensor<f32>
  %seed = train.seed : tensor<f32>
  %ds = train.cross_entropy_grad %seed, %s, %t {train.gradient_of = 2 : i64} : (tensor<f32>, tensor<?x4xf32>, tensor<?xi32>) -> tensor<?x4xf32>
  %dz = train.softmax_grad %ds, %s {train.gradient_of = 1 : i64} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %dw = train.matmul %x, %dz {train.gradient_of = 0 : i64, transpose_lhs} : (tensor<?x8xf32>, tensor<?x4xf32>) -> tensor<8x4xf32>
  %w1 = train.sgd %w, %dw {learning_rate = 0.1 : f64, weight_decay = 0.0 : f64} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  train.assign @w, %w1 : tensor<8x4xf32>
  return %loss : tensor<f32>
}
