# Kernels that are written in Julia beside the same ones as CUDA C++ text, in one process, by turns;
# and what making them takes, compilation by the device's compiler included and not. Prints a line
# for each. usage: own_language.jl [SIZE]
start = time()
using GPUArr
using GPUArr: Lib
using Statistics: median

const SIZE = isempty(ARGS) ? 1024 : parse(Int, ARGS[1])

@kernel function saxpy!(a, x, y)
    i = global_index()
    if i <= length(x)
        y[i] += a * x[i]
    end
end
@kernel function heat!(u, v, c)
    i, j = global_index(2)
    if 1 < i < size(u, 1) && 1 < j < size(u, 2)
        v[i, j] = u[i, j] + c * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1] - 4u[i, j])
    end
end
@kernel function product!(c, a, b)
    s, t = @shared(Float32, (16, 16)), @shared(Float32, (16, 16))
    i, j = thread_index(1), thread_index(2)
    row, column = global_index(2)
    total = 0.0f0
    for k in 0:16:size(a, 2)-1
        s[i, j] = a[row, k+j]
        t[i, j] = b[k+i, column]
        sync_threads()
        for l in 1:16
            total += s[i, l] * t[l, j]
        end
        sync_threads()
    end
    c[row, column] = total
end
@kernel function factors!(y)
    i = global_index()
    if i <= length(y)
        rest, total, d = i, 0, 2
        while d * d <= rest
            while rest % d == 0
                total += d
                rest ÷= d
            end
            d += 1
        end
        y[i] = rest > 1 ? total + rest : total
    end
end

const TEXT = """
    #include <gpuarr.cuh>
    __global__ void saxpy(float a, gpuarr_view<float, 1> x, gpuarr_view<float, 1> y) {
      const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
      if (i < x.size()) y.data()[i] += a * x.data()[i];
    }
    __global__ void heat(gpuarr_view<float, 2> u, gpuarr_view<float, 2> v, float c) {
      const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
      const long long j = (long long)blockIdx.y * blockDim.y + threadIdx.y;
      const float* p = u.data();
      const long long m = u.strides()[1], n = v.strides()[1];
      if (0 < i && i < u.shape()[0] - 1 && 0 < j && j < u.shape()[1] - 1)
        v.data()[i + j * n] = p[i + j * m] + c * (p[i - 1 + j * m] + p[i + 1 + j * m] +
            p[i + (j - 1) * m] + p[i + (j + 1) * m] - 4 * p[i + j * m]);
    }
    __global__ void product(gpuarr_view<float, 2> c, gpuarr_view<float, 2> a,
                            gpuarr_view<float, 2> b) {
      __shared__ float s[256], t[256];
      const int i = threadIdx.x, j = threadIdx.y;
      const long long row = (long long)blockIdx.x * 16 + i, column = (long long)blockIdx.y * 16 + j;
      float total = 0;
      for (long long k = 0; k < a.shape()[1]; k += 16) {
        s[i + 16 * j] = a.data()[row + (k + j) * a.strides()[1]];
        t[i + 16 * j] = b.data()[k + i + column * b.strides()[1]];
        __syncthreads();
        for (int l = 0; l < 16; ++l) total += s[i + 16 * l] * t[l + 16 * j];
        __syncthreads();
      }
      c.data()[row + column * c.strides()[1]] = total;
    }
    __global__ void factors(gpuarr_view<long long, 1> y) {
      const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
      if (i >= y.size()) return;
      long long rest = i + 1, total = 0;
      for (long long d = 2; d * d <= rest; ++d)
        for (; rest % d == 0; rest /= d) total += d;
      y.data()[i] = rest > 1 ? total + rest : total;
    }
    """

function seconds(f, on)
    synchronize(on)
    start = time_ns()
    f()
    synchronize(on)
    (time_ns() - start) / 1e9
end
function compare(name, in_julia, in_text, on)
    foreach(f -> f(), (in_julia, in_text))
    rounds = [(seconds(in_julia, on), seconds(in_text, on)) for _ in 1:31]
    julia, text = median(first.(rounds)), median(last.(rounds))
    println("Julia: ", name, " ", round(1e6 * julia; digits = 1), " us, as text ",
        round(1e6 * text; digits = 1), " us, ratio of speeds ", round(text / julia; digits = 2))
end

# Translation alone: the text, without the device's compiler.
bent(v) = v > 0 ? sqrt(v) : -v
series(v) = (s = zero(v); for k in 1:9; s += v^k / k; end; s)
other_series(v) = (s = one(v); for k in 1:7; s += v^k / k; end; s)
function translations()
    for (name, f) in (("first", bent), ("second, of another shape", series),
                      ("third, of that shape", other_series))
        println("Julia: translating the ", name, " function takes ",
            round(1e3 * @elapsed(GPUArr.source(f, Float32)); digits = 1), " ms")
    end
end

function repeated(on)
    x = GArray(rand(Float32, 100); device = on)
    y = similar(x)
    f!(y, x) = (y .= bent.(x))
    g!(y, x) = (y .= abs.(x))
    foreach(h! -> h!(y, x), (f!, g!))
    per_call(h!) = (start = time_ns(); for _ in 1:1000; h!(y, x); end; (time_ns() - start) / 1000)
    rounds = [(per_call(f!), per_call(g!)) for _ in 1:41]
    println("Julia: a repeated call takes ", round(Int, median(first.(rounds))), " ns, of dots ",
        "with Base's functions alone ", round(Int, median(last.(rounds))), " ns")
end

function launches(by_hand, on)
    x = GArray(rand(Float32, 100); device = on)
    y = similar(x)
    own() = saxpy!(2.0f0, x, y; elements = 100)
    raw() = by_hand(2.0f0, ArrayView(x), ArrayView(y); elements = 100)
    foreach(f -> f(), (own, raw))
    per_launch(f) = (start = time_ns(); for _ in 1:1000; f(); end; (time_ns() - start) / 1000)
    rounds = [(per_launch(own), per_launch(raw)) for _ in 1:41]
    println("Julia: a launch of a kernel in Julia takes ", round(Int, median(first.(rounds))),
        " ns, of one in CUDA C++ ", round(Int, median(last.(rounds))), " ns")
end

function main()
    on = Device(get(ENV, "GPUARR_TEST_DEVICE", "host"))
    println("Julia: loaded after ", round(time() - start; digits = 2), " s")
    translations()
    repeated(on)
    n = SIZE ÷ 16 * 16
    a, b = (GArray(rand(Float32, n, n); device = on) for _ in 1:2)
    c, y = similar(a), GArray{Int}(undef, 100 * n; device = on)
    x, z = vec(a), vec(c)
    code = RawModule(TEXT)
    saxpy, heat, product, factors =
        (RawKernel(code, k) for k in ("saxpy", "heat", "product", "factors"))
    launches(saxpy, on)
    tiles, V = (grid = (n ÷ 16, n ÷ 16), block = (16, 16)), ArrayView
    compare("saxpy", () -> saxpy!(2.0f0, x, z; elements = n * n),
        () -> saxpy(2.0f0, V(x), V(z); elements = n * n), on)
    blocks = (grid = (cld(n, 32), cld(n, 8)), block = (32, 8))
    compare("heat step", () -> heat!(a, c, 0.1f0; elements = size(a)),
        () -> heat(V(a), V(c), 0.1f0; blocks...), on)
    compare("tiled product", () -> product!(c, a, b; tiles...),
        () -> product(V(c), V(a), V(b); tiles...), on)
    compare("prime factor sums", () -> factors!(y; elements = length(y)),
        () -> factors(V(y); elements = length(y)), on)
end

main()
