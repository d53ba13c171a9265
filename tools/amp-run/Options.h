//===- Options.h - the command line of amp-run ----------------------------===//
#ifndef AMP_TOOLS_AMP_RUN_OPTIONS_H
#define AMP_TOOLS_AMP_RUN_OPTIONS_H

#include "amp/Driver/Driver.h"

namespace amp {

enum class CommandLineAction { Run, Exit };

/// Reads the command line into `options`. `Exit` after --help, --version and --print-options, which
/// it has answered. On a bad command line prints one error to stderr and returns nothing.
std::optional<CommandLineAction> parseCommandLine(int argc, char **argv, DriverOptions &options);

} // namespace amp

#endif // AMP_TOOLS_AMP_RUN_OPTIONS_H
