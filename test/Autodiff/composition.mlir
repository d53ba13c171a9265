// RUN: amp-grad-check %s --function=network --labels=5 --dim=6
// RUN: amp-grad-check %s --function=network --labels=5 --dim=1 --seed=1
// RUN: amp-grad-check %s --function=recurrent --dim=2

// Many rules together: calls, weights used twice, values used by several ops.

func.func private @block(%x: tensor<?x8xf64>, %w: tensor<8x8xf64>, %b: tensor<8xf64>) -> tensor<?x8xf64> {
  %0 = train.linear %x, %w bias %b {transpose_weight} : (tensor<?x8xf64>, tensor<8x8xf64>, tensor<8xf64>) -> tensor<?x8xf64>
  %1 = train.gelu %0 : (tensor<?x8xf64>) -> tensor<?x8xf64>
  %2 = train.add %1, %x : (tensor<?x8xf64>, tensor<?x8xf64>) -> tensor<?x8xf64>
  return %2 : tensor<?x8xf64>
}

func.func @network(%x: tensor<?x2x4xf64>, %labels: tensor<?xi32>, %w: tensor<8x8xf64>, %b: tensor<8xf64>, %v: tensor<8x5xf64>) -> tensor<f64> {
  %flat = train.reshape %x : (tensor<?x2x4xf64>) -> tensor<?x8xf64>
  %0 = call @block(%flat, %w, %b) : (tensor<?x8xf64>, tensor<8x8xf64>, tensor<8xf64>) -> tensor<?x8xf64>
  %1 = call @block(%0, %w, %b) : (tensor<?x8xf64>, tensor<8x8xf64>, tensor<8xf64>) -> tensor<?x8xf64>
  %mean = train.reduce mean %1 dimensions [1] : (tensor<?x8xf64>) -> tensor<?xf64>
  %shift = train.broadcast %mean like %1 dimensions [1] : (tensor<?xf64>, tensor<?x8xf64>) -> tensor<?x8xf64>
  %2 = train.sub %1, %shift : (tensor<?x8xf64>, tensor<?x8xf64>) -> tensor<?x8xf64>
  %logits = train.matmul %2, %v : (tensor<?x8xf64>, tensor<8x5xf64>) -> tensor<?x5xf64>
  %loss = train.cross_entropy %logits, %labels : (tensor<?x5xf64>, tensor<?xi32>) -> tensor<f64>
  %target = arith.constant dense<2.5e-1> : tensor<8x5xf64>
  %penalty = train.mse %v, %target : (tensor<8x5xf64>, tensor<8x5xf64>) -> tensor<f64>
  %sum = train.add %loss, %penalty : (tensor<f64>, tensor<f64>) -> tensor<f64>
  return %sum : tensor<f64>
}

func.func @recurrent(%h: tensor<?x3xf64>, %w: tensor<3x3xf64>) -> tensor<?x3xf64> {
  %0 = train.matmul %h, %w : (tensor<?x3xf64>, tensor<3x3xf64>) -> tensor<?x3xf64>
  %1 = train.tanh %0 : (tensor<?x3xf64>) -> tensor<?x3xf64>
  %2 = train.matmul %1, %w {transpose_rhs} : (tensor<?x3xf64>, tensor<3x3xf64>) -> tensor<?x3xf64>
  %gate = train.sigmoid %2 : (tensor<?x3xf64>) -> tensor<?x3xf64>
  %3 = train.mul %gate, %1 : (tensor<?x3xf64>, tensor<?x3xf64>) -> tensor<?x3xf64>
  %4 = train.softmax %3 : (tensor<?x3xf64>) -> tensor<?x3xf64>
  return %4 : tensor<?x3xf64>
}
