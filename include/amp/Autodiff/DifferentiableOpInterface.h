//===- DifferentiableOpInterface.h - the rule that differentiates an op ---===//
#ifndef AMP_AUTODIFF_DIFFERENTIABLEOPINTERFACE_H
#define AMP_AUTODIFF_DIFFERENTIABLEOPINTERFACE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include "amp/Autodiff/DifferentiableOpInterface.h.inc"

#endif // AMP_AUTODIFF_DIFFERENTIABLEOPINTERFACE_H
