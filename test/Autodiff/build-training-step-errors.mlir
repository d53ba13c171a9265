// RUN: amp-opt %s --amp-build-training-step --split-input-file --verify-diagnostics

train.variable @w : tensor<4xf32> = #train.zeros
// expected-note @below {{gradient requested here}}
func.func @loss(%x: tensor<4xf32>) -> tensor<f32> {
  %w = train.read @w : tensor<4xf32>
  // No parameter reaches this one: it needs no rule.
  %constant = math.cos %x : tensor<4xf32>
  %0 = train.mul %w, %constant : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{cannot differentiate 'math.sin': it has no differentiation rule; compute the value that depends on a parameter with other ops, or attach a DifferentiableOpInterface to this one}}
  %1 = math.sin %0 : tensor<4xf32>
  // The loss does not depend on this one.
  %unused = math.exp %0 : tensor<4xf32>
  %2 = train.reduce sum %1 dimensions [0] : (tensor<4xf32>) -> tensor<f32>
  return %2 : tensor<f32>
}
train.task @t loss(@loss) optimizer(#train.sgd<learning_rate = 1.0>)

// -----

train.variable @w : tensor<4xf32> = #train.zeros
// expected-note @below {{gradient requested here}}
func.func @region_reads_parameter(%c: i1) -> tensor<f32> {
  %w = train.read @w : tensor<4xf32>
  // expected-error @below {{cannot differentiate 'scf.if': it has no differentiation rule}}
  %0 = scf.if %c -> tensor<f32> {
    %1 = train.reduce sum %w dimensions [0] : (tensor<4xf32>) -> tensor<f32>
    scf.yield %1 : tensor<f32>
  } else {
    %2 = arith.constant dense<0.0> : tensor<f32>
    scf.yield %2 : tensor<f32>
  }
  return %0 : tensor<f32>
}
train.task @t loss(@region_reads_parameter) optimizer(#train.sgd<learning_rate = 1.0>)

// -----

train.variable @w : tensor<2x3xf32> = #train.zeros
// expected-note @below {{gradient requested here}}
func.func @accuracy_as_loss(%t: tensor<2xi32>) -> tensor<f32> {
  %w = train.read @w : tensor<2x3xf32>
  // expected-error @below {{cannot differentiate 'train.accuracy': it is constant wherever it has a derivative; train 'train.cross_entropy' and report the accuracy as the task's metric}}
  %0 = train.accuracy %w, %t : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<f32>
  return %0 : tensor<f32>
}
train.task @t loss(@accuracy_as_loss) optimizer(#train.sgd<learning_rate = 1.0>)

// -----

func.func private @elsewhere(tensor<f32>) -> tensor<f32>
func.func @calls_external(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{cannot inline the call of @elsewhere: it has no body; define it in this module}}
  %0 = call @elsewhere(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
train.task @t loss(@calls_external) optimizer(#train.sgd<learning_rate = 1.0>)

// -----

func.func private @even(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @odd(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @odd(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{cannot inline the call of @even: it calls itself; autodiff needs a graph without recursion}}
  %0 = call @even(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @recursive(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @even(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
train.task @t loss(@recursive) optimizer(#train.sgd<learning_rate = 1.0>)

// -----

func.func private @branches(%x: tensor<f32>) -> tensor<f32> {
  cf.br ^next
^next:
  return %x : tensor<f32>
}
func.func @calls_blocks(%x: tensor<f32>, %c: i1) -> tensor<f32> {
  %0 = scf.if %c -> tensor<f32> {
    // expected-error @below {{cannot inline the call of @branches: it has 2 blocks; autodiff needs a graph of one block}}
    %1 = func.call @branches(%x) : (tensor<f32>) -> tensor<f32>
    scf.yield %1 : tensor<f32>
  } else {
    scf.yield %x : tensor<f32>
  }
  return %0 : tensor<f32>
}
train.task @t loss(@calls_blocks) optimizer(#train.sgd<learning_rate = 1.0>)

// -----

// expected-error @below {{cannot expand @no_return: it does not end in a return}}
func.func @no_return(%x: tensor<f32>) -> tensor<f32> {
  llvm.unreachable
}
train.task @t loss(@no_return) optimizer(#train.sgd<learning_rate = 1.0>)

// -----

// expected-error @below {{cannot expand @external_loss: it has no body; define it in this module}}
func.func private @external_loss(tensor<f32>) -> tensor<f32>
train.task @t loss(@external_loss) optimizer(#train.sgd<learning_rate = 1.0>)

// -----

ml_program.func @foreign(%x: tensor<f32>) -> tensor<f32> {
  ml_program.return %x : tensor<f32>
}
// expected-error @below {{expects @foreign to be a func.func}}
train.task @t loss(@foreign) optimizer(#train.sgd<learning_rate = 1.0>)

// -----

train.variable @w : tensor<f32> = #train.zeros
func.func @loss_assigns() -> tensor<f32> {
  %w = train.read @w : tensor<f32>
  // expected-error @below {{cannot assign @w in a loss or metric: its evaluation changes nothing}}
  train.assign @w, %w : tensor<f32>
  return %w : tensor<f32>
}
train.task @t loss(@loss_assigns) optimizer(#train.sgd<learning_rate = 1.0>)

// -----

// In a callee, the error stands at the callee's op.

train.variable @w : tensor<f32> = #train.zeros
func.func private @callee(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{cannot differentiate 'math.sin': it has no differentiation rule}}
  %0 = math.sin %x : tensor<f32>
  return %0 : tensor<f32>
}
// expected-note @below {{gradient requested here}}
func.func @calls() -> tensor<f32> {
  %w = train.read @w : tensor<f32>
  %0 = call @callee(%w) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
train.task @t loss(@calls) optimizer(#train.sgd<learning_rate = 1.0>)
