// RUN: amp-opt %s --amp='dtype=bf16 target=sm_80' | FileCheck %s --check-prefix=A100
// RUN: amp-opt %s --amp='dtype=bf16 target=x86-64-v4' | FileCheck %s --check-prefix=V4
// RUN: amp-opt %s --amp='dtype=bf16 target=amx' | FileCheck %s --check-prefix=AMX
// RUN: amp-opt %s --amp='dtype=bf16' | FileCheck %s --check-prefix=GENERIC
// RUN: echo '{"version": 1, "name": "slow", "extends": "sm_80", "bandwidth": 10}' > %t.json
// RUN: amp-opt %s --amp='dtype=bf16 target=%t.json' | FileCheck %s --check-prefix=SLOW

// 2^13 operations take less than a nanosecond, a pass that casts takes 2.5 microseconds.
// A100-LABEL: func.func @small
// A100: linalg.matmul ins(%{{.*}} : tensor<16x16xf32>, tensor<16x16xf32>)

// 1.4e11 operations take 7.0 ms in f32 and 0.44 ms in bf16; its two casts move 200 MB in 0.1 ms.
// A100-LABEL: func.func @large
// A100: linalg.matmul ins(%{{.*}} : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>)

// A CPU that converts its operands gains nothing, one with tiles for them does.
// V4-LABEL: func.func @large
// V4: linalg.matmul ins(%{{.*}} : tensor<4096x4096xf32>, tensor<4096x4096xf32>)
// AMX-LABEL: func.func @large
// AMX: linalg.matmul ins(%{{.*}} : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>)

// Without a device a low product pays always.
// GENERIC-LABEL: func.func @small
// GENERIC: linalg.matmul ins(%{{.*}} : tensor<16x16xbf16>, tensor<16x16xbf16>)

// At 10 GB/s the casts take 20 ms: more than the 6.6 ms of arithmetic and 6.7 ms of reads that they save.
// SLOW-LABEL: func.func @large
// SLOW: linalg.matmul ins(%{{.*}} : tensor<4096x4096xf32>, tensor<4096x4096xf32>)

func.func @small(%x: tensor<16x16xf32>, %y: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %z = linalg.matmul ins(%x, %y : tensor<16x16xf32>, tensor<16x16xf32>) outs(%x : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %z : tensor<16x16xf32>
}
func.func @large(%x: tensor<4096x4096xf32>, %y: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %z = linalg.matmul ins(%x, %y : tensor<4096x4096xf32>, tensor<4096x4096xf32>) outs(%x : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %z : tensor<4096x4096xf32>
}
