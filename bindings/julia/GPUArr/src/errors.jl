# What a call that failed throws.

"""
    GPUArrError(status, message, native)

A call of the library that failed. `status` is one of `GPUArr.Lib.GPUARR_ERR_...`, an open set;
`message` is all that the library says: the function, the argument, the values, of a text that does
not compile your lines; `native` is the driver's or the system's own code, 0 where there is none.
"""
struct GPUArrError <: Exception
    status::Int32
    message::String
    native::Int32
end

status_name(status) = unsafe_string(Lib.gpuarr_status_name(status))

function Base.showerror(io::IO, problem::GPUArrError)
    print(io, "GPUArrError: ", problem.message, " (", status_name(problem.status))
    problem.native == 0 || print(io, ", native code ", problem.native)
    print(io, ')')
end

@noinline throw_last(status) =
    throw(GPUArrError(status, unsafe_string(Lib.gpuarr_last_error()),
        Lib.gpuarr_last_native_error()))

@inline check(status::Int32) = status == Lib.GPUARR_OK ? nothing : throw_last(status)

"""
    GPUArr.live_objects()

Count the library's objects that are not released: arrays, kernels, streams and so on, those
included that the collector has yet to find. Any task may call it.
"""
live_objects() = Lib.gpuarr_live_objects()

"""
    GPUArr.version()

The version of the library that was opened.
"""
version() = VersionNumber(unsafe_string(Lib.gpuarr_version()))
