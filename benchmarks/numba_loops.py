"""What peers_host_expr.py gives to Numba: loops as its users write them."""
import math

from numba import prange


def exp_sin(x, y, z):
    for i in prange(x.size):
        z[i] = math.exp(-x[i] * x[i]) * math.sin(y[i])


def mse(x, y):
    total = x.dtype.type(0)
    for i in prange(x.size):
        d = x[i] - y[i]
        total += d * d
    return total / x.size


def mean_var(x):
    total = x.dtype.type(0)
    for i in prange(x.size):
        total += x[i]
    mean = x.dtype.type(total / x.size)
    squares = x.dtype.type(0)
    for i in prange(x.size):
        d = x[i] - mean
        squares += d * d
    return mean, squares / x.size


def mean_var_rows(x, means, variances):
    count = x.shape[1]
    for row in prange(x.shape[0]):
        total = x.dtype.type(0)
        for i in range(count):
            total += x[row, i]
        mean = x.dtype.type(total / count)
        squares = x.dtype.type(0)
        for i in range(count):
            d = x[row, i] - mean
            squares += d * d
        means[row] = mean
        variances[row] = squares / count


def softmax(x, z):
    count = x.shape[1]
    for row in prange(x.shape[0]):
        most = x[row, 0]
        for i in range(count):
            most = max(most, x[row, i])
        total = x.dtype.type(0)
        for i in range(count):
            e = math.exp(x[row, i] - most)
            z[row, i] = e
            total += e
        factor = x.dtype.type(1 / total)
        for i in range(count):
            z[row, i] *= factor


def layer_norm(x, w, b, z):
    count = x.shape[1]
    for row in prange(x.shape[0]):
        total = x.dtype.type(0)
        for i in range(count):
            total += x[row, i]
        mean = x.dtype.type(total / count)
        squares = x.dtype.type(0)
        for i in range(count):
            d = x[row, i] - mean
            squares += d * d
        factor = x.dtype.type(1 / math.sqrt(squares / count + 1e-5))
        for i in range(count):
            z[row, i] = (x[row, i] - mean) * factor * w[i] + b[i]


def z_score(x, z):
    count = x.shape[1]
    for row in prange(x.shape[0]):
        total = x.dtype.type(0)
        for i in range(count):
            total += x[row, i]
        mean = x.dtype.type(total / count)
        squares = x.dtype.type(0)
        for i in range(count):
            d = x[row, i] - mean
            squares += d * d
        factor = x.dtype.type(1 / math.sqrt(squares / count))
        for i in range(count):
            z[row, i] = (x[row, i] - mean) * factor
