# Elements by masks and by arrays of indices, and the library's own functions.
a, v = rand(3, 4), rand(5)

changed(f) = x -> (y = copy(x); f(y); y)
@testset "taken" begin
    @test agrees(x -> x[x .> 0.5], a) && agrees(x -> x[[3, 1]], a)
    @test agrees((x, k) -> x[k], a, [7, 2])
    @test agrees(x -> x[:, [3, 1]], a) && agrees((x, k) -> x[:, k], a, [3, 1])
    @test agrees(x -> x[[true, false, true], 2:3], a) && agrees(x -> x[2, [1, 3]], a)
    @test agrees(x -> x[[1 2; 3 1]], v) && agrees(x -> x[[2, 1], [1, 3, 3]], a)
    @test agrees(x -> x[findall(x .> 0.5)], a) && agrees(x -> findall(y -> y > 0.5, x), v)
    @test findall(GArray(a) .> 0.5) == findall(a .> 0.5)
    @test agrees(x -> something(findfirst(x .> 0.5), 0), v)
    @test agrees(x -> something(findlast(x .> 2), 0), v)
    @test agrees(x -> filter(y -> y > 0.5, x), v) && agrees(x -> 0.5 in x, v)
    rows, columns = GPUArr.nonzero(GArray([0 1; 2 0]))
    @test Array(rows) == [2, 1] && Array(columns) == [1, 2]
    out = GPUArr.zeros(3)
    count = GPUArr.choose_into!(out, GArray([1.0, 2, 3]), GArray([true, false, true]))
    @test Array(out) == [1, 3, 0] && GPUArr.number(count) == 2
end

@testset "put" begin
    @test agrees(changed(y -> y[y .> 0.5] .= 0), a) && agrees(changed(y -> y[y .> 0.5] .+= 1), a)
    @test agrees(changed(y -> y[[1, 3]] .= [5, 6]), a) && agrees(changed(y -> y[:, [1, 3]] .= 7), a)
    @test agrees(changed(y -> y[:, [1, 3]] = y[:, [2, 4]]), a)
    @test agrees(changed(y -> y[2, [1, 3]] .*= 7), a)
    @test agrees(changed(y -> y[1:2, [1, 3]] .= y[3:3, 1:2]), a)
    @test agrees(changed(y -> y[y .> 0.5] = y[y .> 0.5] .+ 1), v)
    @test agrees(changed(y -> clamp!(y, 0.2, 0.4)), a)
    @test Array(GPUArr.add_at!(GPUArr.zeros(3), [1, 1, 3], 1)) == [2, 0, 1]
    @test Array(GPUArr.put_along!(GArray([1, 2]), GArray([2]), 9; dims = 1)) == [1, 9]
end

@testset "out of range" begin
    x = GArray(v)
    # Indices that lie on a GPU are looked at later.
    waits = GPUArr.name(Device()) == "host" && !haskey(ENV, "GPUARR_HOST_ASYNC")
    later = waits ? BoundsError : GPUArrError
    for k in (0, -1, 6), (places, problem) in (([1, k], BoundsError), (GArray([1, k]), later))
        @test_throws problem Array(x[places])
        @test_throws problem (x[places] .= 1; synchronize())
    end
    @test mentions(message_of(() -> GArray(a)[:, [5]], BoundsError), "3×4", "5")
    @test_throws BoundsError GArray(a)[[true, false], :]
    @test_throws BoundsError x[GArray([true])]
    @test_throws DimensionMismatch x[GArray([1, 4])] = [1, 2, 3]
    @test_throws DimensionMismatch x[x .> 2] .= GArray([1, 2])
    @test_throws ArgumentError x[[1, 2]] = 5
    @test isempty(x[x .> 2]) && isempty(GPUArr.zeros(0)[Int[]])
end

@testset "functions of its own" begin
    x = GArray([0.5, 1, 3])
    @test Array(GPUArr.erf.(x)) ≈ GPUArr.erf.(Array(x)) && GPUArr.erf(0.5f0) ≈ 0.5204999f0
    @test Array(GPUArr.erfc.(x) .+ GPUArr.gamma.(x)) ≈ [√π, 1, 2] .+ GPUArr.erfc.(Array(x))
    @test Array(GPUArr.loggamma.(GArray([4.0, -0.5]))) ≈ [log(6), log(2 * √π)]
    @test Array(GPUArr.logaddexp.(GArray([1, -Inf, 800]), GArray([1, -Inf, 800]))) ≈
        [1, -Inf, 800] .+ log(2)
    @test Array(GPUArr.fmax.(GArray([NaN, 1]), 0) .+ GPUArr.rsqrt.(GArray([4, 1.0]))) == [0.5, 2]
    @test Array(GPUArr.heaviside.(GArray([-1, 0, 2.0]), 0.5)) == [0, 0.5, 1]
    @test agrees((p, q) -> gcd.(p, q) .+ lcm.(p, q), [12, -18, 0], [18, 12, 5])
    @test agrees(p -> ldexp.(p, 3) .+ nextfloat.(p) .+ sinc.(p) .+ cbrt.(p) .+ hypot.(p, 2), v)
    mantissa, exponent = GPUArr.apply("frexp", GArray([8.0, 3]))
    @test Array(mantissa) == [0.5, 0.75] && Array(exponent) == [4, 2]
    z = GArray([1.0, 2, 3])
    GPUArr.apply("add", z, 10; out = z, where = GArray([true, false, true]))
    @test Array(z) == [11, 2, 13] && "hypot" in map(f -> f.name, GPUArr.functions())
    @test Array(GPUArr.apply("add", GArray(ones(2, 3)), GArray([1.0, 2]))) == ones(2, 3) .+ [1, 2]
    @test mentions(message_of(() -> GPUArr.apply("nothing", z), ArgumentError), "\"nothing\"")
end

@testset "nothing but results is left" begin
    x, mask, k, right = GArray(rand(3, 3)), GArray(rand(Bool, 3, 3)), GArray([1, 2]), GArray(v[1:3])
    g = GPUArr.Generator(1)
    for (f, results) in ((() -> sort(x; dims = 1, rev = true), 1), (() -> x[mask], 1),
                         (() -> sortperm(x; dims = 1), 1), (() -> x[k], 1), (() -> x[:, k], 1),
                         (() -> unique(x), 1), (() -> rand!(g, x), 0),
                         (() -> x[k] .= 2, 0), (() -> x[mask] .= 3, 0), (() -> det(x), 0),
                         (() -> x \ right, 1), (() -> lu(x), 1), (() -> svd(x), 3))
        f()
        copyto!(x, rand(3, 3))
        GC.enable(false)
        before = GPUArr.live_objects()
        kept = f()
        left = GPUArr.live_objects() - before
        GC.enable(true)
        @test left == results
    end
end
