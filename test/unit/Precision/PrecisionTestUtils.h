//===- PrecisionTestUtils.h - modules for the tests of the stage ----------===//
#ifndef AMP_TEST_UNIT_PRECISION_PRECISIONTESTUTILS_H
#define AMP_TEST_UNIT_PRECISION_PRECISIONTESTUTILS_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Dialect/Train/IR/Train.h"
#include "amp/Precision/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

namespace amp {

/// Fixture: parses modules and runs the pass on them; keeps the diagnostics as text.
class PrecisionTest : public ::testing::Test {
protected:
  PrecisionTest()
      : handler(&context,
                [this](mlir::Diagnostic &diagnostic) { diagnostics += diagnostic.str() + "\n"; }) {
    context.loadDialect<AmpDialect, train::TrainDialect, mlir::arith::ArithDialect,
                        mlir::func::FuncDialect>();
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << diagnostics;
    return module;
  }

  llvm::LogicalResult run(mlir::ModuleOp module, const AmpOptions &options) {
    mlir::PassManager manager(&context);
    manager.addPass(createAmp(options));
    return manager.run(module);
  }

  static std::string print(mlir::ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream(text) << module;
    return text;
  }

  mlir::MLIRContext context;
  std::string diagnostics;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace amp

#endif // AMP_TEST_UNIT_PRECISION_PRECISIONTESTUTILS_H
