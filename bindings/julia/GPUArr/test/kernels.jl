@testset "elementwise" begin
    squared = ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y);"; name = "squared")
    a, b = elements(Float64, 4, 3), elements(Float64, 4)
    z = squared(GArray(a), GArray(b))
    @test z isa GArray{Float64,2} && Array(z) ≈ (a .- b) .^ 2   # columns, as in Julia
    i = GArray(Int32[1 2; 3 4])
    @test Array(squared(i, 3)) == Int32[4 1; 0 1]
    out = similar(i)
    @test squared(i, 1; out = out) === out && Array(out) == Int32[0 1; 4 9]
    both = ElementwiseKernel("T x", "T s, T c", "s = sin(x); c = cos(x)")
    s, c = both(GArray(a))
    @test Array(s) ≈ sin.(a) && Array(c) ≈ cos.(a)
    place = ElementwiseKernel("raw T x", "T z", "z = x(i % 4, 1) + shift(i);";
        preamble = "__device__ int shift(int i) { return 10 * i + BASE; }", options = ["-DBASE=5"])
    @test Array(place(GArray(a); size = 4)) ≈ a[:, 2] .+ (5:10:35)
    @test Array(GArray(a)) == a
end

@testset "reduction" begin
    mse = ReductionKernel("T x, T y", "float64 mse", "(x - y) * (x - y)", "a + b", "mse = a / n")
    a, b = elements(Float32, 40, 30), elements(Float32, 40, 30)
    x, y = GArray(a), GArray(b)
    @test mse(x, y) ≈ mean(abs2, a .- b)
    total = ReductionKernel("T x, T w", "T z", "x * w", "a + b", "z = a", "0"; name = "weighted")
    w = elements(Float32, 40)
    @test Array(total(x, GArray(w); dims = 1)) ≈ sum(a .* w; dims = 1)
    out = GArray{Float32}(undef)
    @test total(x, 2; out = out) === out && GPUArr.number(out) ≈ 2 * sum(a)
    span = ReductionKernel("T x", "T least, T most", "pair(x, x)", "meet(a, b)",
        "least = a.x; most = a.y";
        reduce_type = "pair", preamble = """
            struct pair { float x, y; pair() = default; pair(float x, float y) : x(x), y(y) {} };
            __device__ pair meet(pair a, pair b) { return pair(fmin(a.x, b.x), fmax(a.y, b.y)); }
            """)
    @test span(x) == extrema(a)
end
