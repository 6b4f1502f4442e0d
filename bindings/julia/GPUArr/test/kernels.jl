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

@testset "gufunc" begin
    cross = GufuncKernel("(3),(3)->(3)", "T a, T b", "T c", """
        for (int j = 0; j < 3; ++j)
          c(j) = a((j + 1) % 3) * b((j + 2) % 3) - a((j + 2) % 3) * b((j + 1) % 3);
        """)
    a, b = elements(Float64, 3, 4, 5), elements(Float64, 3, 4)
    c = cross(GArray(a), GArray(b))
    @test size(c) == (3, 4, 5)
    @test all(Array(c)[:, i, j] ≈ LinearAlgebra.cross(a[:, i, j], b[:, i]) for i in 1:4, j in 1:5)
    # The signature's order is that of the dimensions; what is behind broadcasts from the first on.
    product = GufuncKernel("(m,k),(k,n?)->(m,n?)", "T a, T b", "T c", """
        for (int e = group.rank(); e < m * n; e += group.size()) {
          T s = 0;
          for (int l = 0; l < k; ++l) s += a(e % m, l) * b(l, e / m);
          c(e % m, e / m) = s;
        }"""; group = :block)
    m, n = elements(Float32, 2, 3, 4), elements(Float32, 3, 5, 4)
    d = Array(product(GArray(m), GArray(n)))
    @test size(d) == (2, 5, 4) && all(d[:, :, k] ≈ m[:, :, k] * n[:, :, k] for k in 1:4)
    v = elements(Float32, 3)
    e = Array(product(GArray(m), GArray(v)))
    @test size(e) == (2, 4) && all(e[:, k] ≈ m[:, :, k] * v for k in 1:4)
    for group in (:auto, :thread, :warp, 64)
        total = GufuncKernel("(n),()->()", "T x, T by", "T y", """
            T s = 0;
            for (int j = group.rank(); j < n; j += group.size()) s += x(j);
            y = by * group.sum(s);"""; group = group)
        x = elements(Int32, 70, 3)
        out = GArray{Int32}(undef, 3)
        @test total(GArray(x), 2; out = out) === out && Array(out) == 2vec(sum(x; dims = 1))
    end
    @test_throws ArgumentError GufuncKernel("()->()", "T x", "T y", ""; group = :grid)
    @test_throws ArgumentError cross(GArray(a))
    @test_throws GPUArrError GufuncKernel("(n->()", "T x", "T y", "")
    @test_throws GPUArrError cross(GArray(a), GArray(elements(Float64, 4)))
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
