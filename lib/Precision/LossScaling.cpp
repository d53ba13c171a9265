//===- LossScaling.cpp - loss scale and guarded update of a step ----------===//

#include "LossScaling.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace amp;
using namespace amp::train;

namespace {

/// Rewrites one step function.
class StepScaler {
public:
  StepScaler(func::FuncOp step, const Settings &settings)
      : step(step), settings(settings), builder(step.getContext()) {}

  LogicalResult run();

private:
  LogicalResult match();
  LogicalResult matchResults();
  LogicalResult checkOrder();
  LogicalResult checkGradientUses();
  LogicalResult checkUpdates();
  LogicalResult nameGradients();
  InFlightDiagnostic emitFormError(Operation *op);

  void seedWithScale();
  void checkGradients();
  void guardUpdate();
  void collectUpdate(llvm::SetVector<Operation *> &update);
  void unscaleGradients(Block *guarded);
  void updateScale();
  void returnFlags();
  Value read(StringRef name, Type type);

  func::FuncOp step;
  const Settings &settings;
  OpBuilder builder;

  func::ReturnOp returnOp;
  SmallVector<SeedOp> seeds;
  GlobalNormOp norm;
  unsigned steppedResult, scaleResult;
  Value scale, inverse;
  CheckGradientsOp check;
  /// What the norm was computed of, in its order.
  SmallVector<Value> gradients;
};

} // namespace

//===----------------------------------------------------------------------===//
// The form of a step
//===----------------------------------------------------------------------===//

InFlightDiagnostic StepScaler::emitFormError(Operation *op) {
  // At the location alone: an error at the op would print the whole function.
  return emitError(op->getLoc(), "cannot scale the loss of @") << step.getName() << ": ";
}

LogicalResult StepScaler::matchResults() {
  auto find = [&](StringRef name, Type element, unsigned &found) -> LogicalResult {
    auto expected = RankedTensorType::get({}, element);
    for (unsigned index = 0, end = step.getNumResults(); index < end; ++index) {
      auto attr = step.getResultAttrOfType<StringAttr>(index, TrainDialect::kNameAttr);
      if (!attr || attr != name)
        continue;
      if (Type type = step.getResultTypes()[index]; type != expected)
        return emitFormError(step)
               << "its result \"" << name << "\" must be " << expected << ", but is " << type;
      return found = index, success();
    }
    return emitFormError(step) << "it has no result with the attribute " << TrainDialect::kNameAttr
                               << " = \"" << name << "\"";
  };
  Type expected = RankedTensorType::get({}, builder.getF32Type());
  if (norm.getType() != expected)
    return emitFormError(norm) << "the norm must be " << expected << ", but is " << norm.getType();
  return failure(failed(find("stepped", builder.getI1Type(), steppedResult)) ||
                 failed(find("scale", builder.getF32Type(), scaleResult)));
}

/// All that is assigned is assigned at the end: a read that follows would see it too early or late.
LogicalResult StepScaler::checkOrder() {
  llvm::DenseMap<StringAttr, AssignOp> assigned;
  for (Operation &op : step.front()) {
    WalkResult nested = op.walk([&](AssignOp assign) {
      return assign == &op ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (nested.wasInterrupted())
      return emitFormError(&op) << "it assigns a variable inside '" << op.getName()
                                << "'; assign the result of that op behind it";
    if (auto assign = dyn_cast<AssignOp>(op))
      assigned.try_emplace(assign.getVariableAttr().getAttr(), assign);
    auto read = dyn_cast<ReadOp>(op);
    AssignOp before = read ? assigned.lookup(read.getVariableAttr().getAttr()) : AssignOp();
    if (!before)
      continue;
    InFlightDiagnostic diagnostic = emitFormError(read)
                                    << read.getVariableAttr()
                                    << " is read after its assignment, which a skipped step must "
                                       "leave out; read it before";
    diagnostic.attachNote(before.getLoc()) << "assigned here";
    return diagnostic;
  }
  return success();
}

/// Behind the backward pass only the update may read a gradient: it gets the unscaled one.
LogicalResult StepScaler::checkGradientUses() {
  for (Value gradient : norm.getGradients()) {
    if (getElementTypeOrSelf(gradient.getType()).isF64())
      return emitFormError(norm) << "a gradient is f64, which no loss scale is for; use "
                                    "loss-scale=none";
    for (Operation *user : gradient.getUsers()) {
      bool isReturned = user == returnOp;
      if (auto clip = dyn_cast<ClipOp>(user))
        isReturned |= llvm::is_contained(clip->getUsers(), returnOp.getOperation());
      if (isReturned)
        return emitFormError(returnOp) << "it returns a gradient, which would be a scaled one";
    }
  }
  return success();
}

/// Every optimizer must read a gradient of the norm: no other is checked and unscaled.
LogicalResult StepScaler::checkUpdates() {
  llvm::DenseSet<Value> known(llvm::from_range, norm.getGradients());
  WalkResult result = step.walk([&](OptimizerOpInterface optimizer) {
    Value gradient = optimizer.getGradientOperand();
    while (!known.contains(gradient)) {
      Operation *op = gradient.getDefiningOp();
      auto model = dyn_cast_or_null<PrecisionOpInterface>(op);
      bool isClear = model && model.getPrecisionClass() == PrecisionClass::Clear;
      if (!op || op->getNumOperands() == 0 ||
          !(isClear || isa<amp::CastOp, train::CastOp, ClipOp>(op)))
        break;
      gradient = op->getOperand(0);
    }
    if (known.contains(gradient))
      return WalkResult::advance();
    InFlightDiagnostic diagnostic = emitFormError(optimizer);
    diagnostic << "the gradient of '" << optimizer->getName() << "'";
    if (auto parameter = optimizer.getParameterOperand().getDefiningOp<ReadOp>())
      diagnostic << " for " << parameter.getVariableAttr();
    diagnostic << " is none of 'train.global_norm' and would stay scaled; add it to the norm or "
                  "use loss-scale=none";
    diagnostic.attachNote(norm.getLoc()) << "the norm is computed here";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Makes sure that the step says which parameter each gradient belongs to.
LogicalResult StepScaler::nameGradients() {
  if (step->hasAttr(TrainDialect::kGradientsAttr))
    return success();
  SmallVector<StringRef> names;
  for (Value gradient : norm.getGradients()) {
    ReadOp parameter;
    for (Operation *user : gradient.getUsers()) {
      if (auto clip = dyn_cast<ClipOp>(user); clip && clip->hasOneUse())
        user = *clip->user_begin();
      if (auto optimizer = dyn_cast<OptimizerOpInterface>(user))
        parameter = optimizer.getParameterOperand().getDefiningOp<ReadOp>();
    }
    if (!parameter)
      return emitFormError(norm) << "gradient " << names.size()
                                 << " updates no variable, and the attribute "
                                 << TrainDialect::kGradientsAttr << " that names it is missing";
    names.push_back(parameter.getVariable());
  }
  step->setAttr(TrainDialect::kGradientsAttr, builder.getStrArrayAttr(names));
  return success();
}

LogicalResult StepScaler::match() {
  if (!step.getBody().hasOneBlock())
    return emitFormError(step) << "its body has more than one block";
  returnOp = cast<func::ReturnOp>(step.front().getTerminator());
  step.walk([&](SeedOp seed) { seeds.push_back(seed); });
  unsigned normCount = 0;
  for (Operation &op : step.front()) {
    if (auto found = dyn_cast<GlobalNormOp>(op)) {
      norm = found;
      ++normCount;
    }
  }
  if (seeds.empty())
    return emitFormError(step) << "it has no 'train.seed', the gradient that begins the backward "
                                  "pass; run amp on what amp-stage-autodiff gives";
  for (SeedOp seed : seeds)
    if (Type element = getElementTypeOrSelf(seed.getType()); !element.isF32())
      return emitFormError(seed) << "the loss is " << element
                                 << ", a loss scale needs f32; use loss-scale=none";
  if (normCount != 1)
    return emitFormError(step) << "expected one 'train.global_norm', which names the gradients, "
                                  "but found "
                               << normCount;
  if (auto uses = step.getSymbolUses(step->getParentOp()); uses && !uses->empty()) {
    InFlightDiagnostic diagnostic = emitFormError(step) << "it gets another result, but is called";
    diagnostic.attachNote(uses->begin()->getUser()->getLoc()) << "called here";
    return diagnostic;
  }
  return failure(failed(matchResults()) || failed(checkOrder()) || failed(checkGradientUses()) ||
                 failed(checkUpdates()) || failed(nameGradients()));
}

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

Value StepScaler::read(StringRef name, Type type) {
  auto tensor = RankedTensorType::get({}, type);
  return ReadOp::create(builder, step.getLoc(), tensor,
                        FlatSymbolRefAttr::get(builder.getContext(), name));
}

/// A backward pass is linear in its seeds: all gradients come out scaled, the loss does not.
void StepScaler::seedWithScale() {
  builder.setInsertionPointToStart(&step.front());
  scale = read(AmpDialect::kScaleName, builder.getF32Type());
  for (SeedOp seed : seeds) {
    seed.replaceAllUsesWith(scale);
    seed.erase();
  }
}

/// What a cast of the pass widened, else the value: check and unscale widen on their own.
static Value getUnwidened(Value value) {
  auto cast = value.getDefiningOp<amp::CastOp>();
  bool isWidening = cast && cast.getInput().getType().getElementTypeBitWidth() <
                                cast.getType().getElementTypeBitWidth();
  return isWidening ? Value(cast.getInput()) : value;
}

void StepScaler::checkGradients() {
  builder.setInsertionPoint(norm);
  Location loc = norm.getLoc();
  auto flag = RankedTensorType::get({}, builder.getI1Type());
  int64_t count = norm.getGradients().size();
  gradients.assign(norm.getGradients().begin(), norm.getGradients().end());
  auto read = llvm::map_to_vector(gradients, getUnwidened);
  inverse = InverseScaleOp::create(builder, loc, scale.getType(), scale);
  check = CheckGradientsOp::create(builder, loc, flag,
                                   RankedTensorType::get({count}, builder.getI1Type()),
                                   norm.getType(), read, inverse);
  norm.replaceAllUsesWith(check.getNorm());
  norm.erase();
}

/// Everything that only the assignments need, in order.
void StepScaler::collectUpdate(llvm::SetVector<Operation *> &update) {
  llvm::DenseSet<Operation *> found;
  for (Operation &op : llvm::reverse(step.front())) {
    bool isNeeded = isa<AssignOp>(op);
    if (!isNeeded && isMemoryEffectFree(&op) && !op.use_empty())
      isNeeded = llvm::all_of(op.getUsers(), [&](Operation *user) { return found.contains(user); });
    if (isNeeded)
      found.insert(&op);
  }
  for (Operation &op : step.front())
    if (found.contains(&op))
      update.insert(&op);
}

/// A gradient of a half parameter leaves unscaling in f32, and so it stays on its way to the
/// optimizer: what gives the type that it reads gives f32 too.
static void widenUses(Value unscaled) {
  SmallVector<Value> worklist = {unscaled};
  while (!worklist.empty()) {
    Value gradient = worklist.pop_back_val();
    for (Operation *user : gradient.getUsers()) {
      auto model = dyn_cast<PrecisionOpInterface>(user);
      bool isClear = model && model.getPrecisionClass() == PrecisionClass::Clear;
      if (user->getNumResults() != 1 || user->getOperand(0) != gradient ||
          !(isClear || isa<ClipOp>(user)))
        continue;
      Value result = user->getResult(0);
      Type element = getElementTypeOrSelf(gradient);
      if (getElementTypeOrSelf(result) == element)
        continue;
      result.setType(cast<RankedTensorType>(result.getType()).clone(element));
      worklist.push_back(result);
    }
  }
}

/// In the guarded block, what reads a scaled gradient reads the unscaled one.
void StepScaler::unscaleGradients(Block *guarded) {
  for (Value gradient : llvm::SetVector<Value>(gradients.begin(), gradients.end())) {
    SmallVector<OpOperand *> uses;
    Operation *first = nullptr;
    for (OpOperand &use : gradient.getUses())
      if (use.getOwner()->getBlock() == guarded) {
        uses.push_back(&use);
        if (!first || use.getOwner()->isBeforeInBlock(first))
          first = use.getOwner();
      }
    if (!first)
      continue;
    builder.setInsertionPoint(first);
    auto type = cast<RankedTensorType>(gradient.getType()).clone(builder.getF32Type());
    Value unscaled =
        UnscaleOp::create(builder, first->getLoc(), type, getUnwidened(gradient), inverse);
    for (OpOperand *use : uses)
      use->set(unscaled);
    widenUses(unscaled);
  }
}

void StepScaler::guardUpdate() {
  llvm::SetVector<Operation *> update;
  collectUpdate(update);
  builder.setInsertionPoint(returnOp);
  auto guarded = GuardedOp::create(builder, check.getLoc(), check.getFinite());
  Block *block = builder.createBlock(&guarded.getBody());
  for (Operation *op : update)
    op->moveBefore(block, block->end());
  unscaleGradients(block);
}

void StepScaler::updateScale() {
  builder.setInsertionPoint(returnOp);
  Location loc = check.getLoc();
  Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
  constexpr StringRef names[] = {AmpDialect::kScaleName, AmpDialect::kGrowthTrackerName,
                                 AmpDialect::kHysteresisTrackerName,
                                 AmpDialect::kConsecutiveSkipsName, AmpDialect::kTotalSkipsName};
  SmallVector<Value> state = {scale};
  for (StringRef name : ArrayRef(names).drop_front())
    state.push_back(read(name, i32));
  auto bound = [&](std::optional<float> value) {
    return value ? FloatAttr::get(f32, *value) : FloatAttr();
  };
  auto types = llvm::map_to_vector(state, [](Value value) { return value.getType(); });
  auto next = UpdateScaleOp::create(builder, loc, types[0], types[1], types[2], types[3], types[4],
                                    check.getFinite(), state[0], state[1], state[2], state[3],
                                    state[4], builder.getF64FloatAttr(settings.growthFactor),
                                    builder.getF64FloatAttr(settings.backoffFactor),
                                    builder.getI32IntegerAttr(settings.growthInterval),
                                    builder.getI32IntegerAttr(settings.hysteresis),
                                    bound(settings.minScale), bound(settings.maxScale));
  for (auto [name, value] : llvm::zip_equal(names, next->getResults()))
    AssignOp::create(builder, loc, FlatSymbolRefAttr::get(builder.getContext(), name), value);
}

void StepScaler::returnFlags() {
  SmallVector<Value> results(returnOp.getOperands());
  results[steppedResult] = check.getFinite();
  results[scaleResult] = scale;
  results.push_back(check.getNonfinite());
  // One op may give both.
  llvm::SmallSetVector<Operation *, 2> replaced;
  replaced.insert(returnOp.getOperand(steppedResult).getDefiningOp());
  replaced.insert(returnOp.getOperand(scaleResult).getDefiningOp());
  returnOp.getOperandsMutable().assign(results);
  NamedAttribute name(TrainDialect::kNameAttr, builder.getStringAttr("nonfinite"));
  (void)step.insertResult(step.getNumResults(), check.getNonfinite().getType(),
                          builder.getDictionaryAttr(name));
  for (Operation *op : replaced)
    if (op && op->use_empty() && isMemoryEffectFree(op))
      op->erase();
}

LogicalResult StepScaler::run() {
  if (failed(match()))
    return failure();
  seedWithScale();
  checkGradients();
  guardUpdate();
  updateScale();
  returnFlags();
  return success();
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

/// Creates a variable of the scale state behind all others, or checks the one that exists.
static LogicalResult createScaleVariable(ModuleOp module, SymbolTable &symbols, StringRef name,
                                         Type element, Attribute initial) {
  auto type = RankedTensorType::get({}, element);
  if (Operation *existing = symbols.lookup(name)) {
    auto variable = dyn_cast<VariableOp>(existing);
    if (variable && variable.getRole() == VariableRole::ScaleState &&
        variable.getTensorType() == type)
      return success();
    return existing->emitError("@")
           << name << " is the name of the loss scale's state; rename this symbol";
  }
  VariableOp last;
  for (auto variable : module.getOps<VariableOp>())
    last = variable;
  OpBuilder builder(module.getContext());
  builder.setInsertionPointToStart(module.getBody());
  if (last)
    builder.setInsertionPointAfter(last);
  symbols.insert(VariableOp::create(builder, module.getLoc(), builder.getStringAttr(name),
                                    VariableRole::ScaleState, type, initial, FlatSymbolRefAttr()));
  return success();
}

static LogicalResult createScaleState(ModuleOp module, const Settings &settings) {
  SymbolTable symbols(module);
  MLIRContext *context = module.getContext();
  Type f32 = Float32Type::get(context), i32 = IntegerType::get(context, 32);
  auto number = [&](double value) { return ConstantAttr::get(context, Number{value}); };
  Attribute zero = ZerosAttr::get(context);
  std::tuple<StringRef, Type, Attribute> state[] = {
      {AmpDialect::kScaleName, f32, number(settings.initScale)},
      {AmpDialect::kGrowthTrackerName, i32, zero},
      {AmpDialect::kHysteresisTrackerName, i32, number(settings.hysteresis)},
      {AmpDialect::kConsecutiveSkipsName, i32, zero},
      {AmpDialect::kTotalSkipsName, i32, zero}};
  for (auto &[name, type, initial] : state)
    if (failed(createScaleVariable(module, symbols, name, type, initial)))
      return failure();
  return success();
}

static bool isScaled(func::FuncOp step) {
  return !step.getBody().getOps<CheckGradientsOp>().empty();
}

/// Whether the function computes anything in the low type.
static bool holdsLow(func::FuncOp step, FloatType low) {
  return step
      .walk([&](Operation *op) {
        bool isLow = llvm::any_of(op->getResultTypes(),
                                  [&](Type type) { return getElementTypeOrSelf(type) == low; });
        return isLow ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult amp::scaleLosses(ModuleOp module, const Settings &settings) {
  if (settings.scaleMode == ScaleMode::None)
    return success();
  SmallVector<func::FuncOp> steps;
  bool hasStep = false;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || !function->hasAttr(TrainDialect::kStepOfAttr))
      continue;
    hasStep = true;
    if (!isScaled(function) && (settings.isScaleModeAsked || holdsLow(function, settings.low)))
      steps.push_back(function);
  }
  if (!hasStep && settings.isScaleModeAsked)
    return emitError(module.getLoc(),
                     "loss-scale was given, but the module has no step function (attribute ")
           << TrainDialect::kStepOfAttr
           << ") whose gradients could be scaled; declare a train.task and run amp-stage-autodiff "
              "before amp, or use loss-scale=none";
  if (steps.empty())
    return success();
  if (failed(createScaleState(module, settings)))
    return failure();
  for (func::FuncOp step : steps)
    if (failed(StepScaler(step, settings).run()))
      return failure();
  return success();
}
