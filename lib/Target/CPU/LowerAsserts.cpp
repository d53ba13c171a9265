//===- LowerAsserts.cpp - failed assertions return from the function ------===//

#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Target/CPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_CPULOWERASSERTS
#include "amp/Target/CPU/Passes.h.inc"
} // namespace amp

static constexpr StringRef kReport = "__amp_report_failure";
static constexpr StringRef kHasFailed = "__amp_has_failed";
/// How many numbers a report takes.
static constexpr unsigned kMaxValues = 2;

//===----------------------------------------------------------------------===//
// Which functions can fail
//===----------------------------------------------------------------------===//

/// The functions with an assertion, and those that call one of them, or what they do not know.
static llvm::SetVector<func::FuncOp> findFailing(ModuleOp module, SymbolTable &symbols) {
  llvm::SetVector<func::FuncOp> failing;
  SmallVector<func::FuncOp> indirect;
  llvm::DenseMap<func::FuncOp, SmallVector<func::FuncOp>> callers;
  for (auto function : module.getOps<func::FuncOp>()) {
    function.walk([&](Operation *op) {
      if (isa<amp::AssertOp, cf::AssertOp>(op))
        failing.insert(function);
      if (isa<func::CallIndirectOp>(op))
        indirect.push_back(function);
      if (auto call = dyn_cast<func::CallOp>(op))
        callers[symbols.lookup<func::FuncOp>(call.getCallee())].push_back(function);
    });
  }
  if (!failing.empty())
    failing.insert_range(indirect);
  for (unsigned next = 0; next < failing.size(); ++next)
    for (func::FuncOp caller : callers.lookup(failing[next]))
      failing.insert(caller);
  return failing;
}

//===----------------------------------------------------------------------===//
// Failing
//===----------------------------------------------------------------------===//

namespace {
/// Rewrites the assertions and calls of one function.
class FailureBuilder {
public:
  FailureBuilder(func::FuncOp function, SymbolTable &symbols)
      : function(function), symbols(symbols) {}

  void lower(amp::AssertOp op);
  void lower(cf::AssertOp op);
  void checkAfter(Operation *call);

private:
  func::FuncOp declare(StringRef name, TypeRange arguments, TypeRange results);
  void branch(Operation *op, Value condition, bool failsIf,
              llvm::function_ref<void(ImplicitLocOpBuilder &)> report);
  void report(ImplicitLocOpBuilder &b, StringRef message, ValueRange values);

  func::FuncOp function;
  SymbolTable &symbols;
};
} // namespace

func::FuncOp FailureBuilder::declare(StringRef name, TypeRange arguments, TypeRange results) {
  if (auto known = symbols.lookup<func::FuncOp>(name))
    return known;
  OpBuilder b(function.getContext());
  auto added =
      func::FuncOp::create(b, function.getLoc(), name, b.getFunctionType(arguments, results));
  added.setPrivate();
  symbols.insert(added);
  return added;
}

/// Lets the function go on behind `op`, which it replaces by a branch, or else end there.
void FailureBuilder::branch(Operation *op, Value condition, bool failsIf,
                            llvm::function_ref<void(ImplicitLocOpBuilder &)> report) {
  Block *block = op->getBlock();
  Block *next = block->splitBlock(std::next(op->getIterator()));
  auto *fails = new Block;
  function.getBody().push_back(fails);
  ImplicitLocOpBuilder b(op->getLoc(), function.getContext());
  b.setInsertionPointToEnd(fails);
  report(b);
  SmallVector<Value> results;
  for (Type type : function.getResultTypes())
    results.push_back(ub::PoisonOp::create(b, type));
  func::ReturnOp::create(b, results);

  b.setInsertionPointToEnd(block);
  constexpr int32_t kLikely = 1 << 20, kUnlikely = 1;
  if (failsIf)
    cf::CondBranchOp::create(b, condition, fails, ValueRange(), next, ValueRange(),
                             ArrayRef<int32_t>{kUnlikely, kLikely});
  else
    cf::CondBranchOp::create(b, condition, next, ValueRange(), fails, ValueRange(),
                             ArrayRef<int32_t>{kLikely, kUnlikely});
}

/// "file:line:column: " of the first place in a file.
static std::string formatPlace(Location location) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "";
  return (place.getFilename().getValue() + ":" + Twine(place.getLine()) + ":" +
          Twine(place.getColumn()) + ": ")
      .str();
}

void FailureBuilder::report(ImplicitLocOpBuilder &b, StringRef message, ValueRange values) {
  std::string text = formatPlace(b.getLoc()) + message.str();
  text.push_back('\0');
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), text.size());
  OpBuilder global(b.getContext());
  auto constant =
      LLVM::GlobalOp::create(global, b.getLoc(), type, /*isConstant=*/true, LLVM::Linkage::Internal,
                             "__amp_failure", b.getStringAttr(text));
  symbols.insert(constant);
  Type pointer = LLVM::LLVMPointerType::get(b.getContext()), index = b.getIndexType();
  SmallVector<Value> arguments{
      LLVM::AddressOfOp::create(b, pointer, constant.getSymName()),
      arith::ConstantIndexOp::create(b, std::min<size_t>(values.size(), kMaxValues))};
  for (unsigned i = 0; i < kMaxValues; ++i)
    arguments.push_back(i < values.size() ? values[i]
                                          : arith::ConstantIndexOp::create(b, 0).getResult());
  SmallVector<Type> types{pointer};
  types.append(1 + kMaxValues, index);
  func::CallOp::create(b, declare(kReport, types, {}), arguments);
}

void FailureBuilder::lower(amp::AssertOp op) {
  branch(op, op.getCondition(), /*failsIf=*/false,
         [&](ImplicitLocOpBuilder &b) { report(b, op.getMessage(), op.getValues()); });
  op.erase();
}

void FailureBuilder::lower(cf::AssertOp op) {
  branch(op, op.getArg(), /*failsIf=*/false, [&](ImplicitLocOpBuilder &b) {
    report(b, "'cf.assert' op does not hold: " + op.getMsg().str(), {});
  });
  op.erase();
}

void FailureBuilder::checkAfter(Operation *call) {
  OpBuilder b(call);
  b.setInsertionPointAfter(call);
  func::FuncOp hasFailed = declare(kHasFailed, {}, b.getI1Type());
  auto asked = func::CallOp::create(b, call->getLoc(), hasFailed);
  branch(asked, asked.getResult(0), /*failsIf=*/true, [](ImplicitLocOpBuilder &) {});
}

namespace {

struct CpuLowerAsserts : amp::impl::CpuLowerAssertsBase<CpuLowerAsserts> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    llvm::SetVector<func::FuncOp> failing = findFailing(getOperation(), symbols);
    for (StringRef name : {kReport, kHasFailed})
      if (Operation *other = failing.empty() ? nullptr : symbols.lookup(name)) {
        other->emitOpError("has the name of a function of the compiler; rename it");
        return signalPassFailure();
      }
    for (func::FuncOp function : failing)
      lower(function, failing, symbols);
  }

  /// Others than those in the function's own blocks are left to fail where nothing lowers them.
  static void lower(func::FuncOp function, const llvm::SetVector<func::FuncOp> &failing,
                    SymbolTable &symbols) {
    FailureBuilder builder(function, symbols);
    SmallVector<Operation *> ops;
    for (Operation &op : function.getOps()) {
      auto call = dyn_cast<func::CallOp>(op);
      if (isa<amp::AssertOp, cf::AssertOp, func::CallIndirectOp>(op) ||
          (call && failing.contains(symbols.lookup<func::FuncOp>(call.getCallee()))))
        ops.push_back(&op);
    }
    for (Operation *op : ops) {
      if (auto check = dyn_cast<amp::AssertOp>(op))
        builder.lower(check);
      else if (auto check = dyn_cast<cf::AssertOp>(op))
        builder.lower(check);
      else
        builder.checkAfter(op);
    }
  }
};

} // namespace
