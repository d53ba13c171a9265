//===- TrainingLog.h - the log of a training, in JSON lines ----------------===//
#ifndef AMP_LIB_RUNTIME_TRAININGLOG_H
#define AMP_LIB_RUNTIME_TRAININGLOG_H

#include "amp/Runtime/Device.h"
#include "amp/Runtime/TrainingLoop.h"
#include <cstdio>

namespace amp::runtime {

/// One JSON object per line: a header, a line per step, a line per evaluation. Numbers that are not
/// finite are null. Each line is complete in the file before the next step begins; after an error
/// nothing more is written.
class TrainingLog {
public:
  TrainingLog() = default;
  TrainingLog(TrainingLog &&other) noexcept;
  TrainingLog &operator=(TrainingLog &&) = delete;
  ~TrainingLog();

  /// Opens the options' log and writes the header; a log without path swallows everything.
  static Result<TrainingLog> open(const TrainingOptions &options, const std::string &task,
                                  uint64_t samples, const CheckpointInfo *resumed);

  /// `gradients` names the parameters of `record.result.nonfinite`.
  Status writeStep(const StepRecord &record, const std::vector<std::string> &gradients,
                   std::optional<double> learningRate);
  Status writeEvaluation(const EvaluationRecord &record);

private:
  void close();
  Status writeLine(const std::string &line);

  std::string path;
  std::FILE *file = nullptr;
};

} // namespace amp::runtime

#endif // AMP_LIB_RUNTIME_TRAININGLOG_H
