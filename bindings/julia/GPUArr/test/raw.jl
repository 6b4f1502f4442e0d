source = """
    struct line { float slope, offset; };
    __device__ float total[4];
    __global__ void axpy(float a, const float* x, float* y, int n) {
      const int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) y[i] = a * x[i] + y[i];
    }
    __global__ void place(line l, float* y, int n) {
      const int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) y[i] = l.slope * i + l.offset;
    }
    template <int N> __global__ void scale(float* y, int n) {
      const int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) y[i] *= N;
      if (i < 4) total[i] = N;
    }
    __global__ void backwards(const float* x, float* y) {
      extern __shared__ float room[];
      room[threadIdx.x] = x[threadIdx.x];
      __syncthreads();
      y[threadIdx.x] = room[blockDim.x - 1 - threadIdx.x];
    }
    #include <gpuarr.cuh>
    __global__ void diagonal(gpuarr_view<float, 2> x, float* y) {
      y[threadIdx.x] = x(threadIdx.x, threadIdx.x);
    }
    """
struct Line
    slope::Float32
    offset::Float32
end
code = RawModule(source; kernels = ["scale<3>"])
n = 1000
a, b = elements(Float32, n), elements(Float32, n)
x, y = GArray(a), GArray(b)

axpy = RawKernel(code, "axpy")
axpy(2.0f0, x, y, Int32(n); grid = cld(n, 256), block = 256)
@test Array(y) ≈ 2 .* a .+ b
axpy(0.0f0, x, y, Int32(n); elements = n)
@test Array(y) ≈ 2 .* a .+ b
RawKernel(code, "place")(Line(2, 1), y, Int32(n); grid = (cld(n, 128), 1), block = (128, 1, 1))
@test Array(y) == 2 .* (0:n-1) .+ 1
RawKernel(code, "scale<3>")(y, Int32(n); elements = n)
@test Array(y) == 3 .* (2 .* (0:n-1) .+ 1)
@test Array(GPUArr.variable(code, "total", Float32)) == [3, 3, 3, 3]
RawKernel(code, "backwards")(x, y; grid = 1, block = 64, shared = 64 * sizeof(Float32))
@test Array(y)[1:64] == a[64:-1:1]
m = reshape(x, 40, 25)
RawKernel(code, "diagonal")(ArrayView(view(m, 40:-1:1, :)), y; grid = 1, block = 5)
@test Array(y)[1:5] == [reshape(a, 40, 25)[41-k, k] for k in 1:5]

@test mentions(message_of(() -> axpy(2.0, x, y, Int32(n); elements = n)), "float a", "GPUARR_ERR_")
@test mentions(message_of(() -> axpy(2.0f0, x, y, n; elements = n)), "int n")
@test mentions(message_of(() -> axpy(2.0f0, x; elements = n)), "axpy")
@test_throws ArgumentError axpy(2.0f0, x, y, Int32(n))
@test_throws ArgumentError axpy(2.0f0, a, y, Int32(n); elements = n)
@test mentions(message_of(() -> RawKernel(code, "nothing_like_it")(x; grid = 1, block = 1)), "axpy")
