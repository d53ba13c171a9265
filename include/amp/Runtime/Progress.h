//===- Progress.h - shows a training on a terminal -------------------------===//
#ifndef AMP_RUNTIME_PROGRESS_H
#define AMP_RUNTIME_PROGRESS_H

#include "amp/Runtime/TrainingLoop.h"
#include <chrono>
#include <cstdio>

namespace amp::runtime {

/// Writes a line per epoch. On a terminal, a bar below them shows the epoch under way.
class Progress : public TrainingObserver {
public:
  /// `label` stands before every line, for runs side by side; may be empty.
  explicit Progress(std::FILE *stream, const std::string &label = {});
  /// With a bar or without, whatever the stream is; `width` columns.
  Progress(std::FILE *stream, const std::string &label, bool bar, unsigned width);

  void onStart(const TrainingOptions &options, uint64_t totalSteps) override;
  void onStep(const StepRecord &record) override;
  void onEvaluation(const EvaluationRecord &record) override;
  void onEpochEnd(uint64_t epochsDone, bool evaluated) override;
  void onWarning(const std::string &text) override;
  void onFinish() override;

private:
  void clearBar();
  void drawBar(const StepRecord &record);
  void printLine(const std::string &text);
  std::string trainingText() const;
  void startLine();

  std::FILE *stream;
  std::string label;
  bool bar;
  unsigned width;
  bool barShown = false;
  uint64_t totalSteps = 0;
  /// Sums since the last line.
  double lossSum = 0.0;
  uint64_t steps = 0;
  uint64_t skipped = 0;
  StepRecord last;
  std::chrono::steady_clock::time_point lastDrawn;
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_PROGRESS_H
