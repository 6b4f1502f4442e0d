# Reductions and scans whose elements and results are tuples and structs.
struct Box{T}
    low::NTuple{2,T}
    high::NTuple{2,T}
end
merged(p::Box, q::Box) = Box(min.(p.low, q.low), max.(p.high, q.high))
struct Stats{T}
    count::Int32
    sum::T
    squares::Complex{T}
end
Stats(x::T) where {T<:AbstractFloat} = Stats{T}(1, x, complex(x^2, -x))
pooled(p, q) = Stats(p.count + q.count, p.sum + q.sum, p.squares + q.squares)
struct Pair16
    most::Float16
    at::Int8
end
larger(p, q) = p.most > q.most || (p.most == q.most && p.at < q.at) ? p : q
both(p, q) = (min(p[1], q[1]), max(p[2], q[2]))
Base.:+(p::Pair16, q::Pair16) = Pair16(p.most + q.most, p.at + q.at)
affine(p, q) = (p[1] * q[1], p[2] * q[1] + q[2])            # not commutative

# Numbers in values, to compare by; equal types are for the caller.
flat(x::Number) = Any[x]
flat(x) = isempty(fieldnames(typeof(x))) ? Any[] :
    reduce(vcat, Any[flat(getfield(x, k)) for k in 1:nfields(x)])
alike(p::T, q::T) where {T} = all(map((a, b) -> close_enough(a, b, 1e-4), flat(p), flat(q)))
alike(p, q) = (println(stderr, p, " is not ", q); false)
alike(p::AbstractArray{T}, q::AbstractArray{T}) where {T} = size(p) == size(q) &&
    all(alike(x, y) for (x, y) in zip(p, q))

v, m = elements(Float32, 100), elements(Float32, 7, 5)
box(x, y) = Box((x, y), (x + 1, y + 2))
boxes = box.(elements(Float64, 60), elements(Float64, 60))
on_both(f, x) = alike(on_host(f(GArray(x))), f(x))

@testset "results that are tuples and structs" begin
    @test on_both(x -> mapreduce(y -> (y, y^2), (a, b) -> (a[1] + b[1], a[2] + b[2]), x), v)
    @test on_both(x -> mapreduce(y -> (low = y, high = y),
        (a, b) -> (low = min(a.low, b.low), high = max(a.high, b.high)), x), m)
    @test on_both(x -> reduce(merged, x), boxes)
    @test on_both(x -> mapreduce(Stats, pooled, x; init = Stats(0.0f0)), v)
    @test on_both(x -> mapreduce(y -> (y > 0, y > 1), (a, b) -> a .+ b, x), v)      # Bool, then Int
    @test on_both(x -> mapreduce(y -> (y, y), both, x; init = (-9, 9)), v)
    @test on_both(x -> maximum(tuple.(x, x)), Int8[3, 7, 7, 2])
    one = (1.0f0, 0.0f0)
    @test on_both(x -> reduce(affine, x; init = one), [(0.5f0, 3.0f0)])
    many = GArray(rand(Float32, 100_000))                           # in several blocks
    first_of_most(a, b) = a[1] > b[1] || (a[1] == b[1] && a[2] < b[2]) ? a : b
    @test mapreduce(tuple, first_of_most, many, GArray(1:100_000)) == findmax(many)
    half = [Pair16(k * k % 17, k) for k in 1:20]
    @test on_both(x -> reduce(larger, x), half) && on_both(sum, half)
    least = 0.25f0                                                  # a number that is caught
    @test on_both(x -> mapreduce(y -> (max(y, least), 1), (a, b) -> a .+ b, x), v)
    part = view(GArray(boxes), 60:-3:1)
    @test reduce(merged, part) === reduce(merged, boxes[60:-3:1])
    @test mapreduce(y -> (y, y), both, @lazy GArray(v) .* 2) === extrema(2 .* v)
end

@testset "along dimensions" begin
    extremes(x; kw...) = mapreduce(y -> (y, y), both, x; kw...)
    wanted = extremes(m; dims = 1, init = (Inf32, -Inf32))
    got = extremes(GArray(m); dims = 1)
    @test got isa GArray{Tuple{Float32,Float32},2} && Array(got) == wanted
    @test Array(extremes(GArray(m); dims = 2)) == extremes(m; dims = 2, init = (Inf32, -Inf32))
    @test Array(extremes(GArray(m); dims = (1, 2)))[] == extrema(m)
    @test Array(first.(got) .- last.(got)) == first.(wanted) .- last.(wanted)       # goes on
    grid = reshape(boxes, 10, 6)
    none = Box((Inf, Inf), (-Inf, -Inf))
    for d in (1, 2, 3)
        @test Array(reduce(merged, GArray(grid); dims = d, init = none)) ==
            reduce(merged, grid; dims = d, init = none)
    end
end

@testset "running" begin
    pairs = tuple.(v, v)
    @test on_both(x -> accumulate(both, x), pairs)
    @test on_both(cumsum, [Pair16(k * k % 17, k) for k in 1:20])
    @test on_both(x -> accumulate(merged, x; dims = 2), reshape(boxes, 10, 6))
    @test on_both(x -> accumulate(affine, x), [(0.5f0 + k % 2, 1.0f0k) for k in 1:40])  # in order
    @test on_both(x -> accumulate(pooled, Stats.(x)), v[1:30])
    @test on_both(x -> accumulate(both, x; init = (-1.0f0, 1.0f0)), pairs)
    x = GArray(pairs)
    @test accumulate!(both, x, x) === x && Array(x) == accumulate(both, pairs)
    @test isempty(accumulate(both, GArray(pairs[1:0])))
end

@testset "no elements" begin
    none = GArray(boxes[1:0])
    nothing_there = "reducing over an empty collection is not allowed"
    @test mentions(message_of(() -> reduce(merged, none), ArgumentError), nothing_there)
    @test mentions(message_of(() -> mapreduce(y -> (y, y), both, GPUArr.zeros(0, 3); dims = 1),
        ArgumentError), nothing_there)
    @test reduce(merged, none; init = boxes[1]) === boxes[1]
    @test size(mapreduce(y -> (y, y), both, GPUArr.zeros(0, 3); dims = 2)) == (0, 1)
end

wide(y) = ntuple(k -> y + k, 9)
mixed(a::Stats, y::Real) = pooled(a, Stats(y))
@testset "refused" begin
    x = GArray(Float64.(v))
    said(f, words...) = mentions(message_of(f, ArgumentError), words...)
    @test said(() -> mapreduce(wide, (a, b) -> a .+ b, x), "72 bytes", "up to 64")
    @test said(() -> accumulate((a, b) -> a .+ b, wide.(x)), "72 bytes", "up to 64")
    @test said(() -> reduce(mixed, x; init = Stats(0.0)), "`mixed`", "Stats{Float64}",
        "no method", "mapreduce(f, op, x)")
    @test said(() -> mapreduce(y -> (y, string(y)), (a, b) -> a, x), "String", "immutable structs")
    @test said(() -> mapreduce(Stats, pooled, x; init = Stats(0.0f0)), "init", "Stats{Float32}",
        "Stats{Float64}")
    @test said(() -> mapreduce(y -> Stats(Float32(y)), (a, b) -> Stats(Float64(a.sum + b.sum)), x),
        "Stats{Float32}", "Stats{Float64}", "do not convert")
    many = GArray([ntuple(k -> Int8(k), 33)])
    @test said(() -> (t -> sum(t)).(many), "34 numbers", "up to 32", "@kernel")
    @test said(() -> reduce((a, b) -> a .+ b, many), "66 numbers", "up to 32")
    offset = 1.0
    @test said(() -> mapreduce(y -> (y, y), (a, b) -> (a[1] + b[1] + offset, b[2]), x),
        "cannot use variables")
    calls_up(a, b) = (a[1] + b[1], sum([a[2], b[2]]))
    @test said(() -> mapreduce(y -> (y, y), calls_up, x), basename(@__FILE__), "vect", "memory")
end
