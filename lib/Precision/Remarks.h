//===- Remarks.h - tells why each op got its precision --------------------===//
#ifndef AMP_LIB_PRECISION_REMARKS_H
#define AMP_LIB_PRECISION_REMARKS_H

#include "Assignment.h"

namespace amp {

/// Emits a remark of the category `amp-precision` at every op with a precision model, in program
/// order: passed if it is low, missed if it stays f32, analysis if it is left alone; and a failed
/// one where the user's choice beats a rule.
void emitRemarks(const Assignment &assignment);

} // namespace amp

#endif // AMP_LIB_PRECISION_REMARKS_H
