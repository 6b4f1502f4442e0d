# Functions of the user's own with branches, loops, structs and so on, as kernels.
struct Particle
    x::Float32
    v::Float32
end
step(p::Particle, dt) = Particle(p.x + dt * p.v, p.v)
energy(p::Particle; mass = 2) = mass * p.v^2 / 2

a = elements(Float32, 5, 4)
bent(v) = v > 0 ? v : -2v
within(v, low, high) = low < v && v < high || v == 0
function series(v, n)
    total = zero(v)
    for k in 1:n
        k == 3 && continue
        total += v^k / k
        abs(total) > 3 && break
    end
    total
end
function swapped(v)
    p, q = v, 2v
    while abs(q) < 100 && abs(p) > 0.01f0
        p, q = q, p + q
    end
    q
end
function escape(c)
    z, n = zero(c), 0
    while n < 50 && abs2(z) < 4
        z = z^2 + c
        n += 1
    end
    n
end
function factor_sum(n)
    total, rest, d = zero(n), n, oftype(n, 2)
    while d * d <= rest
        while rest % d == 0
            total += d
            rest = div(rest, d)
        end
        d += one(d)
    end
    rest > 1 ? total + rest : total
end

@testset "branches and loops" begin
    @test agrees(x -> bent.(x), a)
    @test agrees(x -> within.(x, -1, 1.5f0), a)
    @test agrees(x -> series.(x, 7), a)
    @test agrees(x -> swapped.(x), a)
    c = ComplexF32[complex(p, q) for p in -2:0.25:1, q in -1:0.25:1]
    @test agrees(x -> escape.(x), c)
    @test agrees(x -> factor_sum.(x), collect(Int32, 2:500))
    @test agrees(x -> map(v -> (w = abs(v); w > 1 ? sqrt(w) : w * w), x), a)
    @test agrees(x -> sum(bent, x), a)
    @test agrees(x -> mapreduce(bent, (p, q) -> p > q ? p : q, x), a)
    @test agrees(x -> accumulate((p, q) -> p > q ? p : q, x; dims = 1), a)
end

@testset "structs, tuples, keywords" begin
    heavy(v) = energy(step(Particle(v, 2v), 0.5f0); mass = 3)
    @test agrees(x -> heavy.(x), a)
    @test agrees(x -> (v -> sum(ntuple(k -> v * k, 3))).(x), a)
    spread(t) = +(t...)
    @test agrees(x -> (v -> spread((v, 2v, 1))).(x), a)
    moved(v, p) = v * p.x + p.v
    @test agrees(x -> moved.(x, Ref(Particle(2, 3))), a)
    @test agrees(x -> ((v, t) -> v * t[1] + t[2]).(x, Ref((2.0f0, 3))), a)
end

@testset "ranges" begin
    @test agrees(x -> x .+ (1:5), a)
    @test agrees(x -> x .* (2:2:8)' .- (0.1f0:0.1f0:0.5f0), a)
    @test agrees(x -> x .+ (7:7), a)
    @test agrees(x -> sum(x .+ (1:5); dims = 2), a)
    @test Array(GArray(@lazy GArray(a) .+ (1:5))) == a .+ (1:5)
end

@testset "folds of tuples, ranges and generators" begin
    for fold in (v -> sum(t -> t * v, (1, 2, 3)), v -> sum((v, 2v)), v -> prod((v, 2, 3v)),
                 v -> maximum((v, 2v, -v)), v -> minimum(abs, (v, 2)), v -> reduce(max, (v, 0.3f0)),
                 v -> foldl(-, (v, 2v, 3v)), v -> mapreduce(abs2, +, (v, 2v)),
                 v -> sum(k -> k * v, 1:4), v -> sum(k -> k * v, 7:-2:2),
                 v -> sum(k -> k * v, 0xfd:0xff),
                 v -> sum(k -> v, typemax(Int):typemax(Int)), v -> prod(1:3) * v,
                 v -> maximum(k -> (k - 2) * v, 1:4), v -> minimum(k * v for k in 1:3),
                 v -> sum(t * v for t in (1, 2, 3)), v -> mapreduce(k -> k * v, +, 1:3; init = v),
                 v -> foldl((p, q) -> p / 2 + q, (v, v, 1)),
                 v -> argmax((v, 0.5f0)), v -> cmp(v, 0.5f0), v -> extrema((v, 2v))[2])
        @test agrees(x -> fold.(x), a)
    end
    # In Base that is an exception, where it is not known what the function gives.
    @test Array((v -> sum(k -> k * v, 2:1)).(GArray(a))) == zero(a)
    @test !occursin("folds.jl", GPUArr.source(v -> sum(k -> k * v, 1:4), Float32))
end

@testset "arguments' types decide" begin
    half(v::Float32) = v / 2
    half(v::Float64) = v * 10
    @test agrees(x -> half.(x), a)
    @test agrees(x -> half.(x), Float64.(a))
    @test agrees(x -> significand.(x), a)
end
