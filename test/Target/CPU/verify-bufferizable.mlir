// RUN: amp-opt %s --amp-cpu-verify-bufferizable --allow-unregistered-dialect --split-input-file --verify-diagnostics
// RUN: amp-opt %s --amp-stage-lower-cpu --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @fine(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%out = %y) -> tensor<?x4xf32> {
    %row = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<1x4xf32>
    %next = tensor.insert_slice %row into %out[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<?x4xf32>
    scf.yield %next : tensor<?x4xf32>
  }
  return %0 : tensor<?x4xf32>
}

// -----

func.func @pack(%x: tensor<8x8xf32>, %y: tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32> {
  // expected-error @below {{'linalg.pack' op has no lowering for the CPU; express it by linalg, arith or math}}
  %0 = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %y : tensor<8x8xf32> -> tensor<2x2x4x4xf32>
  return %0 : tensor<2x2x4x4xf32>
}

// -----

func.func @gather(%x: tensor<4x4xf32>, %i: tensor<2x1xindex>) -> tensor<2x1x4xf32> {
  // expected-error @below {{'tensor.gather' op has no lowering for the CPU; express it by linalg, arith or math}}
  %0 = tensor.gather %x[%i] gather_dims([0]) : (tensor<4x4xf32>, tensor<2x1xindex>) -> tensor<2x1x4xf32>
  return %0 : tensor<2x1x4xf32>
}

// -----

func.func @unregistered(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'test.unknown' op has no lowering for the CPU; express it by linalg, arith or math}}
  %0 = "test.unknown"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @without_tensors() {
  // expected-error @below {{'nvvm.barrier0' op has no lowering for the CPU; express it by linalg, arith or math}}
  nvvm.barrier0
  return
}
