//===- TrainDialect.cpp - registration of the train dialect ---------------===//

#include "amp/Dialect/Train/IR/Train.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace amp::train;

#include "amp/Dialect/Train/IR/TrainDialect.cpp.inc"
#include "amp/Dialect/Train/IR/TrainOpInterfaces.cpp.inc"

void TrainDialect::initialize() {
  registerAttributes();
  registerBytecodeInterface();
  addOperations<
#define GET_OP_LIST
#include "amp/Dialect/Train/IR/TrainOps.cpp.inc"
      >();
}

/// The role of a variable, as a bare keyword before its name; a parameter's is left out.
static ParseResult parseVariableRole(OpAsmParser &parser, VariableRoleAttr &role) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(&keyword))) {
    role = VariableRoleAttr::get(parser.getContext(), VariableRole::Parameter);
    return success();
  }
  std::optional<VariableRole> parsed = symbolizeVariableRole(keyword);
  if (!parsed)
    return parser.emitError(loc, "unknown role '")
           << keyword
           << "'; expected parameter, frozen, optimizer_state, counter, scale_state or half_copy";
  role = VariableRoleAttr::get(parser.getContext(), *parsed);
  return success();
}

static void printVariableRole(OpAsmPrinter &printer, Operation *, VariableRoleAttr role) {
  if (role.getValue() != VariableRole::Parameter)
    printer << stringifyVariableRole(role.getValue());
}

#define GET_OP_CLASSES
#include "amp/Dialect/Train/IR/TrainOps.cpp.inc"
