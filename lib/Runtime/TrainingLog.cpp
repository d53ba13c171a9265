//===- TrainingLog.cpp - the log of a training, in JSON lines --------------===//

#include "TrainingLog.h"
#include "amp/Runtime/File.h"
#include "amp/Version.h"
#include <cerrno>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

using namespace amp::runtime;
using nlohmann::ordered_json;

/// One line of text; bytes that are not UTF-8 are replaced.
static std::string lineOf(const ordered_json &object) {
  return object.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

static std::string headerLine(const TrainingOptions &options, const std::string &task,
                              uint64_t samples, const CheckpointInfo *resumed) {
  HostDevice host;
  const Device &device = options.device ? *options.device : host;
  ordered_json header{{"log_version", 1},
                      {"amp_version", AMP_VERSION_STRING},
                      {"task", task},
                      {"amp", options.amp},
                      {"options", options.pipeline},
                      {"device", device.name()},
                      {device.name(), device.description()},
                      {"half_units", device.halfUnits()},
                      {"seed", options.seed},
                      {"batch", options.batch},
                      {"samples", samples}};
  if (options.steps)
    header["steps"] = options.steps;
  else
    header["epochs"] = options.epochs;
  if (resumed)
    header["resumed_after_step"] = resumed->step;
  for (const auto &[name, text] : options.headerEntries)
    header[name] = text;
  return lineOf(header);
}

TrainingLog::TrainingLog(TrainingLog &&other) noexcept
    : path(std::move(other.path)), file(std::exchange(other.file, nullptr)) {}

TrainingLog::~TrainingLog() { close(); }

void TrainingLog::close() {
  if (file && file != stdout)
    std::fclose(file);
  file = nullptr;
}

static Status logError(const std::string &path, const char *action) {
  return error(path + ": cannot " + action + " the log: " + describeErrorNumber(errno));
}

Result<TrainingLog> TrainingLog::open(const TrainingOptions &options, const std::string &task,
                                      uint64_t samples, const CheckpointInfo *resumed) {
  TrainingLog log;
  if (options.logPath.empty())
    return log;
  log.path = options.logPath;
  std::string header = headerLine(options, task, samples, resumed);
  if (log.path == "-") {
    log.file = stdout;
  } else {
    // A new training replaces an old log as a whole; pipes and devices are written to as they are.
    struct stat info;
    bool special = ::stat(log.path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
    if (!resumed && !special) {
      if (Status status = writeFileAtomically(log.path, header); !status.ok())
        return status;
      header.clear();
    }
    log.file = std::fopen(log.path.c_str(), "ae");
    if (!log.file)
      return logError(log.path, "open");
  }
  if (Status status = log.writeLine(header); !status.ok())
    return status;
  return log;
}

Status TrainingLog::writeLine(const std::string &line) {
  if (!file)
    return {};
  if (std::fwrite(line.data(), 1, line.size(), file) == line.size() && std::fflush(file) == 0)
    return {};
  Status status = logError(path, "write");
  // Half a line may be there: nothing may follow it.
  close();
  return status;
}

Status TrainingLog::writeStep(const StepRecord &record, const std::vector<std::string> &gradients,
                              std::optional<double> learningRate) {
  if (!file)
    return {};
  const StepResult &result = record.result;
  ordered_json line{{"step", record.step},       {"epoch", record.epoch},
                    {"loss", result.loss},       {"scale", result.scale},
                    {"stepped", result.stepped}, {"grad_norm", result.gradNorm}};
  if (learningRate)
    line["lr"] = *learningRate;
  if (!result.stepped) {
    line["nonfinite_gradients"] = ordered_json::array();
    for (size_t i = 0; i < result.nonfinite.size(); ++i)
      if (result.nonfinite[i])
        line["nonfinite_gradients"].push_back(gradients[i]);
  }
  return writeLine(lineOf(line));
}

Status TrainingLog::writeEvaluation(const EvaluationRecord &record) {
  if (!file)
    return {};
  ordered_json line{
      {"epoch", record.epoch}, {"step", record.step}, {"eval_loss", record.result.loss}};
  if (record.result.metric)
    line[record.metric] = *record.result.metric;
  return writeLine(lineOf(line));
}
