//===- RandomGraph.h - small graphs for the oracle of the cut ---------------===//
#ifndef AMP_TEST_UNIT_PRECISION_RANDOMGRAPH_H
#define AMP_TEST_UNIT_PRECISION_RANDOMGRAPH_H

#include <random>
#include <string>

namespace amp {

/// A module with one public function of at most about `maxOps` ops on square f32 matrices, as text:
/// ops of every class, constants that do not fit f16, values of the other half type, values with
/// many readers, loops and branches. Every op has a number of its own, attribute `test.id`. The ops
/// are those of StableHLO, in generic form, or of dialect `train`, in which types may mix. Whatever
/// is computed is read: by an op that nothing is known of, in f32.
std::string makeRandomGraph(std::mt19937 &random, unsigned maxOps);

} // namespace amp

#endif // AMP_TEST_UNIT_PRECISION_RANDOMGRAPH_H
