// A perceptron for 8x8 images of handwritten digits: 64 - 128 - 64 - 10, trained with AdamW.

train.variable @w1 : tensor<64x128xf32> = #train.he<normal>
train.variable @b1 : tensor<128xf32> = #train.zeros
train.variable @w2 : tensor<128x64xf32> = #train.he<normal>
train.variable @b2 : tensor<64xf32> = #train.zeros
train.variable @w3 : tensor<64x10xf32> = #train.glorot<uniform>
train.variable @b3 : tensor<10xf32> = #train.zeros

func.func private @logits(%image: tensor<?x64xf32>) -> tensor<?x10xf32> {
  %w1 = train.read @w1 : tensor<64x128xf32>
  %b1 = train.read @b1 : tensor<128xf32>
  %h1 = train.linear %image, %w1 bias %b1 : (tensor<?x64xf32>, tensor<64x128xf32>, tensor<128xf32>) -> tensor<?x128xf32>
  %a1 = train.relu %h1 : (tensor<?x128xf32>) -> tensor<?x128xf32>
  %w2 = train.read @w2 : tensor<128x64xf32>
  %b2 = train.read @b2 : tensor<64xf32>
  %h2 = train.linear %a1, %w2 bias %b2 : (tensor<?x128xf32>, tensor<128x64xf32>, tensor<64xf32>) -> tensor<?x64xf32>
  %a2 = train.relu %h2 : (tensor<?x64xf32>) -> tensor<?x64xf32>
  %w3 = train.read @w3 : tensor<64x10xf32>
  %b3 = train.read @b3 : tensor<10xf32>
  %h3 = train.linear %a2, %w3 bias %b3 : (tensor<?x64xf32>, tensor<64x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
  return %h3 : tensor<?x10xf32>
}

func.func @loss(%image: tensor<?x64xf32> {train.name = "image"}, %label: tensor<?xi32> {train.name = "label"}) -> tensor<f32> {
  %logits = call @logits(%image) : (tensor<?x64xf32>) -> tensor<?x10xf32>
  %loss = train.cross_entropy %logits, %label : (tensor<?x10xf32>, tensor<?xi32>) -> tensor<f32>
  return %loss : tensor<f32>
}

func.func @accuracy(%image: tensor<?x64xf32> {train.name = "image"}, %label: tensor<?xi32> {train.name = "label"}) -> tensor<f32> {
  %logits = call @logits(%image) : (tensor<?x64xf32>) -> tensor<?x10xf32>
  %accuracy = train.accuracy %logits, %label : (tensor<?x10xf32>, tensor<?xi32>) -> tensor<f32>
  return %accuracy : tensor<f32>
}

train.task @digits loss(@loss) metric(@accuracy) optimizer(#train.adamw<learning_rate = 1.0e-3>)
