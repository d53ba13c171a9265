//===- Classify.h - the class of an op, and who chose it ------------------===//
#ifndef AMP_LIB_PRECISION_CLASSIFY_H
#define AMP_LIB_PRECISION_CLASSIFY_H

#include "Model/OpModel.h"
#include "Settings.h"

namespace amp {

/// The class of an op and where it comes from.
struct Choice {
  enum Source { Model, Policy, Attribute };
  PrecisionClass value = PrecisionClass::Keep;
  Source source = Model;
  /// The user wants the op low although its model does not say so: beats P1, P2, P3 and P5.
  bool isForced = false;

  /// "class allow", "class deny by the policy", "amp.precision".
  std::string describe() const;
};

/// Gives ops their classes: the attribute `amp.precision` on the op, then the policy, then the op's
/// model, else *keep*.
class Classifier {
public:
  explicit Classifier(const Settings &settings) : settings(settings) {}

  Choice classify(mlir::Operation *op) const;
  const OpModels &getModels() const { return models; }
  const OpModel &getModel(mlir::Operation *op) const { return models.get(op); }

  /// Checks every `amp.precision` below `root`: fails after an error at each op on which it cannot
  /// mean anything.
  llvm::LogicalResult verifyAttributes(mlir::Operation *root) const;

private:
  llvm::LogicalResult verifyMark(mlir::Operation *op, mlir::Attribute mark) const;

  const Settings &settings;
  OpModels models;
};

} // namespace amp

#endif // AMP_LIB_PRECISION_CLASSIFY_H
