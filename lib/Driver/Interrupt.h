//===- Interrupt.h - ends a training when the user asks to ----------------===//
#ifndef AMP_LIB_DRIVER_INTERRUPT_H
#define AMP_LIB_DRIVER_INTERRUPT_H

namespace amp {

/// From now on SIGINT and SIGTERM are a request to stop after the step, where isInterrupted() is
/// asked; a second one ends the process as ever.
void watchInterrupts();

/// Whether one of them came.
bool isInterrupted();

} // namespace amp

#endif // AMP_LIB_DRIVER_INTERRUPT_H
