// RUN: amp-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expects low <= high but got 1.0}}
module attributes {t.a = #train.uniform<1.0, 0.0>} {}

// -----

// expected-error @below {{expects a standard deviation of at least 0 but got -1.0}}
module attributes {t.a = #train.normal<0.0, -1.0>} {}

// -----

// expected-error @+2 {{expected a finite number}}
// expected-error @below {{failed to parse Train_ConstantAttr parameter 'value'}}
module attributes {t.a = #train.constant<1.0e999>} {}

// -----

// expected-error @below {{expects learning_rate of at least 0 but got -1.0}}
module attributes {t.a = #train.sgd<learning_rate = -1.0>} {}

// -----

// expected-error @below {{expects learning_rate to be finite in f32 but got 1.000000e+300}}
module attributes {t.a = #train.sgd<learning_rate = 1.0e300>} {}

// -----

// expected-error @below {{expects weight_decay of at least 0 but got -1.0}}
module attributes {t.a = #train.sgd<learning_rate = 1.0, weight_decay = -1.0>} {}

// -----

// expected-error @below {{expects momentum in [0, 1.000000e+00) but got 1.0}}
module attributes {t.a = #train.momentum<learning_rate = 1.0, momentum = 1.0>} {}

// -----

// expected-error @below {{expects beta1 in [0, 1.000000e+00) but got 2.0}}
module attributes {t.a = #train.adam<learning_rate = 1.0, beta1 = 2.0>} {}

// -----

// expected-error @below {{expects beta2 in [0, 1.000000e+00) but got -5.0}}
module attributes {t.a = #train.adamw<learning_rate = 1.0, beta2 = -0.5>} {}

// -----

// expected-error @below {{expects epsilon of at least 0 but got -1.0}}
module attributes {t.a = #train.adam<learning_rate = 1.0, epsilon = -1.0>} {}
