//===- DifferentiableOpInterface.cpp - the rule that differentiates an op -===//

#include "amp/Autodiff/DifferentiableOpInterface.h"

#include "amp/Autodiff/DifferentiableOpInterface.cpp.inc"
