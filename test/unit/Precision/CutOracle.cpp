//===- CutOracle.cpp - the cheapest assignment, by trying all ---------------===//

#include "CutOracle.h"
#include "CastInsertion.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace amp;

//===----------------------------------------------------------------------===//
// What the ops are
//===----------------------------------------------------------------------===//

namespace {
enum class Class { Allow, Promote, Internal, Clear, Deny, Unknown };
} // namespace

/// In which the classes of docs/Precision.md are written a second time. In StableHLO an op whose
/// operands have one type and which computes in f32 reads f32.
static Class classOf(Operation *op) {
  bool isMaximum = op->getName().getStringRef() == "train.reduce" &&
                   cast<train::ReduceOp>(op).getKind() == train::ReduceKind::Max;
  if (isMaximum)
    return Class::Clear;
  return llvm::StringSwitch<Class>(op->getName().getStringRef())
      .Cases({"stablehlo.dot", "train.matmul"}, Class::Allow)
      .Cases({"stablehlo.add", "stablehlo.multiply", "stablehlo.maximum", "stablehlo.divide"},
             Class::Promote)
      .Cases({"train.add", "train.mul", "train.sub", "train.div"}, Class::Promote)
      .Cases({"train.tanh", "train.sigmoid", "train.reduce"}, Class::Internal)
      .Cases({"stablehlo.negate", "stablehlo.transpose", "stablehlo.broadcast_in_dim"},
             Class::Clear)
      .Cases({"train.relu", "train.transpose"}, Class::Clear)
      .Cases({"stablehlo.tanh", "stablehlo.exponential"}, Class::Deny)
      .Default(Class::Unknown);
}

static bool isFromTrain(Operation *op) { return op->getName().getDialectNamespace() == "train"; }
static bool isNamed(Operation *op, StringRef name) { return op->getName().getStringRef() == name; }

static bool isMove(Operation *op) {
  return isNamed(op, "stablehlo.transpose") || isNamed(op, "stablehlo.broadcast_in_dim") ||
         isNamed(op, "train.transpose");
}

static bool isElementwise(Operation *op) {
  Class ownClass = classOf(op);
  return ownClass != Class::Unknown && ownClass != Class::Allow && !isNamed(op, "train.reduce");
}

static bool isSum(Operation *op) {
  return isNamed(op, "train.reduce") && classOf(op) == Class::Internal;
}

static Type elementOf(Value value) { return getElementTypeOrSelf(value.getType()); }

/// The number that all elements of a constant are.
static std::optional<double> constantOf(Value value) {
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return std::nullopt;
  return elements.getSplatValue<APFloat>().convertToDouble();
}

/// An argument of the function, a constant, or what clear ops make of one; null if computed.
static Value leafOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (constantOf(value))
      return value;
    bool isCast = isa<arith::ExtFOp, arith::TruncFOp>(op) || isNamed(op, "stablehlo.convert");
    if (classOf(op) != Class::Clear && !isCast)
      return {};
    value = op->getOperand(0);
  }
  return isa<func::FuncOp>(value.getParentBlock()->getParentOp()) ? value : Value();
}

/// Rule P1 for f16: the numbers of RandomGraph.h that do not fit it.
static bool fits(Value leaf) {
  std::optional<double> number = constantOf(leaf);
  return !number || (std::abs(*number) <= 65504 && std::abs(*number) >= 0x1p-14);
}

static int64_t idOf(Operation *op) {
  auto id = op ? op->getAttrOfType<IntegerAttr>("test.id") : IntegerAttr();
  return id ? id.getInt() : -1;
}

/// How often the ops of the block run.
static int64_t tripsOf(Block *block) {
  int64_t trips = 1;
  for (Operation *op = block->getParentOp(); op; op = op->getParentOp())
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      APInt first, last;
      if (matchPattern(loop.getLowerBound(), m_ConstantInt(&first)) &&
          matchPattern(loop.getUpperBound(), m_ConstantInt(&last)))
        trips *= last.getSExtValue() - first.getSExtValue();
    }
  return trips;
}

//===----------------------------------------------------------------------===//
// What may be chosen
//===----------------------------------------------------------------------===//

CutOracle::CutOracle(ModuleOp module, const Settings &settings, const Rates &rates)
    : module(module), settings(settings), rates(rates), graph(module, settings) {
  findChoices();
  findInternal();
}

/// Why the op is f32 whatever else is; else empty.
std::string CutOracle::findHeld(Operation *op) const {
  Class ownClass = classOf(op);
  if (ownClass == Class::Deny)
    return "class deny";
  bool readsOnlyLeaves = true;
  for (Value operand : op->getOperands()) {
    if (elementOf(operand).isBF16())
      return "another type";
    Value leaf = leafOf(operand);
    readsOnlyLeaves &= bool(leaf);
    if (leaf && !fits(leaf))
      return "P1";
  }
  if (ownClass != Class::Allow && ownClass != Class::Clear && readsOnlyLeaves)
    return "no operand is computed";
  if (isSum(op))
    return "P3";
  if (ownClass != Class::Allow && graph.roles.feedsOnlyUpdate(op))
    return "P5";
  if (isNamed(op, "stablehlo.divide") || isNamed(op, "train.div"))
    if (Operation *sum = op->getOperand(1).getDefiningOp())
      if (isNamed(sum, "stablehlo.add") || isNamed(sum, "train.add"))
        for (Value operand : sum->getOperands())
          if (std::optional<double> number = constantOf(operand); number && *number < 0x1p-14)
            return "P2";
  return "";
}

void CutOracle::findChoices() {
  module.walk([&](Operation *op) {
    if (classOf(op) != Class::Unknown && findHeld(op).empty())
      choices.push_back(op);
  });
  for (auto [number, tie] : llvm::enumerate(graph.ties.getTies())) {
    bool isFree = llvm::none_of(tie.values, [](Value value) {
      auto argument = dyn_cast<BlockArgument>(value);
      return argument && isa<func::FuncOp>(argument.getOwner()->getParentOp());
    });
    for (OpOperand *read : tie.reads)
      if (Value leaf = leafOf(read->get()))
        isFree &= fits(leaf);
    if (isFree)
      ties.push_back(number);
  }
}

bool CutOracle::isHomeLow(Value value, const Labels &labels) const {
  if (std::optional<unsigned> tie = graph.ties.lookup(value))
    return labels.ties.lookup(*tie);
  Operation *op = value.getDefiningOp();
  return op && labels.ops.lookup(op) && !graph.roles.feedsOnlyUpdate(op);
}

bool CutOracle::readsLow(OpOperand &use, const Labels &labels) const {
  if (std::optional<unsigned> tie = graph.ties.lookup(use))
    return labels.ties.lookup(*tie);
  Operation *op = use.getOwner();
  Class ownClass = classOf(op);
  if (ownClass == Class::Unknown)
    return false;
  bool isLow = labels.ops.lookup(op);
  bool hasOneType = !isFromTrain(op) || ownClass == Class::Allow || ownClass == Class::Clear ||
                    ownClass == Class::Deny;
  Operation *maker = use.get().getDefiningOp();
  bool isWide = maker && isNamed(maker, "stablehlo.dot");
  if (hasOneType || (ownClass == Class::Promote && (leafOf(use.get()) || isWide)))
    return isLow;
  return !isWide && isHomeLow(use.get(), labels);
}

/// Rule P6: a cast stands before what only moves and makes more, if that is read low alone; of an
/// argument or constant also before what makes no more.
std::string CutOracle::findBrokenMove(Operation *op, bool isLow, const Labels &labels) const {
  Value from = op->getOperand(0), to = op->getResult(0);
  auto sizeOf = [](Value value) { return cast<ShapedType>(value.getType()).getNumElements(); };
  bool pays = sizeOf(from) < sizeOf(to) || (sizeOf(from) == sizeOf(to) && leafOf(from));
  bool isReadLow =
      llvm::all_of(to.getUses(), [&](OpOperand &use) { return readsLow(use, labels); });
  if (!isLow)
    return isMove(op) && pays && isReadLow ? "P6, a cast behind a move" : "";
  if (leafOf(from))
    return isReadLow ? "" : "a rounded leaf is read in f32";
  // Who reads what is there does not ask for it low.
  bool isWantedLow = isReadLow && llvm::none_of(to.getUsers(), [](Operation *user) {
                       return isFromTrain(user) && classOf(user) == Class::Internal;
                     });
  bool isMoved = isMove(op) && pays && isWantedLow;
  return isMoved || isHomeLow(from, labels) ? "" : "rounds what was computed in f32";
}

std::string CutOracle::findBroken(const Labels &labels) const {
  auto comesLow = [&](Value value) { return isHomeLow(value, labels) || leafOf(value); };
  for (Operation *op : choices) {
    bool isLow = labels.ops.lookup(op);
    Class ownClass = classOf(op);
    if (ownClass == Class::Clear) {
      std::string broken = findBrokenMove(op, isLow, labels);
      if (!broken.empty())
        return broken;
    } else if (isLow && ownClass != Class::Allow && !llvm::all_of(op->getOperands(), comesLow))
      return "rounds what was computed in f32";
  }
  for (unsigned tie : ties)
    if (labels.ties.lookup(tie))
      for (OpOperand *read : graph.ties.getTies()[tie].reads)
        if (!comesLow(read->get()))
          return "a tie rounds what was computed in f32";
  return "";
}

std::string CutOracle::findBroken(const Assignment &assignment) {
  Labels labels;
  std::string held;
  module.walk([&](Operation *op) {
    bool isLow = assignment.lookup(op).label == Decision::Low;
    labels.ops[op] = isLow;
    if (isLow && !llvm::is_contained(choices, op))
      held = "low against '" + findHeld(op) + "': " + op->getName().getStringRef().str();
  });
  for (unsigned tie = 0, end = graph.ties.getTies().size(); tie < end; ++tie) {
    labels.ties[tie] = assignment.isTieLow(tie);
    if (labels.ties[tie] && !llvm::is_contained(ties, tie))
      held = "a tie is low that may not be";
  }
  return held.empty() ? findBroken(labels) : held;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// A copy of the module with casts where the labels need them.
OwningOpRef<ModuleOp> CutOracle::apply(const Labels &labels) const {
  IRMapping mapping;
  ModuleOp source = module;
  OwningOpRef<ModuleOp> copy = cast<ModuleOp>(source->clone(mapping));
  Graph copied(*copy, settings);
  Assignment assignment(copied);
  source.walk([&](Operation *op) {
    Class ownClass = classOf(op);
    if (ownClass == Class::Unknown)
      return;
    bool isLow = labels.ops.lookup(op);
    bool casts = ownClass == Class::Allow || ownClass == Class::Clear;
    Decision decision;
    decision.label = isLow ? Decision::Low : Decision::F32;
    decision.reads = isLow ? casts                        ? Decision::Narrow
                             : ownClass == Class::Promote ? Decision::NarrowLeaves
                                                          : Decision::AsIs
                     : casts || ownClass == Class::Deny ? Decision::Written
                                                        : Decision::AsIs;
    assignment.set(mapping.lookup(op), decision);
  });
  for (unsigned tie : ties)
    if (labels.ties.lookup(tie))
      assignment.lowerTie(tie);
  applyAssignment(assignment);
  return copy;
}

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

Prices CutOracle::findLeast(unsigned &numLegal) {
  Prices least;
  least.fill(std::numeric_limits<int64_t>::max());
  numLegal = 0;
  for (unsigned bits = 0; bits < 1u << getNumChoices(); ++bits) {
    Labels labels;
    unsigned next = 0;
    for (Operation *op : choices)
      labels.ops[op] = bits >> next++ & 1;
    for (unsigned tie : ties)
      labels.ties[tie] = bits >> next++ & 1;
    if (!findBroken(labels).empty())
      continue;
    ++numLegal;
    OwningOpRef<ModuleOp> assigned = apply(labels);
    Prices prices = price(*assigned);
    if (prices.back() < least.back())
      cheapest = print(*assigned);
    for (auto [best, now] : llvm::zip_equal(least, prices))
      best = std::min(best, now);
  }
  return least;
}

Prices CutOracle::price(const Assignment &assignment, std::string &text) {
  Labels labels;
  module.walk(
      [&](Operation *op) { labels.ops[op] = assignment.lookup(op).label == Decision::Low; });
  for (unsigned tie : ties)
    labels.ties[tie] = assignment.isTieLow(tie);
  OwningOpRef<ModuleOp> assigned = apply(labels);
  text += print(*assigned);
  return price(*assigned);
}

//===----------------------------------------------------------------------===//
// Prices
//===----------------------------------------------------------------------===//

/// Values that stay inside a pass over memory: each reader is in the group of the op that makes
/// them. An elementwise op is part of its only reader's pass if that is elementwise or a reduction,
/// a contraction if it is elementwise and no other contraction is there.
void CutOracle::findInternal() {
  llvm::DenseMap<Operation *, Operation *> groupOf; // By the op that ends the pass.
  llvm::DenseSet<Operation *> hasContraction;
  SmallVector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (classOf(op) != Class::Unknown)
      ops.push_back(op);
  });
  for (Operation *op : llvm::reverse(ops)) {
    groupOf[op] = op;
    bool isContraction = classOf(op) == Class::Allow;
    llvm::SmallPtrSet<Operation *, 4> readers(op->user_begin(), op->user_end());
    Operation *reader = readers.size() == 1 ? *readers.begin() : nullptr;
    if (reader && reader->getBlock() == op->getBlock() && (isElementwise(op) || isContraction)) {
      bool fits = isElementwise(reader) || (isNamed(reader, "train.reduce") && !isContraction);
      Operation *group = groupOf.lookup(reader);
      if (fits && !(isContraction && hasContraction.contains(group))) {
        groupOf[op] = group;
        internal.insert(idOf(op));
      }
    }
    if (isContraction)
      hasContraction.insert(groupOf[op]);
  }
}

namespace {

/// Adds up the terms of one assigned module.
class PriceList {
public:
  PriceList(const Rates &rates, FloatType low, const llvm::DenseSet<int64_t> &internal,
            bool countsTrips, bool knowsFusion)
      : rates(rates), low(low), internal(internal), countsTrips(countsTrips),
        knowsFusion(knowsFusion) {}

  void add(ModuleOp assigned);

  std::array<int64_t, kNumTerms> sums{};

private:
  void addOp(Operation *op);
  void addValue(Value value);
  void add(Term term, Block *block, int64_t cost) {
    sums[unsigned(term)] += (countsTrips ? tripsOf(block) : 1) * cost;
  }

  bool isLow(Value value) const { return elementOf(value) == low; }
  bool isNumber(Value value) const { return elementOf(value).isF32() || isLow(value); }
  bool isInternal(Value value) const {
    return knowsFusion && internal.contains(idOf(value.getDefiningOp()));
  }
  /// A cast that the pass made; the user's have a number.
  static bool isCast(Operation *op) {
    return idOf(op) < 0 &&
           (isa<CastOp, arith::ExtFOp, arith::TruncFOp>(op) || isNamed(op, "stablehlo.convert"));
  }
  int64_t countPicoseconds(double seconds) const { return std::llround(seconds * 1e12); }
  int64_t traffic(Value value) const {
    double bytes = double(cast<ShapedType>(value.getType()).getNumElements()) *
                   double(elementOf(value).getIntOrFloatBitWidth()) / 8;
    return countPicoseconds(bytes / (rates.bandwidth * 1e9));
  }

  const Rates &rates;
  FloatType low;
  const llvm::DenseSet<int64_t> &internal;
  bool countsTrips, knowsFusion;
};

} // namespace

/// What an op reads and computes.
void PriceList::addOp(Operation *op) {
  for (Value operand : op->getOperands()) {
    Operation *cast = operand.getDefiningOp();
    Value root = cast && isCast(cast) ? cast->getOperand(0) : operand;
    if (isNumber(operand) && !constantOf(root) && !isInternal(root))
      add(isLow(operand) ? Term::ReadLow : Term::ReadF32, op->getBlock(), traffic(operand));
  }
  if (classOf(op) != Class::Allow)
    return;
  bool computesLow = isLow(op->getOperand(0));
  auto size = double(cast<ShapedType>(op->getResult(0).getType()).getDimSize(0));
  double rate = computesLow && rates.low > 0 ? rates.low : rates.f32;
  int64_t cost = countPicoseconds(2 * size * size * size / (rate * 1e12));
  if (rates.preferLow)
    cost = computesLow ? 0 : cost + countPicoseconds(0.01);
  add(computesLow ? Term::ArithmeticLow : Term::ArithmeticF32, op->getBlock(), cost);
}

/// The copies of a value.
void PriceList::addValue(Value value) {
  if (!isNumber(value) || !isa<ShapedType>(value.getType()) || constantOf(value))
    return;
  Operation *op = value.getDefiningOp();
  Block *block = value.getParentBlock();
  bool isFused = op && classOf(op) != Class::Unknown;
  auto addWrite = [&](Value copy) {
    if (!isInternal(value))
      add(isLow(copy) ? Term::WriteLow : Term::WriteF32, block, traffic(copy));
  };
  bool isReadAsMade = false;
  for (Operation *user : value.getUsers()) {
    if (!isCast(user)) {
      isReadAsMade = true;
    } else if (isFused) {
      // The cast behind a wide result (P12) belongs to the contraction.
      if (!isNamed(op, "stablehlo.dot") || !isLow(op->getOperand(0)))
        add(Term::FusedCast, block, 1);
      addWrite(user->getResult(0));
    } else {
      add(Term::PassRead, block, traffic(value));
      add(Term::PassLaunch, block, countPicoseconds(rates.launch * 1e-6));
      add(Term::PassWrite, block, traffic(user->getResult(0)));
    }
  }
  if (isFused && isReadAsMade)
    addWrite(value);
}

void PriceList::add(ModuleOp assigned) {
  assigned.walk([&](Operation *op) {
    if (isCast(op))
      return;
    addOp(op);
    for (Value result : op->getResults())
      addValue(result);
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        addValue(argument);
  });
}

Prices CutOracle::price(ModuleOp assigned) const {
  auto sum = [&](bool countsTrips, bool knowsFusion) {
    PriceList list(rates, settings.low, internal, countsTrips, knowsFusion);
    list.add(assigned);
    return list.sums;
  };
  auto total = [](const std::array<int64_t, kNumTerms> &sums) {
    return std::accumulate(sums.begin(), sums.end(), int64_t(0));
  };
  std::array<int64_t, kNumTerms> sums = sum(true, true);
  Prices prices;
  for (unsigned term = 0; term < kNumTerms; ++term)
    prices[term] = total(sums) - sums[term];
  prices[unsigned(Term::Trips)] = total(sum(false, true));
  prices[unsigned(Term::Fusion)] = total(sum(true, false));
  prices[unsigned(Term::None)] = total(sums);
  return prices;
}
