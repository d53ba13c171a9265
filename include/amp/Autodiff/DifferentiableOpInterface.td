//===- DifferentiableOpInterface.td - the rule that differentiates an op --===//
#ifndef AMP_AUTODIFF_DIFFERENTIABLEOPINTERFACE_TD
#define AMP_AUTODIFF_DIFFERENTIABLEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::amp";
  let description = [{
    The reverse-mode rule of an op: from the gradients of its results it builds
    the gradients of its operands. The rules live in `lib/Autodiff/Rules`.
  }];
  let methods = [
    InterfaceMethod<
      [{Builds the gradient of the loss with respect to every operand `i` with
        `needed[i]`, and stores it in `operandGrads[i]`, which has the operand's
        shape and element type.

        `resultGrads[r]` is the gradient of result `r`, of that result's type,
        or null if the loss does not depend on it; at least one is not null. The
        builder stands at the end of the backward pass. An entry left null means
        that the gradient is zero. Fails, after an error at the op, if the op
        has no derivative in that operand.}],
      "::llvm::LogicalResult", "buildGradients",
      (ins "::mlir::OpBuilder &":$builder,
           "::mlir::ValueRange":$resultGrads,
           "::llvm::ArrayRef<bool>":$needed,
           "::llvm::MutableArrayRef<::mlir::Value>":$operandGrads)>,
  ];
}

#endif // AMP_AUTODIFF_DIFFERENTIABLEOPINTERFACE_TD
