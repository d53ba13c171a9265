// RUN: amp-opt %s --amp-cpu-verify-data --allow-unregistered-dialect --split-input-file --verify-diagnostics
// RUN: amp-opt %s --amp-stage-lower-cpu --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @fine() -> tensor<2xf32> {
  %0 = arith.constant dense_resource<two> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      two: "0x040000000000803f00000040"
    }
  }
#-}

// -----

func.func @elided() -> tensor<4xf32> {
  // expected-error @below {{'arith.constant' op uses the constant '__elided__', whose data the file does not hold; print the module without eliding resources}}
  %0 = arith.constant dense_resource<__elided__> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @tosa() -> tensor<4xf32> {
  // expected-error @below {{'tosa.const' op uses the constant '__elided__', whose data the file does not hold}}
  %0 = "tosa.const"() {values = dense_resource<__elided__> : tensor<4xf32>} : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Before the lowering says anything else.
func.func @first(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "test.unknown"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{'arith.constant' op uses the constant '__elided__', whose data the file does not hold}}
  %1 = arith.constant dense_resource<__elided__> : tensor<4xf32>
  %2 = arith.addf %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
