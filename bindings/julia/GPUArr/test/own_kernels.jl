# @kernel: indices, shared memory, barriers, atomic operations, warps, arrays of structs, dispatch.
@kernel function saxpy!(a, x, y)
    i = global_index()
    if i <= length(x)
        y[i] += a * x[i]
    end
end
@kernel function heat!(u, v, c)
    i, j = global_index(2)
    if 1 < i < size(u, 1) && 1 < j < size(u, 2)
        v[i, j] = u[i, j] + c * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1] - 4u[i, j])
    end
end
function heat_on_host(u, c)
    v = copy(u)
    for i in 2:size(u, 1)-1, j in 2:size(u, 2)-1
        v[i, j] = u[i, j] + c * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1] - 4u[i, j])
    end
    v
end
@kernel function product!(c, a, b)
    s, t = @shared(Float32, (16, 16)), @shared(Float32, (16, 16))
    i, j = thread_index(1), thread_index(2)
    row, column = global_index(2)
    total = 0.0f0
    for k in 0:16:size(a, 2)-1
        s[i, j] = row <= size(a, 1) && k + j <= size(a, 2) ? a[row, k+j] : 0.0f0
        t[i, j] = k + i <= size(b, 1) && column <= size(b, 2) ? b[k+i, column] : 0.0f0
        sync_threads()
        for l in 1:16
            total += s[i, l] * t[l, j]
        end
        sync_threads()
    end
    if row <= size(c, 1) && column <= size(c, 2)
        c[row, column] = total
    end
end
@kernel function total!(result, x)
    part = @shared Float32 256
    i = thread_index()
    sum = 0.0f0
    for k in global_index():block_size()*grid_size():length(x)
        sum += x[k]
    end
    part[i] = sum
    half = block_size() ÷ 2
    while half > 0
        sync_threads()
        i <= half && (part[i] += part[i+half])
        half ÷= 2
    end
    i == 1 && @atomic result[1] += part[1]
end

a, b = elements(Float32, 50, 37), elements(Float32, 50, 37)
@kernel function box!(y, x, ::Val{R}) where {R}
    i = global_index()
    if i <= length(x)
        total = zero(eltype(x))
        for d in -R:R
            1 <= i + d <= length(x) && (total += x[i+d])
        end
        y[i] = total / (2R + 1)
    end
end
@testset "type parameters as numbers" begin
    x = elements(Float32, 40)
    for (r, R) in ((1, Val(1)), (3, Val(3)))
        y = GArray(zero(x))
        box!(y, GArray(x), R; elements = length(x))
        @test Array(y) ≈ [sum(x[max(1, i-r):min(end, i+r)]) / Float32(2r + 1) for i in 1:40]
    end
end

@testset "numbers as on the host" begin
    x, y = GArray(vec(a)), GArray(vec(b))
    saxpy!(2.0f0, x, y; elements = length(x))
    @test Array(y) ≈ 2 .* vec(a) .+ vec(b)
    saxpy!(2.0, view(x, 1:2:99), view(y, 50:-1:1); elements = 50)      # of any strides
    @test Array(y)[50:-1:1] ≈ (2 .* vec(a) .+ vec(b))[50:-1:1] .+ 2 .* vec(a)[1:2:99]
    u = GArray(a)
    v = copy(u)
    heat!(u, v, 0.1f0; elements = size(u))
    @test Array(v) ≈ heat_on_host(a, 0.1f0)
    heat!(u, v, 0.2f0; grid = (7, 5), block = (8, 8))
    @test Array(v) ≈ heat_on_host(a, 0.2f0)
    c = GPUArr.zeros(Float32, 50, 50)
    product!(c, u, GArray(permutedims(b)); grid = (4, 4), block = (16, 16))
    @test Array(c) ≈ a * b'
    result = GPUArr.zeros(Float32, 1)
    total!(result, x; grid = 4, block = 256)
    @test Array(result)[1] ≈ sum(a)
end

struct Body
    mass::Float32
    at::NTuple{2,Float32}
end
moved(p::Body, d) = Body(p.mass, p.at .+ d)
@kernel function move!(p, d)
    i = global_index()
    i <= length(p) && (p[i] = moved(p[i], d))
end
@kernel fill_all!(y::AbstractArray{T,1}, v) where {T} = (i = global_index(); i <= length(y) &&
    (y[i] = T(v)))
@kernel fill_all!(y::AbstractArray{T,2}, v) where {T} = (i = global_index(); i <= length(y) &&
    (y[i] = T(2v)))
@kernel function apply!(f, y, x)
    i = global_index()
    i <= length(x) && (y[i] = f(x[i]))
end
@testset "structs, functions, dispatch" begin
    bodies = [Body(k, (k, -k)) for k in 1:10]
    p = GArray(bodies)
    move!(p, (1.0f0, 2.0f0); elements = 10)
    @test Array(p) == [moved(body, (1.0f0, 2.0f0)) for body in bodies]
    y, m = GPUArr.zeros(Int32, 5), GPUArr.zeros(5, 2)
    fill_all!(y, 3; elements = 5)
    fill_all!(m, 3; elements = 10)
    @test Array(y) == [3, 3, 3, 3, 3] && all(==(6), Array(m))
    x, s = GArray(Float32[1, 4, 9]), 2.0f0
    z = similar(x)
    apply!(sqrt, z, x; elements = 3)
    @test Array(z) == [1, 2, 3]
    apply!(v -> v > s ? v * s : -v, z, x; elements = 3)
    @test Array(z) == [-1, 8, 18]
    apply!(v -> complex(v, s), GArray{ComplexF32}(undef, 3), x; elements = 3)
    w = GArray{Tuple{Float32,Int}}(undef, 3)
    apply!(v -> (v, trunc(Int, v)), w, x; elements = 3)
    @test Array(w) == [(1.0f0, 1), (4.0f0, 4), (9.0f0, 9)]
end

@kernel function histogram!(bins, x)
    i = global_index()
    if i <= length(x)
        @atomic bins[x[i]] += 1
        @atomic bins[10] = max(bins[10], x[i])
        @atomic bins[11] ⊻= x[i]
    end
end
@kernel function warp_sums!(y, x)
    sum = x[global_index()]
    for step in (16, 8, 4, 2, 1)
        sum += GPUArr.shuffle_down(sum, step)
    end
    if GPUArr.lane() == 1
        y[block_index()] = sum
    end
end
@testset "atomic operations, warps" begin
    for T in (Int32, Int64, UInt32)
        k = rand(1:9, 300)
        bins = GPUArr.zeros(T, 11)
        histogram!(bins, GArray(T.(k)); elements = 300)
        @test Array(bins) == [[count(==(j), k) for j in 1:9]; maximum(k); reduce(xor, k)]
    end
    v = elements(Float64, 64)
    y = GPUArr.zeros(2)
    warp_sums!(y, GArray(v); grid = 2, block = 32)
    @test Array(y) ≈ [sum(v[1:32]), sum(v[33:64])]
end

@testset "defined anew, a kernel is another" begin
    @eval @kernel anew!(y) = (y[1] = 1)
    y = GPUArr.zeros(1)
    Base.invokelatest(anew!, y; elements = 1)
    @test Array(y) == [1]
    @eval @kernel anew!(y) = (y[1] = 2)
    Base.invokelatest(anew!, y; elements = 1)
    @test Array(y) == [2]
end

# What acts is done, and in order, whether its value is read or not.
stored!(y, k, v) = (y[k] = v)
counted!(c, y, v) = y[1+GPUArr.@atomic c[1] += 1] = v
@kernel function acting!(y, c)
    i = global_index()
    if i <= size(y, 2)
        column = 5(i - 1)
        stored!(y, column + 1, 2.0)
        unread = stored!(y, column + 2, 3.0)
        seven = stored!(y, column + 1, 7.0)
        y[column+3] = y[column+1] * seven
        y[column+4] = y[column+1] + stored!(y, column + 1, 1.0)
        i > 2 && stored!(y, column + 5, 1.0) > 2 && stored!(y, column + 5, 2.0)
        counted!(c, c, i)
    end
end
@kernel filled!(y) = (fill!(y, 3); y[1:2] .= 5; nothing)
@kernel function shifted!(y, x)
    i, v = thread_index(), x[thread_index()]
    v = ifelse(GPUArr.lane() > 4, v + GPUArr.shuffle_up(v, 4), v)
    y[i] = v
end
@testset "actions" begin
    y, c = GPUArr.zeros(5, 4), GPUArr.zeros(Int, 6)
    acting!(y, c; elements = 4)
    @test Array(y) == [1 1 1 1; 3 3 3 3; 49 49 49 49; 8 8 8 8; 0 0 1 1]
    z = GPUArr.zeros(4)
    filled!(z; grid = 1, block = 1)
    @test Array(z) == [5, 5, 3, 3]
    x, y = collect(1.0:32), GPUArr.zeros(32)
    shifted!(y, GArray(x); grid = 1, block = 32)
    @test Array(y) == [k > 4 ? x[k] + x[k-4] : x[k] for k in 1:32]
    text = GPUArr.source(shifted!, y, GArray(x))
    @test !occursin(r"\?.*shfl", text)               # by all lanes, not by those that use it
end

function exchange!(s, i, j)
    s[i], s[j] = s[j], s[i]
end
@kernel function shared_numbers!(y)
    s = @shared ComplexF64 (2, 2)
    i, j = thread_index(1), thread_index(2)
    s[i, j] = y[i, j]
    sync_threads()
    i == j == 1 && exchange!(s, 1, 4)
    sync_threads()
    s[i, j] *= 2im
    y[i, j] = s[i, j] + 1
end
@kernel function choosing!(y, b)
    i = global_index()
    if i <= length(y)
        b[i] = y[i] > 3 ? b[i] : 0
        y[i] = y[i] > 4 ? -1 : y[i] > 2 ? b[i] : NaN
    end
end
@testset "complex numbers that are shared, numbers of two types that are stored" begin
    z = ComplexF64[1+1im 2; 3im 4]
    y = GArray(z)
    shared_numbers!(y; grid = 1, block = (2, 2))
    @test Array(y) == [4 2; 3im 1+1im] .* 2im .+ 1
    y, b = GArray(collect(1.0:6)), GArray(Int8.(11:16))
    choosing!(y, b; elements = 6)
    @test isequal(Array(y), [NaN, NaN, 0, 14, -1, -1]) && Array(b) == Int8[0, 0, 0, 14, 15, 16]
end

# Names that the launch's own options have, none, more than one number of arguments.
@kernel store!(block, grid, ::Val{K}, _) where {K} = (block[1] = grid + K)
@kernel store!(y, v::Int=5) = (y[1] = v)
@kernel store!(y, v::Int, more::Int...) = (y[1] = v + length(more))
@kernel store!(y, (a, b)::Tuple{Float64,Float64}, c) = (y[1] = a - b * c)
@testset "arguments of a launch" begin
    y = GPUArr.zeros(1)
    value(launch) = (launch(); Array(y)[1])
    @test value(() -> store!(y, 2.5, Val(3), nothing; elements = 1)) == 5.5
    @test value(() -> store!(y; grid = 1, block = 1)) == 5
    @test value(() -> store!(y, 7; elements = 1)) == 7
    @test value(() -> store!(y, 7, 1, 1; elements = 1)) == 9
    @test value(() -> store!(y, (7.0, 2.0), 3; elements = 1)) == 1
    @test_throws MethodError store!(; elements = 1)
    @test_throws MethodError store!(y, 1.5, 2, 3; elements = 1)
    @test_throws MethodError saxpy!(y, y; elements = 1)
    @test_throws MethodError saxpy!(1, y, y; threads = 1)
    @test_throws TypeError saxpy!(1, y, y; elements = 1, shared = 1.5)
end

@testset "the text" begin
    text = GPUArr.source(heat!, GArray(a), GArray(a), 0.1f0)
    @test occursin("__global__ void heat(", text) && occursin("own_kernels.jl", text)
    @test !occursin("goto", text)
    @test !occursin("goto", GPUArr.source(product!, (GArray(a) for _ in 1:3)...))
end

@testset "sorting, other element types" begin
    x = GArray(vec(a))
    by_fraction(p, q) = abs(p) % 1 < abs(q) % 1
    @test Array(sort(x; lt = by_fraction)) == sort(vec(a); lt = by_fraction)
    @test Array(sort(GArray(a); dims = 2, lt = >)) == sort(a; dims = 2, lt = >)
    @test Array(sortperm(x; lt = by_fraction)) == sortperm(vec(a); lt = by_fraction)
    bodies = [Body(rand(1:9), (rand(), 0)) for _ in 1:50]
    @test Array(sort(GArray(bodies); by = p -> p.mass, rev = true)) ==
        sort(bodies; by = p -> p.mass, rev = true)
    @test Array(reinterpret(UInt32, x)) == reinterpret(UInt32, vec(a))
    @test Array(reinterpret(ComplexF32, x)) == reinterpret(ComplexF32, vec(a))
    @test Array(reinterpret(Float32, GArray(bodies))) == reinterpret(Float32, bodies)
    @test Array(reinterpret(Body, view(x, 1:9))) == reinterpret(Body, vec(a)[1:9])
    @test_throws ArgumentError reinterpret(ComplexF32, view(x, 1:3))
end

@kernel outside!(y, x) = (i = global_index(); y[i] = x[i+1])
@kernel divided!(y, n) = (y[1] = 5 ÷ n)
@kernel rooted!(y) = (y[1] < 0 && throw(DomainError(y[1])); y[1] = 1)
@kernel tiled!(y) = (t = @shared(Float32, (2, 2)); t[3, 2] = 1; y[1] = t[1, 1])
@testset "checks" begin
    x, k = GArray(elements(Float32, 10)), GPUArr.zeros(Int, 1)
    said(f, words...) = mentions(message_of(f), "own_kernels.jl", words...)
    withenv("GPUARR_CHECK" => "memory") do
        @test said(() -> outside!(similar(x), x; grid = 1, block = 10), "index 11 of axis 1 of x",
            "1..10", "thread (9,0,0)")
        @test said(() -> divided!(k, 0; grid = 1, block = 1), "DivideError")
        @test said(() -> rooted!(GArray(Float32[-1]); grid = 1, block = 1), "DomainError")
        # Only the CPU watches shared memory.
        ENV["GPUARR_DEVICE"] == "host" &&
            @test said(() -> tiled!(x; grid = 1, block = 1), "illegal write", "shared_1")
    end
end
