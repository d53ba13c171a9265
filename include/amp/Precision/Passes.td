//===- Passes.td - passes of the precision stage --------------------------===//
#ifndef AMP_PRECISION_PASSES_TD
#define AMP_PRECISION_PASSES_TD

include "mlir/Pass/PassBase.td"

def Amp : Pass<"amp", "::mlir::ModuleOp"> {
  let summary = "make a graph mixed precision";
  let description = [{
    Decides which values live in the half type `dtype` and which stay in f32, inserts
    the casts, and makes training safe: loss scale, finite check, guarded update,
    f32 master weights. Works on a copy of the module and swaps it in on success;
    if anything fails the module is left as it was and the error names op and
    reason.

    Running it twice changes nothing. It never removes a cast that it did not make,
    except `narrow(widen x)`.
  }];
  let options = [
    Option<"dtype", "dtype", "std::string", /*default=*/"\"none\"",
           "half type: f16, bf16, or none to change nothing">,
    Option<"level", "level", "std::string", /*default=*/"\"O1\"",
           "O0 off; O1 the strategy, f32 weights; O2 all that is not denied is low, "
           "master weights; O3 as O2 without masters and with low optimizer state">,
    Option<"strategy", "strategy", "std::string", /*default=*/"\"mincut\"",
           "how ops are assigned: local, each by its name and operands; paint, islands "
           "between contractions; mincut, the cheapest legal assignment of the whole graph for the target">,
    Option<"target", "target", "std::string", /*default=*/"\"generic\"",
           "device whose costs count: generic, aarch64, amx, avx512bf16, sm_60 to "
           "sm_120, x86-64-v3, x86-64-v4, or a JSON file">,
    Option<"assumeDim", "assume-dim", "int64_t", /*default=*/"256",
           "what a dimension counts as that is not known">,
    Option<"assumeTripCount", "assume-trip-count", "int64_t", /*default=*/"16",
           "how often a loop runs of which it is not known">,
    Option<"policy", "policy", "std::string", /*default=*/"\"\"",
           "JSON file with a class per op name">,
    Option<"policyJson", "policy-json", "std::string", /*default=*/"\"\"",
           "the same, inline">,
    Option<"lossScale", "loss-scale", "std::string", /*default=*/"\"auto\"",
           "auto (dynamic for f16, none for bf16), dynamic, static or none">,
    Option<"masterWeights", "master-weights", "std::string", /*default=*/"\"resident\"",
           "resident: half copies kept beside the f32 weights; cast: one cast per step">,
    Option<"initScale", "init-scale", "double", /*default=*/"65536.0",
           "first dynamic loss scale">,
    Option<"staticScale", "static-scale", "double", /*default=*/"65536.0",
           "the loss scale with loss-scale=static">,
    Option<"growthFactor", "growth-factor", "double", /*default=*/"2.0",
           "factor after growth-interval clean steps">,
    Option<"backoffFactor", "backoff-factor", "double", /*default=*/"0.5",
           "factor after a step with non-finite gradients">,
    Option<"growthInterval", "growth-interval", "int64_t", /*default=*/"2000",
           "clean steps until the scale grows">,
    Option<"hysteresis", "hysteresis", "int64_t", /*default=*/"1",
           "skipped steps in a row until the scale backs off">,
    Option<"minScale", "min-scale", "double", /*default=*/"0.0",
           "the scale never backs off below this; 0: no floor">,
    Option<"maxScale", "max-scale", "double", /*default=*/"0.0",
           "the scale never grows above this; 0: no cap">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
                           "::amp::AmpDialect", "::amp::train::TrainDialect"];
}

#endif // AMP_PRECISION_PASSES_TD
