# Functions and kernels that are called for each block.
const SHAPE = (11, 7)
layout(k) = (chunk = (rand(2:11), rand(2:7)), placement = (:balanced, :cyclic)[k%2+1])

@kernel function add_row_number!(z, x, first_row, scale)
    i, j = global_index(2)
    if i <= size(z, 1) && j <= size(z, 2)
        z[i, j] = scale * x[i, j] + first_row + i - 1
    end
end

@testset "functions: $k" for k in 1:4
    team = Team(k)
    h, column = elements(Float64, SHAPE...), elements(Float64, 11)
    where_ = layout(k)
    x = blocked(h, team; where_..., halo = 1, boundary = :periodic)
    c = blocked(column, team; chunk = where_.chunk[1], placement = :replicated)
    z, w = blocked(Float64, team, SHAPE; where_...), blocked(Float64, team, SHAPE; where_...)
    seen = GPUArr.Block[]
    @test map_blocks!(z, x, c, 3, nothing) do block, z, x, c, factor, nothing_
        push!(seen, block)
        nothing_ === nothing && (z .= factor .* x .+ c)
    end === z
    @test Array(z) ≈ 3 .* h .+ column
    @test sort([block.location for block in seen]) ==
        sort(vec([Tuple(i) for i in CartesianIndices(GPUArr.grid(z))]))
    @test all(b -> GPUArr.ranges_of(z, b.location...) == b.ranges &&
        GPUArr.place_of(z, b.location...) == b.place, seen)
    map_blocks!((z, w), x) do block, z, w, x
        z .= x .+ block.location[1]
        copyto!(w, z .* 2)
    end
    @test Array(w) ≈ 2 .* Array(z)
    # Ghost cells of one input, none of the other.
    update_halo!(x)
    map_blocks!(z, GPUArr.Halo(x), x) do block, z, ghosted, x
        z .= view(ghosted, 1:size(z, 1), 2:size(z, 2)+1) .- x
    end
    @test Array(z) ≈ circshift(h, (1, 0)) .- h
    map_overlap!(w, x) do block, w, x
        w .= view(x, 2:size(w, 1)+1, 3:size(w, 2)+2)
    end
    @test Array(w) == circshift(h, (0, -1))
end

@testset "kernels: $k" for k in 1:3
    team = Team(k)
    h = elements(Float32, SHAPE...)
    where_ = layout(k)
    x = blocked(h, team; where_..., halo = 1, boundary = :nearest)
    c = blocked(Float32.(1:11), team; chunk = where_.chunk[1], placement = :replicated)
    z = blocked(Float32, team, SHAPE; where_...)
    map_blocks!(ElementwiseKernel("T x, T y, T f", "T z", "z = x * y + f"), z, x, c, 2)
    @test Array(z) ≈ h .* (1:11) .+ 2
    start = GPUArr.PerBlock(block -> first(block.ranges[1]))
    map_blocks!(add_row_number!, z, x, start, 2.0f0)
    @test Array(z) ≈ 2 .* h .+ (1:11)
    largest = blocked(Float32, team, (GPUArr.grid(z)[1], 7); placement = where_.placement,
        chunk = (1, where_.chunk[2]))
    map_blocks!(ReductionKernel("T x", "T z", "x", "max(a, b)", "z = a"), largest, x; dims = 1)
    @test maximum(Array(largest); dims = 1) == maximum(h; dims = 1)
    scale = RawKernel("""
        __global__ void scale(const float* x, float* z, long long n, float f) {
          long long k = blockIdx.x * (long long)blockDim.x + threadIdx.x;
          if (k < n) z[k] = f * x[k];
        }""", "scale")
    plain = blocked(h, team; where_...)
    map_blocks!(scale, z, plain, z, GPUArr.PerBlock(length), 3.0f0)
    @test Array(z) == 3 .* h
    # x runs along the first dimension.
    below = RawKernel("""
        #include <gpuarr.cuh>
        __global__ void below(gpuarr_view<const float, 2> x, gpuarr_view<float, 2> z) {
          int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
          if (i < z.shape()[0] && j < z.shape()[1]) z(i, j) = x(i + 2, j + 1);
        }""", "below")
    map_overlap!(below, z, ArrayView(x), ArrayView(z); block = (8, 2))
    @test Array(z) == h[[2:11; 11], :]
    update_halo!(x)
    map_blocks!(below, z, ArrayView(GPUArr.Halo(x)), ArrayView(z); block = 4)
    @test Array(z) == h[[2:11; 11], :]
end

@testset "three dimensions" begin
    h = elements(Float32, 5, 6, 7)
    x = blocked(h, Team(2); chunk = (3, 4, 3))
    z = similar(x)
    copy3 = RawKernel("""
        #include <gpuarr.cuh>
        __global__ void copy3(gpuarr_view<const float, 3> x, gpuarr_view<float, 3> z) {
          int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
              k = blockIdx.z * blockDim.z + threadIdx.z;
          if (i < z.shape()[0] && j < z.shape()[1] && k < z.shape()[2]) z(i, j, k) = x(i, j, k);
        }""", "copy3")
    map_blocks!(copy3, z, ArrayView(x), ArrayView(z); block = (2, 2, 2))
    @test Array(z) == h
end

@testset "what does not fit" begin
    team = Team(2)
    x, y = (blocked(Float64, team, SHAPE; chunk = (k, 7)) for k in (4, 5))
    nothing_to_do(block, arrays...) = nothing
    @test mentions(message_of(() -> map_blocks!(nothing_to_do, x, y)), "GPUARR_ERR_")
    map_blocks!(nothing_to_do, x, blocked(Float64, team, (9, 2); chunk = (3, 2)); position = true)
    wrong_place = blocked(Float64, team, SHAPE; chunk = (4, 7), placement = [1, 0, 0])
    message = message_of(() -> map_blocks!(nothing_to_do, x, wrong_place))
    @test mentions(message, "GPUARR_ERR_LAYOUT", "redistribute")
    @test mentions(message_of(() -> map_blocks!(nothing_to_do, 1, x), ArgumentError), "outputs")
    @test mentions(message_of(() -> blocked(Float64, team, 4; placement = :here), ArgumentError),
        "placement", ":here", ":cyclic")
    @test mentions(message_of(() -> blocked(Float64, team, 4; halo = 1, boundary = 3),
        ArgumentError), "boundary", "3", ":reflect")
    @test mentions(message_of(() -> blocked(Float64, team, (4, 4); chunk = (1, 1, 1)),
        ArgumentError), "chunk", "3 entries", "2 dimensions")
    @test mentions(message_of(() -> blocked(String, team, 4), ArgumentError), "String")
    @test mentions(message_of(() -> x[1, 2], ErrorException), "BlockedArray", "@allowscalar")
    fill!(x, 1)
    @test (@allowscalar x[1, 2]) == 1 && (@allowscalar x[2, 3] = 5; x[2:2, 3:3][] == 5)
    @test_throws BoundsError x[1:12, :]
    @test_throws DimensionMismatch x[1:2, :] = zeros(3, 7)
    @test_throws DimensionMismatch x .+ blocked(Float64, team, (3, 3))
    @test_throws DimensionMismatch copyto!(zeros(2), x)
    @test mentions(message_of(() -> x[1:2:3, :], ArgumentError), "step of 1")
    @test mentions(message_of(() -> x[1:2], ArgumentError), "1 indices", "2 dimensions")
    @test mentions(message_of(() -> view(x, 1:2, :), ArgumentError), "map_blocks!")
    @test mentions(message_of(() -> first(x), ArgumentError), "Array(x)")
    @test mentions(message_of(() -> x .+ zeros(SHAPE), ArgumentError), "GArray(a)")
    column, row = blocked(ones(11), team), blocked(ones(1, 7), team)
    @test mentions(message_of(() -> column .+ row, ArgumentError), "(11, 7)", "z .= ")
    @test mentions(message_of(() -> ElementwiseKernel("T x", "T z", "z = x")(x), ArgumentError),
        "map_blocks!")
    @test mentions(message_of(() -> norm(x, 3), ArgumentError), "Inf")
    message = message_of(() -> mapreduce(v -> (v, v), (a, b) -> a, x), ArgumentError)
    @test mentions(message, "numbers")
    @test mentions(message_of(() -> PermutedDimsArray(x, (1, 1)), ArgumentError), "permutation")
    # A wrong argument leaves the team as it was.
    synchronize(team)
    @test sum(x) == 81
end

@testset "what a function throws" begin
    team = Team(2)
    x = fill!(blocked(Float64, team, 6; chunk = 2), 1)
    calls = Ref(0)
    broken(block, x) = (calls[] += 1; block.location[1] == 2 && error("no block $(block.location)"))
    @test mentions(message_of(() -> map_blocks!(broken, x), ErrorException), "no block (2,)")
    @test calls[] == 2
    @test Array(x) == ones(6)
    # The kernel's own error comes as it is.
    team = Team(2)
    x = fill!(blocked(Float64, team, 6; chunk = 2), 1)
    wrong = ElementwiseKernel("T x", "T z", "z = y")
    @test mentions(message_of(() -> map_blocks!(wrong, x, x)), "GPUARR_ERR_COMPILE", "z = y")
end

@testset "progress" begin
    team, told = Team(2), Any[]
    x = fill!(blocked(Float64, team, 8; chunk = 1), 1)
    GPUArr.set_progress!((call, done, total) -> push!(told, (call, done, total)), team; seconds = 0)
    map_blocks!((block, x) -> x .+= 1, x)
    @test ("gpuarr_map_blocks", 8, 8) in told && all(t -> t[3] == 8, told)
    GPUArr.set_progress!((_...) -> error("enough"), team; seconds = 0)
    add_one() = map_blocks!((block, x) -> x .+= 1, x)
    @test mentions(message_of(add_one, ErrorException), "enough")
    GPUArr.set_progress!(nothing, team)
    add_one()
    @test Array(x) == fill(4.0, 8)
end
