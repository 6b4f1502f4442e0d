#!/usr/bin/env python3
"""Random numbers beside NumPy's: their distributions, and what can be computed from the same bits.

    random_numbers.py LIBRARY [DEVICE]

What is tested of a distribution is passed by one honest generator in 10^4 or more, and the seeds
are fixed unless GPUARR_TEST_SEED says else.
"""
from support import (BF16, F16, F32, F64, INTEGERS, MORE, NUMPY, U32, U64, from_bfloat16, lib, np,
                     refused, rng, some)

COUNT = 1_000_000 if MORE else 200_000
CRITICAL = 2.23  # of Kolmogorov's distribution: one in 10^4


class Generator:
    def __init__(self, seed=None, stream=0):
        seed = int(rng.integers(2**63)) if seed is None else seed
        self.handle = lib.handle("generator_create", lib.device, seed, stream)

    def __del__(self):
        lib.call("generator_release", self.handle)

    def draw(self, name, *arguments, shape=COUNT, out=None):
        shape = [shape] if isinstance(shape, int) else list(shape)
        asked = (0, None) if out else (len(shape), shape)
        made = lib.make("random_" + name, self.handle, *arguments, *asked, out=out)
        values = made.numpy()
        return from_bfloat16(values) if made.dtype == BF16 else values


def same_distribution(values, theirs, what):
    """Two samples, by Kolmogorov and Smirnov; of floats of few digits the steps are as theirs."""
    values, theirs = np.sort(values.astype(float)), np.sort(theirs.astype(float))
    every = np.union1d(values, theirs)
    ours = np.searchsorted(values, every, "right") / values.size
    other = np.searchsorted(theirs, every, "right") / theirs.size
    distance = np.abs(ours - other).max()
    distance *= np.sqrt(values.size * theirs.size / (values.size + theirs.size))
    assert distance < CRITICAL, (what, distance)


def rounded(values, dtype):
    """To the steps of a 16-bit type."""
    if dtype == BF16:
        bits = values.astype(np.float32).view(np.uint32)
        return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16).astype(np.uint32).view(np.float32)
    return values.astype(NUMPY[dtype])


REAL = {
    "uniform": ((-1.5, 2.5), lambda: rng.uniform(-1.5, 2.5, COUNT)),
    "normal": ((3.0, 0.5), lambda: rng.normal(3, 0.5, COUNT)),
    "lognormal": ((0.5, 0.75), lambda: rng.lognormal(0.5, 0.75, COUNT)),
    "exponential": ((2.5,), lambda: rng.exponential(2.5, COUNT)),
    "gamma": ((2.5, 1.5), lambda: rng.gamma(2.5, 1.5, COUNT)),
}


def real_distributions():
    for name, (arguments, theirs) in REAL.items():
        for dtype in some((F64, F32, F16, BF16), 2):
            values = Generator().draw(name, *arguments, dtype)
            same_distribution(values, rounded(theirs(), dtype), (name, dtype))


def small_shapes_of_gamma():
    g, out = Generator(), lib.empty(F64, (COUNT,))
    for k in (0.01, 0.3, 1.0, 1e6):
        values = g.draw("gamma", k, 1.0, F64, out=out)
        same_distribution(values, rng.gamma(k, 1, COUNT), ("gamma", k))


def counts():
    g = Generator()
    for lam in (1e-3, 0.7, 9.9, 10.0, 33.3, 1e4, 1e9):
        same_distribution(g.draw("poisson", lam), rng.poisson(lam, COUNT), ("poisson", lam))
    for n, p in ((1, 0.5), (7, 0.9), (40, 0.2), (50, 0.25), (1000, 0.97), (10**9, 1e-9),
                 (10**9, 0.3)):
        same_distribution(g.draw("binomial", n, p), rng.binomial(n, p, COUNT), ("binomial", n, p))


def large_means():
    """Where the formulas of 1993 alone would lose the digits that they need."""
    g = Generator()
    for lam in (1e12, 1e15, 9e18):
        z = (g.draw("poisson", lam).astype(float) - lam) / np.sqrt(lam)
        same_distribution(z, rng.standard_normal(COUNT), ("poisson", lam))
    n, p = 4 * 10**15, 0.25
    z = (g.draw("binomial", n, p) - 10**15) / np.sqrt(n * p * (1 - p))
    same_distribution(z, rng.standard_normal(COUNT), "binomial")


def chi_square(counted, expected, what):
    """Of counts with expected values of 5 and more; the square is nearly normal for many."""
    freedom = counted.size - 1
    square = ((counted - expected) ** 2 / expected).sum()
    assert abs(square - freedom) < 4.5 * np.sqrt(2 * freedom) + 8, (what, square, freedom)


def integers():
    for dtype in some(INTEGERS, 3):
        g, info = Generator(), np.iinfo(NUMPY[dtype])
        values = g.draw("integers", info.min, info.min + 100, dtype)
        wide = values.astype(np.int64 if info.min else np.uint64)
        chi_square(np.bincount((wide - wide.dtype.type(info.min)).astype(int), minlength=100),
                   COUNT / 100, "integers")
        last = g.draw("integers", int(info.max) - 99, int(info.max), dtype)
        assert last.min() == info.max - 99 and last.max() == info.max - 1
    wide = Generator().draw("integers", 0, 3 * 2**60, U64)  # half of the words are refused
    assert wide.max() < 3 * 2**60
    chi_square(np.bincount((wide // 2**52).astype(int), minlength=768), COUNT / 768, "wide")
    words = Generator().draw("integers", 0, 3 * 2**30, U32)
    chi_square(np.bincount(words // 2**22, minlength=768), COUNT / 768, "refused words")


def words(seed, stream, position, steps):
    """Philox 4x32-10 in NumPy."""
    counter = np.arange(position, position + steps, dtype=np.uint64)
    low = np.uint64(0xFFFFFFFF)
    x = [counter & low, counter >> np.uint64(32), np.full(steps, stream & 0xFFFFFFFF, np.uint64),
         np.full(steps, stream >> 32, np.uint64)]
    k = [seed & 0xFFFFFFFF, seed >> 32]
    for _ in range(10):
        p, q = x[0] * np.uint64(0xD2511F53), x[2] * np.uint64(0xCD9E8D57)
        x = [(q >> np.uint64(32)) ^ x[1] ^ np.uint64(k[0]), q & low,
             (p >> np.uint64(32)) ^ x[3] ^ np.uint64(k[1]), p & low]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return np.stack(x, axis=1)


def from_the_same_bits():
    seed, stream, position = (int(rng.integers(2**bits, dtype=np.uint64)) for bits in (63, 48, 40))
    g = Generator(seed, stream)
    w = words(seed, stream, position, 1000)

    def at_start(name, *arguments, shape):
        lib.call("generator_set_position", g.handle, position)
        return g.draw(name, *arguments, shape=shape)

    assert (at_start("integers", 0, 2**32, U32, shape=4000) == w.ravel()).all()
    u = at_start("uniform", 0.0, 1.0, F32, shape=4000)
    assert (u == np.minimum(w.ravel().astype(np.float32) * 2.0**-32, 1 - 2.0**-24)).all()
    u = at_start("uniform", 0.0, 1.0, F64, shape=2000)
    pairs = w.reshape(-1, 2)
    units = ((pairs[:, 0] >> np.uint64(5)) * 2.0**26 + (pairs[:, 1] >> np.uint64(6))) * 2.0**-53
    assert (u == units).all()
    v = (w[:, 1] + (w[:, 2] >> np.uint64(8)) + (w[:, 3] >> np.uint64(16))) % np.uint64(2**32)
    square = -2 * (np.log((w[:, 0] + 0.5) * 2.0**-32) + np.log((v + 0.5) * 2.0**-32))
    part = ((w[:, 1] & np.uint64(0x7FFFFF)) + 0.5) * 2.0**-23
    z = at_start("normal", 0.0, 1.0, F32, shape=4000).reshape(-1, 4).astype(float)
    for pair, length, angles in ((z[:, :2], part, w[:, 2]), (z[:, 2:], 1 - part, w[:, 3])):
        half_turn = (angles & np.uint64(0x7FFFFF)) * 2.0**-23 - 0.5
        sign = 1 - 2.0 * (angles >> np.uint64(31))
        point = np.stack([sign * np.cos(np.pi * half_turn), np.sin(np.pi * half_turn)], 1)
        error = np.abs(pair / np.sqrt(square * length)[:, None] - point).max(axis=1)
        # A logarithm near 0 is of a number that was rounded near 1.
        assert (error < 4e-7 + 1e-7 / square).all()
    e = at_start("exponential", 1.0, F64, shape=2000)
    assert np.abs(e / -np.log(units + 2.0**-53) - 1).max() < 2e-15
    n = at_start("normal", 0.0, 1.0, F64, shape=2000)
    assert np.abs(np.log(at_start("lognormal", 0.0, 1.0, F64, shape=2000)) - n).max() < 2e-15


def tails():
    """Far from the middle, where few numbers are: of 10^8 or so."""
    g, out = Generator(), lib.empty(F32, (10_000_000,))
    beyond = np.zeros(3)
    rounds = 10 if lib.on_gpu or MORE else 2
    for _ in range(rounds):
        values = np.abs(g.draw("normal", 0.0, 1.0, F32, out=out))
        beyond += [(values > z).sum() for z in (3, 4, 5)]
    expected = np.array([2.699796e-3, 6.334248e-5, 5.733031e-7]) * 1e7 * rounds
    assert (np.abs(beyond - expected) < 4.5 * np.sqrt(expected) + 1).all(), (beyond, expected)


def four_at_a_time():
    """Normal numbers out of the same 128 bits tell nothing of one another."""
    values = Generator().draw("normal", 0.0, 1.0, F32, shape=4 * 10**6).astype(float).reshape(-1, 4)
    squares = values**2 - 1
    for a in range(4):
        for b in range(a):
            for what, x, y in (("products", values[:, a], values[:, b]),
                               ("squares", squares[:, a], squares[:, b])):
                scale = np.sqrt((x * x).mean() * (y * y).mean() * x.size)
                assert abs((x * y).sum()) < 4.5 * scale, (what, a, b, (x * y).sum() / scale)
    length = np.sort(np.sqrt((values**2).sum(axis=1)))
    expected = 1 - np.exp(-length**2 / 2) * (1 + length**2 / 2)
    distance = np.abs(expected - (np.arange(length.size) + 0.5) / length.size).max()
    assert distance * np.sqrt(length.size) < CRITICAL, distance


def layouts_and_broadcasting():
    shape = (3, 50, 7)
    for name, arguments in some([("normal", (1.0, 2.0)), ("exponential", (3.0,)),
                                 ("gamma", (0.75, 1.0))], 2):  # floats hold them
        dtype = some((F16, F32, F64), 1)[0]
        seed = int(rng.integers(2**63))
        expected = Generator(seed).draw(name, *arguments, dtype, shape=shape)
        for layout in ("f", "strided"):
            out = lib.upload(np.zeros(shape, NUMPY[dtype]), layout=layout)
            same = Generator(seed).draw(name, *arguments, dtype, shape=shape, out=out)
            assert (expected == same).all(), (name, layout)
        by_rows = lib.upload(np.full((50, 1), arguments[0], np.float32))
        same = Generator(seed).draw(name, by_rows, *arguments[1:], dtype, shape=shape)
        assert (expected == same).all(), name


def orders():
    g = Generator()
    for n in (0, 1, 2, 5, 1000, 1024, 1025, 2048, 5000, 100_003):
        order = lib.make("random_permutation", g.handle, n).numpy()
        assert (np.sort(order) == np.arange(n)).all(), n
    every = np.array([lib.make("random_permutation", g.handle, 4).numpy()
                      for _ in range(2400)])
    chi_square(np.unique(every @ [64, 16, 4, 1], return_counts=True)[1], 100, "orders of 4")
    n = 3000  # where the first comes, and how many stay, and how many pairs are turned
    many = np.array([lib.make("random_permutation", g.handle, n).numpy() for _ in range(300)])
    chi_square(np.bincount(many[:, 0] // 100, minlength=30), 10, "the first")
    stay = (many == np.arange(n)).sum(axis=1)
    assert abs(stay.mean() - 1) < 4 / np.sqrt(300), stay.mean()
    rising = (np.diff(many, axis=1) > 0).sum(axis=1)
    z = (rising - (n - 1) / 2) / np.sqrt((n + 1) / 12)
    assert abs(z.mean()) < 4 / np.sqrt(300) and 0.7 < z.std() < 1.3, (z.mean(), z.std())


def shuffles():
    g = Generator()

    def at_start(name, *arguments, **options):
        lib.call("generator_set_position", g.handle, 5)
        return lib.make(name, g.handle, *arguments, **options).numpy()

    for shape, axis in (((5000,), 0), ((40, 6), 0), ((6, 40), 1), ((3, 8, 5), -2)):
        values = rng.integers(-100, 100, shape)
        x = lib.upload(values, layout="any")
        expected = np.take(values, at_start("random_permutation", shape[axis]), axis)
        assert (at_start("random_shuffle", x, axis) == expected).all(), shape
        at_start("random_shuffle", x, axis, out=x)
        assert (x.numpy() == expected).all(), shape


def choices():
    g = Generator()

    def choose(n, p, replace, shape):
        weights = None if p is None else lib.upload(np.asarray(p))
        return lib.make("random_choice", g.handle, n, weights, replace, len(shape),
                        list(shape)).numpy()

    p = rng.random(300) * (rng.random(300) < 0.7)
    chosen = choose(300, p, 1, (COUNT,))
    counted = np.bincount(chosen, minlength=300)
    assert (counted[p == 0] == 0).all()
    expected = COUNT * p / p.sum()
    often = expected > 10
    chi_square(counted[often], expected[often], "weights")
    chi_square(np.bincount(choose(50, None, 1, (COUNT // 100, 100)).ravel(), minlength=50),
               COUNT / 50, "no weights")
    assert np.unique(choose(10**12, None, 0, (100, 100))).size == 10_000
    few = choose(300, p, 0, ((p > 0).sum(),))
    assert (np.sort(few) == np.flatnonzero(p)).all()
    first = np.array([choose(3, [1.0, 2.0, 5.0], 0, (2,)) for _ in range(800)])
    pairs = np.bincount(first @ [3, 1], minlength=9)[[1, 2, 3, 5, 6, 7]]
    q = np.array([1, 2, 5]) / 8
    expected = [800 * q[a] * q[b] / (1 - q[a]) for a, b in ((0, 1), (0, 2), (1, 0), (1, 2), (2, 0),
                                                           (2, 1))]
    chi_square(pairs, np.array(expected), "weighted pairs")
    for bad, says in (([1.0, -1.0], "adds up to nan"), ([0.0, 0.0], "adds up to 0"),
                      ([np.inf, 1.0], "adds up to inf")):
        refused("GPUARR_ERR_ARGUMENT", says, "random_choice", g.handle, 2,
                lib.upload(np.array(bad)), 1, 1, [5])
    refused("GPUARR_ERR_ARGUMENT", "p has 1 weights above 0", "random_choice", g.handle, 2,
            lib.upload(np.array([0.0, 3.0])), 0, 1, [2])


def bools():
    g = Generator()
    for p in (0.5, 0.01, 1e-12):
        hits = g.draw("bernoulli", p).sum()
        assert abs(hits - COUNT * p) <= 4.5 * np.sqrt(COUNT * p) + 1, (p, hits)


for test in (real_distributions, small_shapes_of_gamma, counts, large_means, integers,
             from_the_same_bits, tails, four_at_a_time, layouts_and_broadcasting, orders, shuffles,
             choices, bools):
    test()
    print(f"{test.__name__}: ok", flush=True)
