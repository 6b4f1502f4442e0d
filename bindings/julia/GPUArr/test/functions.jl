# Many functions in one kernel: k picks one of them.
choose(k, values) = foldr((j, rest) -> GPUArr.select(k == j, values[j], rest),
    1:length(values)-1; init = values[end])

function agree_one_by_one(f, T, inputs...)
    results(x...) = map(T, f(x...))
    wanted = reduce(hcat, [collect(T, f(x...)) for x in zip(inputs...)])
    k, rows = Int32.(1:size(wanted, 1)), map(x -> reshape(x, 1, :), inputs)
    pick(k, x...) = choose(k, results(x...))
    on = similar(GArray(wanted))
    on .= pick.(GArray(k), map(GArray, rows)...)
    tol = 8 * tolerance(eltype(inputs[1]) <: Integer ? T : eltype(inputs[1]))
    good = close_enough.(Array(on), wanted, tol)
    @test all(good)
    for j in findall(.!vec(all(good; dims = 2)))
        println(stderr, "function ", j, " of ", map(eltype, inputs), ": ", Array(on)[j, :],
            ", Julia ", wanted[j, :])
    end
end

of_floats(x) = (sqrt(x), cbrt(x), exp(x), exp2(x), exp10(x), expm1(x), log(x), log2(x), log10(x),
    log1p(x), sin(x), cos(x), tan(x), asin(x), acos(x), atan(x), sinh(x), cosh(x), tanh(x),
    asinh(x), acosh(x + 1), atanh(x), sinpi(x), cospi(x), inv(x), deg2rad(x), hypot(x, 1), x^3, x^5,
    x^-2, log(2, x), sincos(x)[1], muladd(x, x, 1), exp(im * x).im, fma(x, x, x), x^0.5f0, 2^x)
of_signed(x, y) = (-x, abs(x), abs2(x), sign(x), copysign(x, y), flipsign(x, y), floor(x), ceil(x),
    trunc(x), round(x), floor(Int32, x), round(Int8, x), unsafe_trunc(Int, x), mod(x, y), rem(x, y),
    div(x, y), fld(x, y), cld(x, y), isinteger(x), clamp(x, -1, 1), clamp(x, -1, y + 3), oneunit(x))
of_special(x, y) = (max(x, y), min(x, y), max(x, 1), isnan(x), isinf(x), isfinite(x), iszero(x),
    isone(x), signbit(x), x < y, x <= y, x == y, x != y, x > y, isequal(x, y), isless(x, y),
    minmax(x, y)[1], atan(y, x), 1 / max(x, 0), 1 / min(x, 0), false * x, x * true)
of_integers(x, y) = (x + y, x - y, x * y, -x, abs(x), abs2(x), sign(x), signbit(x), div(x, y),
    rem(x, y), mod(x, y), fld(x, y), cld(x, y), x / y, x & y, x | y, x ⊻ y, ~x, x << 3, x >> 2,
    x >>> 1, x << 70, x >> 70, x >> -1, x^2, x^3, x < y, x <= y, x == y, max(x, y), min(x, y),
    clamp(x, 2, 5), iseven(x), isodd(x), x % UInt8, x + 1, x * 0.5, isless(x, y), 3 - x,
    x << (y & 7), 7 ÷ y)
of_complex(z) = (z + z, z * z, z / (z + 1), -z, conj(z), abs(z), abs2(z), real(z), imag(z),
    angle(z), exp(z), log(z), sqrt(z), sin(z), cosh(z), z^2, z^3, inv(z), z == z, 2z + im, z * im,
    z^(1 + 2im), isnan(z), z / 2, z^-1, 3 / z)

@testset "of $T" for T in (Float32, Float64)
    agree_one_by_one(of_floats, Float64, T.(0.05 .+ 0.9 .* rand(16)))
    x = T[1.5, -1.5, 2.5, -0.5, 0, -0.0, 3, -3, 0.1, 7.25, 6, 2]
    y = T[2, 2, -2, -0.5, 1, 1, -2, 2, 0.3, -2, 3, 5]
    agree_one_by_one(of_signed, Float64, x, y)
    agree_one_by_one(of_special, Float64, T[x; NaN; 1; Inf; -Inf; 0; -0.0; Inf; NaN],
        T[y; 1; NaN; 2; Inf; -0.0; 0; NaN; NaN])
end
@testset "of $T" for T in (Int8, Int32, Int64, UInt16, UInt64)
    x = T[1, 2, 3, 100, 7, 8, typemax(T), 5, 0, 9, 27, 64]
    y = T[3, 1, 2, 7, 7, 9, 2, 5, 4, 3, 5, 2]
    T <: Signed && (x = [x; -x; T[typemin(T), -5]]; y = [y; y; T[3, -2]])
    agree_one_by_one(of_integers, Float64, x, y)
end
@testset "of ComplexF64" begin
    agree_one_by_one(of_complex, ComplexF64, elements(ComplexF64, 12))
end

@testset "compared by value" begin
    i, u = Int32[-1, 5, typemax(Int32), -7], UInt64[1, 5, 2^31 - 1, typemax(UInt64)]
    @test agrees((x, y) -> x .< y, i, u) && agrees((x, y) -> x .== y, u, i)
    @test agrees((x, y) -> x .== y, Int64[2^53 - 1, 3], Float32[2^53, 3])
    p, n = Int32[2, 3, -1, 5], Int64[5, 0, 7, -1]
    @test Array(GArray(p) .^ GArray(n)) == [32, 1, -1, 0]
    z = Int32[0, 3, typemin(Int32)]
    least = typemin(Int32)
    @test Array(GArray(Int32[5, 7, least]) .÷ GArray(Int32[0, 2, -1])) == [0, 3, least]
    @test Array(GArray(z) .% 0) == [0, 0, 0]
end
