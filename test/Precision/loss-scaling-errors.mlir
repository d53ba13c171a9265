// RUN: amp-opt %s --amp='dtype=f16 loss-scale=dynamic' --split-input-file --verify-diagnostics

// expected-error @below {{loss-scale was given, but the module has no step function (attribute train.step_of) whose gradients could be scaled; declare a train.task and run amp-stage-autodiff before amp, or use loss-scale=none}}
module {
  func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
    return %x : tensor<2xf32>
  }
}

// -----

// expected-error @below {{cannot scale the loss of @t.step: it has no 'train.seed', the gradient that begins the backward pass; run amp on what amp-stage-autodiff gives}}
func.func @t.step(%x: tensor<2xf32>) -> tensor<2xf32> attributes {train.step_of = @t} {
  return %x : tensor<2xf32>
}

// -----

func.func @t.step(%x: tensor<2xf64>) -> tensor<2xf64> attributes {train.step_of = @t} {
  // expected-error @below {{cannot scale the loss of @t.step: the loss is 'f64', a loss scale needs f32; use loss-scale=none}}
  %seed = train.seed : tensor<f64>
  return %x : tensor<2xf64>
}

// -----

// expected-error @below {{cannot scale the loss of @t.step: expected one 'train.global_norm', which names the gradients, but found 0}}
func.func @t.step(%x: tensor<2xf32>) -> tensor<2xf32> attributes {train.step_of = @t} {
  %seed = train.seed : tensor<f32>
  return %x : tensor<2xf32>
}

// -----

// expected-error @below {{cannot scale the loss of @t.step: it has no result with the attribute train.name = "scale"}}
func.func @t.step(%x: tensor<2xf32>, %true: tensor<i1>) -> (tensor<i1> {train.name = "stepped"}) attributes {train.step_of = @t} {
  %seed = train.seed : tensor<f32>
  %norm = train.global_norm %x : (tensor<2xf32>) -> tensor<f32>
  return %true : tensor<i1>
}

// -----

// expected-error @below {{cannot scale the loss of @t.step: it gets another result, but is called}}
func.func @t.step(%x: tensor<2xf32>, %true: tensor<i1>) -> (tensor<i1> {train.name = "stepped"}) attributes {train.step_of = @t} {
  %seed = train.seed : tensor<f32>
  %norm = train.global_norm %x : (tensor<2xf32>) -> tensor<f32>
  return %true : tensor<i1>
}
func.func @caller(%x: tensor<2xf32>, %true: tensor<i1>) -> tensor<i1> {
  // expected-note @below {{called here}}
  %0 = call @t.step(%x, %true) : (tensor<2xf32>, tensor<i1>) -> tensor<i1>
  return %0 : tensor<i1>
}

// -----

train.variable @w : tensor<2xf32> = #train.zeros
func.func @t.step(%x: tensor<2xf32>, %true: tensor<i1>, %one: tensor<f32>) -> (tensor<i1> {train.name = "stepped"}, tensor<f32> {train.name = "scale"}) attributes {train.step_of = @t} {
  %seed = train.seed : tensor<f32>
  %norm = train.global_norm %x : (tensor<2xf32>) -> tensor<f32>
  // expected-note @below {{assigned here}}
  train.assign @w, %x : tensor<2xf32>
  // expected-error @below {{cannot scale the loss of @t.step: @w is read after its assignment, which a skipped step must leave out; read it before}}
  %w = train.read @w : tensor<2xf32>
  return %true, %one : tensor<i1>, tensor<f32>
}

// -----

train.variable @w : tensor<2xf32> = #train.zeros
func.func @t.step(%x: tensor<2xf32>, %true: tensor<i1>, %one: tensor<f32>, %c: i1) -> (tensor<i1> {train.name = "stepped"}, tensor<f32> {train.name = "scale"}) attributes {train.step_of = @t} {
  %seed = train.seed : tensor<f32>
  %norm = train.global_norm %x : (tensor<2xf32>) -> tensor<f32>
  // expected-error @below {{cannot scale the loss of @t.step: it assigns a variable inside 'scf.if'; assign the result of that op behind it}}
  scf.if %c {
    train.assign @w, %x : tensor<2xf32>
  }
  return %true, %one : tensor<i1>, tensor<f32>
}

// -----

func.func @t.step(%x: tensor<2xf32>, %true: tensor<i1>, %one: tensor<f32>) -> (tensor<i1> {train.name = "stepped"}, tensor<f32> {train.name = "scale"}) attributes {train.step_of = @t} {
  %seed = train.seed : tensor<f32>
  // expected-error @below {{cannot scale the loss of @t.step: gradient 0 updates no variable, and the attribute train.gradients that names it is missing}}
  %norm = train.global_norm %x : (tensor<2xf32>) -> tensor<f32>
  return %true, %one : tensor<i1>, tensor<f32>
}

// -----

// expected-error @below {{cannot scale the loss of @t.step: its body has more than one block}}
func.func @t.step(%x: tensor<2xf32>) -> tensor<2xf32> attributes {train.step_of = @t} {
  cf.br ^end
^end:
  return %x : tensor<2xf32>
}

// -----

// expected-error @below {{@amp.scale is the name of the loss scale's state; rename this symbol}}
train.variable @amp.scale : tensor<2xf32> = #train.zeros
func.func @t.step(%x: tensor<2xf32>) -> tensor<2xf32> attributes {train.step_of = @t} {
  return %x : tensor<2xf32>
}

// -----

// expected-error @below {{expected one 'train.global_norm', which names the gradients, but found 2}}
func.func @t.step(%x: tensor<2xf32>) -> tensor<2xf32> attributes {train.step_of = @t} {
  %seed = train.seed : tensor<f32>
  %n0 = train.global_norm %x : (tensor<2xf32>) -> tensor<f32>
  %n1 = train.global_norm %x : (tensor<2xf32>) -> tensor<f32>
  return %x : tensor<2xf32>
}

// -----

func.func @t.step(%x: tensor<2xf32>, %true: tensor<i1>, %one: tensor<f32>) -> (tensor<i1> {train.name = "stepped"}, tensor<f32> {train.name = "scale"}, tensor<2xf32>) attributes {train.step_of = @t} {
  %seed = train.seed : tensor<f32>
  %norm = train.global_norm %x : (tensor<2xf32>) -> tensor<f32>
  %g = train.clip %x norm %norm {max_norm = 1.0 : f64} : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  // expected-error @below {{cannot scale the loss of @t.step: it returns a gradient, which would be a scaled one}}
  return %true, %one, %g : tensor<i1>, tensor<f32>, tensor<2xf32>
}

// -----

func.func @t.step(%x: tensor<2xf64>, %true: tensor<i1>, %one: tensor<f32>) -> (tensor<i1> {train.name = "stepped"}, tensor<f32> {train.name = "scale"}) attributes {train.step_of = @t} {
  %seed = train.seed : tensor<f32>
  // expected-error @below {{cannot scale the loss of @t.step: a gradient is f64, which no loss scale is for; use loss-scale=none}}
  %norm = train.global_norm %x : (tensor<2xf64>) -> tensor<f32>
  return %true, %one : tensor<i1>, tensor<f32>
}

// -----

// The second gradient is scaled too, and nothing would unscale it.
train.variable @a : tensor<2xf32> = #train.zeros
train.variable @b : tensor<2xf32> = #train.zeros
func.func @t.step(%x: tensor<2xf32>, %y: tensor<2xf32>, %true: tensor<i1>, %one: tensor<f32>) -> (tensor<i1> {train.name = "stepped"}, tensor<f32> {train.name = "scale"}) attributes {train.step_of = @t} {
  %seed = train.seed : tensor<f32>
  %a = train.read @a : tensor<2xf32>
  %b = train.read @b : tensor<2xf32>
  // expected-note @below {{the norm is computed here}}
  %norm = train.global_norm %x : (tensor<2xf32>) -> tensor<f32>
  %clipped = train.clip %x norm %norm {max_norm = 1.0 : f64} : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %a1 = train.sgd %a, %clipped {learning_rate = 1.0e-1 : f64, weight_decay = 0.0 : f64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // expected-error @below {{cannot scale the loss of @t.step: the gradient of 'train.sgd' for @b is none of 'train.global_norm' and would stay scaled; add it to the norm or use loss-scale=none}}
  %b1 = train.sgd %b, %y {learning_rate = 1.0e-1 : f64, weight_decay = 0.0 : f64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  train.assign @a, %a1 : tensor<2xf32>
  train.assign @b, %b1 : tensor<2xf32>
  return %true, %one : tensor<i1>, tensor<f32>
}

// -----

// expected-error @below {{cannot scale the loss of @t.step: its result "stepped" must be 'tensor<i1>', but is 'tensor<f32>'}}
func.func @t.step(%x: tensor<2xf32>, %one: tensor<f32>) -> (tensor<f32> {train.name = "stepped"}, tensor<f32> {train.name = "scale"}) attributes {train.step_of = @t} {
  %seed = train.seed : tensor<f32>
  %norm = train.global_norm %x : (tensor<2xf32>) -> tensor<f32>
  return %one, %one : tensor<f32>, tensor<f32>
}

// -----

// expected-error @below {{cannot scale the loss of @t.step: its result "scale" must be 'tensor<f32>', but is 'tensor<1xf32>'}}
func.func @t.step(%x: tensor<2xf32>, %true: tensor<i1>, %one: tensor<1xf32>) -> (tensor<i1> {train.name = "stepped"}, tensor<1xf32> {train.name = "scale"}) attributes {train.step_of = @t} {
  %seed = train.seed : tensor<f32>
  %norm = train.global_norm %x : (tensor<2xf32>) -> tensor<f32>
  return %true, %one : tensor<i1>, tensor<1xf32>
}

// -----

func.func @t.step(%x: tensor<2xf32>, %true: tensor<i1>, %one: tensor<f32>) -> (tensor<i1> {train.name = "stepped"}, tensor<f32> {train.name = "scale"}) attributes {train.step_of = @t} {
  %seed = train.seed : tensor<f32>
  // expected-error @below {{cannot scale the loss of @t.step: the norm must be 'tensor<f32>', but is 'tensor<f64>'}}
  %norm = train.global_norm %x : (tensor<2xf32>) -> tensor<f64>
  return %true, %one : tensor<i1>, tensor<f32>
}
