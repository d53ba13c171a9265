//===- TrainAttrs.cpp - initialisers and optimizers as attributes ---------===//

#include "amp/Dialect/Train/IR/Train.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace amp::train;

#include "amp/Dialect/Train/IR/TrainEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "amp/Dialect/Train/IR/TrainAttrs.cpp.inc"

void TrainDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "amp/Dialect/Train/IR/TrainAttrs.cpp.inc"
      >();
}

FailureOr<Number> amp::train::parseNumber(AsmParser &parser) {
  double value;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseFloat(value)))
    return failure();
  if (!std::isfinite(value)) {
    parser.emitError(loc, "expected a finite number");
    return failure();
  }
  return Number{value};
}

void amp::train::printNumber(AsmPrinter &printer, Number number) {
  printer.printFloat(llvm::APFloat(number.value));
}

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

LogicalResult UniformAttr::verify(EmitError emitError, Number low, Number high) {
  if (low <= high)
    return success();
  return emitError() << "expects low <= high but got " << low << " and " << high;
}

LogicalResult NormalAttr::verify(EmitError emitError, Number mean, Number stddev) {
  if (stddev >= 0)
    return success();
  return emitError() << "expects a standard deviation of at least 0 but got " << stddev;
}

/// Fails unless `value` is at least 0, finite in f32, in which optimizers compute, and, if `below`
/// is positive, under it.
static LogicalResult verifyRange(EmitError emitError, StringRef name, double value,
                                 double below = 0) {
  if (value >= 0 && (below == 0 || value < below)) {
    if (std::isfinite(static_cast<float>(value)))
      return success();
    return emitError() << "expects " << name << " to be finite in f32 but got " << value;
  }
  InFlightDiagnostic diagnostic = emitError() << "expects " << name;
  if (below == 0)
    return diagnostic << " of at least 0 but got " << value;
  return diagnostic << " in [0, " << below << ") but got " << value;
}

LogicalResult SgdAttr::verify(EmitError emitError, Number learningRate, Number weightDecay) {
  return failure(failed(verifyRange(emitError, "learning_rate", learningRate)) ||
                 failed(verifyRange(emitError, "weight_decay", weightDecay)));
}

LogicalResult MomentumAttr::verify(EmitError emitError, Number learningRate, Number momentum,
                                   bool nesterov, Number weightDecay) {
  return failure(failed(verifyRange(emitError, "learning_rate", learningRate)) ||
                 failed(verifyRange(emitError, "momentum", momentum, 1.0)) ||
                 failed(verifyRange(emitError, "weight_decay", weightDecay)));
}

static LogicalResult verifyAdam(EmitError emitError, double learningRate, double beta1,
                                double beta2, double epsilon, double weightDecay) {
  return failure(failed(verifyRange(emitError, "learning_rate", learningRate)) ||
                 failed(verifyRange(emitError, "beta1", beta1, 1.0)) ||
                 failed(verifyRange(emitError, "beta2", beta2, 1.0)) ||
                 failed(verifyRange(emitError, "epsilon", epsilon)) ||
                 failed(verifyRange(emitError, "weight_decay", weightDecay)));
}

LogicalResult AdamAttr::verify(EmitError emitError, Number learningRate, Number beta1, Number beta2,
                               Number epsilon, Number weightDecay) {
  return verifyAdam(emitError, learningRate, beta1, beta2, epsilon, weightDecay);
}

LogicalResult AdamWAttr::verify(EmitError emitError, Number learningRate, Number beta1,
                                Number beta2, Number epsilon, Number weightDecay) {
  return verifyAdam(emitError, learningRate, beta1, beta2, epsilon, weightDecay);
}
