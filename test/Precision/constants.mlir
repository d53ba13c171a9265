// RUN: amp-opt %s --amp='dtype=f16 strategy=local' | FileCheck %s
// RUN: amp-opt %s --amp='dtype=bf16 strategy=local' | FileCheck %s --check-prefix=BF16

// A splat that fits is rounded when the program is compiled; the f32 constant is gone.
// CHECK-LABEL: func.func @fits
// CHECK-NOT: arith.constant {{.*}}xf32>
// CHECK: %[[C:.*]] = arith.constant dense<9.997550e-02> : tensor<8x8xf16>
// CHECK-NOT: amp.cast %{{.*}} : tensor<8x8xf32>
// CHECK: train.add %{{.*}}, %[[C]] : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
func.func @fits(%x: tensor<8x8xf16>) -> tensor<8x8xf32> {
  %c = arith.constant dense<1.0e-1> : tensor<8x8xf32>
  %y = train.add %x, %c : (tensor<8x8xf16>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// The largest f16 fits, what rounds to infinity does not: 65519 rounds down, 65520 up.
// CHECK-LABEL: func.func @overflow
// CHECK: train.add %{{.*}} -> tensor<8xf16>
// CHECK: train.add %{{.*}} -> tensor<8xf16>
// CHECK: train.add %{{.*}} : (tensor<8xf16>, tensor<8xf32>) -> tensor<8xf32>
// CHECK: train.add %{{.*}} : (tensor<8xf16>, tensor<8xf32>) -> tensor<8xf32>
// BF16-LABEL: func.func @overflow
// BF16-COUNT-4: train.add %{{.*}} -> tensor<8xbf16>
func.func @overflow(%x: tensor<8xf32>, %w: tensor<1x8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %v = train.reshape %x : (tensor<8xf32>) -> tensor<1x8xf32>
  %o = train.matmul %v, %w {transpose_lhs} : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
  %h = train.reduce max %o dimensions [0] : (tensor<8x8xf32>) -> tensor<8xf32>
  %c0 = arith.constant dense<65504.0> : tensor<8xf32>
  %c1 = arith.constant dense<65519.0> : tensor<8xf32>
  %c2 = arith.constant dense<65520.0> : tensor<8xf32>
  %c3 = arith.constant dense<-1.0e9> : tensor<8xf32>
  %y0 = train.add %h, %c0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %y1 = train.add %h, %c1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %y2 = train.add %h, %c2 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %y3 = train.add %h, %c3 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %y0, %y1, %y2, %y3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// The smallest normal fits, a subnormal and what vanishes do not; zero and infinity do.
// CHECK-LABEL: func.func @underflow
// CHECK: train.mul %{{.*}} -> tensor<8xf16>
// CHECK: train.mul %{{.*}} -> tensor<8xf32>
// CHECK: train.mul %{{.*}} -> tensor<8xf32>
// CHECK: train.mul %{{.*}} -> tensor<8xf16>
// CHECK: train.mul %{{.*}} -> tensor<8xf16>
// BF16-LABEL: func.func @underflow
// BF16-COUNT-5: train.mul %{{.*}} -> tensor<8xbf16>
func.func @underflow(%x: tensor<1x8xf32>, %w: tensor<1x8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %o = train.matmul %x, %w {transpose_lhs} : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
  %h = train.reduce max %o dimensions [0] : (tensor<8x8xf32>) -> tensor<8xf32>
  %c0 = arith.constant dense<6.103515625e-05> : tensor<8xf32>
  %c1 = arith.constant dense<6.0e-05> : tensor<8xf32>
  %c2 = arith.constant dense<1.0e-8> : tensor<8xf32>
  %c3 = arith.constant dense<0.0> : tensor<8xf32>
  %c4 = arith.constant dense<0xFF800000> : tensor<8xf32>
  %y0 = train.mul %h, %c0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %y1 = train.mul %h, %c1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %y2 = train.mul %h, %c2 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %y3 = train.mul %h, %c3 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %y4 = train.mul %h, %c4 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %y0, %y1, %y2, %y3, %y4 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// A dense constant may lose small elements beside large ones, but no large one: 1e-8 beside 1 is lost to rounding as
// well, all elements subnormal lose their precision, one element overflows.
// CHECK-LABEL: func.func @dense
// CHECK: arith.constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf16>
// CHECK: train.add %{{.*}} -> tensor<2xf16>
// CHECK: train.add %{{.*}} -> tensor<2xf32>
// CHECK: train.add %{{.*}} -> tensor<2xf32>
func.func @dense(%x: tensor<2xf16>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant dense<[1.0e-8, 1.0]> : tensor<2xf32>
  %c1 = arith.constant dense<[1.0e-7, 1.3e-7]> : tensor<2xf32>
  %c2 = arith.constant dense<[1.0, 1.0e5]> : tensor<2xf32>
  %y0 = train.add %x, %c0 : (tensor<2xf16>, tensor<2xf32>) -> tensor<2xf32>
  %y1 = train.add %x, %c1 : (tensor<2xf16>, tensor<2xf32>) -> tensor<2xf32>
  %y2 = train.add %x, %c2 : (tensor<2xf16>, tensor<2xf32>) -> tensor<2xf32>
  return %y0, %y1, %y2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// A contraction with a constant that does not fit stays f32 as well, and casts back what is low.
// CHECK-LABEL: func.func @contraction
// CHECK: train.matmul %{{.*}} : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
func.func @contraction(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c = arith.constant dense<1.0e5> : tensor<8x8xf32>
  %y = train.matmul %x, %c : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// Clear ops hide no constant.
// CHECK-LABEL: func.func @through_clear
// CHECK: train.broadcast %{{.*}} -> tensor<8x8xf32>
// CHECK: train.add %{{.*}} -> tensor<8x8xf32>
func.func @through_clear(%x: tensor<8x8xf16>) -> tensor<8x8xf32> {
  %c = arith.constant dense<-1.0e9> : tensor<8xf32>
  %n = train.neg %c : (tensor<8xf32>) -> tensor<8xf32>
  %b = train.broadcast %n like %x dimensions [0] : (tensor<8xf32>, tensor<8x8xf16>) -> tensor<8x8xf32>
  %y = train.add %x, %b : (tensor<8x8xf16>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// A frozen variable that is one number throughout is a constant; a parameter is not.
// CHECK-LABEL: func.func @frozen
// CHECK: train.add %{{.*}} -> tensor<8x8xf32>
// CHECK: train.add %{{.*}} -> tensor<8x8xf16>
train.variable frozen @mask : tensor<8x8xf32> = #train.constant<-1.0e9>
train.variable @bias : tensor<8x8xf32> = #train.constant<-1.0e9>
func.func @frozen(%x: tensor<8x8xf16>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %m = train.read @mask : tensor<8x8xf32>
  %b = train.read @bias : tensor<8x8xf32>
  %y = train.add %x, %m : (tensor<8x8xf16>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %z = train.add %x, %b : (tensor<8x8xf16>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y, %z : tensor<8x8xf32>, tensor<8x8xf32>
}

// Data that are not there are cast at run time.
// CHECK-LABEL: func.func @elided
// CHECK: %[[C:.*]] = arith.constant dense_resource<__elided__> : tensor<8x8xf32>
// CHECK-NEXT: amp.cast %[[C]]
func.func @elided(%x: tensor<8x8xf16>) -> tensor<8x8xf32> {
  %c = arith.constant dense_resource<__elided__> : tensor<8x8xf32>
  %y = train.matmul %x, %c : (tensor<8x8xf16>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
