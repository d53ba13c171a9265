//===- Dataset.h - arrays of samples and their batches ---------------------===//
#ifndef AMP_RUNTIME_DATASET_H
#define AMP_RUNTIME_DATASET_H

#include "amp/Runtime/Program.h"

namespace amp::runtime {

/// Samples for the arguments of a step or evaluation: one array per argument, axis 0 is the sample.
class Dataset {
public:
  /// Picks the arguments' arrays by name; other arrays are left out. Float arrays have the
  /// argument's type; integer arrays may have any integer type and are converted. `origin` is the
  /// file's name in messages. An error if an array is missing, has the wrong type or shape or
  /// another number of samples, or if there are no samples.
  static Result<Dataset> create(std::vector<NamedTensor> arrays,
                                const std::vector<ArgumentSpec> &arguments,
                                const std::string &origin);
  /// create() on the arrays of a .npz or .npy file.
  static Result<Dataset> load(const std::string &path, const std::vector<ArgumentSpec> &arguments);

  /// The number of samples, at least 1.
  int64_t size() const { return columns.front().value.dim(0); }
  /// In the order of the arguments.
  const std::vector<NamedTensor> &arrays() const { return columns; }
  const std::string &origin() const { return fileName; }

  /// An error if an element of the integer array `name` is not in [0, classes): labels outside
  /// would make a cross-entropy read what is not there.
  Status checkLabels(std::string_view name, int64_t classes) const;

  /// Copies of the given samples, in their order.
  std::vector<Tensor> gather(Span<const int64_t> samples) const;
  /// Views of `count` samples from `begin` on.
  std::vector<Tensor> slice(int64_t begin, int64_t count) const;

private:
  Dataset(std::vector<NamedTensor> columns, std::string origin)
      : columns(std::move(columns)), fileName(std::move(origin)) {}

  std::vector<NamedTensor> columns;
  std::string fileName;
};

/// The batch size that a function needs: the static extent of axis 0 of its arguments, -1 if it is
/// dynamic. An error if an argument has no axis or two arguments differ.
Result<int64_t> batchOf(const FunctionSignature &signature);

/// Pointers to the tensors, as calls take them.
std::vector<const Tensor *> pointersTo(const std::vector<Tensor> &tensors);

/// Goes through a dataset in batches, in a new order each epoch. Its state is (epoch, position):
/// the order of an epoch is a function of (seed, epoch), so that a resumed run sees the same
/// batches.
class BatchIterator {
public:
  /// `dropLast`: a last batch with fewer samples is left out. The dataset must outlive the iterator
  /// and must have `batch` samples if `dropLast` is set.
  BatchIterator(const Dataset &dataset, int64_t batch, bool dropLast, uint64_t seed);

  /// Continues in `epoch` after its first `position` samples.
  void seek(uint64_t epoch, uint64_t position);

  uint64_t epoch() const { return currentEpoch; }
  /// Samples of this epoch that are used.
  uint64_t position() const { return currentPosition; }
  /// Batches in an epoch.
  uint64_t batchesPerEpoch() const;
  /// Whether the epoch has no further batch; next() then begins the next epoch.
  bool atEnd() const;
  /// Goes to the beginning of the next epoch.
  void startNextEpoch() { seek(currentEpoch + 1, 0); }

  /// The next batch, one tensor per argument.
  std::vector<Tensor> next();

private:
  const Dataset &dataset;
  int64_t batch;
  bool dropLast;
  uint64_t seed;
  uint64_t currentEpoch = 0;
  uint64_t currentPosition = 0;
  std::vector<int64_t> order;
};

/// The order of `count` samples in an epoch: Fisher and Yates' shuffle with numbers that depend on
/// (seed, epoch) alone.
std::vector<int64_t> shuffledOrder(int64_t count, uint64_t seed, uint64_t epoch);

} // namespace amp::runtime

#endif // AMP_RUNTIME_DATASET_H
