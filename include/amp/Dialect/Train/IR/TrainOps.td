//===- TrainOps.td - all ops of the train dialect, by family --------------===//
#ifndef AMP_DIALECT_TRAIN_IR_TRAINOPS_TD
#define AMP_DIALECT_TRAIN_IR_TRAINOPS_TD

include "amp/Dialect/Train/IR/TrainElementwiseOps.td"
include "amp/Dialect/Train/IR/TrainLinearOps.td"
include "amp/Dialect/Train/IR/TrainLossOps.td"
include "amp/Dialect/Train/IR/TrainOptimizerOps.td"
include "amp/Dialect/Train/IR/TrainShapeOps.td"
include "amp/Dialect/Train/IR/TrainStateOps.td"

#endif // AMP_DIALECT_TRAIN_IR_TRAINOPS_TD
