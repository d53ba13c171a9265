//===- matmul-benchmark.cpp - the matrix product kernels against OpenBLAS -===//
//
// Both compute C += A B on one thread, in turns, so that a change of the clock or a neighbour on
// the machine meets both. OpenBLAS multiplies f32; our kernels f32, f16 and bf16, summed in f32.
// Time is the thread's own, so that waiting for a processor does not count.

#include "OpenBlas.h"
#include "amp/Target/CPU/CpuCompiler.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <ctime>
#include <random>

using namespace amp;

namespace {
struct Shape {
  int64_t m, n, k;
  bool transposeA, transposeB;
};

struct Row {
  Shape shape;
  std::string type;
  double ours, reference; // GFLOP/s, medians
  double ratio;           // the median of the pairs' ratios
};

/// An operand in f32 and in the type that our kernel reads.
struct Data {
  std::vector<float> values;
  std::vector<char> converted;
};
} // namespace

/// The forward products of networks, and the two transposed forms of their backward passes.
static const Shape kShapes[] = {
    {1024, 1024, 1024, false, false}, {2048, 2048, 2048, false, false},
    {512, 768, 768, false, false},    {512, 3072, 768, false, false},
    {512, 768, 3072, false, false},   {64, 256, 784, false, false},
    {256, 1024, 784, false, false},   {256, 1024, 1024, false, false},
    {256, 784, 1024, false, true},    {784, 1024, 256, true, false},
    {1024, 256, 768, false, false},   {64, 10, 256, false, false},
    {256, 10, 1024, false, false},    {100, 100, 100, false, false},
};
static const Shape kQuickShapes[] = {{64, 256, 784, false, false}, {64, 10, 256, true, true}};

static const char *const kTypes[] = {"f32", "f16", "bf16"};

static std::string makeModule() {
  std::string text;
  for (llvm::StringRef type : kTypes) {
    for (int form = 0; form < 4; ++form) {
      const char *a = form & 1 ? "(k, m)" : "(m, k)", *b = form & 2 ? "(n, k)" : "(k, n)";
      text += llvm::formatv(
                  "func.func @matmul_{0}_{1}(%a: memref<?x?x{0}>, %b: memref<?x?x{0}>,\n"
                  "    %c: memref<?x?xf32>) {{\n"
                  "  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> {2}>,\n"
                  "    affine_map<(m, n, k) -> {3}>, affine_map<(m, n, k) -> (m, n)>]\n"
                  "    ins(%a, %b : memref<?x?x{0}>, memref<?x?x{0}>) outs(%c : memref<?x?xf32>)\n"
                  "  return\n}\n",
                  type, form, a, b)
                  .str();
    }
  }
  return text;
}

static mlir::OwningOpRef<mlir::ModuleOp> parseModule(mlir::MLIRContext &context) {
  context.loadDialect<mlir::func::FuncDialect, mlir::linalg::LinalgDialect>();
  return mlir::parseSourceString<mlir::ModuleOp>(makeModule(), &context);
}

static Data makeData(int64_t size, llvm::StringRef type, std::mt19937 &random) {
  std::normal_distribution<float> normal;
  Data data;
  const llvm::fltSemantics &semantics =
      type == "f16" ? llvm::APFloat::IEEEhalf()
                    : (type == "bf16" ? llvm::APFloat::BFloat() : llvm::APFloat::IEEEsingle());
  for (int64_t i = 0; i < size; ++i) {
    bool inexact;
    llvm::APFloat value(normal(random));
    value.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &inexact);
    llvm::APInt bits = value.bitcastToAPInt();
    const char *bytes = reinterpret_cast<const char *>(bits.getRawData());
    data.converted.insert(data.converted.end(), bytes, bytes + bits.getBitWidth() / 8);
    value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    data.values.push_back(value.convertToFloat());
  }
  return data;
}

static double threadSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

static double seconds(llvm::function_ref<void()> run, int64_t times) {
  double start = threadSeconds();
  for (int64_t i = 0; i < times; ++i)
    run();
  return (threadSeconds() - start) / times;
}

static double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Both sum the same products in another order: their difference is at most twice the bound of
/// either, 2 * k * 2^-24 * sum |a||b|, plus as much for C. Data are of size 1, so that 8 sqrt(k)
/// standard deviations bound the sum of products' magnitude amply below 4k.
static llvm::Error compare(const Shape &shape, llvm::ArrayRef<float> ours,
                           llvm::ArrayRef<float> reference) {
  double bound = 2.0 * shape.k * std::ldexp(1.0, -24) * 4 * shape.k;
  for (size_t i = 0; i < ours.size(); ++i)
    if (!(std::abs(ours[i] - reference[i]) <= bound))
      return llvm::createStringError(
          llvm::formatv("element {0} of {1}x{2}x{3} is {4}, but OpenBLAS computes {5}", i, shape.m,
                        shape.n, shape.k, ours[i], reference[i]));
  return llvm::Error::success();
}

static llvm::Expected<Row> measure(const CompiledModule &module, const OpenBlas &blas,
                                   const Shape &shape, llvm::StringRef type, double sampleSeconds,
                                   int samples) {
  auto [m, n, k, transposeA, transposeB] = shape;
  std::mt19937 random(1);
  Data a = makeData(m * k, type, random), b = makeData(k * n, type, random);
  std::vector<float> c(m * n), referenceC(m * n);
  auto rowMajor = [](void *data, int64_t rows, int64_t columns, bool transposed) {
    BufferRef buffer;
    buffer.data = data;
    buffer.shape = transposed ? std::vector{columns, rows} : std::vector{rows, columns};
    return buffer;
  };
  BufferRef arguments[] = {rowMajor(a.converted.data(), m, k, transposeA),
                           rowMajor(b.converted.data(), k, n, transposeB),
                           rowMajor(c.data(), m, n, false)};
  std::string function = llvm::formatv("matmul_{0}_{1}", type, transposeA + 2 * transposeB).str();
  std::vector<BufferRef> results;
  if (llvm::Error error = module.call(function, arguments, results))
    return error;
  auto ours = [&] { llvm::cantFail(module.call(function, arguments, results)); };
  auto reference = [&, tA = transposeA, tB = transposeB, m = m, n = n, k = k] {
    blas.sgemm(tA, tB, m, n, k, a.values.data(), b.values.data(), referenceC.data());
  };
  reference();
  if (llvm::Error error = compare(shape, c, referenceC))
    return error;
  int64_t times = std::max<int64_t>(1, std::llround(sampleSeconds / seconds(reference, 2)));
  std::vector<double> oursSeconds, referenceSeconds, ratios;
  for (int sample = 0; sample < samples; ++sample) {
    oursSeconds.push_back(seconds(ours, times));
    referenceSeconds.push_back(seconds(reference, times));
    ratios.push_back(referenceSeconds.back() / oursSeconds.back());
  }
  double gflop = 2e-9 * m * n * k;
  return Row{shape, type.str(), gflop / median(oursSeconds), gflop / median(referenceSeconds),
             median(ratios)};
}

static double geometricMean(llvm::ArrayRef<Row> rows) {
  double sum = 0;
  for (const Row &row : rows)
    sum += std::log(row.ratio);
  return std::exp(sum / rows.size());
}

static void printText(const OpenBlas &blas, llvm::ArrayRef<Row> rows) {
  const char *coreType = std::getenv("OPENBLAS_CORETYPE");
  llvm::outs() << "CPU: " << describeCpu() << "\n"
               << "OpenBLAS: core " << blas.coreName()
               << ", OPENBLAS_CORETYPE=" << (coreType ? coreType : "(not set)")
               << ", one thread, f32\n"
               << "ours: sums in f32, one thread; GFLOP/s are medians\n\n"
               << "     M     N     K  form  type    ours  OpenBLAS  ratio\n";
  double least = rows.front().ratio;
  for (const Row &row : rows) {
    least = std::min(least, row.ratio);
    llvm::outs() << llvm::formatv(
        "{0,6}{1,6}{2,6}    {3}{4}  {5,4}{6,8:F1}{7,10:F1}{8,7:F2}\n", row.shape.m, row.shape.n,
        row.shape.k, row.shape.transposeA ? "T" : "N", row.shape.transposeB ? "T" : "N", row.type,
        row.ours, row.reference, row.ratio);
  }
  llvm::outs() << llvm::formatv("\nratio: geometric mean {0:F2}, least {1:F2}\n",
                                geometricMean(rows), least);
}

static void printJson(const OpenBlas &blas, llvm::ArrayRef<Row> rows) {
  const char *coreType = std::getenv("OPENBLAS_CORETYPE");
  llvm::json::Array list;
  double least = rows.front().ratio;
  for (const Row &row : rows) {
    least = std::min(least, row.ratio);
    list.push_back(llvm::json::Object{{"m", row.shape.m},
                                      {"n", row.shape.n},
                                      {"k", row.shape.k},
                                      {"transpose_a", row.shape.transposeA},
                                      {"transpose_b", row.shape.transposeB},
                                      {"type", row.type},
                                      {"gflops", row.ours},
                                      {"openblas_gflops", row.reference},
                                      {"ratio", row.ratio}});
  }
  llvm::json::Value report = llvm::json::Object{{"cpu", describeCpu()},
                                                {"openblas_core", blas.coreName()},
                                                {"openblas_coretype", coreType ? coreType : ""},
                                                {"threads", 1},
                                                {"geometric_mean", geometricMean(rows)},
                                                {"least", least},
                                                {"rows", std::move(list)}};
  llvm::outs() << llvm::formatv("{0:2}\n", report);
}

static llvm::Error run(bool quick, bool json, llvm::StringRef onlyType) {
  auto blas = OpenBlas::load();
  if (!blas)
    return blas.takeError();
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto module = parseModule(context);
  auto compiled = compileForCpu(*module, {});
  if (!compiled)
    return compiled.takeError();
  std::vector<Row> rows;
  for (const Shape &shape : quick ? llvm::ArrayRef(kQuickShapes) : llvm::ArrayRef(kShapes))
    for (llvm::StringRef type : kTypes) {
      if (!onlyType.empty() && type != onlyType)
        continue;
      auto row = measure(**compiled, *blas, shape, type, quick ? 0.001 : 0.02, quick ? 3 : 15);
      if (!row)
        return row.takeError();
      rows.push_back(*row);
    }
  json ? printJson(*blas, rows) : printText(*blas, rows);
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  bool quick = false, json = false;
  llvm::StringRef type;
  for (llvm::StringRef argument : llvm::ArrayRef(argv, argc).drop_front()) {
    if (argument == "--quick")
      quick = true;
    else if (argument == "--json")
      json = true;
    else if (argument.consume_front("--type=") && llvm::is_contained(kTypes, argument))
      type = argument;
    else {
      llvm::errs() << "unknown argument '" << argument
                   << "'; expected --quick, --json, --type=f32, --type=f16 or --type=bf16\n";
      return 2;
    }
  }
  restartWithCoreType(argv);
  if (llvm::Error error = run(quick, json, type)) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
    return 2;
  }
  return 0;
}
