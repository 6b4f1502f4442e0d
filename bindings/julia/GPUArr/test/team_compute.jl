# Products, order, running results and random numbers of blocked arrays, against Julia's own arrays
# and undivided ones.
function random_blocks(h, team; kw...)
    layout = (chunk = map(n -> rand(1:max(n, 1)), size(h)),
        placement = rand((:balanced, :cyclic, :replicated)))
    blocked(h, team; layout..., kw...)
end
whole_numbers(dims...) = Float64.(rand(-9:9, dims...))  # their sums are exact

@testset "products: $k" for k in 1:3
    team = Team(k)
    m, inner, n = rand(1:9, 3)
    a, b, v = whole_numbers(m, inner), whole_numbers(inner, n), whole_numbers(inner)
    x, y, w = random_blocks(a, team), random_blocks(b, team), random_blocks(v, team)
    @test Array(x * y) == a * b && Array(x * w) == a * v
    @test Array(y' * x') == (a * b)' && eltype(x * y) == Float64
    z = random_blocks(zeros(m, n), team)
    @test mul!(z, x, y) === z && Array(z) == a * b
    @test Array(mul!(z, x, y, 2, 1)) == 3 * (a * b)
    s = random_blocks(rand(Int32(-9):Int32(9), n, m), team)
    @test Array(mul!(random_blocks(zeros(m), team), x, w)) == a * v
    @test eltype(s * x) == Float64 && Array(s * x) == Array(s) * a
    @test Array((x .> 0) * (y .> 0)) == (a .> 0) * (b .> 0)
end
@testset "the adjoint of complex numbers" begin
    z = ComplexF64[1+2im 3; 4im 5; 6 7-1im]
    @test Array(blocked(z, Team(2))') == z'
end

@testset "sorted: $k" for k in 1:3
    team, n = Team(k), rand(1:40)
    h = whole_numbers(n)
    x = random_blocks(h, team)
    @test Array(sort(x)) == sort(h) && Array(sort(x; rev = true)) == sort(h; rev = true)
    h[rand(1:n, 3)] .= NaN
    h[rand(1:n)] = Inf
    x = random_blocks(h, team)
    @test isequal(Array(sort(x)), sort(h)) && isequal(Array(x), h)
    @test sort!(x; rev = true) === x && isequal(Array(x), sort(h; rev = true))
    @test Array(sort!(random_blocks(collect(n:-1:1), team))) == 1:n
end

@testset "running: $k" for k in 1:3
    team, h = Team(k), whole_numbers(rand(1:9), rand(1:9))
    x = random_blocks(h, team)
    for d in 1:2
        @test Array(cumsum(x; dims = d)) == cumsum(h; dims = d)
        @test Array(accumulate(max, x; dims = d)) == accumulate(max, h; dims = d)
        @test Array(GPUArr.exclusive(+, x; dims = d)) == cumsum(h; dims = d) .- h
    end
    v = rand(Int8(1):Int8(3), 9)
    w, z = random_blocks(v, team), random_blocks(zeros(Int, 9), team)
    @test Array(cumprod(w)) == cumprod(v) && eltype(cumprod(w)) == Int
    @test cumsum!(z, w) === z && Array(z) == cumsum(v)
    @test Array(accumulate!(min, w, w)) == accumulate(min, v)
    @test Array(accumulate(+, w; init = 5)) == accumulate(+, Array(w); init = 5)
end

# The same as an array that is not divided gets, and the next draw after it.
@testset "random numbers: $k" for k in 1:3
    team, dims = Team(k), (rand(1:9), rand(1:9))
    blocked_one(T) = random_blocks(Base.zeros(T, dims), team)
    draws = ((Float64, rand!), (Float32, randn!), (Float64, randexp!), (ComplexF32, randn!),
        (Int32, (g, z) -> rand!(g, z, 1:6)), (Float32, (g, z) -> rand!(g, z, 1:6)),
        (Bool, rand!), (UInt64, rand!), (Int64, (g, z) -> rand!(g, z, GPUArr.Poisson(3))),
        (Float64, (g, z) -> rand!(g, z, GPUArr.Gamma(2, 1.5f0))))
    g, undivided = GPUArr.Generator(SEED; stream = k), GPUArr.Generator(SEED; stream = k)
    for (T, draw!) in draws
        z = blocked_one(T)
        @test draw!(g, z) === z
        @test Array(z) == Array(draw!(undivided, GPUArr.zeros(T, dims...)))
        @test g.position == undivided.position
    end
end

@testset "files: $k" for k in 1:3
    team = Team(k)
    h = whole_numbers(rand(2:9), rand(2:9))
    mktempdir() do folder
        for (name, format) in (("x.npy", nothing), ("x.zarr", nothing), ("x", :zarr3))
            path = joinpath(folder, name)
            x = random_blocks(h, team)
            GPUArr.save(path, x; format = format)
            y = GPUArr.load(path, team)
            @test Array(y) == h
            @test name == "x.npy" || GPUArr.grid(y) == GPUArr.grid(x)
            z = GPUArr.load(path, team; chunk = (2, 2), placement = :cyclic, halo = 1,
                boundary = :periodic)
            update_halo!(z)
            @test Array(z) == h && GPUArr.grid(z) == cld.(size(h), 2)
            @test Array(last(first(GPUArr.local_blocks(z; halo = true)))[1:1, 1:1])[] == h[end, end]
            update_halo!(y)
        end
        @test Array(GPUArr.load_npy(joinpath(folder, "x.npy"))) == h
        # For Zarr.jl.
        path = joinpath(folder, "rows.zarr")
        GPUArr.save(path, transpose(blocked(h, team)))
        @test occursin(r"\"order\": *\"C\"", read(joinpath(path, ".zarray"), String))
        @test Array(transpose(GPUArr.load(path, team))) == h
    end
end

@testset "files in parts" begin
    team, folder = Team(2), mktempdir()
    x = blocked(Float32, team, (4, 6); chunk = (2, 3))
    for name in ("x.npy", "x.zarr")
        path = joinpath(folder, name)
        GPUArr.create_file(path, Float32, team, (8, 12); chunk = (2, 3))
        GPUArr.arange!(x)
        GPUArr.save_part(path, x, 5, 4)
        wanted = zeros(Float32, 8, 12)
        wanted[5:8, 4:9] = Array(x)
        @test Array(GPUArr.load(path, team)) == wanted
        @test GPUArr.load_part!(x, path, 3, 6) === x && Array(x) == wanted[3:6, 6:11]
        @test Array(GPUArr.load_part!(x, path)) == wanted[1:4, 1:6]
    end
end

@testset "what is refused" begin
    team, folder = Team(2), mktempdir()
    x, v = blocked(ones(4, 6), team), blocked(ones(6), team)
    said(f, words...) = mentions(message_of(f, ArgumentError), words...)
    failed(f, words...) = mentions(message_of(f), words...)
    @test_throws DimensionMismatch x * x
    @test_throws DimensionMismatch mul!(x, x, blocked(ones(6, 5), team))
    @test failed(() -> x * blocked(ones(6, 5), Team(2)), "GPUARR_ERR_ARGUMENT", "team")
    @test failed(() -> sort(x), "GPUARR_ERR_SHAPE", "vector")
    @test said(() -> cumsum(x), "4×6", "dims")
    @test said(() -> cumsum(x; dims = 3), "dims = 3", "1 to 2")
    @test said(() -> accumulate(-, v), "op is `-`", "max")
    @test failed(() -> cumsum!(v, blocked(1:6, team)), "GPUARR_ERR_DTYPE", "int64")
    g = GPUArr.Generator(1)
    @test said(() -> rand!(x), "GPUArr.Generator(seed)", "rand!", "alike")
    @test said(() -> randn!(x), "randn!") && said(() -> rand!(x, 1:6), "rand!")
    @test said(() -> rand!(g, x, GPUArr.Normal(GArray([1.0]), 1)), "GArray", "numbers")
    @test failed(() -> rand!(g, x, GPUArr.Gamma(-1, 1)), "GPUARR_ERR_ARGUMENT", "-1")
    @test said(() -> rand!(g, blocked(Int8, team, 4), 5:4), "5:4", "empty")
    path = joinpath(folder, "x.zarr")
    @test said(() -> GPUArr.save(joinpath(folder, "x.h5"), x), "x.h5", ":zarr3")
    @test said(() -> GPUArr.save(path, x; format = :hdf5), "format", ":hdf5", ":npy")
    @test failed(() -> GPUArr.save("/nowhere/x.npy", x), "GPUARR_ERR_IO", "nowhere")
    @test failed(() -> GPUArr.load(path, team), "GPUARR_ERR_IO", path)
    @test failed(() -> GPUArr.create_file(path, Float64, team, (4, 6)), "chunk is NULL")
    @test said(() -> GPUArr.create_file(path, Float64, team, (4, 6); chunk = (4,)), "1 entries")
    @test said(() -> GPUArr.create_file(path, String, team, (4, 6); chunk = 2), "String")
    GPUArr.create_file(path, Float64, team, (4, 6); chunk = 2)
    @test said(() -> GPUArr.load(path, team; halo = 1), "chunk")
    @test failed(() -> GPUArr.load(path, team; chunk = (2, 2, 2)), "ndim is 3, but the array")
    @test failed(() -> GPUArr.load(path, team; chunk = 2), "ndim is 1, but the array")
    @test said(() -> GPUArr.save_part(path, x, 1), "1 indices", "2 dimensions")
    @test failed(() -> GPUArr.save_part(path, x, 1, 2), "GPUARR_ERR", "axis 1")
    @test failed(() -> GPUArr.load_part!(x, path, 2, 1), "GPUARR_ERR_SHAPE", "start[0] is 1")
    @test failed(() -> GPUArr.load_part!(v, path), "GPUARR_ERR_SHAPE")
    # The team goes on.
    @test Array(x * v) == fill(6.0, 4)
    @test occursin("blocked_arange", GPUArr.profile(() -> GPUArr.arange!(v), team))
    @test failed(() -> GPUArr.team_from_fortran(0), "GPUARR_ERR_NO_LIBRARY", "MPI")
end
