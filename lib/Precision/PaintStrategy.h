//===- PaintStrategy.h - islands of low ops, painted ------------------------===//
#ifndef AMP_LIB_PRECISION_PAINTSTRATEGY_H
#define AMP_LIB_PRECISION_PAINTSTRATEGY_H

#include "Assignment.h"

namespace amp {

/// Paints a whole graph as TensorFlow's Grappler does (auto_mixed_precision.cc): deny flows forward
/// over ops that could be either, allow fills what lies between allow ops, goes on into what reads
/// one, and spreads through clear ops both ways. Its *infer* is our *promote* and *internal-f32*.
Assignment assignByPaint(const Graph &graph);

} // namespace amp

#endif // AMP_LIB_PRECISION_PAINTSTRATEGY_H
