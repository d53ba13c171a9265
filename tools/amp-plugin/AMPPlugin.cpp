//===- AMPPlugin.cpp - the dialects and passes for a stock mlir-opt -------===//

#include "amp/InitAll.h"
#include "amp/Version.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "AMP", AMP_VERSION_STRING,
          [](mlir::DialectRegistry *registry) { amp::registerAllDialects(*registry); }};
}

extern "C" mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "AMP", AMP_VERSION_STRING, [] { amp::registerAllPasses(); }};
}
