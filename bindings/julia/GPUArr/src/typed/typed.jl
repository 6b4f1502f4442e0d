# Functions of Julia as functions of CUDA C++, by their typed code: see README.md here.
module Typed

# The translator runs a few times each, so that compiling it well costs more than it gives.
Base.Experimental.@optlevel 0

import ..GPUArr
import ..GPUArr: BFloat16, KernelArray, SharedArray, InKernel, BASE_FUNCTIONS, erf, erfc, gamma,
    rsqrt, loggamma, thread_index, block_index, block_size, grid_size, global_index, sync_threads,
    sync_warp, lane, shuffle, shuffle_up, shuffle_down, shuffle_xor, vote_any, vote_all, ballot,
    shared, atomic!, print_values

include("ir.jl")
include("refusals.jl")
include("types.jl")
include("values.jl")
include("graph.jl")
include("body.jl")
include("structure.jl")
include("statements.jl")
include("calls.jl")
include("text.jl")
include("functions.jl")
include("stored.jl")
include("core.jl")
include("known_numbers.jl")
include("known_functions.jl")
include("intrinsics.jl")
include("folds.jl")
include("rewritten.jl")
include("device_texts.jl")
include("rehearsal.jl")
include("interpreted.jl")

end # module
