//===- Linear.cpp - rules of contractions and bias ------------------------===//

#include "Rules.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace amp;
using namespace amp::train;

namespace {

/// An operand of a product: a matrix, read transposed or not.
struct Factor {
  Value matrix;
  bool transposed;
  Factor transpose() const { return {matrix, !transposed}; }
};

} // namespace

static Value buildProduct(RuleBuilder &rule, Type type, Factor lhs, Factor rhs) {
  return rule.create<MatmulOp>(type, lhs.matrix, rhs.matrix, lhs.transposed, rhs.transposed);
}

/// With C = L . R: dL = dC . R^T and dR = L^T . dC. A factor that is stored transposed has the
/// transpose of that as its gradient, which is the product of the transposes in the other order.
/// `lhs` and `rhs` are operands 0 and 1 of the op.
static void differentiateProduct(RuleBuilder &rule, Factor lhs, Factor rhs) {
  Factor grad{rule.grad, false};
  if (rule.needs(0))
    rule.set(0, lhs.transposed ? buildProduct(rule, rule.typeOf(0), rhs, grad.transpose())
                               : buildProduct(rule, rule.typeOf(0), grad, rhs.transpose()));
  if (rule.needs(1))
    rule.set(1, rhs.transposed ? buildProduct(rule, rule.typeOf(1), grad.transpose(), lhs)
                               : buildProduct(rule, rule.typeOf(1), lhs.transpose(), grad));
}

/// A bias is added along all dimensions but the last: its gradient sums them up.
static Value buildBiasGradient(RuleBuilder &rule, Type type) {
  int64_t rank = cast<RankedTensorType>(rule.grad.getType()).getRank();
  if (rank == 1)
    return rule.cast(rule.grad, type);
  return rule.create<ReduceOp>(type, ReduceKind::Sum, rule.grad,
                               llvm::to_vector(llvm::seq<int64_t>(0, rank - 1)));
}

static void differentiateMatmul(MatmulOp op, RuleBuilder &rule) {
  differentiateProduct(rule, {op.getLhs(), op.getTransposeLhs()},
                       {op.getRhs(), op.getTransposeRhs()});
}

static void differentiateLinear(LinearOp op, RuleBuilder &rule) {
  differentiateProduct(rule, {op.getInput(), false}, {op.getWeight(), op.getTransposeWeight()});
  if (op.getBias() && rule.needs(2))
    rule.set(2, buildBiasGradient(rule, rule.typeOf(2)));
}

static void differentiateBiasAdd(BiasAddOp, RuleBuilder &rule) {
  if (rule.needs(0))
    rule.set(0, rule.cast(rule.grad, rule.typeOf(0)));
  if (rule.needs(1))
    rule.set(1, buildBiasGradient(rule, rule.typeOf(1)));
}

void amp::attachLinearRules(MLIRContext *context) {
  MatmulOp::attachInterface<Rule<MatmulOp, differentiateMatmul>>(*context);
  LinearOp::attachInterface<Rule<LinearOp, differentiateLinear>>(*context);
  BiasAddOp::attachInterface<Rule<BiasAddOp, differentiateBiasAdd>>(*context);
}
