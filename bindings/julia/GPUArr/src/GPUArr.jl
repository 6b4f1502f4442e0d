"""
Arrays and kernels of your own, on NVIDIA GPUs and on the CPU: libgpuarr from Julia.

[`GArray`](@ref) is an `AbstractArray` whose elements live on a device. Dotted expressions of such
arrays run there as one kernel, `sum`, `maximum` and their like as one reduction; kernels of your
own are CUDA C++ text: [`ElementwiseKernel`](@ref), [`ReductionKernel`](@ref),
[`ScanKernel`](@ref), [`GufuncKernel`](@ref), [`RawKernel`](@ref). Calls return before the device
has done the work; what reads elements waits.

The library is `ENV["GPUARR_LIBRARY"]`, or else libgpuarr.so where the system's loader finds it.
"""
module GPUArr

import LinearAlgebra
import Libdl
import Random
import Statistics
using Base.Broadcast: Broadcast, Broadcasted, broadcasted, instantiate
using Printf: @sprintf

export GArray, BFloat16, GPUArrError, Device, Stream, Event, ElementwiseKernel, ReductionKernel,
    ScanKernel, GufuncKernel, RawKernel, RawModule, ArrayView, Graph, unsafe_free!, synchronize,
    device, allowscalar, @allowscalar, @lazy, @fused, @kernel, @shared, global_index,
    thread_index, block_index, block_size, grid_size, sync_threads, Team, BlockedArray,
    team_world, blocked, adopt, map_blocks!, map_overlap!, update_halo!, redistribute!, all_reduce!

include("lib.jl")
include("errors.jl")
include("bfloat16.jl")
include("dtypes.jl")
include("devices.jl")
include("memory.jl")
include("arrays.jl")
include("lazy.jl")
include("views.jl")
include("transfer.jl")
include("team/team.jl")
include("team/blocked.jl")
include("scalars.jl")
include("show.jl")
include("kernels.jl")
include("elementwise.jl")
include("gufunc.jl")
include("reduction.jl")
include("raw.jl")
include("graphs.jl")
include("profile.jl")
include("npy.jl")
include("traced.jl")
include("traced_arithmetic.jl")
include("functions.jl")
include("traced_functions.jl")
include("special.jl")
include("typed/device.jl")
include("typed/typed.jl")
include("nodes.jl")
include("trees.jl")
include("user_functions.jl")
include("structs.jl")
include("own_kernels.jl")
include("broadcast.jl")
include("lazy_trees.jl")
include("fused.jl")
include("partials.jl")
include("mapreduce.jl")
include("reductions.jl")
include("calls.jl")
include("team/slabs.jl")
include("team/map_blocks.jl")
include("team/broadcast.jl")
include("team/reduce.jl")
include("products.jl")
include("indexing.jl")
include("joining.jl")
include("scans.jl")
include("team/compute.jl")
include("team/files.jl")
include("statistics.jl")
include("lazy_reductions.jl")
include("factorizations.jl")
include("solve.jl")
include("sorting.jl")
include("merging.jl")
include("random.jl")
include("precompile.jl")

function open_library()
    name = get(ENV, "GPUARR_LIBRARY", "libgpuarr.so")
    try
        Libdl.dlopen(name, Libdl.RTLD_LAZY | Libdl.RTLD_LOCAL)
    catch problem
        error("GPUArr needs the shared library of libgpuarr (a build with -DGPUARR_SHARED=ON): ",
            "set GPUARR_LIBRARY to the path of its libgpuarr.so, or put that where the system's ",
            "loader finds it\n", sprint(showerror, problem))
    end
end

function __init__()
    Lib.load(open_library())
    watch_memory()
    atexit(release_kernels)
end

end # module
