"""Expressions as text beside what Python and NumPy make of the same text."""
import ctypes

from support import lib, np, rng, same

SHAPE = (6, 40)


def arguments():
    """By name what NumPy and the library get: arrays of several dtypes and layouts, and numbers."""
    whole = rng.integers(-9, 10, SHAPE)
    values = {"x": rng.uniform(-2, 2, SHAPE), "y": rng.uniform(0.5, 2, SHAPE),
              "f": rng.uniform(-2, 2, SHAPE).astype("f4"), "g": rng.uniform(1, 2, 40).astype("f4"),
              "h": rng.uniform(-2, 2, SHAPE).astype("f2"), "i": whole.astype("i4"),
              "j": rng.integers(1, 9, (6, 1)), "u": rng.integers(0, 200, SHAPE).astype("u1"),
              "b": rng.integers(2, size=SHAPE).astype(bool),
              "z": rng.uniform(-2, 2, SHAPE) + 1j * rng.uniform(-2, 2, SHAPE)}
    given = {name: lib.upload(array, layout="any") for name, array in values.items()}
    numbers = {"n": 3, "r": 0.25, "t": True}
    return {**values, **numbers}, {**given, **numbers}


def norm(x, ord=2, axis=None, keepdims=False):  # noqa: A002: of vectors, along any axes
    size = np.abs(x)
    if ord == np.inf:
        return size.max(axis=axis, keepdims=keepdims)
    total = (size**ord).sum(axis=axis, keepdims=keepdims)
    return total if ord == 1 else np.sqrt(total)


def bounded(x, low=None, high=None):
    x = x if low is None else np.maximum(x, low)
    return x if high is None else np.minimum(x, high)


# What the texts call.
NUMPY = {name: getattr(np, name) for name in (
    "abs absolute add all any arctan2 argmax argmin copysign cos count_nonzero divmod exp flip "
    "cumprod cumsum float16 float32 float64 floor fmod hypot int16 int64 isnan logaddexp "
    "logical_not max maximum mean min minimum modf nan nanmax nansum newaxis pi prod real reshape "
    "round sign sin sqrt square std sum tanh transpose trunc uint8 var where inf e").split()}
NUMPY |= {"norm": norm, "clip": bounded, "astype": lambda x, dtype: x.astype(dtype),
          "asin": np.arcsin, "atan2": np.arctan2,
          "logsumexp": lambda x, axis=None: np.log(np.sum(np.exp(x), axis=axis)),
          "cummax": np.maximum.accumulate, "cummin": np.minimum.accumulate,
          "expit": lambda x: 1 / (1 + np.exp(-x))}

TEXTS = """
x + y*2 - 1
-x**2
2**-y**2
(x - y)**3 / (1 + y)
x // 0.3 + x % 0.3
i // 4 + i % -4
7 // j - i % j
i / j
f*2.5 + g
f + n*r
h*2 + 1
u*2 + u
u & 15 | 64
~i << 2 >> 1
~b | (x > 0) & (x <= 1)
i ** 2 + i ** 3
x < y
i == 3
u != n
b & t
x*1j + z*2
abs(z) + real(z)
z*z / (z + 3)
where(x > 0, sqrt(y), -1)
where(b, i, 2.5)
clip(x, -1, 1) + clip(x, low=0) + clip(x, high=0.5) + clip(x, None, y)
round(x, 2)
maximum(x, 0) + minimum(x, y) + hypot(x, y) + atan2(x, y) + copysign(y, x)
exp(-x*x) * cos(pi*x) + sin(e*x) + tanh(x) + asin(x/4)
astype(x*100, int16)
astype(x, float32) + 1
astype(i, uint8)
floor(x) + trunc(y) + sign(x) + square(y)
expit(x) + logaddexp(x, y)
sum(x)
sum(i)
sum(u)
mean(i, axis=0)
mean(h)
sum((x - y)**2, axis=1)
sqrt(mean((x - y)**2, axis=-1, keepdims=True))
max(x, axis=0) - min(x, 0)
argmax(x, axis=1) + argmin(x, 1)
any(b, axis=0)
all(x > -3)
count_nonzero(b, axis=1)
var(x, axis=1) + std(x, axis=1, ddof=1)
prod(y, axis=1)
norm(x) + norm(x, 1) + norm(x, ord=inf)
norm(z, axis=1)
nansum(where(b, x, nan), axis=1)
logsumexp(x, axis=1)
cumsum(x*x, axis=1)
cumprod(x, 0) / 2
cummax(-x, axis=-1) + cummin(x, axis=0)
x - mean(x, axis=1, keepdims=True)
(x - mean(x, axis=0)) / std(x, axis=0)
m = max(x, axis=1, keepdims=True); w = exp(x - m); w / sum(w, axis=1, keepdims=True)
x / norm(x, axis=1, keepdims=True)
sum(x, axis=(0, 1)), sum(x, axis=()), sum(x, axis=None)
x[1:] - x[:-1]
x[::-1, ::2] * 2
x[..., -1] + x[:, 0]
x[2] + x[-1, :]
x[:, None, 3:5] + g[n:n + 2]
(x + y)[1:3, ::-7]
x[1:-1, 1:-1]*4 - x[:-2, 1:-1] - x[2:, 1:-1] - x[1:-1, :-2] - x[1:-1, 2:]
x.T + transpose(y)
(x*y).T[n]
reshape(x, (40, 6)) + 1
reshape(x.T, -1)[::7] * 2
flip(x, axis=1) - x
flip(x)
sum(x[:, ::3].T, axis=0)
q, v = divmod(i, j); q*j + v - i, q
modf(x)
x, x + 1, (x + 1)[0]
"""


def python(text, names):
    *before, last = text.split(";")
    scope = {**NUMPY, **names}
    for statement in before:
        exec(statement.strip(), scope)
    found = eval(last.strip(), scope)
    return found if isinstance(found, tuple) else (found,)


def ours(text, names):
    count = ctypes.c_int32()
    lib.call("eval_count", ctypes.byref(count), text.encode())
    outputs = (ctypes.c_void_p * count.value)()
    called = (ctypes.c_char_p * len(names))(*[name.encode() for name in names])
    lib.call("eval_all", outputs, count.value, text.encode(), called, list(names.values()),
             len(names))
    return [type(next(v for v in names.values() if hasattr(v, "numpy")))(ctypes.c_void_p(o))
            for o in outputs]


def close(got, expected, text):
    expected = np.asarray(expected)
    assert (got.shape, got.dtype) == (expected.shape, expected.dtype), (text, got.dtype, expected)
    if got.dtype.kind not in "fc":
        same(got, expected, what=text)
        return
    limit = 60 * np.finfo(got.dtype).eps
    size = np.maximum(1, np.abs(expected.astype(complex)))
    error = np.abs(got.astype(complex) - expected.astype(complex)) / size
    assert np.array_equal(np.isnan(got), np.isnan(expected)), text
    assert not (error > limit).any(), (text, np.nanmax(error))


for text in TEXTS.strip().split("\n"):
    for_numpy, for_us = arguments()
    found = ours(text, for_us)
    wanted = python(text, for_numpy)
    assert len(found) == len(wanted), text
    for got, expected in zip(found, wanted):
        close(got.numpy(), expected, text)
print(f"{len(TEXTS.strip().splitlines())} texts")
