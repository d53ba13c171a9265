//===- Passes.td - passes of the autodiff stage ---------------------------===//
#ifndef AMP_AUTODIFF_PASSES_TD
#define AMP_AUTODIFF_PASSES_TD

include "mlir/Pass/PassBase.td"

def BuildTrainingStep : Pass<"amp-build-training-step", "::mlir::ModuleOp"> {
  let summary = "expand each task into a step and an evaluation function";
  let description = [{
    Before: `train.task`s whose loss is a `func.func` of one block, made of ops with a
    differentiation rule where the loss depends on a parameter; calls of private
    functions are inlined first. After: for each task `@t`

    - `@t.step`: forward pass, backward pass, optimizer steps, assignments. It takes
      the arguments of the loss and returns `loss`, `stepped`, `scale` and `grad_norm` (names
      in `train.name` result attributes);
    - `@t.eval`: loss and metric of a batch, without changing anything;
    - a variable for each optimizer state (`@w.exp_avg`, ...) and the counter `@t.step_count`.

    A forward op of the step carries its number in `train.forward`; what was derived
    from it carries that number in `train.gradient_of`. The backward pass begins with
    `train.seed`. The loss and metric functions stay as they
    were. A symbol that exists already is an error. So is a loss that depends on no
    parameter; a parameter that no loss depends on is a warning and is left alone.

    ```mlir
    train.variable @w : tensor<4x1xf32> = #train.zeros
    train.task @t loss(@loss) optimizer(#train.sgd<learning_rate = 1.0e-1>)
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
                           "::amp::train::TrainDialect"];
}

def BuildGradient : Pass<"amp-build-gradient", "::mlir::ModuleOp"> {
  let summary = "add the gradient of one function";
  let description = [{
    Before: `function` names a `func.func` of one block with one result, a tensor of a
    float type. After: there is also `@<function>.grad`, which takes the arguments
    of the function and a seed, the gradient of its result, and returns the gradient of
    each argument that is a tensor of floats, in their order; zeros where the result
    does not depend on the argument. Calls are inlined into the new function; variables
    that it reads count as constants. The function itself stays as it was.

    ```mlir
    func.func @f(%x: tensor<4xf64>) -> tensor<4xf64>
    func.func @f.grad(%x: tensor<4xf64>, %seed: tensor<4xf64>) -> tensor<4xf64>
    ```
  }];
  let options = [Option<"function", "function", "std::string", "",
                        "the function to differentiate">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
                           "::amp::train::TrainDialect"];
}

#endif // AMP_AUTODIFF_PASSES_TD
