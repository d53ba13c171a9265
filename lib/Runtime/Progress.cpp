//===- Progress.cpp - shows a training on a terminal -----------------------===//

#include "amp/Runtime/Progress.h"
#include <sys/ioctl.h>
#include <unistd.h>

using namespace amp::runtime;

static bool isTerminal(std::FILE *stream) { return ::isatty(::fileno(stream)) == 1; }

static unsigned terminalWidth(std::FILE *stream) {
  winsize size;
  if (::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  return 80;
}

static std::string format(const char *pattern, double value) {
  char text[64];
  std::snprintf(text, sizeof(text), pattern, value);
  return text;
}

Progress::Progress(std::FILE *stream, const std::string &label)
    : Progress(stream, label, isTerminal(stream), terminalWidth(stream)) {}

Progress::Progress(std::FILE *stream, const std::string &label, bool bar, unsigned width)
    : stream(stream), label(label.empty() ? "" : label + ": "), bar(bar), width(width) {}

void Progress::onStart(const TrainingOptions &, uint64_t total) { totalSteps = total; }

void Progress::clearBar() {
  if (barShown)
    std::fputs("\r\033[K", stream);
  barShown = false;
}

void Progress::printLine(const std::string &text) {
  clearBar();
  std::fprintf(stream, "%s%s\n", label.c_str(), text.c_str());
  std::fflush(stream);
}

/// Mean loss and skips since the last line, and the scale if there is one.
std::string Progress::trainingText() const {
  std::string text;
  if (steps)
    text += "loss " + format("%.4g", lossSum / static_cast<double>(steps));
  if (last.result.scale != 1.0)
    text += ", scale " + format("%g", last.result.scale);
  if (skipped)
    text += ", " + std::to_string(skipped) + " skipped";
  return text;
}

void Progress::onStep(const StepRecord &record) {
  last = record;
  lossSum += record.result.loss;
  ++steps;
  skipped += !record.result.stepped;
  if (!bar)
    return;
  auto now = std::chrono::steady_clock::now();
  // Ten times a second is enough for eyes, and costs nothing.
  if (barShown && now - lastDrawn < std::chrono::milliseconds(100) && record.step != totalSteps)
    return;
  lastDrawn = now;
  drawBar(record);
}

void Progress::drawBar(const StepRecord &record) {
  std::string front = label + "epoch " + std::to_string(record.epoch + 1) + " ";
  std::string back = " " + std::to_string(record.stepInEpoch) + "/" +
                     std::to_string(record.stepsPerEpoch) + " " + trainingText();
  // One column stays free, so that the terminal does not wrap.
  size_t used = front.size() + back.size() + 3;
  if (used + 4 > width) {
    std::string text = (front + back).substr(0, width ? width - 1 : 0);
    std::fprintf(stream, "\r\033[K%s", text.c_str());
  } else {
    size_t cells = std::min<size_t>(width - used, 40);
    size_t full = record.stepsPerEpoch ? cells * record.stepInEpoch / record.stepsPerEpoch : 0;
    full = std::min(full, cells);
    std::string filled(full, '#'), empty(cells - full, '.');
    std::fprintf(stream, "\r\033[K%s[%s%s]%s", front.c_str(), filled.c_str(), empty.c_str(),
                 back.c_str());
  }
  std::fflush(stream);
  barShown = true;
}

void Progress::startLine() {
  lossSum = 0.0;
  steps = skipped = 0;
}

void Progress::onEvaluation(const EvaluationRecord &record) {
  std::string text = "epoch " + std::to_string(record.epoch) + ": ";
  std::string training = trainingText();
  text += training.empty() ? "" : training + ", ";
  text += "eval_loss " + format("%.4g", record.result.loss);
  if (record.result.metric)
    text += ", " + record.metric + " " + format("%.4f", *record.result.metric);
  printLine(text);
  startLine();
}

void Progress::onEpochEnd(uint64_t epochsDone, bool evaluated) {
  if (!evaluated && steps)
    printLine("epoch " + std::to_string(epochsDone) + ": " + trainingText());
  startLine();
}

void Progress::onWarning(const std::string &text) { printLine("warning: " + text); }

void Progress::onFinish() {
  // What a run that failed within an epoch has not shown.
  if (steps)
    printLine("step " + std::to_string(last.step) + ": " + trainingText());
  clearBar();
  std::fflush(stream);
}
