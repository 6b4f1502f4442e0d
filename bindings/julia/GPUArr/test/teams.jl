# Blocked arrays on several places of this process against Julia's own arrays.
elements_of(dims) = elements(Float64, dims...)
random_layout(dims, places) = (chunk = map(n -> rand(1:n), dims),
    placement = rand((:balanced, :cyclic, :replicated)))
blocks_of(h, team; kw...) = blocked(h, team; random_layout(size(h), length(team))..., kw...)

struct Holder{T}
    val::T
end

@testset "teams" begin
    team = Team(3)
    @test length(team) == 3 && GPUArr.local_places(team) == 0:2
    @test mentions(sprint(show, team), "3 places", "one process")
    @test device(team, 1) isa Device && GPUArr.stream(team, 2) isa Stream
    @test GPUArr.mpi_handle(team) == -1 && GPUArr.nccl(team, 0) == C_NULL
    synchronize(team)
    GPUArr.set_timeout!(team, 10; abort = false)
    @test length(Team("host", "host")) == 2 && length(Team(Device("host"))) == 1
    @test length(Team()) >= 1 && length(team_world()) == 1
    @test mentions(message_of(() -> GPUArr.set_timeout!(team, -1)), "seconds", "-1")
    @test mentions(message_of(() -> Team(0), ArgumentError), "from 1")
    @test mentions(message_of(() -> Team(:gpu), ArgumentError), "communicator", "Symbol")
    @test mentions(message_of(() -> Team(Holder("a")), ArgumentError), "communicator")
    @test mentions(message_of(() -> Team(Holder(Int16(1)))), "GPUARR_ERR")
    @test mentions(message_of(() -> Team(Ref(Int32(1)))), "GPUARR_ERR_NO_LIBRARY", "MPI")
    @test mentions(message_of(() -> device(team, 3), ArgumentError), "place 3", "0:2")
end

@testset "made, read, written: $k" for k in 1:8
    team = Team(rand(1:4))
    dims = Tuple(rand(1:9, rand(1:3)))
    h = elements_of(dims)
    x = blocks_of(h, team)
    @test size(x) == dims && ndims(x) == length(dims) && length(x) == length(h)
    @test eltype(x) == Float64 && axes(x) == axes(h) && size(x, 5) == 1
    @test Array(x) == h == collect(x) && copyto!(zero(h), x) == h
    part = map(n -> (a = rand(1:n); a:rand(a-1:n)), dims)
    @test x[part...] == h[part...]
    @test x[rand(1:dims[1]):dims[1], map(_ -> :, dims[2:end])...] isa Array
    row = (rand(1:dims[1]), map(_ -> :, dims[2:end])...)
    length(dims) > 1 && @test x[row...] == h[row...]
    h[part...] = new = elements_of(map(length, part))
    x[part...] = new
    @test Array(x) == h && GPUArr.gather(x; place = 0) == h
    GPUArr.scatter!(x, 2h; place = length(team) - 1)
    @test Array(x) == 2h
    y = blocks_of(zero(h), team)
    @test Array(redistribute!(y, x)) == 2h && Array(copy(x)) == 2h && Array(zero(x)) == zero(h)
    order = Tuple(randperm(length(dims)))
    @test Array(PermutedDimsArray(x, order)) == permutedims(2h, order) ==
        Array(permutedims(x, order))
    @test Array(GPUArr.arange!(x, 3, 2)) == reshape(3.0:2:2length(h)+1, dims)
    @test Array(fill!(x, 7)) == fill(7, dims)
    covered = zeros(Int, dims)
    for (block, a) in GPUArr.local_blocks(y)
        @test Array(a) == 2h[block.ranges...] && size(a) == size(block)
        @test GPUArr.ranges_of(y, block.location...) == block.ranges
        covered[block.ranges...] .+= 1
    end
    @test all(==(covered[1]), covered) && sprint(show, x) isa String
end


@testset "blocks and their places" begin
    team = Team(2)
    x = blocked(Float32, team, (10, 7); chunk = (4, 3))
    @test GPUArr.grid(x) == (3, 3) && GPUArr.ranges_of(x, 3, 2) == (9:10, 4:6)
    @test [GPUArr.place_of(x, i, j) for i in 1:3, j in 1:3] == [0 0 0; 0 0 1; 1 1 1]
    x = blocked(Float32, team, 4, 6; chunk = (2, 2), placement = [0 1 0; 1 1 0])
    @test [GPUArr.place_of(x, i, j) for i in 1:2, j in 1:3] == [0 1 0; 1 1 0]
    @test GPUArr.grid(blocked(Int8, team, 5, 7)) == (1, 2)  # the last dimension is divided
    @test mentions(sprint(show, x), "4×6", "2×3 blocks", "2 places") && GPUArr.team(x) === team
    message = message_of(() -> GPUArr.place_of(x, 3, 1), ArgumentError)
    @test mentions(message, "(3, 1)", "(2, 3)")
    unsafe_free!(x)
    unsafe_free!(x)
    @test mentions(message_of(() -> Array(x), ArgumentError), "released")
    @test mentions(sprint(show, x), "released")
end

@testset "dotted expressions: $k" for k in 1:4
    team = Team(rand(1:4))
    dims = (rand(2:9), rand(2:9))
    h, g = elements_of(dims), elements_of(dims)
    layout = random_layout(dims, length(team))
    x, y = blocked(h, team; layout..., halo = rand(0:1)), blocked(g, team; layout...)
    z = similar(y, Float32)
    z .= x .+ 2 .* y
    @test Array(z) ≈ Float32.(h .+ 2 .* g)
    @test Array(x .* y .- 1) ≈ h .* g .- 1 && Array(x .> y) == (h .> g)
    row, column = elements_of((1, dims[2])), elements_of((dims[1],))
    everywhere = (placement = :replicated,)
    r = blocked(row, team; chunk = (1, layout.chunk[2]), everywhere...)
    c = blocked(column, team; everywhere..., chunk = layout.chunk[1])
    @test Array(x .- r .+ c) ≈ h .- row .+ column
    @test Array(x .* GArray(fill(2.0, 1, 1))) ≈ 2h
    @test Array(x .+ (1:dims[1]) .* (1:dims[2])') ≈ h .+ (1:dims[1]) .* (1:dims[2])'
    x .= 3
    @test Array(x) == fill(3.0, dims)
    x .= (1:dims[2])' ./ 4
    @test Array(x) == repeat((1:dims[2])' ./ 4, dims[1])
    offset = rand()
    @test Array(map(v -> v > 0 ? v + offset : 0.0, y)) ≈ map(v -> v > 0 ? v + offset : 0.0, g)
    @test (a = zero(h); a .= y .+ 1; a ≈ g .+ 1)
    @test Array(y .- sum(y; dims = 2)) ≈ g .- sum(g; dims = 2)
end

@testset "reductions: $k" for k in 1:4
    dims = Tuple(rand(1:7, rand(1:3)))
    h = rand(-9:9, dims) ./ 8          # sums are exact
    x = blocks_of(h, Team(rand(1:4)))
    d = rand(1:length(dims))
    @test sum(x) == sum(h) && maximum(x) == maximum(h) && minimum(x) == minimum(h)
    @test extrema(x) == extrema(h) && argmax(x) == argmax(h) && argmin(x) == argmin(h)
    @test mean(x) ≈ mean(h) && norm(x) ≈ norm(h) && norm(x, Inf) == norm(h, Inf)
    @test prod(x) ≈ prod(h) && dot(x, x) ≈ dot(h, h)
    length(h) > 1 && @test var(x) ≈ var(h) && std(x; corrected = false) ≈ std(h; corrected = false)
    @test Array(sum(x; dims = d)) == sum(h; dims = d)
    @test Array(maximum(x; dims = Tuple(1:d))) == maximum(h; dims = Tuple(1:d))
    @test sum(abs2, x) == sum(abs2, h) && count(v -> v > 0, x) == count(v -> v > 0, h)
    @test any(x .> 0) == any(h .> 0) && all(v -> v < 1, x) == all(v -> v < 1, h)
    @test count(x .> 0) == count(h .> 0) && maximum(abs, x) == maximum(abs, h)
    @test Array(mapreduce(v -> 2v, +, x; dims = d)) == mapreduce(v -> 2v, +, h; dims = d)
    @test mapreduce((a, b) -> a * b, +, x, x; init = 1.0) == 1 + sum(h .* h)
    @test x == copy(x) && !(x == x .+ 1) && !isequal(x, zero(x) .+ 9)
    @test sum(blocks_of(Int8.(ceil.(8h)), Team(2))) === sum(Int.(ceil.(8h)))
end

@testset "a reduction of one's own" begin
    h, g = elements_of((20, 3)), elements_of((20, 3))
    kernel = ReductionKernel("float64 x, float64 y", "float64 largest, int64 at",
        "found{(x - y) * (x - y), (long long)i}",
        "a.value > b.value || (a.value == b.value && a.at < b.at) ? a : b",
        "largest = sqrt(a.value); at = a.at;"; reduce_type = "found",
        preamble = "struct found { double value; long long at; };")
    layout = random_layout((20, 3), 3)
    team = Team(3)
    x, y = blocked(h, team; layout...), blocked(g, team; layout...)
    largest, at = kernel(x, y)
    @test largest ≈ maximum(abs, h .- g)
    @test CartesianIndex(divrem(at, 3) .+ 1) == argmax(abs.(h .- g))
    mse = ReductionKernel("T x, T y", "T z", "(x - y) * (x - y)", "a + b", "z = a / n", "0")
    @test mse(x, y) ≈ mean((h .- g) .^ 2)
    @test Array(mse(x, y; dims = 1)) ≈ Array(mse(GArray(h), GArray(g); dims = 1))
    out = blocked(Float64, team, (20, 1))
    @test mse(x, y; dims = 2, out = out) === out
    @test Array(out) ≈ Array(mse(GArray(h), GArray(g); dims = 2))
    @test mentions(message_of(() -> mse(x), ArgumentError), "1 inputs", "2")
end

# The index of the whole that a ghost cell holds, or nothing for what is not of the whole.
beyond(i, n, boundary) = 1 <= i <= n ? i : boundary === :periodic ? mod1(i, n) :
    boundary === :nearest ? clamp(i, 1, n) : boundary === :reflect ? (i < 1 ? 1 - i : 2n + 1 - i) :
    boundary === :constant ? 0 : nothing
function with_ghosts(h, ranges, halo, boundaries)
    indices = map(ranges, halo, boundaries, size(h)) do r, (low, high), boundary, n
        filter(!isnothing, [beyond(i, n, boundary) for i in first(r)-low:last(r)+high])
    end
    [any(iszero, i) ? 2.5 : h[i...] for i in Iterators.product(indices...)]
end

@testset "ghost cells: $k" for k in 1:8
    dims = Tuple(rand(3:8, rand(1:3)))
    halo = map(_ -> (rand(0:2), rand(0:2)), dims)
    boundary = map(_ -> rand((:none, :periodic, :constant, :nearest, :reflect)), dims)
    h = elements_of(dims)
    x = blocked(h, Team(rand(1:3)); halo = halo, boundary = boundary, fill = 2.5,
        chunk = map(n -> rand(3:n), dims))
    update_halo!(x)
    @test all(((block, a),) -> Array(a) == with_ghosts(h, block.ranges, halo, boundary),
        GPUArr.local_blocks(x; halo = true))
    fill!(x, 1)
    copyto!(x, 2h)
    update_halo!(() -> nothing, x, similar(x))
    turned = permutedims(2h, length(dims):-1:1)
    for (block, a) in GPUArr.local_blocks(PermutedDimsArray(x, length(dims):-1:1); halo = true)
        @test Array(a) == with_ghosts(turned, block.ranges, reverse(halo), reverse(boundary))
    end
end

@testset "arrays that places have already" begin
    # As in ImplicitGlobalGrid: local arrays of 5 x 4 with an overlap of 2, on 2 x 3 places.
    team, whole = Team(6), elements_of((8, 8))
    corner(i, j) = (3i+1:3i+5, 2j+1:2j+4)
    arrays = [GArray(whole[corner(i, j)...]) for i in 0:1 for j in 0:2]
    x = adopt(team, arrays...; grid = (2, 3), halo = 1)
    @test size(x) == (8, 8) && Array(x) == whole
    x .= -2 .* x
    update_halo!(x)
    @test all(((k, (i, j)),) -> Array(arrays[k]) == -2 .* whole[corner(i, j)...],
        enumerate((i, j) for i in 0:1 for j in 0:2))
    # Periodic: all ranks alike.
    y = adopt(Team(2), GArray(collect(1.0:5)), GArray(collect(6.0:10)); halo = 1,
        boundary = :periodic)
    update_halo!(y)
    @test Array(y) == [2, 3, 4, 7, 8, 9]
    @test [Array(a) for (_, a) in GPUArr.local_blocks(y; halo = true)] ==
        [[9, 2, 3, 4, 7], [4, 7, 8, 9, 2]]
    message = message_of(() -> adopt(team, arrays...; grid = (2, 2), halo = 1))
    @test mentions(message, "grid", "6 places")
    odd = [GArray(zeros(3, k)) for k in (2, 3)]
    @test mentions(message_of(() -> adopt(Team(2), odd...; grid = (2, 1))), "GPUARR_ERR_SHAPE")
    @test mentions(message_of(() -> adopt(team, arrays...; grid = (6,)), ArgumentError), "grid")
end

@testset "copies that differ" begin
    x = blocked(Float64, Team(3), (4,); placement = :replicated)
    for (op, wanted) in ((+, 6), (*, 6), (min, 1), (max, 3))
        foreach(((block, a),) -> fill!(a, block.place + 1), GPUArr.local_blocks(x))
        @test Array(all_reduce!(x, op)) == fill(wanted, 4)
    end
    @test mentions(message_of(() -> all_reduce!(x, -), ArgumentError), "max")
    @test mentions(message_of(() -> all_reduce!(blocked(Int32, Team(2), 4))), "replicated")
end
