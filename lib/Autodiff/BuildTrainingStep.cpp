//===- BuildTrainingStep.cpp - tasks become step and evaluation -----------===//

#include "GradientBuilder.h"
#include "InlineCalls.h"
#include "OptimizerSteps.h"
#include "amp/Autodiff/Passes.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/MapVector.h"

namespace amp {
#define GEN_PASS_DEF_BUILDTRAININGSTEP
#include "amp/Autodiff/Passes.h.inc"
} // namespace amp

using namespace mlir;
using namespace amp;
using namespace amp::train;

namespace {

/// A parameter that is trained, with what its update reads.
struct TrainedParameter {
  VariableOp variable;
  Value value;
  Value gradient;
  SmallVector<VariableOp> stateVariables;
  SmallVector<Value> states;
};

/// Builds the functions and variables of one task.
class TaskBuilder {
public:
  TaskBuilder(TaskOp task, ModuleOp module, SymbolTableCollection &symbols)
      : task(task), module(module), symbols(symbols), table(symbols.getSymbolTable(module)),
        builder(module.getContext()) {}

  LogicalResult run();
  ArrayRef<TrainedParameter> getTrained() const { return trained; }

private:
  FailureOr<func::FuncOp> lookupFunction(FlatSymbolRefAttr name);
  LogicalResult reserveName(const Twine &name);
  FailureOr<VariableOp> createVariable(const Twine &name, VariableRole role, Type type);
  func::FuncOp createFunction(StringRef suffix, StringRef ofAttr);
  FailureOr<Value> cloneGraph(func::FuncOp into, func::FuncOp graph);
  Value createRead(VariableOp variable);
  Value createSplat(Type type, Attribute value);

  LogicalResult buildStep();
  void numberForward(func::FuncOp step);
  LogicalResult buildBackward(Value lossValue);
  LogicalResult createStates();
  void buildUpdate(Value norm);
  LogicalResult buildEval();
  void finish(func::FuncOp function, ArrayRef<std::pair<StringRef, Value>> results);

  TaskOp task;
  ModuleOp module;
  SymbolTableCollection &symbols;
  SymbolTable &table;
  OpBuilder builder;
  func::FuncOp loss, metric;
  /// The one read of each variable in the function that is being built, in their order.
  llvm::MapVector<StringAttr, ReadOp> reads;
  SmallVector<TrainedParameter> trained;
  VariableOp stepCount;
};

} // namespace

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

FailureOr<func::FuncOp> TaskBuilder::lookupFunction(FlatSymbolRefAttr name) {
  auto function = table.lookup<func::FuncOp>(name.getAttr());
  if (function)
    return function;
  return task.emitError("expects ") << name << " to be a func.func", failure();
}

LogicalResult TaskBuilder::reserveName(const Twine &name) {
  Operation *existing = table.lookup(name.str());
  if (!existing)
    return success();
  InFlightDiagnostic diagnostic = task.emitError("cannot create @")
                                  << name << " because there is a symbol of this name; rename it";
  diagnostic.attachNote(existing->getLoc()) << "symbol defined here";
  return diagnostic;
}

FailureOr<VariableOp> TaskBuilder::createVariable(const Twine &name, VariableRole role, Type type) {
  if (failed(reserveName(name)))
    return failure();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(task);
  auto variable =
      VariableOp::create(builder, task.getLoc(), builder.getStringAttr(name),
                         VariableRoleAttr::get(builder.getContext(), role), TypeAttr::get(type),
                         ZerosAttr::get(builder.getContext()), FlatSymbolRefAttr());
  // The variables stand together: their order is the order in which functions take them.
  VariableOp last;
  for (auto other : module.getOps<VariableOp>())
    if (other != variable)
      last = other;
  if (last)
    variable->moveAfter(last);
  table.insert(variable);
  return variable;
}

/// A function with the arguments of the loss, an empty block and no results yet.
func::FuncOp TaskBuilder::createFunction(StringRef suffix, StringRef ofAttr) {
  builder.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(builder, task.getLoc(), (task.getSymName() + suffix).str(),
                                       builder.getFunctionType(loss.getArgumentTypes(), {}));
  function->setDiscardableAttr(ofAttr, FlatSymbolRefAttr::get(task.getSymNameAttr()));
  for (unsigned index : llvm::seq(loss.getNumArguments()))
    function.setArgAttrs(index, loss.getArgAttrDict(index));
  table.insert(function);
  builder.setInsertionPointToEnd(function.addEntryBlock());
  reads.clear();
  return function;
}

/// Returns `results` from `function`, which gets them in its type, with their names.
void TaskBuilder::finish(func::FuncOp function, ArrayRef<std::pair<StringRef, Value>> results) {
  auto values = llvm::map_to_vector(results, [](auto &result) { return result.second; });
  func::ReturnOp::create(builder, task.getLoc(), values);
  function.setFunctionType(
      builder.getFunctionType(loss.getArgumentTypes(), ValueRange(values).getTypes()));
  for (auto [index, result] : llvm::enumerate(results))
    function.setResultAttr(index, TrainDialect::kNameAttr, builder.getStringAttr(result.first));
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

Value TaskBuilder::createRead(VariableOp variable) {
  OpBuilder::InsertionGuard guard(builder);
  if (reads.empty())
    builder.setInsertionPointToStart(builder.getInsertionBlock());
  else
    builder.setInsertionPointAfter(reads.back().second);
  auto read = ReadOp::create(builder, variable.getLoc(), variable.getTensorType(),
                             FlatSymbolRefAttr::get(variable.getSymNameAttr()));
  reads[variable.getSymNameAttr()] = read;
  return read;
}

/// Clones the body of `graph` without its calls to the end of `into`. There every variable is read
/// once, at the start: nothing is assigned before the end.
FailureOr<Value> TaskBuilder::cloneGraph(func::FuncOp into, func::FuncOp graph) {
  FailureOr<SmallVector<Value>> results =
      cloneWithoutCalls(builder, graph, into.getArguments(), symbols);
  if (failed(results))
    return failure();
  Block &block = into.front();
  SmallVector<ReadOp> found;
  WalkResult walk = into.walk([&](Operation *op) {
    if (auto assign = dyn_cast<AssignOp>(op))
      return assign.emitError("cannot assign ")
                 << assign.getVariableAttr()
                 << " in a loss or metric: its evaluation changes nothing",
             WalkResult::interrupt();
    if (auto read = dyn_cast<ReadOp>(op))
      found.push_back(read);
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  Value result = results->front();
  for (ReadOp read : found) {
    auto [entry, isFirst] = reads.insert({read.getVariableAttr().getAttr(), read});
    if (entry->second == read && isFirst) {
      if (reads.size() == 1)
        read->moveBefore(&block, block.begin());
      else
        read->moveAfter(std::prev(entry)->second);
    } else if (entry->second != read) {
      if (result == read.getResult())
        result = entry->second.getResult();
      read.replaceAllUsesWith(entry->second.getResult());
      read.erase();
    }
  }
  return result;
}

Value TaskBuilder::createSplat(Type type, Attribute value) {
  return arith::ConstantOp::create(builder, task.getLoc(),
                                   SplatElementsAttr::get(cast<ShapedType>(type), value));
}

//===----------------------------------------------------------------------===//
// The step
//===----------------------------------------------------------------------===//

void TaskBuilder::numberForward(func::FuncOp step) {
  int64_t number = 0;
  for (Operation &op : step.front())
    if (!isa<ReadOp>(op))
      op.setDiscardableAttr(TrainDialect::kForwardAttr, builder.getI64IntegerAttr(number++));
}

LogicalResult TaskBuilder::buildBackward(Value lossValue) {
  SmallVector<VariableOp> parameters;
  SmallVector<Value> values;
  for (auto variable : module.getOps<VariableOp>()) {
    ReadOp read = reads.lookup(variable.getSymNameAttr());
    if (!read || variable.getRole() != VariableRole::Parameter || !hasFloatElements(read.getType()))
      continue;
    parameters.push_back(variable);
    values.push_back(read);
  }
  Value seed = SeedOp::create(builder, loss.getLoc(), lossValue.getType());
  FailureOr<SmallVector<Value>> gradients =
      buildGradients(builder, lossValue, seed, values, loss.getLoc());
  if (failed(gradients))
    return failure();
  for (auto [variable, value, gradient] : llvm::zip_equal(parameters, values, *gradients))
    if (gradient)
      trained.push_back({variable, value, gradient, {}, {}});
  if (!trained.empty())
    return success();
  InFlightDiagnostic diagnostic = task.emitError("has nothing to train: the loss @")
                                  << loss.getName() << " depends on no parameter";
  diagnostic.attachNote(loss.getLoc()) << "loss defined here";
  return diagnostic;
}

/// The variables that the optimizer keeps, and the reads of them.
LogicalResult TaskBuilder::createStates() {
  for (TrainedParameter &parameter : trained)
    for (StringRef suffix : getOptimizerStateNames(task.getOptimizer())) {
      FailureOr<VariableOp> state =
          createVariable(parameter.variable.getSymName() + "." + suffix,
                         VariableRole::OptimizerState, parameter.variable.getTensorType());
      if (failed(state))
        return failure();
      parameter.stateVariables.push_back(*state);
      parameter.states.push_back(createRead(*state));
    }
  FailureOr<VariableOp> count =
      createVariable(task.getSymName() + ".step_count", VariableRole::Counter,
                     RankedTensorType::get({}, builder.getI64Type()));
  if (failed(count))
    return failure();
  stepCount = *count;
  return success();
}

/// Clip, optimizer ops, the counter; then all assignments.
void TaskBuilder::buildUpdate(Value norm) {
  Location loc = task.getLoc();
  Value count = createRead(stepCount);
  Value one = createSplat(count.getType(), builder.getI64IntegerAttr(1));
  Value step = arith::AddIOp::create(builder, loc, count, one);
  SmallVector<std::pair<VariableOp, Value>> assignments;
  for (TrainedParameter &parameter : trained) {
    Value gradient = parameter.gradient;
    Location at = parameter.variable.getLoc();
    if (task.getClipNormAttr())
      gradient =
          ClipOp::create(builder, at, gradient.getType(), gradient, norm, task.getClipNormAttr());
    SmallVector<Value> updated = buildOptimizerStep(
        builder, at, task.getOptimizer(), parameter.value, gradient, parameter.states, step);
    assignments.push_back({parameter.variable, updated.front()});
    for (auto [variable, value] :
         llvm::zip_equal(parameter.stateVariables, ArrayRef(updated).drop_front()))
      assignments.push_back({variable, value});
  }
  assignments.push_back({stepCount, step});
  for (auto [variable, value] : assignments)
    AssignOp::create(builder, loc, FlatSymbolRefAttr::get(variable.getSymNameAttr()), value);
}

LogicalResult TaskBuilder::buildStep() {
  func::FuncOp step = createFunction(".step", TrainDialect::kStepOfAttr);
  FailureOr<Value> lossValue = cloneGraph(step, loss);
  if (failed(lossValue))
    return failure();
  numberForward(step);
  if (failed(buildBackward(*lossValue)) || failed(createStates()))
    return failure();
  auto names = llvm::map_to_vector(
      trained, [](TrainedParameter &parameter) { return parameter.variable.getSymName(); });
  step->setDiscardableAttr(TrainDialect::kGradientsAttr, builder.getStrArrayAttr(names));

  auto gradients =
      llvm::map_to_vector(trained, [](TrainedParameter &parameter) { return parameter.gradient; });
  Value norm = GlobalNormOp::create(builder, task.getLoc(), lossValue->getType(), gradients);
  Value stepped =
      createSplat(RankedTensorType::get({}, builder.getI1Type()), builder.getBoolAttr(true));
  Value scale =
      createSplat(RankedTensorType::get({}, builder.getF32Type()), builder.getF32FloatAttr(1.0f));
  buildUpdate(norm);
  finish(step, {{"loss", *lossValue}, {"stepped", stepped}, {"scale", scale}, {"grad_norm", norm}});
  return success();
}

//===----------------------------------------------------------------------===//
// The evaluation
//===----------------------------------------------------------------------===//

LogicalResult TaskBuilder::buildEval() {
  func::FuncOp eval = createFunction(".eval", TrainDialect::kEvalOfAttr);
  FailureOr<Value> lossValue = cloneGraph(eval, loss);
  if (failed(lossValue))
    return failure();
  SmallVector<std::pair<StringRef, Value>> results = {{"loss", *lossValue}};
  if (metric) {
    FailureOr<Value> metricValue = cloneGraph(eval, metric);
    if (failed(metricValue))
      return failure();
    results.push_back({"metric", *metricValue});
    eval->setDiscardableAttr(TrainDialect::kMetricAttr, metric.getSymNameAttr());
  }
  finish(eval, results);
  // Loss and metric share most of their graph.
  IRRewriter rewriter(builder.getContext());
  DominanceInfo dominance(eval);
  eliminateCommonSubExpressions(rewriter, dominance, eval);
  return success();
}

LogicalResult TaskBuilder::run() {
  FailureOr<func::FuncOp> lossFunction = lookupFunction(task.getLossAttr());
  if (failed(lossFunction))
    return failure();
  loss = *lossFunction;
  if (task.getMetricAttr()) {
    FailureOr<func::FuncOp> metricFunction = lookupFunction(task.getMetricAttr());
    if (failed(metricFunction))
      return failure();
    metric = *metricFunction;
  }
  for (StringRef suffix : {".step", ".eval"})
    if (failed(reserveName(task.getSymName() + suffix)))
      return failure();
  return success(succeeded(buildStep()) && succeeded(buildEval()));
}

namespace {

struct BuildTrainingStep : amp::impl::BuildTrainingStepBase<BuildTrainingStep> {
  void runOnOperation() final {
    ModuleOp module = getOperation();
    SymbolTableCollection symbols;
    DenseSet<StringAttr> trained;
    SmallVector<TaskOp> tasks(module.getOps<TaskOp>());
    for (TaskOp task : tasks) {
      TaskBuilder builder(task, module, symbols);
      if (failed(builder.run()))
        return signalPassFailure();
      for (const TrainedParameter &parameter : builder.getTrained())
        trained.insert(VariableOp(parameter.variable).getSymNameAttr());
    }
    if (tasks.empty())
      return;
    for (auto variable : module.getOps<VariableOp>())
      if (variable.getRole() == VariableRole::Parameter &&
          !trained.contains(variable.getSymNameAttr()))
        variable.emitWarning("parameter @")
            << variable.getSymName()
            << " is not trained: no loss depends on it through float values; declare it frozen";
  }
};

} // namespace
