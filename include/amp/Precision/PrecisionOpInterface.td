//===- PrecisionOpInterface.td - how an op takes part in assignment -------===//
#ifndef AMP_PRECISION_PRECISIONOPINTERFACE_TD
#define AMP_PRECISION_PRECISIONOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def PrecisionOpInterface : OpInterface<"PrecisionOpInterface"> {
  let cppNamespace = "::amp";
  let description = [{
    The precision model of an op: what the precision pass must know before it
    may give the op's operands and results a half type.

    The class says what the op wants (see `PrecisionClass`); the other methods
    refine it for single operands and results. An op without this interface is
    of class *keep*: it stays as it is and its operands keep their types.
  }];
  let methods = [
    InterfaceMethod<
      "The class of the op.",
      "::amp::PrecisionClass", "getPrecisionClass">,
    InterfaceMethod<
      [{What the op computes, for the analyses; `Other` tells them nothing.}],
      "::amp::OpKind", "getOpKind", (ins), [{}], [{
        return ::amp::OpKind::Other;
      }]>,
    InterfaceMethod<
      [{Whether operand `index` is a number that the op computes with. Index,
        label and shape-only operands are not numbers and are never cast.}],
      "bool", "isNumericOperand", (ins "unsigned":$index), [{}], [{
        return ::amp::hasFloatElements($_op->getOperand(index).getType());
      }]>,
    InterfaceMethod<
      [{Whether the op reads operand `index` in f32 arithmetic at no cost,
        whatever its type and class: a bias that is added to an f32
        accumulator. Such an operand is never cast and decides nothing.}],
      "bool", "readsAnyType", (ins "unsigned":$index), [{}], [{
        return false;
      }]>,
    InterfaceMethod<
      [{Whether result `index` may be of a half type. A sum over many elements
        and a loss leave the op in f32 (rules P3 and P5).}],
      "bool", "mayLowerResult", (ins "unsigned":$index), [{}], [{
        return true;
      }]>,
    InterfaceMethod<
      [{Whether the op is not defined with a half type as result `index`. Unlike
        `mayLowerResult`, which is advice, not even a user's choice lowers it.}],
      "bool", "isResultFixed", (ins "unsigned":$index), [{}], [{
        return false;
      }]>,
  ];
}

#endif // AMP_PRECISION_PRECISIONOPINTERFACE_TD
