# Lazy expressions: what they are worth, by plain Julia; how many kernels they become; what they
# refuse.
a, b, c = elements(Float32, 40, 6), elements(Float32, 40, 6), elements(Float32, 40)
i, u, w = elements(Int32, 40, 6), elements(UInt8, 40, 6), elements(ComplexF32, 40, 6)
x, y, v = GArray(a), GArray(b), GArray(c)

# f is lazy of arrays that are lazy, and gives what it gives of plain ones: noted here, compared by
# compare_noted, which computes many together, since compiling a kernel for each takes longer than
# all else.
noted, leaves = Tuple[], IdDict()
lazy(x) = x
lazy(x::AbstractArray) = get!(() -> GPUArr.Lazy(GArray(x)), leaves, x)
note(f, inputs...) = push!(noted, (f(inputs...), f(map(lazy, inputs)...)))
together(x) = (GPUArr.evaluate(x),)
together(x...) = GPUArr.evaluate(x...)
function compare_noted(count = 16)
    @test all(got isa GPUArr.Lazy for (_, got) in noted)
    for part in Iterators.partition(noted, count)
        for ((wanted, _), got) in zip(part, together(last.(part)...))
            wanted = wanted isa Number ? fill(wanted) : collect(wanted)
            same = same_numbers(Array(got), wanted)
            @test same
            same || println(stderr, "on the host:\n", wanted, "\nlazily:\n", Array(got))
        end
    end
    empty!(noted)
    empty!(leaves)
end

few(x::Vector) = x[1:8]
few(x::Matrix) = x[1:8, 1:3]
@testset "dots" begin
    a, c, i, u, w = map(few, (Main.a, Main.c, Main.i, Main.u, Main.w))
    for (p, q) in ((a, c), (i, a), (u, i), (a, 2), (a, 2.5), (u, 3), (2.0f0, a), (w, a),
                   (w, 1 + 2im), (a, elements(Float16, 1, 3)),
                   (elements(Bool, 8), elements(Bool, 8, 3)))
        for f in (+, -, *, ==)
            note((p, q) -> f.(p, q), p, q)
        end
        eltype(p) <: Complex || for f in (max, <, >=, (s, t) -> s ÷ (t + 10),
                                          (s, t) -> mod(s, t + 10))
            note((p, q) -> f.(p, q), p, q)
        end
        note((p, q) -> p ./ (q .+ 20), p, q)
    end
    for (p, q) in ((i, i), (u, u), (i, Int32(3)))
        for f in (&, |, xor, gcd, (s, t) -> s % (abs(t) + one(t)), (s, t) -> s << (t & 3),
                  (s, t) -> cld(s, abs(t) + one(t)), (s, t) -> s >> t, (s, t) -> s >>> (t & 7))
            note((p, q) -> f.(p, q), p, q)
        end
    end
    for f in (-, abs, abs2, sign, exp, exp2, expm1, sin, cos, tan, atan, sinh, tanh, asinh, cbrt,
              inv, floor, ceil, trunc, round, isnan, isfinite, signbit, deg2rad, sinc,
              v -> sincos(v)[1],
              v -> sqrt(abs(v)), v -> log(abs(v) + 1), v -> log1p(abs(v)), v -> v^2, v -> v^-1,
              v -> clamp(v, -1, 1), v -> v * π, v -> v / 3 + 1 // 2, v -> round(Int, v),
              v -> floor(Int16, v), GPUArr.erf, GPUArr.expit, GPUArr.rsqrt ∘ abs,
              v -> GPUArr.logaddexp(v, 1), v -> GPUArr.heaviside(v, 0.5f0), v -> copysign(v, -1),
              v -> GPUArr.select(v > 0, v, zero(v)), v -> ldexp(v, 2), nextfloat,
              v -> isless(v, one(v)), iszero, isinteger, v -> minmax(v, zero(v))[1],
              v -> v + oftype(v, 1))
        note(x -> f.(x), a)
    end
    for f in (-, abs, sign, sqrt ∘ abs, float, v -> v^2, v -> v^3, v -> 2^abs(v), ~, iseven,
              v -> v % Int8, v -> v / 4, v -> fld(v, 3), Float32, UInt8 ∘ abs)
        note(x -> f.(x), i)
    end
    for f in (abs2, abs, conj, real, imag, exp, sqrt, inv, -, v -> v^2, v -> im * v,
              v -> v / (2 + im), angle, v -> v == 1, isnan, ComplexF64)
        note(x -> f.(x), w)
    end
    note(x -> ComplexF64.(x) .+ complex.(x, 2), a)
    note(x -> ifelse.(x .> 0, x, 0.0f0), a)
    note(x -> .!(x .> 0), a)
    note(x -> Float64.(x) .+ convert.(Float16, x), a)
    note(x -> (0 .< x) .& (x .< 1) .| (x .== 2), i)
    note(x -> 1.5 .+ 0 .* x, a)
    note((p, q) -> ((s, t) -> s).(p, q), c, a)
    note(x -> (v -> 2.5).(x), a)
    compare_noted()
end

half(v::T) where {T<:Real} = max(v, zero(T)) / T(2)
@testset "functions of one's own" begin
    slope, shift = 2.5f0, 1
    note(x -> (v -> slope * v^2 + slope * shift).(x), a)
    note(x -> half.(x) .+ map(v -> v > 0, x), a)
    compare_noted()
    @test Array(map(+, x, GPUArr.Lazy(y))) == a .+ b
    changing = 2
    f(v) = v + changing
    l = @lazy f.(x)
    changing = 3                            # a number counts as it is when the expression is made
    @test Array(l) == a .+ 2 && Array(@lazy f.(x)) == a .+ 3
    @test mentions(message_of(() -> (@lazy tuple.(x, x)), ArgumentError), "Tuple")
    @test mentions(message_of(() -> (@lazy Int.(x)), ArgumentError), "Float32", "Int64", "trunc")
end

@testset "reductions" begin
    for d in (1, (1, 2)), z in (a, i)
        for f in (sum, maximum, minimum, mean, var, (z; kw...) -> std(z; corrected = false, kw...),
                  (z; kw...) -> sum(abs2, z; kw...), (z; kw...) -> any(z .> 2; kw...),
                  (z; kw...) -> all(v -> v > -3, z; kw...), (z; kw...) -> count(z .> 0; kw...),
                  (z; kw...) -> mean(abs, z; kw...), (z; kw...) -> prod(z .% 3; kw...),
                  (z; kw...) -> mapreduce(v -> 2v, max, z; kw...),
                  (z; kw...) -> reduce(+, z; kw...))
            note(z -> f(z; dims = d), z)
        end
    end
    for d in (2, 3), z in (a, u), f in (sum, maximum, mean)
        note(z -> f(z; dims = d), z)
    end
    compare_noted()
    l = @lazy x .- y
    for f in (sum, maximum, minimum, mean, var, std, norm, z -> norm(z, 1), z -> norm(z, Inf),
              z -> any(z .> 3), z -> count(z .> 0), extrema, z -> dot(z, z), argmax, argmin,
              z -> argmax(z; dims = 1), findmax, z -> extrema(z; dims = 2),
              z -> mapreduce(abs, (p, q) -> p + q, z))
        wanted, got = f(a .- b), f(l)
        @test typeof(got) == typeof(wanted)
        @test wanted isa Union{Number,Tuple{Number,Number}} ? all(got .≈ wanted) : got == wanted
    end
    @test Array(GPUArr.logsumexp(l; dims = 1)) ≈ log.(sum(exp.(a .- b); dims = 1))
    @test GPUArr.nansum(@lazy x ./ GPUArr.select.(x .> 0, 1, NaN32)) ≈ sum(filter(>(0), a))
    @test launches(() -> sum(abs2, l)) == 1 && launches(() -> argmax(l)) == 1
    @test launches(() -> extrema(l)) == 1
    @test mapreduce(*, +, l, x) ≈ sum((a .- b) .* a) && l == l && l ≈ x .- y && l != x
    @test sum(w |> GArray |> GPUArr.Lazy) ≈ sum(w)
    @test reduce(max, l; dims = 1, init = 5.0f0) == GArray(reduce(max, a .- b; dims = 1, init = 5))
end

@testset "views" begin
    cube = elements(Float64, 3, 4, 5)
    for f in (transpose, adjoint, permutedims, vec, z -> reshape(z, 6, :), z -> z[3:-1:1, 2:2:6],
              z -> view(z, :, 2), z -> z[2, :], z -> view(z, 5:30), z -> dropdims(sum(z; dims = 1);
              dims = 1), z -> reverse(z; dims = 1), z -> reverse(vec(z)), z -> permutedims(vec(z)))
        note(f, a)
        note(z -> f(z .+ 1) .* 2, a)
    end
    note(adjoint, w)
    for f in (z -> permutedims(z, (3, 1, 2)), z -> view(z, 2, :, 5:-2:1), z -> view(z, :, 3, 2),
              z -> reshape(z, 4, 15), z -> sum(permutedims(z, (2, 3, 1)); dims = 2),
              z -> reshape(z, 5, 1, 12) .+ view(z, 2, 1, 1:5))
        note(f, cube)
    end
    compare_noted()
    l = @lazy x .* 2
    @test_throws BoundsError view(l, 41, 1)
    @test_throws DimensionMismatch reshape(l, 7, 7)
    @test_throws ArgumentError permutedims(l, (1, 1))
    @test_throws ArgumentError dropdims(l; dims = 1)
    @test mentions(message_of(() -> l[1], ErrorException), "GArray(x)")
    @test mentions(message_of(() -> l[1, 2], ErrorException), "GArray(x)")
end

softmax(x; dims = 1) = (e = @lazy exp.(x .- maximum(x; dims = dims)); e ./ sum(e; dims = dims))
@testset "kernels" begin
    s = softmax(x)
    e = exp.(a .- maximum(a; dims = 1))
    @test kernels(s) == 1 && Array(s) ≈ e ./ sum(e; dims = 1)
    @test launches(() -> GArray(softmax(x))) == 1
    @test Array(softmax(x; dims = 2)) ≈ Array(permutedims(softmax(permutedims(x))))
    @test kernels(@lazy mean((x .- y) .^ 2)) == 1
    @test kernels(@lazy (x .- mean(x; dims = 1)) ./ sqrt.(var(x; dims = 1) .+ 1.0f-5)) == 1
    @test kernels(@lazy((minimum(x), maximum(x), sum(x), sum(abs2, x)))...) == 1
    @test kernels(@lazy exp.(log.(sqrt.(abs.(x))))) == 1
    z = @lazy (x .- mean(x)) / sqrt(var(x) + 1.0f-5)       # numbers that are not known yet
    @test kernels(z) == 1 && Array(z) ≈ (a .- mean(a)) ./ sqrt(var(a) + 1.0f-5)
    text = GPUArr.explain(@lazy mean(x .^ 2))
    @test replace(text, "arrays, " => "arrays,\n") == """
        kernel 1: reduction of (6, 40) over axes (0, 1): mean; 1 operations; reads 1 arrays,
        960 bytes; writes 1, 4 bytes
          stores mean(...): float32 (): a result
        1 kernels move 964 bytes; one call after another would move 3844
        """
end

@testset "indices" begin
    @test Array(GPUArr.indices(v)) == 1:40 && eltype(GPUArr.indices(v)) === Int
    @test Array(x .* GPUArr.indices(x)) == a .* (1:40)
    @test Array(x .* GPUArr.indices(GPUArr.Lazy(y); dims = 2)) == a .* (1:6)'
    weighed = sum(GPUArr.Lazy(v) .* GPUArr.indices(v); dims = 1)
    @test kernels(weighed) == 1 && Array(weighed) ≈ [sum(c .* (1:40))]
    @test_throws ArgumentError GPUArr.indices(v; dims = 2)
end

@testset "products of matrices" begin
    for (p, q) in ((a', a), (a, a'), (a, elements(Float32, 6)), (a', c), (i', i), (i, a'),
                   (w', elements(ComplexF32, 40)), (u, elements(UInt8, 6, 2)), (c, a[1:1, :]),
                   (a .> 0, elements(Bool, 6, 3)), (zeros(Float32, 3, 0), zeros(Float32, 0, 2)))
        p, q = collect(p), collect(q)
        note(*, p, q)
        f, g = GPUArr.Lazy(GArray(p)) * GArray(q), GArray(p) * GPUArr.Lazy(GArray(q))
        @test Array(f) ≈ p * q && Array(g) ≈ p * q && eltype(f) === eltype(p * q)
    end
    compare_noted()
    m, r = elements(Float32, 3, 40), elements(Float32, 3)
    n, s = GArray(m), GArray(r)
    relu(e) = max.(e, 0)
    @test kernels(@lazy relu(n * x .+ s)) == 2 && Array(@lazy relu(n * x .+ s)) ≈ relu(m * a .+ r)
    @test kernels(@lazy x' * y) == 1 && Array(@lazy x' * y) ≈ a' * b
    @test kernels(@lazy x' * y * x') == 2 && Array(@lazy x' * y * x') ≈ a' * b * a'
    s = softmax(@lazy x * y')                               # by columns, which lie together
    e = exp.(a * b')
    @test kernels(s) == 2 && Array(s) ≈ e ./ sum(e; dims = 1)
    @test kernels(@lazy x + y + x) == 1 && Array(@lazy x + y + x) ≈ a + b + a
    z = GPUArr.zeros(Float32, 6, 6)
    @fused z .= x' * y
    @test Array(z) ≈ a' * b
    @test mentions(message_of(() -> @lazy(x * y), DimensionMismatch), "6 columns", "40 rows")
end

@testset "when it is computed" begin
    l = @lazy x .+ 1
    @test l isa GPUArr.Lazy{Float32,2} && size(l) == (40, 6) && GPUArr.device(l) == GPUArr.device(x)
    @test launches(() -> (l .* 2, sum(l; dims = 1), l', view(l, :, 1), Float64.(l))) == 0
    for compute in (GArray, Array, collect, copy, z -> copyto!(similar(x), z), z -> similar(x) .= z,
                    z -> repr(z), sum, z -> convert(Array{Float32,2}, z))
        @test launches(() -> compute(l)) == 1
    end
    @test Array(GArray{Float64,2}(l)) == Float64.(a .+ 1) && Array{Float64}(l) == a .+ 1
    @test repr(l) == repr(GArray(l))
    @test startswith(sprint(show, MIME("text/plain"), l), "40×6 GPUArr.Lazy{Float32,")
    m = @lazy maximum(x)
    @test m isa GPUArr.Lazy{Float32,0} && m[] === maximum(a) && Float64(m) === Float64(maximum(a))
    @test convert(Float32, m) === maximum(a) && GPUArr.number(m) === maximum(a)
    @test sum(x .+ m) ≈ sum(a .+ maximum(a)) && GArray(m) isa GArray{Float32,0}
    z = GArray(a)
    k = @lazy sum(z; dims = 1)
    z .= 1                                  # contents when it is computed count
    @test Array(k) == fill(40.0f0, 1, 6)
    unsafe_free!(z)                         # the expression keeps the memory
    @test Array(k) == fill(40.0f0, 1, 6)
    unsafe_free!(k)
    @test_throws ArgumentError GArray(k)
    @test_throws ArgumentError k .+ 1
    low, high = GPUArr.evaluate(minimum(l; dims = 1), maximum(l; dims = 1))
    @test Array(low) == minimum(a .+ 1; dims = 1) && Array(high) == maximum(a .+ 1; dims = 1)
    host = zeros(Float32, 40, 6)
    host .= l .* 2
    @test host == 2 .* (a .+ 1) && copyto!(host, l) === host && host == a .+ 1
end

@testset "into arrays" begin
    z = GArray(a)
    @test (z .= @lazy z ./ sum(z; dims = 1)) === z && Array(z) ≈ a ./ sum(a; dims = 1)
    z .= GPUArr.Lazy(v) .+ 1                # repeated along what is missing
    @test Array(z) == repeat(c .+ 1, 1, 6)
    z .+= @lazy sum(abs2, z; dims = 1)
    @test Array(z) ≈ repeat(c .+ 1, 1, 6) .+ sum(abs2, c .+ 1)
    view(z, :, 2:3) .= GPUArr.Lazy(view(z, :, 1:2)) .* 2
    q = repeat(c .+ 1, 1, 6) .+ sum(abs2, c .+ 1)
    q[:, 2:3] = 2 .* q[:, 1:2]
    @test Array(z) ≈ q
    bytes, cube = GPUArr.zeros(Int8, 40, 6), GPUArr.zeros(40, 6, 2)
    bytes .= GPUArr.Lazy(GArray(i)) .* 100  # whole numbers wrap around, as in other dots
    @test Array(bytes) == (i .* 100) .% Int8
    cube .= @lazy x .+ mean(x)
    @test Array(cube) ≈ repeat(a .+ mean(a), 1, 1, 2)
    @test mentions(message_of(() -> bytes .= @lazy(x ./ 2), ArgumentError), "Int8", "trunc")
    @test_throws DimensionMismatch z .= @lazy(x[1:5, :] .+ sum(x))
    @test_throws DimensionMismatch v .= @lazy(x .+ 1)
end

@testset "fused blocks" begin
    @fused begin
        m = mean(x; dims = 1)
        s = sum((x .- m) .^ 2; dims = 1)
    end
    @test m isa GArray && Array(m) ≈ mean(a; dims = 1)
    @test Array(s) ≈ sum(abs2, a .- mean(a; dims = 1); dims = 1)
    low, high = @fused begin
        d = abs.(x .- y)
        (minimum(d), maximum(d))
    end
    @test (low, high) == extrema(abs.(a .- b)) && !@isdefined(d)
    @test (@fused sum(x .* y)) ≈ sum(a .* b)
    @test kernels(GPUArr.@explain begin
        d = abs.(x .- y)
        (minimum(d), maximum(d; dims = (1, 2)), sum(d))
    end) == 1
    p, q, n = GArray(a), GArray(b), 3
    text = GPUArr.@explain begin
        q .= 0.5f0 .* q .+ p
        p .-= 0.1f0 .* q
        n += 1
        r = @. p * n + 1
    end
    @test kernels(text) == 1 && Array(p) == a && n == 3
    result = @fused begin
        q .= 0.5f0 .* q .+ p
        p .-= 0.1f0 .* q
        n += 1
        r = @. p * n + 1
    end
    q1 = 0.5f0 .* b .+ a
    @test Array(q) ≈ q1 && Array(p) ≈ a .- 0.1f0 .* q1 && n == 4
    @test Array(r) ≈ (a .- 0.1f0 .* q1) .* 4 .+ 1 && result == (4, r)
    @test (@fused begin
        p .= q
        q .= 0
        p
    end) === p && Array(p) ≈ q1 && Array(q) == zeros(40, 6)
    @test (@fused begin
        n = n + 1
        (n, sum(p) / length(p))
    end) isa Tuple{Int,Float32} && n == 4
    for wrong in (:(@fused begin f(x); y end), :(@fused begin view(x, 1) .= 2; y end),
                  :(@fused begin end), :(@fused begin z = x; z .= y end))
        @test mentions(message_of(() -> GPUArr.fused_code(Main, wrong.args[end], identity),
            ArgumentError), "@fused: ")
    end
end

@testset "refused" begin
    l = @lazy x .+ 1
    @test_throws DimensionMismatch l .+ GPUArr.zeros(Float32, 39)
    @test_throws DimensionMismatch @lazy x + v
    @test mentions(message_of(() -> sum(l; dims = 0), ArgumentError), "dims = 0")
    @test mentions(message_of(() -> sum(l; dims = (1, 1)), ArgumentError), "twice")
    @test mentions(message_of(() -> l .+ a, ArgumentError), "Float32", "GArray(a)")
    @test mentions(message_of(() -> l .+ "text", ArgumentError), "String")
    @test mentions(message_of(() -> l .& 1, ArgumentError), "&", "Float32")
    @test mentions(message_of(() -> norm(l, 3), ArgumentError), "p is 3")
    none = GPUArr.zeros(Float32, 0, 6)
    @test mentions(message_of(() -> @lazy(maximum(none; dims = 1))), "gpuarr_expr_reduce",
        "GPUARR_ERR_EMPTY", "max")
    @test size(GArray(@lazy none ./ sum(none; dims = 1))) == (0, 6)
    @test Array(@lazy sum(none .+ 1; dims = 1)) == zeros(1, 6) && sum(@lazy none .+ 1) === 0.0f0
    @test isnan(mean(GPUArr.Lazy(none)))
    p, q = GArray(a), GArray(b)
    part = view(p, 1:40, :)
    @test mentions(message_of(() -> @fused(begin p .= q; part .= 2 .* q end)), "GPUARR_ERR_OVERLAP")
    @test Array(p) == a
    released = GArray(a)
    unsafe_free!(released)
    @test_throws ArgumentError @lazy released .+ 1
end

@testset "deep, and nothing is left" begin
    function deep(x, count)
        e = GPUArr.Lazy(x)
        for k in 1:count
            e = e .+ 1
        end
        e
    end
    @test Array(deep(v, 3000)) ≈ c .+ 3000
    function doubled(x)
        e = GPUArr.Lazy(x)
        for _ in 1:40
            e = (e .+ e) ./ 2
        end
        e
    end
    @test kernels(doubled(v)) == 1 && Array(doubled(v)) ≈ c
    GC.gc(); GC.gc()
    before = GPUArr.live_objects()
    function work()
        for _ in 1:20
            GArray(softmax(x)); sum(@lazy x .* y)
            message_of(() -> @lazy (string.(x .+ 1)), ArgumentError)
            message_of(() -> (@lazy x .+ 1) .& 1, ArgumentError)
            @fused begin
                m = mean(x; dims = 1)
                (m, sum(m .* 2))
            end
        end
    end
    work()
    GC.gc(); GC.gc()
    @test GPUArr.live_objects() <= before + 2    # kernels of traced functions stay
end
