// Two parameters whose gradients do not meet: a target of 3e38 in the last column makes the gradient of the last element
// of @last infinite and leaves all others finite.

train.variable @first : tensor<4x2xf32> = #train.constant<0.5>
train.variable @last : tensor<3xf32> = #train.constant<0.25>

func.func @loss(%x: tensor<?x4xf32> {train.name = "x"}, %t: tensor<?x3xf32> {train.name = "t"}) -> tensor<f32> {
  %first = train.read @first : tensor<4x2xf32>
  %y = train.matmul %x, %first : (tensor<?x4xf32>, tensor<4x2xf32>) -> tensor<?x2xf32>
  %mean = train.reduce mean %y dimensions [0, 1] : (tensor<?x2xf32>) -> tensor<f32>
  %last = train.read @last : tensor<3xf32>
  %p = train.broadcast %last like %t dimensions [0] : (tensor<3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %error = train.mse %p, %t : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<f32>
  %loss = train.add %mean, %error : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %loss : tensor<f32>
}

train.task @t loss(@loss) optimizer(#train.adam<learning_rate = 0.1>)
