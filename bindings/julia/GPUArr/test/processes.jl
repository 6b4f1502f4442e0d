# Blocked arrays over processes, each of which runs this.
# usage: processes.jl world COUNT, started by `gpuarr run` or a launcher of MPI;
#        processes.jl openmpi|mpich COUNT, by its launcher: MPI is the program's own, as by MPI.jl
ENV["GPUARR_DEVICE"] = get(ENV, "GPUARR_TEST_DEVICE", "host")
using GPUArr, Libdl, Random, Statistics, Test

# As MPI.jl's MPI.Comm. In Open MPI a handle is an address, in MPICH a number.
struct Comm{T}
    val::T
end
const COUNT, IS_MPI = parse(Int, last(ARGS)), ARGS[1] != "world"
if IS_MPI
    const LIBRARY = dlopen(find_library(ARGS[1] == "mpich" ? ["libmpich.so.12", "libmpi.so.12"] :
        ["libmpi.so.40", "libmpi.so"]), RTLD_LAZY | RTLD_GLOBAL)
    @test ccall(dlsym(LIBRARY, :MPI_Init), Cint, (Ptr{Cvoid}, Ptr{Cvoid}), C_NULL, C_NULL) == 0
    const WORLD = ARGS[1] == "mpich" ? Comm(Int32(0x44000000)) :
        Comm(dlsym(LIBRARY, :ompi_mpi_comm_world))
    team, other = Team(WORLD), Team(Ref(WORLD.val))
else
    team, other = team_world(), team_world()
end
const ME = first(GPUArr.local_places(team))

mentions(message, words...) = all(word -> occursin(word, message), words) ||
    (println(stderr, ME, ": ", message); false)
message_of(f) = try
    f()
    "no error"
catch problem
    sprint(showerror, problem)
end

@testset "a team of processes" begin
    @test length(team) == COUNT && GPUArr.local_places(team) == ME:ME
    IS_MPI && @test mentions(GPUArr.description(team), "MPI") && GPUArr.mpi_handle(team) != -1
end

@testset "elements" begin
    h = Float64.(reshape(1:63, 9, 7))
    x = blocked(h, team; chunk = (4, 3), halo = 1, boundary = :periodic)
    y = blocked(h, team; chunk = (4, 3), placement = :cyclic)
    @test Array(x) == h && x[2:5, 3] == h[2:5, 3]
    last_place = COUNT - 1
    @test GPUArr.gather(x, :, 1:2; place = last_place) == (ME == last_place ? h[:, 1:2] : nothing)
    GPUArr.scatter!(x, ME == last_place ? -h : nothing; place = last_place)
    z = x .+ 2 .* redistribute!(similar(x), y) .* (1:9)
    @test Array(z) == -h .+ 2 .* h .* (1:9)
    @test sum(z) == sum(Array(z)) && argmax(z) == argmax(Array(z))
    @test Array(mean(y; dims = 1)) ≈ mean(h; dims = 1) && sum(abs2, y) == sum(abs2, h)
    map_overlap!(z, x) do block, z, x
        z .= view(x, 1:size(z, 1), 2:size(z, 2)+1)
    end
    @test Array(z) == circshift(-h, (1, 0))
    row = blocked(h[1:1, :], team; chunk = (1, 3))  # sent to those who lack it
    map_blocks!((block, z, row) -> (z .= row), z, row)
    @test Array(z) == repeat(h[1:1, :], 9)
end

@testset "arrays that ranks have" begin
    # An overlap of 2, along the last dimension, as in ImplicitGlobalGrid.
    a = GArray(Float64[i + 3j for i in 1:4, j in 4ME+1:4ME+6])
    u = adopt(team, a; halo = (0, 1))
    @test size(u) == (4, 4COUNT + 2)
    u .= 2 .* u
    update_halo!(() -> nothing, u)
    @test Array(a) == Float64[2(i + 3j) for i in 1:4, j in 4ME+1:4ME+6]
    copies = blocked([0.0, 0.0], team; placement = :replicated)
    foreach(((block, c),) -> fill!(c, ME + 1), GPUArr.local_blocks(copies))
    @test Array(all_reduce!(copies)) == fill(sum(1:COUNT), 2)
end

@testset "what is computed over all blocks" begin
    h = Float64.(reshape(1:63, 9, 7) .% 10)
    x = blocked(h, team; chunk = (4, 3))
    @test Array(x' * x) == h' * h && Array(cumsum(x; dims = 2)) == cumsum(h; dims = 2)
    v = blocked(vec(h), team; chunk = 10)
    @test Array(sort!(v; rev = true)) == sort(vec(h); rev = true)
    wanted = randn!(GPUArr.Generator(5), GArray{Float64}(undef, 9, 7))
    @test Array(randn!(GPUArr.Generator(5), x)) == Array(wanted)
    folder = joinpath(tempdir(), "gpuarr_julia_$(ccall(:getppid, Cint, ()))")
    ME == 0 && mkpath(folder)
    synchronize(team)
    path = joinpath(folder, "x.zarr")
    GPUArr.save(path, x)
    @test Array(GPUArr.load(path, other; chunk = (5, 7))) == Array(wanted)
    GPUArr.create_file(path, Float64, team, (18, 7); chunk = (1, 7))
    rows = redistribute!(blocked(Float64, team, (9, 7); chunk = (3, 7)), x)
    GPUArr.save_part(path, rows, 10, 1)
    @test Array(GPUArr.load_part!(rows, path, 9, 1)) == [zeros(1, 7); Array(wanted)[1:8, :]]
    synchronize(team)
    ME == 0 && rm(folder; recursive = true)
    @test mentions(GPUArr.profile(() -> GPUArr.arange!(v), team), "place $(COUNT - 1)", "arange")
    IS_MPI && @test length(GPUArr.team_from_fortran(GPUArr.mpi_handle(team))) == COUNT
end

# One place throws; all others learn of it, and another team goes on.
@testset "a failure on one place" begin
    message_thrown = "thrown by the last"
    x = fill!(blocked(Float64, other, COUNT; chunk = 1), 1)
    message = message_of() do
        map_blocks!((block, x) -> ME == COUNT - 1 && error(message_thrown), x)
        synchronize(other)
    end
    @test ME == COUNT - 1 ? message == message_thrown :
        mentions(message, "GPUARR_ERR_PEER", "place $(COUNT - 1)", "gpuarr_map_blocks",
            message_thrown)
    @test sum(fill!(blocked(Int, team, COUNT), 1)) == COUNT
end

# What is left is released after MPI has ended, in any order, some of it when Julia ends.
left = Any[team, other, blocked(ones(5), team), blocked(ones(5, 5), team; halo = 1)]
if IS_MPI
    @test ccall(dlsym(LIBRARY, :MPI_Finalize), Cint, ()) == 0
    @test mentions(message_of(() -> sum(left[3])), "GPUARR_ERR")
    team = other = nothing
    popfirst!(left)
    foreach(finalize, left[1:2])
    for _ in 1:3
        GC.gc()
    end
    @test GPUArr.live_objects() > 0
end
println("place ", ME, " of ", COUNT, " is done")
