a, b, c = elements(Float32, 5, 4), elements(Float32, 5, 4), elements(Float32, 5)
row, cube = elements(Float32, 1, 4), elements(Float32, 5, 1, 3)

@testset "one kernel for an expression" begin
    x, y = GArray(a), GArray(b)
    z, s = similar(x), 3
    @test launches(() -> z .= (x .- y) .^ 2 .+ s) == 1
    @test Array(z) ≈ (a .- b) .^ 2 .+ 3
    s = 4.5                                 # a number is an argument: no other kernel
    @test launches(() -> z .= (x .- y) .^ 2 .+ s) == 1
    @test Array(z) ≈ (a .- b) .^ 2 .+ 4.5f0
    z .+= 1
    @test Array(z) ≈ (a .- b) .^ 2 .+ 5.5f0
    @test Array(z .= 2) == fill(2.0f0, 5, 4)
    f(x, y) = @. x * y + sin(x) - 2
    @test agrees(f, a, b)
end

@testset "shapes meet as in Julia" begin
    @test agrees((x, v) -> x .* v, a, c)
    @test agrees((x, r) -> x .- r, a, row)
    @test agrees((v, r) -> v .+ r, c, row)
    @test agrees((x, u) -> x .+ u, a, cube)
    @test agrees((x, v) -> x .* v, a, view(c, 5:-1:1))
    @test agrees(x -> 2 .* x' .+ 1, a)
    x, v = GArray(a), GArray(c)
    @test Array(vec(v .+ GArray(row))) == vec(c .+ row)  # results lie in columns
    @test_throws DimensionMismatch x .+ GArray(elements(Float32, 4))
    @test_throws DimensionMismatch x .= GArray(elements(Float32, 5, 3))
    z = GPUArr.zeros(Float32, 5, 4, 2)
    z .= x
    @test Array(z) == repeat(a, 1, 1, 2)
    @test GArray(2.5f0) .+ 1 == 3.5f0
    @test Array(x .* GArray(2.0f0)) == 2 .* a
end

@testset "types meet as in Julia" begin
    i, u, w = elements(Int32, 6), elements(UInt8, 6), elements(ComplexF32, 6)
    h, g, d = elements(Float16, 6), elements(Float32, 6), elements(Float64, 6)
    @test agrees((x, y) -> x .+ y, i, g)
    @test agrees((x, y) -> x .* y .+ 1, u, i)
    @test agrees((x, y) -> x .* y, h, g)
    @test agrees((x, y) -> x .* y .- 1, h, h)
    @test agrees((x, y) -> x .+ y .* 2.0, g, d)
    @test agrees((x, y) -> x .* y .+ (1 + 2im), w, g)
    @test agrees((x, y) -> (x .+ im .* y) ./ (2 .+ x), w, g)
    @test agrees(x -> x ./ 2, i)
    @test agrees(x -> x .* π, g)
    @test agrees((x, y) -> x .< y, i, g)
    @test agrees((x, y) -> (x .> 0) .& (y .!= 3) .| .!(x .>= y), g, i)
    @test agrees(x -> Float64.(x) .+ 0.1, g)
    @test agrees(x -> convert.(Float16, x), g)
    @test agrees(x -> x .% Int8, 100 .* i)
    @test agrees(x -> trunc.(Int16, 10 .* x), d)
    @test agrees(x -> ComplexF64.(x), g)
    @test agrees(x -> clamp.(x, 0, 1) .+ clamp.(0.5, x, 3) .+ sinc.(x), d)
    @test agrees(x -> exp.(x .- maximum(x)) ./ sum(exp.(x .- maximum(x))), d)
    bf = BFloat16.(g)
    @test Array(GArray(bf) .+ GArray(bf)) == bf .+ bf
    z = GPUArr.zeros(Int32, 6)
    z .= GArray(i) .+ 1                     # Int64 results wrap into Int32
    @test Array(z) == i .+ 1
    @test eltype(ifelse.(GArray(i) .> 0, GArray(g), 0)) == Float32
    @test Array(ifelse.(GArray(i) .> 0, GArray(g), 0)) == ifelse.(i .> 0, g, 0.0f0)
end

struct Scale
    factor::Float64
end
struct Affine{T}
    slope::T
    offset::T
end
(f::Scale)(x) = f.factor * x
(f::Affine)(x) = f.slope * x + f.offset
horner(x) = ((2x + 1) * x - 3) * x
generic(x::T) where {T<:Real} = max(x, zero(T)) / T(3) + one(x)

@testset "functions of one's own" begin
    @test agrees(x -> horner.(x), a)
    @test agrees(x -> generic.(x), a)
    @test agrees(x -> x .|> v -> v^2 + 1, a)
    @test agrees((x, y) -> map((p, q) -> p * q + sin(p), x, y), a, b)
    z = GPUArr.zeros(Float32, 5, 4)
    map!((p, q) -> p - q, z, GArray(a), GArray(b))
    @test Array(z) == a .- b
    scaled(x, s, t) = (v -> v * s + t).(x)      # caught numbers are arguments of the kernel
    @test agrees(x -> scaled(x, 2.0f0, 1), a)
    x = GArray(a)
    @test Array(scaled(x, 3.0f0, 2)) ≈ a .* 3 .+ 2
    @test Array(Affine(2.0f0, 1.0f0).(x)) == 2 .* a .+ 1
    @test Array((sqrt ∘ abs).(x)) ≈ sqrt.(abs.(a))
    @test Array(==(2.0f0).(x)) == (a .== 2)
    @test Array(Scale(2.0).(x)) == 2.0 .* a
    # Defined anew, a function is another kernel.
    @eval changing(x) = x + 1
    @test Array(Base.invokelatest(v -> changing.(v), x)) == a .+ 1
    @eval changing(x) = x + 2
    @test Array(Base.invokelatest(v -> changing.(v), x)) == a .+ 2
end

@testset "on the host" begin
    x = GArray(a)
    host = zeros(Float32, 5, 4)
    host .= x .+ 1
    @test host == a .+ 1
    message = message_of(() -> x .+ b, ArgumentError)
    @test mentions(message, "Array{Float32,2}", "GArray(a)")
    @test mentions(message_of(() -> x .+ "text", ArgumentError), "String")
end
