//===- amp-run.cpp - trains a model from the command line -----------------===//

#include "Options.h"

int main(int argc, char **argv) {
  amp::DriverOptions options;
  std::optional<amp::CommandLineAction> action = amp::parseCommandLine(argc, argv, options);
  if (!action)
    return amp::kBadInput;
  return *action == amp::CommandLineAction::Exit ? amp::kDone : amp::runDriver(options);
}
