# What functions are traced to, without a kernel.
stand_ins(types...) = Any[GPUArr.variable_of(T, "x$k") for (k, T) in enumerate(types)]
function traced_to(f, types...)
    outer = GPUArr.begin_trace()
    T = GPUArr.meaning(f(stand_ins(types...)...))
    GPUArr.end_trace(outer)
    T
end

@testset "types of results are Julia's" begin
    for f in (+, -, *, /, ^, max, min, atan, hypot, mod, rem, div),
        S in (Int32, Float16, Float32, Float64, UInt8), T in (Int64, Float32, Float16)
        @test traced_to(f, S, T) === Base.promote_op(f, S, T) || (f, S, T)
    end
    for f in (-, abs, abs2, sign, sqrt, exp, sin, floor, inv, float, zero, one, isnan, signbit,
              conj, real),
        T in (Int8, Int64, UInt16, Float16, Float32, Float64)
        @test traced_to(f, T) === Base.promote_op(f, T) || (f, T)
    end
    for f in (+, *, /, -), T in (Float32, Int32, ComplexF64)
        @test traced_to(f, ComplexF32, T) === Base.promote_op(f, ComplexF32, T)
    end
    @test traced_to((x, y) -> x * y + 1, Bool, Bool) === Int
    @test traced_to(x -> x * (1 // 2) + π, Float32) === Float32
end

@testset "what cannot become a kernel" begin
    x = GArray([0.5, 1.5])
    @test mentions(message_of(() -> Int32.(x), ArgumentError), "Int32", "Float64", "trunc")
    @test mentions(message_of(() -> GPUArr.zeros(Int32, 2) .= x .* 2, ArgumentError), "Int32",
        "trunc")
    z = GPUArr.zeros(2)
    @test mentions(message_of(() -> z .= x .+ im, ArgumentError), "real.")
    @eval shift = 2.0
    @eval shifted(v) = v + shift
    @eval twice_shifted(v) = shifted(shifted(v))
    @test Array(Base.invokelatest(v -> twice_shifted.(v), x)) == [4.5, 5.5]
    @eval shift = 3.0
    @test Array(Base.invokelatest(v -> twice_shifted.(v), x)) == [6.5, 7.5]
    @eval shift = [3.0]
    @test mentions(message_of(() -> twice_shifted.(x), ArgumentError), "twice_shifted", "`shift`",
        "Array{Float64,1}", "const")
    table = [1, 2, 3]
    @test mentions(message_of(() -> (v -> v + table[1]).(x), ArgumentError), "table",
        "numbers only")
    total = 0.0
    add(v) = (total += v)
    @test mentions(message_of(() -> add.(x), ArgumentError), "total", "more than once")
    @test mentions(message_of(() -> x .* (1, 2), ArgumentError), "Tuple")
end
