//===- TrainInterfaces.td - interfaces of the train dialect ---------------===//
#ifndef AMP_DIALECT_TRAIN_IR_TRAININTERFACES_TD
#define AMP_DIALECT_TRAIN_IR_TRAININTERFACES_TD

include "mlir/IR/OpBase.td"

def OptimizerOpInterface : OpInterface<"OptimizerOpInterface"> {
  let cppNamespace = "::amp::train";
  let description = [{
    An optimizer step of one parameter. Its first operand is the parameter, its
    second the gradient; the operands after those that are states come back
    updated as results 1, 2, ..., and result 0 is the updated parameter.
    Such an op belongs to the part of a step that a skipped step leaves out.
  }];
  let methods = [
    InterfaceMethod<"The parameter before the step.", "::mlir::Value", "getParameterOperand", (ins),
      [{}], [{ return $_op->getOperand(0); }]>,
    InterfaceMethod<"The gradient.", "::mlir::Value", "getGradientOperand", (ins),
      [{}], [{ return $_op->getOperand(1); }]>,
  ];
}

#endif // AMP_DIALECT_TRAIN_IR_TRAININTERFACES_TD
