//===- Passes.td - passes of the CPU target -------------------------------===//
#ifndef AMP_TARGET_CPU_PASSES_TD
#define AMP_TARGET_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def CpuLowerMatmul : Pass<"amp-cpu-lower-matmul", "::mlir::ModuleOp"> {
  let summary = "matrix products on buffers become calls of packed, blocked kernels";
  let description = [{
    Takes `linalg` ops on memrefs that multiply and add along one or more common
    dimensions: `linalg.matmul`, `linalg.batch_matmul`, their transposed forms, and
    every `linalg.generic` whose body is `acc + a * b` and whose indexing maps are
    projected permutations. Operands are f16, bf16, f32 or f64 in any mix, with any
    strides; sizes may be dynamic, zero included.

    Each becomes a call of a private function `@amp_matmul_<lhs>_<rhs>_<acc>` that this
    pass adds to the module once per combination of element types. The function takes
    two-dimensional views with dynamic strides, so that a transposed operand is the
    same call with swapped strides. Dimensions beyond one M, N and K become loops
    around the call.

    Numbers: operands are converted to the accumulator's type while they are packed.
    Per element of the result, the products of each block of 256 values of K are
    summed by fused multiply-adds in ascending order from zero, and the blocks' sums are
    added to the output in ascending order. Neither the position in the
    matrix, nor the size of the machine's vectors and caches, nor its threads change
    the order, so that the bits are the same everywhere.

    An f16 or bf16 output is the one deviation from linalg, which would round after
    each step: the initial value is widened to f32, the products are accumulated there,
    and the sum is rounded once, to nearest even.

    Left alone: integer products, bodies that do anything else than convert, multiply
    and add, operands wider than a half output (linalg rounds them first), products with
    neither an M nor an N dimension (dot products), buffers in another memory space or
    without strides, and ops in another symbol table than the module's.

    ```mlir
    linalg.matmul ins(%a, %b : memref<64x784xf16>, memref<784x256xf16>)
                  outs(%c : memref<64x256xf32>)
    // becomes, with %a', %b', %c' the views of dynamic strides
    func.call @amp_matmul_f16_f16_f32(%a', %b', %c')
    ```
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", /*default=*/"256",
           "width of the target's vector registers: 128, 256 or 512">,
    Option<"l2Bytes", "l2-bytes", "int64_t", /*default=*/"1048576",
           "size of the target's second-level cache">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect"];
}

def CpuExpandCasts : Pass<"amp-cpu-expand-casts"> {
  let summary = "spell out conversions to and arithmetic in half types";
  let description = [{
    After it no op rounds to bf16 but by integer arithmetic, and no arithmetic is done in
    f16 or bf16: an op on half values widens its operands to f32, computes there, and
    rounds its result once. No fast-math flag is set, so that nothing removes a rounding
    later.

    A rounding to bf16 is to nearest even, keeps subnormals and makes a NaN quiet; it is one
    rounding also from f64 and from integers. Instructions for it are not used: they flush
    subnormals, and not every CPU has them. f16 conversions stay as they are, for every CPU
    and the library function in their place agree on them.

    Example:

    ```mlir
    %1 = arith.truncf %0 : f32 to bf16
    ```
    becomes
    ```mlir
    %bits = arith.bitcast %0 : f32 to i32
    %odd = (bits >> 16) & 1
    %rounded = (bits + 0x7fff + odd) >> 16
    ... a NaN's upper half | 0x40 ...
    %1 = arith.bitcast %half : i16 to bf16
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
}

def CpuVectorizeLinalg : Pass<"amp-cpu-vectorize-linalg"> {
  let summary = "linalg on buffers becomes loops of vectors";
  let description = [{
    Turns each `linalg` op on memrefs into `scf` loops around operations on vectors of 16
    elements. The loop to run in vectors is one along which all outputs are contiguous, or a
    reduction; dense neighbouring loops are merged first. Inputs that do not depend on it are
    read once per row, and so is everything the body computes from them; inputs with another
    stride are gathered. The last elements of a row are one masked vector.

    A reduction along that loop has 16 partial results: lane `l` takes the elements `l`,
    `l + 16`, ... of each row, lanes are combined pairwise (`l` with `l + 8`, then `l + 4`,
    `l + 2`, `l + 1`), and the total with the initial value. No property of the machine enters,
    so that the bits are the same everywhere. Reductions along other loops are in order.

    Left alone, and named by a remark of the category `amp-cpu`: bodies with regions,
    effects, or other operations that have no vector form, reductions that are no plain sum,
    product, maximum, minimum or bit operation, and outputs that are not contiguous along
    any loop.

    Example:

    ```mlir
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : memref<32xf32>) outs(%y : memref<32xf32>) {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.mulf %a, %a : f32
      linalg.yield %0 : f32
    }
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %c32 step %c16 {
      %a = vector.load %x[%i] : memref<32xf32>, vector<16xf32>
      %0 = arith.mulf %a, %a : vector<16xf32>
      vector.store %0, %y[%i] : memref<32xf32>, vector<16xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def CpuExpandMath : Pass<"amp-cpu-expand-math"> {
  let summary = "transcendental functions become IEEE arithmetic";
  let description = [{
    Replaces `math` functions on f32 and f64, numbers and vectors, by one sequence of
    additions, products, quotients, fused multiply-adds and bit operations, without fast-math
    flags and without branches. IEEE 754 defines each of these to the last bit, so that the
    result is the same on every machine and in every lane.

    | function | error in f32 | error in f64 |
    |---|---|---|
    | `exp`, `exp2`, `log`, `erf` | 1.1 ulp | 1.2 ulp |
    | `tanh`, `rsqrt` | 1.5 ulp | 1.5 ulp |
    | `expm1`, `log2`, `log10`, `log1p` | 0.51 ulp | 2 ulp |
    | `powf`, `fpowi` | 0.51 ulp | 1.5 ulp |

    In f32 every argument has been tried (those of `powf` by samples), in f64 millions.

    Special values are those of C's Annex F; the sign and payload of a NaN are not defined.
    f16 and bf16 have been widened before (`amp-cpu-expand-casts`).

    Functions without a sequence (`sin`, `cos`, `tan`, their inverses, the hyperbolic ones but
    `tanh`, `cbrt`, `erfc`) are calls of the C library; a remark of the category `amp-cpu`
    names each.

    Example: `math.rsqrt %x : f32` becomes
    ```mlir
    %root = math.sqrt %x : f32
    %result = arith.divf %one, %root : f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def CpuStripFastMath : Pass<"amp-cpu-strip-fast-math"> {
  let summary = "take fast-math flags off every operation";
  let description = [{
    A flag such as `contract` lets later passes drop a rounding that the program wrote. After
    this pass every operation rounds as it stands.

    Example: `arith.addf %a, %b fastmath<contract> : f16` becomes `arith.addf %a, %b : f16`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def CpuDecomposeSoftmax : Pass<"amp-cpu-decompose-softmax"> {
  let summary = "linalg.softmax in its single steps";
  let description = [{
    Replaces `linalg.softmax` on tensors by maximum, exponentials, sum and quotient. In f16
    and bf16 they are computed in f32, and the result is rounded once.

    Example:

    ```mlir
    %1 = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>)
        -> tensor<4x8xf32>
    ```
    becomes four `linalg.generic`s.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def CpuGeneralizeNamedOps : Pass<"amp-cpu-generalize-named-ops"> {
  let summary = "elementwise linalg ops and reductions become linalg.generic";
  let description = [{
    Fusion knows `linalg.generic` only. Products, convolutions, pooling and fills keep their
    names.

    Example: `linalg.add`, `linalg.map`, `linalg.broadcast`, `linalg.reduce` become
    `linalg.generic`; `linalg.matmul` and `linalg.fill` stay.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def CpuSeparateDestinations : Pass<"amp-cpu-separate-destinations"> {
  let summary = "give every op an empty or filled tensor of its own to write to";
  let description = [{
    Where several ops write to the same `tensor.empty` or `linalg.fill`, each gets a copy of
    it. Common subexpression elimination has merged them; bufferization would separate them
    again by copying memory.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.exp ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    %2 = linalg.log ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    ```
    After it, `%2` has its own `tensor.empty`.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def CpuLowerAsserts : Pass<"amp-cpu-lower-asserts", "::mlir::ModuleOp"> {
  let summary = "an assertion that fails returns from the function instead of ending the process";
  let description = [{
    Takes `amp.assert` and `cf.assert` in functions without structured control flow. Where the
    condition does not hold, `@__amp_report_failure` is told the message, with the location of
    the op in front, and the numbers that belong into it; then the function returns, with poison
    for results. What it allocated and had not freed yet stays: CompiledModule::call frees it.

    A caller of a function that can fail in this way asks `@__amp_has_failed` after the call, and
    returns likewise. Both functions are provided by CompiledModule::call, which then gives the
    message to its caller as an error.

    A module without assertions does not change.

    ```mlir
    amp.assert %ok, "'train.add' op has size {0}"(%size)
    ```
    becomes
    ```mlir
    cf.cond_br %ok, ^next, ^fails
    ^fails:
      func.call @__amp_report_failure(%message, %count, %size, %zero) : (!llvm.ptr, index, index, index) -> ()
      return
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::ub::UBDialect"];
}

def CpuStoreBF16AsIntegers : Pass<"amp-cpu-store-bf16-as-integers", "::mlir::ModuleOp"> {
  let summary = "in the llvm dialect, make every bf16 an i16";
  let description = [{
    After `amp-cpu-expand-casts` a bf16 is only moved. As an integer it stays what it is; as a
    `bfloat`, code generators for CPUs without bf16 widen and round it on the way, by library
    functions that not every system has.

    Example: `llvm.load %p : !llvm.ptr -> bf16` becomes `llvm.load %p : !llvm.ptr -> i16`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def CpuVerifyData : Pass<"amp-cpu-verify-data"> {
  let summary = "fail where a constant has no data";
  let description = [{
    The start of the lowering: a file that was printed with `--mlir-elide-resource-strings-if-larger`
    or `--mlir-elide-elementsattrs-if-larger` names constants that it does not hold. Changes
    nothing.

    Example: `arith.constant dense_resource<__elided__>` is an error at that op.
  }];
}

def CpuVerifyBufferizable : Pass<"amp-cpu-verify-bufferizable"> {
  let summary = "fail where an op on tensors cannot become one on buffers";
  let description = [{
    Must hold before bufferization: every op is of a dialect that the lowering knows, and those
    with tensors have the interface of bufferization. Upstream's passes would refuse the others
    without saying which they are. Changes nothing.

    Example: a `linalg.pack` is an error at that op.
  }];
}

def CpuVerifyLowered : Pass<"amp-cpu-verify-lowered"> {
  let summary = "fail where something is left that has no machine code";
  let description = [{
    The end of the lowering: every op must be one of the `llvm` dialect. Changes nothing.

    Example: an `arith.extf` from an 8-bit float, which no pass lowered, is an error at that op.
  }];
}

#endif // AMP_TARGET_CPU_PASSES_TD
