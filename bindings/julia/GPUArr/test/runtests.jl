# The package's tests, or those that are named. They run on $GPUARR_TEST_DEVICE, "host" unless set;
# GPUARR_TEST_SEED=N has other random numbers.
ENV["GPUARR_DEVICE"] = get(ENV, "GPUARR_TEST_DEVICE", "host")
using GPUArr
using LinearAlgebra, Random, Statistics, Test

include("support.jl")
const FILES = ("arrays", "views", "scalars", "broadcast", "functions", "traced", "typed",
    "typed_programs", "typed_refused", "own_kernels", "prelude", "reductions", "partials", "nvrtc",
    "lazy", "lazy_kernels", "linear", "arranged", "indexed", "random", "kernels", "raw", "streams",
    "memory", "refused", "teams", "map_blocks", "team_compute", "page")

@testset "GPUArr" begin
    @testset "$name" for name in (isempty(ARGS) ? FILES : ARGS)
        seconds = @elapsed include(name * ".jl")
        println(name, ": ", round(seconds; digits = 1), " s")
    end
end

# What nobody refers to any more is released by the collector, kernels of dotted expressions by a
# call.
forget_globals(Main)
empty!(GPUArr.DEFAULT_GENERATORS)
GPUArr.release_kernels()
for _ in 1:3
    GC.gc()
end
@test GPUArr.live_objects() == 0
