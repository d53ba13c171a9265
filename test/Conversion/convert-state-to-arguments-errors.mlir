// RUN: amp-opt %s --amp-convert-state-to-arguments --split-input-file --verify-diagnostics

train.variable @w : tensor<4xf32> = #train.zeros
func.func @read() -> tensor<4xf32> {
  %0 = train.read @w : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @call() -> tensor<4xf32> {
  // expected-error @below {{'func.call' op calls @read, which uses variables; inline it first}}
  %0 = call @read() : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

train.variable @w : tensor<4xf32> = #train.zeros
func.func @read_after_guarded(%x: tensor<4xf32>, %c: tensor<i1>) -> tensor<4xf32> {
  // expected-note @below {{assigned in this region}}
  amp.guarded %c : tensor<i1> {
    train.assign @w, %x : tensor<4xf32>
  }
  // expected-error @below {{'train.read' op reads @w after a guarded region that assigns it; read it before the region}}
  %0 = train.read @w : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

train.variable @w : tensor<4xf32> = #train.zeros
func.func @read_in_second_region(%x: tensor<4xf32>, %c: tensor<i1>) {
  // expected-note @below {{assigned in this region}}
  amp.guarded %c : tensor<i1> {
    train.assign @w, %x : tensor<4xf32>
  }
  amp.guarded %c : tensor<i1> {
    // expected-error @below {{'train.read' op reads @w after a guarded region that assigns it; read it before the region}}
    %0 = train.read @w : tensor<4xf32>
    train.assign @w, %0 : tensor<4xf32>
  }
  return
}

// -----

train.variable @w : tensor<4xf32> = #train.zeros
func.func @assigned_twice(%x: tensor<4xf32>, %c: tensor<i1>) {
  train.assign @w, %x : tensor<4xf32>
  // expected-error @below {{'amp.guarded' op assigns @w, which was assigned before; assign a variable inside of the region or outside}}
  amp.guarded %c : tensor<i1> {
    train.assign @w, %x : tensor<4xf32>
  }
  return
}

// -----

train.variable @w : tensor<4xf32> = #train.zeros
func.func @assigned_in_if(%x: tensor<4xf32>, %c: i1) {
  scf.if %c {
    // expected-error @below {{'train.assign' op is inside of 'scf.if'; only amp.guarded may hold assignments}}
    train.assign @w, %x : tensor<4xf32>
  }
  return
}

// -----

train.variable @w : tensor<4xf32> = #train.zeros
// expected-error @below {{'func.func' op uses variables and expects one block but got 2}}
func.func @two_blocks() -> tensor<4xf32> {
  %0 = train.read @w : tensor<4xf32>
  cf.br ^end
^end:
  return %0 : tensor<4xf32>
}
