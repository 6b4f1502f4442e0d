# Memory: its numbers and limit, and the collector's part in making room.

function statistic(device::Device, number::Int32)
    out = Ref(Int64(0))
    check(Lib.gpuarr_memory_statistic(out, device.pointer, number))
    out[]
end

"""
    GPUArr.memory_statistics(device = Device())

The numbers of the device's memory as a named tuple, in bytes: `used` by arrays, `cached` for the
next ones, `total` of both, the `peak` of `used`, the `limit` (0 for none); and how many pieces
are in use (`blocks`), how often arrays asked (`allocations`) and found something cached (`hits`).
"""
memory_statistics(device::Device = Device()) = (
    used = statistic(device, Lib.GPUARR_MEMORY_USED),
    cached = statistic(device, Lib.GPUARR_MEMORY_CACHED),
    total = statistic(device, Lib.GPUARR_MEMORY_TOTAL),
    peak = statistic(device, Lib.GPUARR_MEMORY_PEAK),
    limit = statistic(device, Lib.GPUARR_MEMORY_LIMIT),
    blocks = statistic(device, Lib.GPUARR_MEMORY_BLOCKS),
    allocations = statistic(device, Lib.GPUARR_MEMORY_ALLOCATIONS),
    hits = statistic(device, Lib.GPUARR_MEMORY_HITS))

"""
    GPUArr.limit_memory(bytes, device = Device())

Let the library hold no more than so many bytes of the device's memory, used or cached; 0 is no
limit. Where an array would not fit, unreachable arrays are collected first.
"""
limit_memory(bytes::Integer, device::Device = Device()) =
    check(Lib.gpuarr_memory_set_limit(device.pointer, bytes))

"""
    GPUArr.reset_peak(device = Device())

Let the peak of the memory's numbers begin anew, at what is used now.
"""
reset_peak(device::Device = Device()) = check(Lib.gpuarr_memory_reset_peak(device.pointer))

"""
    GPUArr.trim_memory(device = Device())

Give cached memory that no array uses back to the device; waits for its work.
"""
trim_memory(device::Device = Device()) = check(Lib.gpuarr_memory_trim(device.pointer))

# Julia's collector sees of an array only some words of the host's memory, and so has no reason to
# run. What arrays took since it ran last is counted here: some part of the machine's memory is
# given away before it is asked. On the CPU no allocation fails before the machine has none left.
const TAKEN = Threads.Atomic{Int}(0)
const ALLOWANCE = Ref(typemax(Int))

function count_taken(bytes::Int)
    Threads.atomic_add!(TAKEN, bytes) + bytes < ALLOWANCE[] && return
    TAKEN[] = 0
    GC.gc(false)
end

# While another thread loads or compiles code, it may have switched the collector off for all.
function collect_garbage(full::Bool)
    collections, patience = Base.gc_num().pause, time_ns() + 10^9
    GC.gc(full)
    while Base.gc_num().pause == collections && ccall(:jl_gc_is_enabled, Cint, ()) == 1 &&
          time_ns() < patience
        GC.safepoint()
        GC.gc(full)
    end
end

# Runs when memory is short, on a thread of Julia's. One at a time: what another thread has
# collected is there only when its finalizers are through. A quick collection finds young garbage,
# which is most of it, in a fraction of the time.
function make_room(device::Ptr{Lib.gpuarr_device}, bytes::Int64)::Int32
    try
        before = statistic(Device(device), Lib.GPUARR_MEMORY_USED)
        has_room() = before - statistic(Device(device), Lib.GPUARR_MEMORY_USED) >= bytes
        while Threads.atomic_cas!(MAKING_ROOM, 0, 1) != 0
            GC.safepoint()
        end
        TAKEN[] = 0
        has_room() || collect_garbage(false)
        has_room() || collect_garbage(true)
        MAKING_ROOM[] = 0
        return 1
    catch
        MAKING_ROOM[] = 0
        return 0
    end
end
const MAKING_ROOM = Threads.Atomic{Int}(0)

# Is called by the library on whatever thread needs memory. One that Julia does not know must not
# enter it, so this looks at plain memory only: the number of Julia's threads, their handles, and
# the address of make_room.
function reclaim(device::Ptr{Lib.gpuarr_device}, bytes::Int64, user::Ptr{UInt})::Int32
    self = ccall(:pthread_self, UInt, ())
    count = unsafe_load(user, 1)
    k = UInt(1)
    while k <= count
        if unsafe_load(user, k + 1) == self
            return ccall(Ptr{Cvoid}(unsafe_load(user, count + 2)), Int32,
                (Ptr{Lib.gpuarr_device}, Int64), device, bytes)
        end
        k += 1
    end
    return 0
end

function julia_threads()
    handles = [ccall(:pthread_self, UInt, ())]
    if Threads.nthreads() > 1
        guard = Threads.SpinLock()
        Threads.@threads for _ in 1:Threads.nthreads()
            lock(() -> push!(handles, ccall(:pthread_self, UInt, ())), guard)
        end
    end
    unique!(handles)
end

# What the callback reads lasts as long as the process.
const WATCH = UInt[]

function watch_memory()
    ALLOWANCE[] = Int(Sys.total_memory() ÷ 16)
    handles = julia_threads()
    inner = @cfunction(make_room, Int32, (Ptr{Lib.gpuarr_device}, Int64))
    append!(empty!(WATCH), [UInt(length(handles)); handles; UInt(inner)])
    number = Ref(Int64(0))
    check(Lib.gpuarr_memory_add_reclaim(number,
        @cfunction(reclaim, Int32, (Ptr{Lib.gpuarr_device}, Int64, Ptr{UInt})), pointer(WATCH)))
end
