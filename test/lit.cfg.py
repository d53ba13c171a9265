"""How lit runs the tests: which files are tests, and what they may call."""

import ctypes.util
import importlib.util
import os
import shutil

import lit.formats
from lit.llvm import llvm_config

config.name = "amp"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["CMakeLists.txt", "lit.cfg.py", "Inputs", "unit", "lib", "golden"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.amp_binary_root, "test")

if importlib.util.find_spec("psutil"):
    lit_config.maxIndividualTestTime = 900 if config.amp_sanitize else 300
else:
    lit_config.warning("tests run without time-outs: this Python has no psutil (python3-psutil)")

config.substitutions.append(("%source", config.amp_source_root))
config.substitutions.append(("%build", config.amp_binary_root))
config.substitutions.append(("%unit", os.path.join(config.test_exec_root, "unit")))
config.substitutions.append(("%plugin", os.path.join(config.amp_binary_root, "lib", "AMPPlugin.so")))
config.substitutions.append(("%python", config.amp_python))

# AMP_ROUNDTRIP=1: every amp-opt also writes and reads back what it parsed, as text and as bytecode.
amp_opt = os.path.join(config.amp_binary_root, "bin", "amp-opt")
if os.environ.get("AMP_ROUNDTRIP"):
    amp_opt += " --verify-roundtrip"
    config.available_features.add("roundtrip")
config.substitutions.append((r"\bamp-opt\b", amp_opt))
sanitized = os.path.join(config.test_exec_root, "sanitized")
llvm_config.add_tool_substitutions(
    ["amp-run", "amp-lsp-server", "amp-grad-check", "FileCheck", "not", "count", "split-file", "mlir-opt", "llvm-nm",
     "matmul-benchmark"],
    [os.path.join(config.amp_binary_root, "bin"), sanitized, config.llvm_tools_dir])

# lit itself runs under the same Python as the scripts.
for module in ("numpy", "sklearn"):
    if importlib.util.find_spec(module):
        config.available_features.add(module)

for tool in ["clang-format", "clang-tidy"]:
    if shutil.which(tool + "-22"):
        config.available_features.add(tool)

# The CPU benchmark's reference.
if ctypes.util.find_library("openblas"):
    config.available_features.add("openblas")

if config.amp_sanitize:
    config.available_features.add("sanitizer")
    config.environment["PATH"] = os.pathsep.join([sanitized, config.environment["PATH"]])
    # LLVM is not instrumented: its bump allocators poison memory that ours never unpoisons. A test that expects an exit
    # status of 1 must not take a report for it: abort. And no memory is what it is elsewhere, a null pointer.
    config.environment["ASAN_OPTIONS"] = "allow_user_poisoning=0:abort_on_error=1:allocator_may_return_null=1"
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
