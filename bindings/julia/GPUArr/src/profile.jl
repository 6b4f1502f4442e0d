# Profiling: benchmarks, and a report of all kernels.

"""
    GPUArr.Benchmark

Times of a function's calls in microseconds: `cpu` until each returned, `device` until its work was
done. Printed, it is one line.
"""
struct Benchmark
    name::String
    cpu::Vector{Float64}
    device::Vector{Float64}
    report::String
end
Base.show(io::IO, times::Benchmark) = print(io, times.report)

# What the C callback is handed: the function, and what it threw.
mutable struct Timed
    f::Any
    problem::Any
end
function call_timed(timed::Timed)::Int32
    try
        Base.invokelatest(timed.f)
        Lib.GPUARR_OK
    catch problem
        timed.problem = (problem, catch_backtrace())
        Lib.GPUARR_ERR_ARGUMENT
    end
end

function samples(pointer, clock)
    count = Ref(Int64(0))
    check(Lib.gpuarr_benchmark_samples(count, C_NULL, 0, pointer, clock))
    times = Vector{Float64}(undef, count[])
    check(Lib.gpuarr_benchmark_samples(count, times, count[], pointer, clock))
    times
end

"""
    GPUArr.benchmark(f; name = "f", warmups = 10, repeats = 1000, seconds = Inf, device = Device())

Call `f()` again and again, and time each call by the CPU's clock and by events in the current
stream. No call begins `seconds` after the first. What `f` throws ends it and is thrown here.
"""
function benchmark(f; name::AbstractString = "f", warmups::Integer = 10, repeats::Integer = 1000,
                   seconds::Real = Inf, device::Device = Device())
    out = Ref{Ptr{Lib.gpuarr_benchmark}}(C_NULL)
    timed = Timed(f, nothing)
    call = @cfunction(call_timed, Int32, (Any,))
    status = GC.@preserve timed Lib.gpuarr_benchmark_run(out, name, call,
        pointer_from_objref(timed), warmups, repeats, seconds, device.pointer, C_NULL)
    timed.problem === nothing || throw(timed.problem[1])
    check(status)
    try
        text = Ref{Cstring}(C_NULL)
        check(Lib.gpuarr_benchmark_report(text, out[], Lib.GPUARR_REPORT_TEXT))
        Benchmark(name, samples(out[], Lib.GPUARR_CLOCK_CPU),
            samples(out[], Lib.GPUARR_CLOCK_DEVICE), unsafe_string(text[]))
    finally
        Lib.gpuarr_benchmark_release(out[])
    end
end

"""
    GPUArr.profile(f; json = false)
    GPUArr.profile(f, team)

Count what `f()` compiles and launches, and report it as text: each kernel, its launches, their
time on the device. The profile is the process's: what other tasks do meanwhile is in it. Of a team
it is that of all processes, by place; it is collective, and what `f` does may be, too.
"""
function profile(f; json::Bool = false)
    while_profiling(f)
    text = Ref{Cstring}(C_NULL)
    check(Lib.gpuarr_profile_report(text, json ? Lib.GPUARR_REPORT_JSON : Lib.GPUARR_REPORT_TEXT))
    unsafe_string(text[])
end
function profile(f, team::Team)
    while_profiling(f)
    text = Ref{Cstring}(C_NULL)
    check(team, Lib.gpuarr_team_profile(text, team))
    unsafe_string(text[])
end
function while_profiling(f)
    check(Lib.gpuarr_profile_reset())
    check(Lib.gpuarr_profile_start())
    try
        f()
    finally
        check(Lib.gpuarr_profile_stop())
    end
end
