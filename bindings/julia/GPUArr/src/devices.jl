# Devices, streams of work on them, events in those.

"""
    Device()
    Device("host"), Device("cuda"), Device("cuda:1")

A device: the CPU or a GPU. `Device()` is the default one: `ENV["GPUARR_DEVICE"]` if that is set,
else the first GPU, else the CPU. Devices need not be released. Any task may use one.
"""
struct Device
    pointer::Ptr{Lib.gpuarr_device}
end

function Device(name::AbstractString)
    out = Ref{Ptr{Lib.gpuarr_device}}(C_NULL)
    check(Lib.gpuarr_device_open(out, name))
    Device(out[])
end
function Device()
    out = Ref{Ptr{Lib.gpuarr_device}}(C_NULL)
    check(Lib.gpuarr_device_open(out, C_NULL))
    Device(out[])
end

"""
    GPUArr.devices()

All devices of this machine, the CPU first.
"""
function devices()
    count = Ref(Int32(0))
    check(Lib.gpuarr_device_count(count, Lib.GPUARR_DEVICE_CUDA))
    [Device("host"); [Device("cuda:$k") for k in 0:count[]-1]]
end

"""
    GPUArr.name(device)

The name by which a device opens, "host" or "cuda:1".
"""
name(device::Device) = unsafe_string(Lib.gpuarr_device_name(device.pointer))
Base.show(io::IO, device::Device) = print(io, "Device(\"", name(device), "\")")

"""
    GPUArr.description(device)

What the device is called by its maker, such as "NVIDIA H200".
"""
description(device::Device) = unsafe_string(Lib.gpuarr_device_description(device.pointer))

"""
    GPUArr.blas(device = Device()), GPUArr.solver(device = Device())

Name, version and path of the library that multiplies matrices of a device, or factorises them.
"""
blas(device::Device = Device()) = library_of(Lib.gpuarr_device_blas, device)
solver(device::Device = Device()) = library_of(Lib.gpuarr_device_solver, device)
@doc (@doc blas) solver
function library_of(call, device::Device)
    out = Ref{Cstring}(C_NULL)
    check(call(out, device.pointer))
    unsafe_string(out[])
end

"""
    Stream(device = Device(); priority = 0)

A queue of work on a device, in which work runs in order. Kernels and copies go into the calling
thread's current stream unless they are given one by `stream = ...`; [`GPUArr.with_stream`](@ref)
sets that. A smaller `priority` is more urgent. Any task may use one.
"""
mutable struct Stream
    pointer::Ptr{Lib.gpuarr_stream}
    device::Device
    function Stream(device::Device = Device(); priority::Integer = 0)
        out = Ref{Ptr{Lib.gpuarr_stream}}(C_NULL)
        check(Lib.gpuarr_stream_create(out, device.pointer, priority, 0))
        Stream(out[], device)
    end
    Stream(pointer::Ptr{Lib.gpuarr_stream}, device::Device) =
        finalizer(release!, new(pointer, device))
end
release!(stream::Stream) = Lib.gpuarr_stream_release(stream.pointer)
Base.unsafe_convert(::Type{Ptr{Lib.gpuarr_stream}}, stream::Stream) = stream.pointer
Base.show(io::IO, stream::Stream) = print(io, "Stream on ", name(stream.device))

# What kernels and copies are given as `stream = ...`; nothing is the current one.
const AnyStream = Union{Stream,Nothing}
@inline stream_pointer(::Nothing) = Ptr{Lib.gpuarr_stream}(C_NULL)
@inline stream_pointer(stream::Stream) = stream.pointer

"""
    GPUArr.with_stream(f, stream)

Run `f()` with `stream` as this thread's current stream of its device; work that `f` gives goes
there. `f` should not let other tasks run (by `wait`, `sleep` or input and output): they would
work in that stream too.
"""
function with_stream(f, stream::Stream)
    before = Ref{Ptr{Lib.gpuarr_stream}}(C_NULL)
    check(Lib.gpuarr_stream_current(before, stream.device.pointer))
    try
        check(Lib.gpuarr_stream_set_current(stream.device.pointer, stream))
        f()
    finally
        check(Lib.gpuarr_stream_set_current(stream.device.pointer, before[]))
        Lib.gpuarr_stream_release(before[])
    end
end

"""
    Event(device = Device(); timing = true)

A point in a stream: [`GPUArr.record`](@ref) puts it there. Without `timing` it knows no time, which
costs less. Any task may use one; record it in one at a time.
"""
mutable struct Event
    pointer::Ptr{Lib.gpuarr_event}
    function Event(device::Device = Device(); timing::Bool = true)
        out = Ref{Ptr{Lib.gpuarr_event}}(C_NULL)
        check(Lib.gpuarr_event_create(out, device.pointer, timing ? 0 : Lib.GPUARR_EVENT_NO_TIMING))
        finalizer(release!, new(out[]))
    end
end
release!(event::Event) = Lib.gpuarr_event_release(event.pointer)
Base.unsafe_convert(::Type{Ptr{Lib.gpuarr_event}}, event::Event) = event.pointer

"""
    GPUArr.record(event, stream = nothing)

Mark the end of all work given to the stream so far; `nothing` is the current one. Returns `event`.
"""
function record(event::Event, stream::AnyStream = nothing)
    GC.@preserve stream check(Lib.gpuarr_event_record(event, stream_pointer(stream)))
    event
end

"""
    GPUArr.wait_for(stream, event)

Let what is given to `stream` from now on run after the event's point, which may be on another
device. Returns at once.
"""
wait_for(stream::Stream, event::Event) = check(Lib.gpuarr_stream_wait(stream, event))

"""
    GPUArr.elapsed(start, stop)

Microseconds between two events that were recorded and reached, on one device.
"""
function elapsed(start::Event, stop::Event)
    out = Ref(0.0)
    check(Lib.gpuarr_event_elapsed(out, start, stop))
    out[]
end

"""
    GPUArr.isdone(stream), GPUArr.isdone(event)

Ask whether the stream's work is done, or the event reached, without waiting.
"""
function isdone(stream::Stream)
    out = Ref(Int32(0))
    check(Lib.gpuarr_stream_query(out, stream))
    out[] == 1
end
function isdone(event::Event)
    out = Ref(Int32(0))
    check(Lib.gpuarr_event_query(out, event))
    out[] == 1
end

"""
    synchronize(device = Device()), synchronize(stream), synchronize(event)

Wait until all work given to the device or the stream is done, or the event reached, and throw what
went wrong in it. The thread does nothing else meanwhile.
"""
synchronize(device::Device = Device()) = check(Lib.gpuarr_device_synchronize(device.pointer))
synchronize(stream::Stream) = check(Lib.gpuarr_stream_synchronize(stream))
synchronize(event::Event) = check(Lib.gpuarr_event_synchronize(event))
