// RUN: amp-opt %s --amp-cpu-lower-matmul=vector-bits=64 --verify-diagnostics

// expected-error @below {{'vector-bits' must be 128, 256 or 512, but is 64}}
module {
}
