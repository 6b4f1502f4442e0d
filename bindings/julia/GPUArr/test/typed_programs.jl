# Functions as users write them, each against Julia on the host: names, callables, folds, numbers of
# mixed types, what Base does by tables or 128 bits.
x = [-3.5, -1, -0.75, -0.0, 0.0, 0.25, 1, 2.5, 7.25, 100]
n = [-37, -3, -1, 0, 1, 2, 5, 12, 20, 99]
w = UInt32[0, 1, 5, 0x7fffffff, 0x80000000, 0xffffffff]

same_tuples(f, values) = Array(f.(GArray(values))) == f.(values)

# Functions and variables of one name, and functions whose names are operators, all in one text.
half(v) = v / 2
total(v) = 2v
t(v) = 3v
v ⊕ u = v + 2u
function with_names(f, v)
    total, t, next = half(v), v, half(v + 1)
    total += f(v) * next
    for k in 1:3
        t, total = total, f(t) - k
    end
    total ⊕ t
end
local_names(v) = (g(u) = u * v; h = g(2) + g(v); next = half(h); h > 0 ? next : g(next))
root_of_one(z) = (for k in 1:30; d = (z^3 - 1) / 3z^2; z -= d; abs(d) < 1e-9 && break; end; z)
swapped_parts(v) = (((p, q), r) = (v, 2v) |> pair -> (pair, 3v); p * q - r)
@testset "names" begin
    @test agrees(x -> with_names.(total, x), x) && agrees(x -> with_names.(t, x), x)
    @test agrees(x -> local_names.(x), x) && agrees(x -> swapped_parts.(x), x)
    @test agrees(z -> root_of_one.(z), ComplexF64[1+2im, -1+1im, 0.5-2im])
end

struct Polynomial{N,T}
    c::NTuple{N,T}
end
(p::Polynomial)(v) = (s = zero(v); for k in length(p.c):-1:1; s = s * v + p.c[k]; end; s)
const CUBIC = Polynomial((1.0, 2.0, 0.5, -1.0))
@testset "structs that are called" begin
    @test agrees(x -> (v -> CUBIC(v) + 1).(x), x)
    @test agrees(x -> (v -> Base.Fix2(-, 1)(v) * Base.Fix1(/, 2)(v + 200)).(x), x)
end

compared(v) = (v > -1, v == -1, v < 5, -1 <= v, v >= Int64(-3), v > -1.5)
logs(v) = v > 1 ? log(2, v) : log(10, 2 - v) + log(2.0f0, 3.0f0)
fast(v) = @fastmath v == 0 ? -v : -v * abs(v) + sqrt(abs(v)) / 2 + v^3 + max(v, 1.0) % 3
function fast_series(v)
    s = 0.0
    @fastmath for k in 1:3
        s -= v / k
    end
    s
end
several(v, u) = (v + u + 1, v * u * 3, v + 1 + u, v * v * v + 0.5, (v > u) + v + 1)
@testset "numbers" begin
    for T in (Int8, UInt8, Int32)
        large = T[typemax(T), typemax(T) - 1, 3, typemin(T), 77]
        @test Array(several.(GArray(large), GArray(reverse(large)))) ==
            several.(large, reverse(large))
    end
    @test Array((v -> v + v / 3 + 0.1).(GArray(Float32[0.1, 7]))) ==
        (v -> v + v / 3 + 0.1).(Float32[0.1, 7])
    @test same_tuples(compared, w) && same_tuples(compared, w .% UInt8)
    @test agrees(x -> logs.(x), x) && agrees(x -> fast.(x), x) && agrees(x -> fast_series.(x), x)
    halves = Float16[-2.5, -0.5, 0, 1.5, 100]
    @test same_tuples(v -> (trunc(Int, v), round(Int32, v), floor(Int8, v), v > 1), halves)
end

chosen(v) = sum(k * v for k in 1:10 if isodd(k)) + maximum(k - v for k in 1:10 if k % 3 == 0)
divisors(k) = sum(d for d in 1:20 if k % d == 0)
grid(v) = sum(k * j * v - i for k in 1:3, j in 2:5, i in 1:2:5)
struct Fixed{N,T} <: AbstractVector{T}
    data::NTuple{N,T}
end
Base.size(::Fixed{N}) where {N} = (N,)
Base.getindex(v::Fixed, k::Int) = v.data[k]
of_fixed(v) = (f = Fixed((v, 2v, 1.0)); sum(f) + maximum(f) - sum(abs2, f))
steps(v) = (s = 0.0; for y in 0:0.25:1; s += y * v; end; s + sum(y * v for y in 0:0.5:2))
backwards(v) = foldr((k, u) -> u * v + k, (1.0, 2.0, 3.0))
@testset "folds" begin
    @test agrees(x -> chosen.(x), x) && agrees(x -> grid.(x), x) && agrees(x -> steps.(x), x)
    @test agrees(x -> divisors.(x), n[n .> 0])
    @test Array(divisors.(GArray([0]))) == [sum(1:20)]
    @test Array((v -> sum(k for k in 1:v if k > 5)).(GArray([3, 7]))) == [0, 13]
    @test agrees(x -> of_fixed.(x), x) && agrees(x -> backwards.(x), x)
    @test agrees(x -> (v -> sum((a = v, b = 2v))).(x), x)
end

function to_the_last(v)
    s = zero(v)
    for k in typemax(Int)-2:typemax(Int), j in v:-0x0000000000000001:zero(v)
        s += j + k % UInt8
    end
    for k in (v % UInt64(9)):-2:UInt64(0)
        s += k
    end
    for k in typemin(Int)+3:-2:typemin(Int), j in typemax(UInt64)-1:typemax(UInt64)
        s += j
    end
    s
end
# Distances that the type does not hold as a signed number, up and down.
function by_steps(v)
    s = zero(v)
    for k in typemax(UInt64)-v:-3:typemax(UInt64)-UInt64(20)
        s += k
    end
    for k in Int8(-100):Int8(90):Int8(120), j in Int32(5):-7:-Int32(30)
        s += k % UInt64 + j % UInt64
    end
    s
end
function first_square(v)
    local last
    for k in 1:5
        last = k
        k * k > v && break
    end
    found = v > 3 ? last : nothing
    isnothing(found) ? -last : found + (isnothing(v) ? 1 : 2)
end
@testset "what a loop leaves behind" begin
    @test agrees(x -> first_square.(x), n)
end
@testset "ranges to the last number of a type" begin
    @test agrees(x -> to_the_last.(x), UInt64[0, 1, 5])
    @test agrees(x -> by_steps.(x), UInt64[0, 1, 2, 5, 20])
end

angles = [x; 1e6; -1e9; 2pi; 3pi]
bernstein(v) = sum(binomial(5, k) * v^k * (1 - v)^(5 - k) * (k + 1) for k in 0:5)
exponential(v) = sum(v^k / factorial(k) for k in 0:15)
@testset "of Base" begin
    @test agrees(x -> factorial.(x), [0, 1, 5, 20]) && agrees(x -> exponential.(x), x ./ 50)
    @test agrees(x -> binomial.(62, x), collect(-1:63)) && agrees(x -> bernstein.(x), x ./ 100)
    @test agrees(x -> binomial.(x, 3), [-4, 0, 2, 3, 60])
    @test agrees(x -> mod2pi.(x), angles) && agrees(x -> (v -> rem2pi(v, RoundNearest)).(x), angles)
    @test same_tuples(modf, [x; Inf; -Inf]) && agrees(x -> hypot.(x, 3.0, 1), x)
    @test agrees(x -> (v -> round(v; sigdigits = 2)).(x), abs.(x) .+ 1)
end

@testset "sorted by tuples and structs" begin
    by_parts(v) = (v > 2, -v)
    @test agrees(x -> sort(x; by = by_parts), x) && agrees(x -> sortperm(x; by = by_parts), x)
    @test agrees(x -> sort(x; by = k -> (low = k % 3, high = k), rev = true), n)
end
