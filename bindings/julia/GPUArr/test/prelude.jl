# The meaning of operators and functions in kernels against Julia's own, on values at the edges; and
# that translating leaves the user's functions as they were.
edges(::Type{T}) where {T<:Signed} = T[typemin(T), typemin(T)+1, -7, -2, -1, 0, 1, 2, 5, 64,
    typemax(T)-1, typemax(T)]
edges(::Type{T}) where {T<:Unsigned} = T[0, 1, 2, 3, 7, 64, typemax(T)÷2, typemax(T)-1, typemax(T)]
edges(::Type{T}) where {T<:AbstractFloat} = T[-Inf, -floatmax(T), -7.5, -2.5, -1, -0.5, -0.0, 0.0,
    floatmin(T), 0.5, 1, 1.5, 2.5, 7.5, floatmax(T), Inf, NaN]

# Equal in all parts of the tuples, the signs of zeros included.
function equal_parts(f, inputs...)
    wanted, got = f.(inputs...), Array(f.(map(on_device, inputs)...))
    same = map((p, q) -> all(map(isequal, p, q)), wanted, got)
    k = findfirst(!, same)
    k === nothing || println(stderr, f, " at ", k, "\nhost ", wanted[k], "\ndevice ", got[k])
    k === nothing
end

whole(x, y) = (x + y, x - y, x * y, -x, abs(x), x & y, x | y, x ⊻ y, ~x, max(x, y), min(x, y),
    x < y, x <= y, x == y, x != y, x > y, sign(x), x^2, x^3, count_ones(x), leading_zeros(x),
    trailing_zeros(x), bswap(x), minmax(x, y), flipsign(x, y))
shifted(x, n) = (x << n, x >> n, x >>> n, x << 3, x >> 1)
divided(x, y) = y == 0 || (y == -1 && x == typemin(x)) ? (x, x, x, x, x, x) :
    (div(x, y), rem(x, y), mod(x, y), fld(x, y), cld(x, y), x % y)
powers(x, n) = (x^n, x^4)
@testset "integers" begin
    for T in (Int8, Int32, Int64, UInt16, UInt64)
        x = edges(T)
        @test equal_parts(whole, x, x')
        @test equal_parts(divided, x, x')
        T in (Int32, UInt64) && continue
        @test equal_parts(shifted, x, [-70, -8, -1, 0, 1, 7, 31, 63, 64, 100]')
        @test equal_parts(powers, x, [0, 1, 2, 5, 31]')
    end
end

compared(x, y) = (x < y, x <= y, x == y, x > y, x >= y, x != y)
@testset "comparisons of different types" begin
    for (S, T) in ((Int32, UInt32), (Int64, UInt64), (UInt8, Int8), (Int64, Float64),
                   (UInt64, Float32), (Int32, Float32))
        @test equal_parts(compared, edges(S), edges(T)')
    end
    near = Int64[2^53, 2^53+1, 2^62+1, typemax(Int64)]
    @test equal_parts(compared, near, Float64.(near)')
end

floats(x, y) = (x + y, x - y, x * y, x / y, -x, abs(x), max(x, y), min(x, y), x < y, x == y,
    isless(x, y), isequal(x, y), copysign(x, y), signbit(x), isnan(x), isinf(x), isfinite(x))
more_floats(x, y) = (floor(x), ceil(x), trunc(x), round(x), x^2, inv(x), sign(x),
    clamp(x, -1, 2), rem(x, y), x > 1, x <= 2, ifelse(x > y, x, y), flipsign(x, y), x === y,
    zero(x), one(x), eps(x) > 0)
modulo(x, y) = isfinite(x) && isfinite(y) && y != 0 && abs(x) < 100 && abs(y) < 100 &&
    abs(y) > 0.1 ? (mod(x, y), div(x, y), fld(x, y), cld(x, y)) : (x, x, x, x)
@testset "floats" begin
    for T in (Float32, Float64)
        x = edges(T)
        @test equal_parts(floats, x, x')
        @test equal_parts(more_floats, x, x')
        @test equal_parts(modulo, x, x')
    end
end

to_whole(x) = (round(Int, x), trunc(Int32, x), floor(Int16, x), ceil(Int8, x), unsafe_trunc(Int, x),
    Float32(x), Float64(x), round(x, RoundToZero))
bits(x) = (reinterpret(UInt32, x), reinterpret(Float32, reinterpret(UInt32, x) ⊻ 0x80000000))
narrowed(n) = (n % Int8, n % UInt8, n % UInt64, Float32(n), Float64(n), Int64(n), isodd(n), n / 3,
    float(n), big_part(n))
big_part(n) = n >> 3 % Int32
truth(p, q) = (p & q, p | q, p ⊻ q, !p, p && q, p || q, p + q, p * q, p < q, Int(p), p * 2.5f0,
    ifelse(p, 1, 2))
@testset "conversions" begin
    @test equal_parts(to_whole, [-100.5, -2.5, -0.5, -0.0, 0.5, 1.5, 2.5, 99.9])
    @test equal_parts(bits, edges(Float32))
    @test equal_parts(narrowed, edges(Int32))
    @test equal_parts(truth, [true, false], [true false])
end

function complex_parts(z, w)
    (z + w, z - w, conj(z), real(z), imag(z), abs2(z), z == w, -z, z * 2, 2 + z, im * z)
end
half(x, y) = (x + y, x - y, x * y, -x, x < y, max(x, y), x > 1, abs(x), Float32(x), x + 1)
@testset "complex numbers, 16 bits" begin
    z = ComplexF32[1+2im, -0.5im, 3, -1-1im]
    @test equal_parts(complex_parts, z, transpose(z))
    roots(z) = (sqrt(z), exp(z), z / (z + 1), abs(z), z^3)
    @test all(map((p, q) -> all(map(isapprox, p, q)), roots.(z), Array(roots.(GArray(z)))))
    @test equal_parts(half, Float16[-2, -0.0, 0.5, 1, 3], Float16[-2 0.0 0.5 3])
end

functions(x) = (exp(x), exp2(x), expm1(x), log(abs(x) + 1), log1p(abs(x)), sin(x), cos(x), tan(x),
    asin(x / 9), acos(x / 9), atan(x), sinh(x), cosh(x), tanh(x), sqrt(abs(x)), cbrt(x),
    hypot(x, 2), atan(x, 3), abs(x)^1.5, x^7, sincos(x)[1], muladd(x, x, 1), fma(x, x, x),
    GPUArr.erf(x), sinpi(x), rad2deg(x))
@testset "functions" begin
    for T in (Float32, Float64)
        x = elements(T, 20)
        is_close(a, b) = typeof(a) === typeof(b) && close_enough(a, b, 10 * tolerance(T))
        close(p, q) = all(map(is_close, p, q))
        @test all(map(close, functions.(x), Array(functions.(GArray(x)))))
    end
end

# Inference without inlining would leave callees behind that cannot be inlined.
inner_part(z) = abs2(z) * 3
outer_part(z) = inner_part(z) + inner_part(2z)
@testset "the user's functions stay as they were" begin
    z = GArray(ComplexF32[1, 2im])
    @test Array(outer_part.(z)) == outer_part.(ComplexF32[1, 2im])
    code = code_typed(outer_part, Tuple{ComplexF64})[1][1].code
    fresh = GPUArr.source(outer_part, ComplexF64)
    again = code_typed(outer_part, Tuple{ComplexF64})[1][1].code
    @test occursin("inner_part", fresh)
    for code in (code, again)
        @test !any(s -> s isa Expr && s.head === :invoke, code)
    end
end
