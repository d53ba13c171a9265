// RUN: amp-opt %s --amp-cpu-lower-asserts --verify-diagnostics

// expected-error @below {{'func.func' op has the name of a function of the compiler; rename it}}
func.func @__amp_has_failed() {
  return
}

func.func @f(%ok: i1) {
  amp.assert %ok, "fails"
  return
}
