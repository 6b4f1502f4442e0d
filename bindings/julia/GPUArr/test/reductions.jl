a, b = elements(Float32, 7, 5, 3), elements(Float32, 7, 5, 3)
i, w = elements(Int16, 6, 4), elements(ComplexF32, 6, 4)

@testset "as on the host" begin
    @test agrees(sum, a) && agrees(x -> sum(x; dims = 1), a) &&
        agrees(x -> sum(x; dims = (1, 3)), a)
    @test agrees(sum, i) && agrees(x -> sum(x; dims = 2), i) && agrees(sum, w)
    @test agrees(x -> sum(abs2, x; dims = 2), a) && agrees(x -> sum(abs2, x), w)
    @test agrees(prod, i) && agrees(x -> prod(v -> v / 2, x; dims = 1), a)
    @test agrees(maximum, a) && agrees(x -> minimum(x; dims = (2, 3)), a) && agrees(maximum, i)
    @test agrees(x -> maximum(abs, x; dims = 3), a)
    @test agrees(x -> any(x .> 1.9), a) && agrees(x -> all(v -> abs(v) <= 2, x), a)
    @test agrees(x -> any(v -> v > 1, x; dims = 1), a)
    @test agrees(x -> count(v -> v > 0, x), a) && agrees(x -> count(x .> 0; dims = 2), i)
    @test agrees(mean, a) && agrees(x -> mean(x; dims = 1), a) && agrees(mean, i) && agrees(mean, w)
    @test agrees(x -> mean(abs2, x; dims = (1, 2)), a)
    @test agrees(var, a) && agrees(x -> std(x; dims = 2, corrected = false), a)
    @test agrees(norm, a) && agrees(x -> norm(x, 1), a) && agrees(x -> norm(x, Inf), a)
    @test agrees(dot, vec(w), vec(w)) && agrees(dot, vec(a), vec(b))
    @test agrees(x -> sum(x; dims = 4), a) && agrees(x -> sum(view(x, 6:-2:1, 2:3, :); dims = 2), a)
    @test agrees(x -> reduce(max, x; dims = 1, init = 1.0f0), a) && agrees(x -> sum(x') , i)
    @test agrees((x, y) -> mapreduce((p, q) -> abs2(p - q), +, x, y), a, b)
    @test agrees(x -> mapreduce(v -> v > 0, xor, x), i)
    h = elements(Float16, 3000)
    @test sum(GArray(h)) ≈ Float16(sum(Float32.(h))) rtol = 1.0f-3   # added as Float32
    @test isnan(maximum(GArray([1.0, NaN, 2.0])))
end

@testset "one kernel" begin
    x, y = GArray(a), GArray(b)
    wanted = sum(abs2, a .- b; dims = 1)
    for reduced in (() -> GArray(sum(abs2, @lazy(x .- y); dims = 1)),
                    () -> mapreduce((p, q) -> abs2(p - q), +, x, y; dims = 1))
        @test Array(reduced()) ≈ wanted
        @test launches(reduced) == 1
    end
    @test launches(() -> sum(abs2, x .- y; dims = 1)) == 2   # x .- y is an array before sum sees it
    @test launches(() -> mean(@lazy (x .- y) .^ 2)) == 1
    s = 2.0f0
    @test maximum(@lazy(x .* s)) ≈ 2 * maximum(a)
    @test sum(Base.Broadcast.broadcasted(-, x, y)) ≈ sum(a .- b) rtol = 1e-3
end

@testset "places and comparisons" begin
    x = GArray(a)
    @test argmax(x) == argmax(a) && argmin(x) == argmin(a) && findmax(x) == findmax(a)
    v = [3, 1, 3, 1]
    @test argmax(GArray(v)) == 1 && argmin(GArray(v)) == 2 && findmin(GArray(v)) == (1, 2)
    @test x == copy(x) && x != x .+ 1 && x != GArray(b) && GArray(v) == GArray(Float64.(v))
    @test isequal(GArray([NaN, 1]), GArray([NaN, 1])) && GArray([NaN]) != GArray([NaN])
    @test x ≈ x .* (1 + 1.0f-6) && !(x ≈ GArray(b)) && GArray(v) != GArray(v[1:3])
end

@testset "no elements" begin
    e = GPUArr.zeros(Float32, 0, 3)
    @test sum(e) === 0.0f0 && prod(e) === 1.0f0 && Array(sum(e; dims = 1)) == zeros(1, 3)
    @test all(e .> 0) && !any(e .> 0) && isnan(mean(e))
    @test mapreduce(abs, max, e; init = 2.0f0) === 2.0f0
    @test mentions(message_of(() -> maximum(e), ArgumentError), "empty collection")
    @test_throws ArgumentError argmax(e)
    @test_throws ArgumentError sum(e; dims = 0)
    @test_throws DimensionMismatch mapreduce(+, +, e, GPUArr.zeros(Float32, 3))
end
