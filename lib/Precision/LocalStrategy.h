//===- LocalStrategy.h - each op by its class and its operands ------------===//
#ifndef AMP_LIB_PRECISION_LOCALSTRATEGY_H
#define AMP_LIB_PRECISION_LOCALSTRATEGY_H

#include "Assignment.h"

namespace amp {

/// Decides every op of a function in program order from its class and what was decided for its
/// operands, as PyTorch's autocast does at run time. A backward op follows its forward op.
Assignment assignLocally(const Graph &graph);

} // namespace amp

#endif // AMP_LIB_PRECISION_LOCALSTRATEGY_H
