//===- Interrupt.cpp - ends a training when the user asks to --------------===//

#include "Interrupt.h"
#include <csignal>

static volatile std::sig_atomic_t interrupted = 0;

static void noteInterrupt(int) { interrupted = 1; }

void amp::watchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = noteInterrupt;
  // The default comes back with the first one. A shell in the background ignores SIGINT for us;
  // that stays so.
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  for (int signal : {SIGINT, SIGTERM}) {
    struct sigaction before;
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
      ::sigaction(signal, &action, nullptr);
  }
}

bool amp::isInterrupted() { return interrupted != 0; }
