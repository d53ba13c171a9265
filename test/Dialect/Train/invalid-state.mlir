// RUN: amp-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{'train.variable' op expects a static shape but got 'tensor<?x4xf32>'}}
train.variable @variable_c1_dynamic : tensor<?x4xf32> = #train.zeros

// -----

// expected-error @below {{'train.variable' op expects a type of less than 2^63 bytes but got 'tensor<4294967296x4294967296xf32>'}}
train.variable @variable_c1_huge : tensor<4294967296x4294967296xf32> = #train.zeros

// -----

// expected-error @below {{'train.variable' op expects either an initial value or 'of @original', but got neither}}
train.variable @variable_c2_neither : tensor<4xf32>

// -----

train.variable @w : tensor<4xf32> = #train.zeros
// expected-error @below {{'train.variable' op expects either an initial value or 'of @original', but got both}}
train.variable half_copy @variable_c2_both : tensor<4xf16> = #train.zeros of @w

// -----

// expected-error @below {{'train.variable' op expects 'of @original' exactly with the role half_copy, but the role is half_copy}}
train.variable half_copy @variable_c3_no_original : tensor<4xf16> = #train.zeros

// -----

train.variable @w : tensor<4xf32> = #train.zeros
// expected-error @below {{'train.variable' op expects 'of @original' exactly with the role half_copy, but the role is frozen}}
train.variable frozen @variable_c3_frozen_copy : tensor<4xf16> of @w

// -----

// expected-error @below {{'train.variable' op expects an initialiser of the train dialect (#train.zeros, constant, uniform, normal, glorot or he) but got 1 : i64}}
train.variable @variable_c4_no_initialiser : tensor<4xf32> = 1

// -----

// expected-error @below {{'train.variable' op expects a float type for a random initial value but got 'tensor<4xi32>'}}
train.variable @variable_c4_random_integers : tensor<4xi32> = #train.uniform<0.0, 1.0>

// -----

// expected-error @below {{'train.variable' op expects rank 2 for #train.he<normal> but got 'tensor<4xf32>'}}
train.variable @variable_c4_he_vector : tensor<4xf32> = #train.he<normal>

// -----

// expected-error @below {{'train.variable' op expects in_axis 0 or 1 but got 2}}
train.variable @variable_c4_in_axis : tensor<4x3xf32> = #train.glorot<uniform, in_axis = 2>

// -----

// expected-error @below {{'train.variable' op names @w, which is not a train.variable}}
train.variable half_copy @variable_c5_unknown : tensor<4xf16> of @w

// -----

// expected-note @below {{variable defined here}}
train.variable @w : tensor<5xf32> = #train.zeros
// expected-error @below {{'train.variable' op expects @w to have the type 'tensor<4xf32>' but it has 'tensor<5xf32>'}}
train.variable half_copy @variable_c5_other_shape : tensor<4xf16> of @w

// -----

// expected-error @below {{unknown role 'weights'; expected parameter, frozen, optimizer_state, counter, scale_state or half_copy}}
train.variable weights @unknown_role : tensor<4xf32> = #train.zeros

// -----

func.func @read_c1_unknown() {
  // expected-error @below {{'train.read' op names @w, which is not a train.variable}}
  %0 = train.read @w : tensor<4xf32>
  return
}

// -----

// expected-note @below {{variable defined here}}
train.variable @w : tensor<4xf32> = #train.zeros
func.func @read_c1_other_type() {
  // expected-error @below {{'train.read' op expects the type of @w, 'tensor<4xf32>', but got 'tensor<4xf16>'}}
  %0 = train.read @w : tensor<4xf16>
  return
}

// -----

func.func private @f()
func.func @assign_c1_function(%x: tensor<4xf32>) {
  // expected-error @below {{'train.assign' op names @f, which is not a train.variable}}
  train.assign @f, %x : tensor<4xf32>
  return
}

// -----

func.func private @loss(tensor<?x4xf32>) -> tensor<f32>
// expected-error @below {{'train.task' op expects an optimizer of the train dialect (#train.sgd, momentum, adam or adamw) but got #train.zeros}}
train.task @task_c1_initialiser loss(@loss) optimizer(#train.zeros)

// -----

// expected-error @below {{'train.task' op names @loss, which is not a function}}
train.task @task_c2_unknown loss(@loss) optimizer(#train.sgd<learning_rate = 0.1>)

// -----

// expected-note @below {{function defined here}}
func.func private @loss(tensor<?x4xf32>) -> tensor<?xf32>
// expected-error @below {{'train.task' op expects @loss to return one scalar tensor of f32 or f64}}
train.task @task_c2_vector_loss loss(@loss) optimizer(#train.sgd<learning_rate = 0.1>)

// -----

func.func private @loss(tensor<?x4xf32>) -> tensor<f32>
// expected-note @below {{metric defined here}}
func.func private @metric(tensor<?x5xf32>) -> tensor<f32>
// expected-error @below {{'train.task' op expects the metric to take the arguments of the loss}}
train.task @task_c3_other_arguments loss(@loss) metric(@metric) optimizer(#train.sgd<learning_rate = 0.1>)

// -----

func.func private @loss(tensor<?x4xf32>) -> tensor<f32>
// expected-note @below {{function defined here}}
func.func private @metric(tensor<?x4xf32>) -> tensor<i32>
// expected-error @below {{'train.task' op expects @metric to return one scalar tensor of f32 or f64}}
train.task @task_c3_integer_metric loss(@loss) metric(@metric) optimizer(#train.sgd<learning_rate = 0.1>)

// -----

func.func private @loss(tensor<?x4xf32>) -> tensor<f32>
// expected-error @below {{'train.task' op expects a positive clip_norm but got 0.0}}
train.task @task_c4_zero loss(@loss) optimizer(#train.sgd<learning_rate = 0.1>) clip_norm(0.0)

// -----

// expected-note @below {{function defined here}}
func.func private @loss(tensor<?x4xf32> {train.name = "x"}, tensor<?xf32>, tensor<?xf32> {train.name = "arg1"}) -> tensor<f32>
// expected-error @below {{'train.task' op expects arguments of different names but 1 and 2 of @loss are both "arg1"}}
train.task @task_c5_one_name loss(@loss) optimizer(#train.sgd<learning_rate = 0.1>)

// -----

func.func private @loss(tensor<?x4xf32> {train.name = 3 : i32}) -> tensor<f32>
// expected-error @below {{'train.task' op expects a string as train.name of argument 0 of @loss but got 3 : i32}}
train.task @task_c5_number loss(@loss) optimizer(#train.sgd<learning_rate = 0.1>)
