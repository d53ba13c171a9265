// RUN: amp-opt %s --amp-build-training-step --split-input-file --verify-diagnostics

// Which symbols a task finds and makes.

train.variable @w : tensor<f32> = #train.zeros
func.func @loss() -> tensor<f32> {
  %w = train.read @w : tensor<f32>
  return %w : tensor<f32>
}
// expected-note @below {{symbol defined here}}
func.func private @t.step()
// expected-error @below {{cannot create @t.step because there is a symbol of this name; rename it}}
train.task @t loss(@loss) optimizer(#train.sgd<learning_rate = 1.0>)

// -----

train.variable @w : tensor<f32> = #train.zeros
func.func @loss() -> tensor<f32> {
  %w = train.read @w : tensor<f32>
  return %w : tensor<f32>
}
// expected-note @below {{symbol defined here}}
func.func private @t.eval()
// expected-error @below {{cannot create @t.eval because there is a symbol of this name; rename it}}
train.task @t loss(@loss) optimizer(#train.sgd<learning_rate = 1.0>)

// -----

train.variable @w : tensor<f32> = #train.zeros
// expected-note @below {{symbol defined here}}
train.variable @w.velocity : tensor<f32> = #train.zeros
func.func @loss() -> tensor<f32> {
  %w = train.read @w : tensor<f32>
  return %w : tensor<f32>
}
// expected-error @below {{cannot create @w.velocity because there is a symbol of this name; rename it}}
train.task @t loss(@loss) optimizer(#train.momentum<learning_rate = 1.0>)

// -----

train.variable @w : tensor<f32> = #train.zeros
// expected-note @below {{symbol defined here}}
train.variable frozen @t.step_count : tensor<i64> = #train.zeros
func.func @loss() -> tensor<f32> {
  %w = train.read @w : tensor<f32>
  return %w : tensor<f32>
}
// expected-error @below {{cannot create @t.step_count because there is a symbol of this name; rename it}}
train.task @t loss(@loss) optimizer(#train.sgd<learning_rate = 1.0>)

// -----

// A frozen variable is no parameter.

train.variable frozen @w : tensor<f32> = #train.zeros
// expected-note @below {{loss defined here}}
func.func @loss() -> tensor<f32> {
  %w = train.read @w : tensor<f32>
  return %w : tensor<f32>
}
// expected-error @below {{has nothing to train: the loss @loss depends on no parameter}}
train.task @t loss(@loss) optimizer(#train.sgd<learning_rate = 1.0>)

// -----

// Parameters that no loss depends on: not read, read for nothing, not of a float type.

train.variable @w : tensor<f32> = #train.zeros
// expected-warning @below {{parameter @not_read is not trained: no loss depends on it through float values; declare it frozen}}
train.variable @not_read : tensor<f32> = #train.zeros
// expected-warning @below {{parameter @unused is not trained}}
train.variable @unused : tensor<f32> = #train.zeros
// expected-warning @below {{parameter @labels is not trained}}
train.variable @labels : tensor<2xi32> = #train.zeros
train.variable @second : tensor<f32> = #train.zeros
func.func @loss(%x: tensor<2x3xf32>) -> tensor<f32> {
  %w = train.read @w : tensor<f32>
  %unused = train.read @unused : tensor<f32>
  %dead = train.relu %unused : (tensor<f32>) -> tensor<f32>
  %labels = train.read @labels : tensor<2xi32>
  %0 = train.cross_entropy %x, %labels : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<f32>
  %1 = train.mul %0, %w : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func @second_loss() -> tensor<f32> {
  %second = train.read @second : tensor<f32>
  return %second : tensor<f32>
}
train.task @t loss(@loss) optimizer(#train.sgd<learning_rate = 1.0>)
train.task @u loss(@second_loss) optimizer(#train.sgd<learning_rate = 1.0>)
