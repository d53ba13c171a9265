//===- AmpOps.td - ops of the amp dialect ---------------------------------===//
#ifndef AMP_DIALECT_AMP_IR_AMPOPS_TD
#define AMP_DIALECT_AMP_IR_AMPOPS_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "amp/Dialect/Amp/IR/AmpDialect.td"

def Amp_CastOp : Amp_Op<"cast", [Pure]> {
  let summary = "a cast that the precision pass decided on";
  let description = [{
    Rounds each element once, to nearest even, into the result's element type; too
    large a value becomes an infinity, a NaN stays a NaN. Only this op may be
    removed by the pass again; a rounding that a user wrote is never one.

    Constraints:

    - (C1) `input` and `result` have the same shape.
    - (C2) The element types differ.

    Example:

    ```mlir
    %1 = amp.cast %0 : tensor<?x64xf32> to tensor<?x64xf16>
    ```
  }];
  let arguments = (ins Amp_FloatTensor:$input);
  let results = (outs Amp_FloatTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Amp_InverseScaleOp : Amp_Op<"inverse_scale", [Pure]> {
  let summary = "reciprocal of the loss scale";
  let description = [{
    `result = f32(1 / f64(scale))`: PyTorch's `GradScaler` inverts in f64 and rounds
    once.

    Example:

    ```mlir
    %inv = amp.inverse_scale %scale : (tensor<f32>) -> tensor<f32>
    ```
  }];
  let arguments = (ins 0DTensorOf<[F32]>:$scale);
  let results = (outs 0DTensorOf<[F32]>:$result);
  let assemblyFormat = "$scale attr-dict `:` functional-type(operands, results)";
}

def Amp_UnscaleOp : Amp_Op<"unscale", [Pure]> {
  let summary = "takes the loss scale off a gradient";
  let description = [{
    `result[i] = f32(gradient[i] * inverse_scale)`, one rounding to f32 (an f64 gradient
    is multiplied in f64 first).

    Constraints:

    - (C1) `gradient` and `result` have the same shape.
    - (C2) `gradient` is not itself the result of an `amp.unscale`.

    Example:

    ```mlir
    %1 = amp.unscale %dw by %inv : (tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    ```
  }];
  let arguments = (ins Amp_FloatTensor:$gradient, 0DTensorOf<[F32]>:$inverse_scale);
  let results = (outs RankedTensorOf<[F32]>:$result);
  let assemblyFormat = [{
    $gradient `by` $inverse_scale attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Amp_CheckGradientsOp : Amp_Op<"check_gradients", [Pure]> {
  let summary = "one read of all gradients: are they finite, and what is their norm";
  let description = [{
    The first of the two phases of an update. `nonfinite[k]` says whether the k-th
    *scaled* gradient holds an infinity or a NaN; `finite` says that none does;
    `norm = sqrt(sum_k sum_i (f32(gradients[k][i]) * inverse_scale)^2)`, in f32, is the
    global norm of the unscaled gradients; an f64 gradient is squared and summed in
    f64 first.

    Constraints:

    - (C1) There is at least one gradient.
    - (C2) `nonfinite` has one element per gradient.

    Example:

    ```mlir
    %finite, %nonfinite, %norm = amp.check_gradients %dw, %db by %inv
        : (tensor<8x4xf32>, tensor<4xf32>, tensor<f32>) -> (tensor<i1>, tensor<2xi1>, tensor<f32>)
    ```
  }];
  let arguments = (ins Variadic<Amp_FloatTensor>:$gradients, 0DTensorOf<[F32]>:$inverse_scale);
  let results = (outs 0DTensorOf<[I1]>:$finite, 1DTensorOf<[I1]>:$nonfinite,
                      0DTensorOf<[F32]>:$norm);
  let assemblyFormat = [{
    $gradients `by` $inverse_scale attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Amp_UpdateScaleOp : Amp_Op<"update_scale", [Pure]> {
  let summary = "the next loss scale";
  let description = [{
    With the defaults, PyTorch's `GradScaler` bit for bit. If not `finite`:

    ```
    consecutive_skips += 1, total_skips += 1, growth_tracker = 0, hysteresis_tracker -= 1
    if hysteresis_tracker <= 0: scale = f32(f64(scale) * backoff_factor)
    ```
    else
    ```
    consecutive_skips = 0, growth_tracker += 1, hysteresis_tracker = hysteresis
    if growth_tracker == growth_interval:
      growth_tracker = 0
      s = f32(f64(scale) * growth_factor); if s is finite: scale = s
    ```
    A changed scale is at least `min_scale` and at most `max_scale` where they are given. The
    hysteresis tracker refills on each clean step and only then (the rule of Apex's
    `update_scale_hysteresis`).

    Constraints:

    - (C1) `growth_factor` is at least 1 and `backoff_factor` in (0, 1].
    - (C2) `growth_interval` and `hysteresis` are at least 1.
    - (C3) `min_scale` and `max_scale` are positive and `min_scale` is not above `max_scale`.

    Example:

    ```mlir
    %s1, %g1, %h1, %c1, %t1 = amp.update_scale %finite, %s, %g, %h, %c, %t
        {growth_factor = 2.0 : f64, backoff_factor = 5.0e-1 : f64, growth_interval = 2000 : i32, hysteresis = 1 : i32}
    ```
  }];
  let arguments = (ins 0DTensorOf<[I1]>:$finite, 0DTensorOf<[F32]>:$scale,
                       0DTensorOf<[I32]>:$growth_tracker, 0DTensorOf<[I32]>:$hysteresis_tracker,
                       0DTensorOf<[I32]>:$consecutive_skips, 0DTensorOf<[I32]>:$total_skips,
                       F64Attr:$growth_factor, F64Attr:$backoff_factor, I32Attr:$growth_interval,
                       I32Attr:$hysteresis, OptionalAttr<F32Attr>:$min_scale,
                       OptionalAttr<F32Attr>:$max_scale);
  let results = (outs 0DTensorOf<[F32]>:$next_scale, 0DTensorOf<[I32]>:$next_growth_tracker,
                      0DTensorOf<[I32]>:$next_hysteresis_tracker,
                      0DTensorOf<[I32]>:$next_consecutive_skips,
                      0DTensorOf<[I32]>:$next_total_skips);
  let assemblyFormat = [{
    $finite `,` $scale `,` $growth_tracker `,` $hysteresis_tracker `,` $consecutive_skips `,`
    $total_skips attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Amp_GuardedOp : Amp_Op<"guarded", [RecursiveMemoryEffects, SingleBlock, NoTerminator]> {
  let summary = "what a skipped step must not change";
  let description = [{
    Runs its region if `condition` holds; otherwise nothing in it happens: weights,
    moments, step counters and statistics keep every bit.

    Constraints:

    - (C1) The region has one block without arguments.
    - (C2) The gradient of a `train.clip` in it is the result of an `amp.unscale`: clipping
      a scaled gradient would compare it with the wrong bound.

    Example:

    ```mlir
    amp.guarded %finite : tensor<i1> {
      %g = amp.unscale %dw by %inv : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
      %w1 = train.sgd %w, %g {learning_rate = 1.0e-1 : f64, weight_decay = 0.0 : f64}
          : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      train.assign @w, %w1 : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins 0DTensorOf<[I1]>:$condition);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$condition `:` type($condition) $body attr-dict";
  let hasVerifier = 1;
}

def Amp_AssertOp : Amp_Op<"assert", [MemoryEffects<[MemWrite]>]> {
  let summary = "ends the call with an error unless a condition holds";
  let description = [{
    What follows is only run if `condition` is true. If it is not, the call from
    outside that led here fails with `message`, in which `{0}`, `{1}`, ... stand for
    `values`. The process goes on, and whoever called may call again. What the function
    wrote into its variables before stays written.

    An assertion of a true constant is folded away.

    Constraints:

    - (C1) `message` refers to `values` only.

    Example:

    ```mlir
    amp.assert %agree, "dimension 0 of operand 1 has size {0}, expected {1}"(%found, %expected)
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$message, Variadic<Index>:$values);
  let assemblyFormat = "$condition `,` $message (`(` $values^ `)`)? attr-dict";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

#endif // AMP_DIALECT_AMP_IR_AMPOPS_TD
