# Teams: the places, devices of this process and of others, that work on blocked arrays.

"""
    Team(count), Team(devices...), Team("cuda:0", "cuda:1"), Team()
    Team(comm; device = nothing)

An ordered list of places, each a device of a process, that have the blocks of
[`BlockedArray`](@ref)s. The first forms are of this process alone: so many GPUs, or so many parts
of the CPU where there are not as many GPUs; without a count one for each GPU, or one on the CPU.

`Team(MPI.COMM_WORLD)` is of the processes of a communicator, each with one place: of MPI.jl's
`MPI.Comm`, of anything else with the handle in a field `val`, or of a `Ref` to the handle. Every
process calls it, after `MPI.Init()`. Messages go through a duplicate of the communicator, by the
MPI that the process has loaded. After `MPI.Finalize()` a team can only be dropped.
[`team_world`](@ref) needs no MPI.jl.

Every process of a team makes the same calls on it and on its blocked arrays, in the same order; one
task at a time. A wrong argument is an error on all of them. If a call fails on one place only, the
others get a `GPUArrError` with place, call and cause, at the latest from [`synchronize`](@ref), and
the team can only be dropped.

Places count from 0, as ranks in MPI.jl.
"""
mutable struct Team
    pointer::Ptr{Lib.gpuarr_team}
    progress::Any
    problem::Any                     # what a function has thrown that C called
    Team(pointer::Ptr{Lib.gpuarr_team}) = finalizer(release!, new(pointer, nothing, nothing))
end
release!(team::Team) = Lib.gpuarr_team_release(team.pointer)
Base.unsafe_convert(::Type{Ptr{Lib.gpuarr_team}}, team::Team) = team.pointer

function made_team(call)
    out = Ref{Ptr{Lib.gpuarr_team}}(C_NULL)
    check(call(out))
    Team(out[])
end
Team(count::Integer) = count > 0 ? made_team(out -> Lib.gpuarr_team_local(out, C_NULL, count)) :
    throw(ArgumentError("Team($count): a number of places from 1 is wanted"))
Team() = made_team(out -> Lib.gpuarr_team_local(out, C_NULL, 0))
Team(device::Device, more::Device...) = made_team() do out
    devices = [one.pointer for one in (device, more...)]
    Lib.gpuarr_team_local(out, devices, length(devices))
end
Team(name::AbstractString, more::AbstractString...) = Team(map(Device, (name, more...))...)

or_no_device(::Nothing) = Ptr{Lib.gpuarr_device}(C_NULL)
or_no_device(device::Device) = device.pointer

function Team(comm; device::Union{Device,Nothing} = nothing)
    handle = Ref(handle_in(comm))
    GC.@preserve handle made_team() do out
        Lib.gpuarr_team_from_mpi(out, Ptr{Cvoid}(Base.unsafe_convert(Ptr{eltype(handle)}, handle)),
            sizeof(eltype(handle)), or_no_device(device))
    end
end
function handle_in(comm)
    handle = comm isa Ref ? comm[] : hasproperty(comm, :val) ? comm.val : nothing
    isbits(handle) && sizeof(handle) > 0 ||
        throw(ArgumentError(string("a team is made of a number ",
        "of places, of devices, or of an MPI communicator (an object with the handle in its field ",
        "`val`, or a Ref to the handle), not of a ", typeof(comm))))
    handle
end

"""
    team_world(; device = nothing)

The team of all processes that this one was started with, by `mpirun`, Slurm or `gpuarr run -n 4`;
a process that was started alone is a team of one. MPI is initialized if nobody has done it. Each
process has one place, on `device`, or on a GPU that no other process of the machine has, or on the
CPU where there is none.
"""
team_world(; device::Union{Device,Nothing} = nothing) =
    made_team(out -> Lib.gpuarr_team_world(out, or_no_device(device)))

"""
    GPUArr.team_from_fortran(handle; device = nothing)

The team of a communicator that is known by its Fortran handle, a number, as
[`GPUArr.mpi_handle`](@ref) gives it.
"""
team_from_fortran(handle::Integer; device::Union{Device,Nothing} = nothing) =
    made_team(out -> Lib.gpuarr_team_from_mpi_f(out, handle, or_no_device(device)))

# The status of a call that may have called functions of the program.
function check(team::Team, status::Int32)
    problem = team.problem
    problem === nothing && return check(status)
    team.problem = nothing
    throw(problem)
end

"""
    length(team), GPUArr.local_places(team), device(team, place)

The number of places, the range of those of this process, and the device of one of these. The first
of them is this process's rank where each process has one place.
"""
Base.length(team::Team) = Int(Lib.gpuarr_team_size(team))
function local_places(team::Team)
    first = Int(Lib.gpuarr_team_first(team))
    first:first+Int(Lib.gpuarr_team_local_count(team))-1
end
function device(team::Team, place::Integer)
    place in local_places(team) || throw(ArgumentError(
        "place $place is not of this process, which has $(local_places(team))"))
    Device(Lib.gpuarr_team_device(team, place))
end

"""
    GPUArr.stream(team, place)

The stream in which a place of this process works on its blocks: the one that was its device's
current one when the team was made.
"""
function stream(team::Team, place::Integer)
    out = Ref{Ptr{Lib.gpuarr_stream}}(C_NULL)
    check(Lib.gpuarr_team_stream(out, team, place))
    Stream(out[], device(team, place))
end

"""
    GPUArr.description(team)

A text: places, processes, machines, devices, and what messages go by, with versions.
"""
function description(team::Team)
    out = Ref{Cstring}(C_NULL)
    check(Lib.gpuarr_team_describe(out, team))
    unsafe_string(out[])
end
Base.show(io::IO, team::Team) = print(io, "Team(", description(team), ')')

"""
    synchronize(team)

Wait until all places have done all that they were given, and learn whether any failed.
"""
synchronize(team::Team) = check(team, Lib.gpuarr_team_synchronize(team))

"""
    GPUArr.set_timeout!(team, seconds; abort = true)

How long calls wait for other places: 0 for ever, 300 s unless `ENV["GPUARR_TIMEOUT"]` says
otherwise. Then all processes are ended, or with `abort = false` the call throws, and the team can
only be dropped.
"""
set_timeout!(team::Team, seconds::Real; abort::Bool = true) =
    check(Lib.gpuarr_team_set_timeout(team, seconds,
        abort ? Lib.GPUARR_TIMEOUT_ABORT : Lib.GPUARR_TIMEOUT_RETURN))

function tell_progress(operation::Cstring, done::Int64, total::Int64, team)::Cvoid
    try
        Base.invokelatest(team.progress, unsafe_string(operation), Int(done), Int(total))
    catch problem
        team.problem === nothing && (team.problem = problem)
    end
    nothing
end

"""
    GPUArr.set_progress!(f, team; seconds = 1)
    GPUArr.set_progress!(nothing, team)

Let `f(operation, done, total)` be called, at most once in so many seconds, while calls work on the
blocks of this process; what it throws comes out of that call. Or let nothing be called any more.
"""
function set_progress!(f, team::Team; seconds::Real = 1)
    team.progress = f
    call = @cfunction(tell_progress, Cvoid, (Cstring, Int64, Int64, Any))
    check(Lib.gpuarr_team_set_progress(team, f === nothing ? C_NULL : call,
        pointer_from_objref(team), seconds))
end

"""
    GPUArr.mpi_handle(team), GPUArr.nccl(team, place)

For libraries that take one: the Fortran handle of the communicator that the team was made of, or
-1; NCCL's communicator of a place of this process, or `C_NULL`.
"""
mpi_handle(team::Team) = Lib.gpuarr_team_mpi_f(team)
nccl(team::Team, place::Integer) = Lib.gpuarr_team_nccl(team, place)
