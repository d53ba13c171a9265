# Finds LLVM/MLIR 22.1 and the runtime's libraries; says what to install where one is missing.

find_package(MLIR 22.1 QUIET CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
if(NOT MLIR_FOUND)
  message(FATAL_ERROR
    "MLIR 22.1 was not found.\n"
    "  on Debian or Ubuntu: tools/quickstart installs it (libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools)\n"
    "  elsewhere: build LLVM 22.1 with -DLLVM_ENABLE_PROJECTS=mlir -DLLVM_BUILD_LLVM_DYLIB=ON "
    "-DMLIR_LINK_MLIR_DYLIB=ON, and pass -DMLIR_DIR=<prefix>/lib/cmake/mlir")
endif()
message(STATUS "Using MLIR ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR}")

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# The runtime reads .npz archives and writes JSON without LLVM.
find_package(nlohmann_json 3 QUIET)
find_path(LIBZIP_INCLUDE_DIR zip.h)
find_library(LIBZIP_LIBRARY zip)
if(NOT nlohmann_json_FOUND OR NOT LIBZIP_INCLUDE_DIR OR NOT LIBZIP_LIBRARY)
  message(FATAL_ERROR "libzip or nlohmann-json was not found; install libzip-dev and nlohmann-json3-dev")
endif()

# Minimum cuts: headers alone.
find_path(LEMON_INCLUDE_DIR lemon/preflow.h)
if(NOT LEMON_INCLUDE_DIR)
  message(FATAL_ERROR "LEMON was not found; install liblemon-dev, or pass -DLEMON_INCLUDE_DIR=<folder of lemon/preflow.h>")
endif()
