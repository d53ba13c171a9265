// A network whose gradients are around 1e-8: the loss is scaled down by 1e-6, which AdamW does not mind in f32. In f16
// without a loss scale every gradient of the logits rounds to zero (half of f16's smallest number is 2^-25 = 3e-8).

train.variable @w1 : tensor<64x32xf32> = #train.he<normal>
train.variable @b1 : tensor<32xf32> = #train.zeros
train.variable @w2 : tensor<32x10xf32> = #train.glorot<uniform>
train.variable @b2 : tensor<10xf32> = #train.zeros

func.func private @logits(%image: tensor<?x64xf32>) -> tensor<?x10xf32> {
  %w1 = train.read @w1 : tensor<64x32xf32>
  %b1 = train.read @b1 : tensor<32xf32>
  %h1 = train.linear %image, %w1 bias %b1 : (tensor<?x64xf32>, tensor<64x32xf32>, tensor<32xf32>) -> tensor<?x32xf32>
  %a1 = train.relu %h1 : (tensor<?x32xf32>) -> tensor<?x32xf32>
  %w2 = train.read @w2 : tensor<32x10xf32>
  %b2 = train.read @b2 : tensor<10xf32>
  %h2 = train.linear %a1, %w2 bias %b2 : (tensor<?x32xf32>, tensor<32x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
  return %h2 : tensor<?x10xf32>
}

func.func @loss(%image: tensor<?x64xf32> {train.name = "image"}, %label: tensor<?xi32> {train.name = "label"}) -> tensor<f32> {
  %logits = call @logits(%image) : (tensor<?x64xf32>) -> tensor<?x10xf32>
  %cross_entropy = train.cross_entropy %logits, %label : (tensor<?x10xf32>, tensor<?xi32>) -> tensor<f32>
  %factor = arith.constant dense<1.0e-6> : tensor<f32>
  %loss = train.mul %cross_entropy, %factor : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %loss : tensor<f32>
}

func.func @accuracy(%image: tensor<?x64xf32> {train.name = "image"}, %label: tensor<?xi32> {train.name = "label"}) -> tensor<f32> {
  %logits = call @logits(%image) : (tensor<?x64xf32>) -> tensor<?x10xf32>
  %accuracy = train.accuracy %logits, %label : (tensor<?x10xf32>, tensor<?xi32>) -> tensor<f32>
  return %accuracy : tensor<f32>
}

train.task @vanishing loss(@loss) metric(@accuracy) optimizer(#train.adamw<learning_rate = 3.0e-3, epsilon = 1.0e-14>)
