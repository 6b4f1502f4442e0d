# Functions that branch, in lazy expressions: a kernel by their typed code, which is a node.
struct Spring
    rest::Float32
    ends::NTuple{2,Float32}
end
m = elements(Float32, 7, 5)
springs = [Spring(k / 10, (k, 2 - k)) for k in 1:20]

two_kinds(y) = y > 1 ? y : 1
bent(y) = y > 0 ? y : -2y
function halvings(y)
    n = 0
    while abs(y) > 0.1f0
        y /= 2
        n += 1
    end
    n
end
@testset "functions that branch, in lazy expressions" begin
    x, y = GArray(m), GArray(m[:, 1])
    @test Array(@lazy bent.(x)) == bent.(m)
    @test Array(@lazy halvings.(x .* 3)) == halvings.(m .* 3)
    @test (@lazy halvings.(x)) isa GPUArr.Lazy{Int,2}
    l = @lazy bent.(x .- y) .* (1:7) .+ (1:5)'
    @test kernels(l) == 1 && Array(l) ≈ bent.(m .- m[:, 1]) .* (1:7) .+ (1:5)'
    @test kernels(@lazy sum(bent.(x) .+ 1; dims = 1)) == 1          # fused with what is around
    @test sum(bent, @lazy x .- y) ≈ sum(bent, m .- m[:, 1])
    @test launches(() -> sum(bent, @lazy x .- y)) == 1
    @test Array(@lazy (z -> z > 0 ? z * im : z + 0im).(x)) == (z -> z > 0 ? z * im : z + 0im).(m)
    cut(limit) = Array(@lazy (z -> z > limit ? limit : z).(x))      # a number that is caught
    @test cut(0.25f0) == min.(m, 0.25f0) && cut(0.75f0) == min.(m, 0.75f0)
    k = collect(Int8, -5:5)                                         # by the prelude's functions
    folded(n) = n > 2 ? mod(n, Int8(5)) : n ÷ Int8(2) << 1
    @test Array(@lazy folded.(GArray(k)) .+ k[1]) == folded.(k) .+ k[1]
    longer(s) = s.rest > 1 ? s.rest : s.ends[1] - s.ends[2]         # arrays of structs
    @test Array(@lazy longer.(GArray(springs)) .+ 1) == longer.(springs) .+ 1
    either(z, b) = z > 0 ? z : b[1]
    @test Array(@lazy either.(x, Ref((5.0f0, 1)))) == either.(m, Ref((5.0f0, 1)))
    @test Array(@lazy ((z, b) -> z * b[2]).(x, Ref((5.0f0, 2)))) == 2 .* m
    @fused begin
        p = bent.(x)
        q = sum(p; dims = 1)
    end
    @test Array(p) == bent.(m) && Array(q) ≈ sum(bent.(m); dims = 1)
    @test mentions(message_of(() -> (@lazy (z -> (z, z > 0 ? z : -z)).(x)), ArgumentError), "Tuple")
    @test Array(@lazy significand.(x) .+ 1) == significand.(m) .+ 1
    scaled(n) = @lazy (z -> n > 0 ? z * n : error("n is $n")).(x)   # which does not branch on x
    @test Array(scaled(2)) == 2 .* m && message_of(() -> scaled(0), ErrorException) == "n is 0"
    @test mentions(message_of(() -> (@lazy two_kinds.(x) .+ 1), ArgumentError), "`two_kinds`",
        "Union{Float32, Int64}", string(basename(@__FILE__), ':', first(methods(two_kinds)).line))
end
