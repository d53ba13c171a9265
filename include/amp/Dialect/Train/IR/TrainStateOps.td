//===- TrainStateOps.td - variables and training tasks --------------------===//
#ifndef AMP_DIALECT_TRAIN_IR_TRAINSTATEOPS_TD
#define AMP_DIALECT_TRAIN_IR_TRAINSTATEOPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "amp/Dialect/Train/IR/TrainAttrs.td"

def Train_VariableResource : Resource<"::amp::train::VariableResource">;

def Train_StateTensor
    : RankedTensorOf<[F16, BF16, F32, F64, I1, I32, I64]>;

def Train_VariableOp : Op<Train_Dialect, "variable", [
    Symbol, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a named tensor that outlives a step";
  let description = [{
    State of the training: a parameter, an optimizer's moment, a counter. Its
    name is its key in checkpoints. The initial value is a number, or random and
    then a function of the run's seed, the variable's name and the element's
    index alone.

    A variable with the role `half_copy` is the copy, in a half type, of the f32
    variable that `copy_of` names. It has no initial value of its own and is not
    in checkpoints; whoever writes the original writes the copy.

    Constraints:

    - (C1) The shape is static, and the size fits 63 bits.
    - (C2) A variable has either an initial value or `copy_of`.
    - (C3) `copy_of` goes with the role `half_copy`, which needs it.
    - (C4) A random initial value needs a float type; `#train.glorot` and `#train.he`
      need rank 2 and `in_axis` 0 or 1.
    - (C5) (module) `copy_of` names an f32 variable of the same shape.

    Example:

    ```mlir
    train.variable @w : tensor<64x10xf32> = #train.glorot<uniform>
    train.variable frozen @mask : tensor<10xf32> = #train.constant<1.0>
    train.variable half_copy @w.f16 : tensor<64x10xf16> of @w
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
    DefaultValuedAttr<Train_VariableRoleAttr, "::amp::train::VariableRole::Parameter">:$role,
    TypeAttrOf<Train_StateTensor>:$type,
    OptionalAttr<AnyAttr>:$initial_value,
    OptionalAttr<FlatSymbolRefAttr>:$copy_of);
  let assemblyFormat = [{
    custom<VariableRole>($role) $sym_name `:` $type (`=` $initial_value^)? (`of` $copy_of^)? attr-dict
  }];
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getTensorType() {
      return ::llvm::cast<::mlir::RankedTensorType>(getType());
    }
  }];
  let hasVerifier = 1;
}

def Train_ReadOp : Op<Train_Dialect, "read", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    MemoryEffects<[MemRead<Train_VariableResource>]>]> {
  let summary = "the value of a variable";
  let description = [{
    The value that the variable has here: the one that the last `train.assign`
    before it wrote, or the one it had when the function was called.

    Constraints:

    - (C1) `variable` names a `train.variable`, and the result has its type.

    Example:

    ```mlir
    %w = train.read @w : tensor<64x10xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable);
  let results = (outs Train_StateTensor:$result);
  let assemblyFormat = "$variable attr-dict `:` type($result)";
}

def Train_AssignOp : Op<Train_Dialect, "assign", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    MemoryEffects<[MemWrite<Train_VariableResource>]>]> {
  let summary = "writes a variable";
  let description = [{
    Constraints:

    - (C1) `variable` names a `train.variable`, and `value` has its type.

    Example:

    ```mlir
    train.assign @w, %w1 : tensor<64x10xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable, Train_StateTensor:$value);
  let assemblyFormat = "$variable `,` $value attr-dict `:` type($value)";
}

def Train_TaskOp : Op<Train_Dialect, "task", [
    Symbol, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "says how a loss is trained";
  let description = [{
    Names the function that computes the loss, the metric to report, and the
    optimizer. Autodiff makes from it two functions: `@<task>.step`, which runs
    forward, backward and update, and `@<task>.eval`, which gives loss and metric
    without changing anything. Every variable of role `parameter` that the loss
    depends on is trained.

    Loss and metric take the same arguments, the tensors of one batch; the
    attribute `train.name` on an argument is its name in data files (default
    `arg0`, `arg1`, ...).

    Constraints:

    - (C1) `optimizer` is one of `#train.sgd`, `#train.momentum`, `#train.adam`, `#train.adamw`.
    - (C2) `loss` names a function with one result, a scalar f32 or f64 tensor.
    - (C3) `metric` names a function with the arguments of the loss and one result,
      a scalar f32 or f64 tensor.
    - (C4) `clip_norm` is positive.
    - (C5) The arguments of `loss` have different names.

    Example:

    ```mlir
    train.task @digits loss(@loss) metric(@accuracy) optimizer(#train.adamw<learning_rate = 1.0e-3>) clip_norm(1.0)
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$loss,
                       OptionalAttr<FlatSymbolRefAttr>:$metric, AnyAttr:$optimizer,
                       OptionalAttr<F64Attr>:$clip_norm);
  let assemblyFormat = [{
    $sym_name `loss` `(` $loss `)` (`metric` `(` $metric^ `)`)? `optimizer` `(` $optimizer `)`
    (`clip_norm` `(` $clip_norm^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

#endif // AMP_DIALECT_TRAIN_IR_TRAINSTATEOPS_TD
