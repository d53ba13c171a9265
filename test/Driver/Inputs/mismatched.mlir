// The columns of the two arrays are known at run time only.

train.variable @scale : tensor<f32> = #train.constant<0.5>

func.func @loss(%x: tensor<?x?xf32> {train.name = "x"}, %t: tensor<?x?xf32> {train.name = "t"}) -> tensor<f32> {
  %scale = train.read @scale : tensor<f32>
  %s = train.broadcast %scale like %x dimensions [0, 1] : (tensor<f32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = train.mul %x, %s : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %loss = train.mse %y, %t : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

train.task @t loss(@loss) optimizer(#train.sgd<learning_rate = 0.1>)
