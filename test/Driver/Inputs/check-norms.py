"""Makes inputs for norms.mlir, or checks its outputs against NumPy in f64.

    check-norms.py make FILE.npz [NAME OF A SECOND ARRAY]
    check-norms.py softmax|layernorm INPUTS.npz OUTPUTS.npz

Bounds, with u = 2^-24 and rows of n elements. A sum of n terms in any order errs by at most n u times the sum of
magnitudes; a difference, product, quotient by u; exp and rsqrt by 2 ulp, that is 4 u.

softmax: the argument of exp errs by u |x - max|, so does the exp relatively; then 4 u of exp itself, both once in the
numerator and once, weighted, in the sum; n u of the sum and u of the quotient.
layernorm: the mean errs by (n + 1) u mean|x|, so d = x - mean by e = (n + 1) u mean|x| + u |d|; the variance relatively
by v = (n + 3) u + 2 max(e) / sqrt(variance); the result by |r| e + |y| (v / 2 + 6 u) with r = 1 / sqrt(variance + eps).
"""

import sys

import numpy

U = 2.0**-24


def softmax(x):
    d = x - x.max(axis=1, keepdims=True)
    e = numpy.exp(d)
    y = e / e.sum(axis=1, keepdims=True)
    spread = numpy.abs(d).max()
    return y, y * U * (2 * (spread + 4) + x.shape[1] + 1)


def layernorm(x):
    n = x.shape[1]
    d = x - x.mean(axis=1, keepdims=True)
    variance = (d * d).mean(axis=1, keepdims=True)
    r = 1 / numpy.sqrt(variance + numpy.float64(numpy.float32(1.0e-5)))
    e = (n + 1) * U * numpy.abs(x).mean(axis=1, keepdims=True) + U * numpy.abs(d)
    v = (n + 3) * U + 2 * e.max(axis=1, keepdims=True) / numpy.sqrt(variance)
    y = d * r
    return y, r * e + numpy.abs(y) * (v / 2 + 6 * U)


if sys.argv[1] == "make":
    random = numpy.random.default_rng(7)
    arrays = {"arg0": (random.normal(size=(37, 101)) * 5).astype(numpy.float32)}
    arrays.update({name: arrays["arg0"] for name in sys.argv[3:]})
    numpy.savez(sys.argv[2], **arrays)
else:
    x = numpy.load(sys.argv[2])["arg0"].astype(numpy.float64)
    y = numpy.load(sys.argv[3])["out0"].astype(numpy.float64)
    expected, bound = {"softmax": softmax, "layernorm": layernorm}[sys.argv[1]](x)
    worst = float((numpy.abs(y - expected) / bound).max())
    print(f"{sys.argv[1]}: largest error is {worst:.3f} of the bound")
    if not worst <= 1:
        sys.exit(1)
