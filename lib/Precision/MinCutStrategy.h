//===- MinCutStrategy.h - the cheapest legal assignment ----------------------===//
#ifndef AMP_LIB_PRECISION_MINCUTSTRATEGY_H
#define AMP_LIB_PRECISION_MINCUTSTRATEGY_H

#include "Assignment.h"

namespace amp {

/// Chooses among all assignments that the rules allow the one whose modelled time is least,
/// exactly, as a minimum cut. Of equally cheap ones it takes the one with the fewest low ops and
/// values.
///
/// Each op and each tie of control flow is a variable, low or not. Of each value a low and an f32
/// copy may exist, one variable each: a reader needs the copy of its label, a copy costs the bytes
/// that are written, each read costs the bytes of the copy that is read, and having both costs a
/// pass over memory unless the op that makes the value can write both.
Assignment assignByCut(const Graph &graph);

} // namespace amp

#endif // AMP_LIB_PRECISION_MINCUTSTRATEGY_H
