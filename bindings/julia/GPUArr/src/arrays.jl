# Arrays on a device: made, asked, released.

# What the collector watches: an array's reference in the library. Finalizers may run between any
# two steps of a program, so all that this one does is to drop the reference, which waits for
# nothing.
mutable struct ArrayHandle
    pointer::Ptr{Lib.gpuarr_array}
    parts::Any                       # of an array of structs: its numbers, once they are asked for
    ArrayHandle(pointer) = finalizer(release!, new(pointer, nothing))
end
function release!(handle::ArrayHandle)
    pointer = handle.pointer
    handle.pointer = C_NULL
    handle.parts = nothing
    Lib.gpuarr_array_release(pointer)
end

"""
    GArray(a; device = Device())
    GArray{T}(a), GArray{T}(undef, dims...), GArray{T,N}(undef, dims)

An array of type `T` and `N` dimensions whose elements live on a device; see
[`GPUArr.Element`](@ref) for the types. `GArray(a)` copies an `Array`, a view of one, or any other
`AbstractArray` there, and `Array(g)` copies it back.

It is 1-based and column-major. Dotted expressions run on the device, each as one kernel; `view(g,
2:5, :)` is a `GArray` that looks at the same memory, as are `reshape`, `vec` and `transpose`.
Single elements are not read or written by accident: see [`allowscalar`](@ref).

The memory goes back when the collector finds that no reference to the array is left, or at once by
[`unsafe_free!`](@ref); work under way is still done. Arrays are not locked: tasks that write to one
need the program's care.
"""
struct GArray{T,N} <: AbstractArray{T,N}
    handle::ArrayHandle
    dims::NTuple{N,Int}
end

"""
    GPUArr.handle(x)

The library's `gpuarr_array*` of an array, valid as long as `x` (see `GC.@preserve`); an error if it
was released.
"""
@inline function handle(x::GArray)
    pointer = x.handle.pointer
    pointer == C_NULL && throw_released(x)
    pointer
end
@noinline throw_released(x) = throw(ArgumentError(
    "this $(summary_of(x)) was released by unsafe_free!: it cannot be used any more"))
summary_of(x) = string(Base.dims2string(size(x)), ' ', typeof(x))

Base.unsafe_convert(::Type{Ptr{Lib.gpuarr_array}}, x::GArray) = handle(x)
@inline argument(x::GArray) = Argument(handle(x), Int32(0), Int32(0), UInt64(0), UInt64(0))

# The array of a reference that the caller owns; its type is what the library says it is.
function owned(pointer::Ptr{Lib.gpuarr_array})
    dims = ntuple(k -> Int(unsafe_load(Lib.gpuarr_array_shape(pointer), k)),
        Int(Lib.gpuarr_array_ndim(pointer)))
    T = element_type(Lib.gpuarr_array_dtype(pointer))
    GArray{T,length(dims)}(ArrayHandle(pointer), dims)
end
owned(::Type{T}, dims::NTuple{N,Int}, pointer) where {T,N} =
    GArray{T,N}(ArrayHandle(pointer), dims)

allocate(::Type{T}, dims::NTuple{N,Int}, device::Device) where {T,N} =
    allocate_structs(T, dims, device)
function allocate(::Type{T}, dims::NTuple{N,Int}, device::Device) where {T<:Element,N}
    all(>=(0), dims) || throw(ArgumentError("sizes must be 0 or more: $dims"))
    out, number = Ref{Ptr{Lib.gpuarr_array}}(C_NULL), dtype(T)
    count_taken(prod(dims) * sizeof(T))
    sizes, status = Int64[dims...], Lib.GPUARR_OK
    # Another thread may take what the collector has freed before this one comes to it.
    for _ in 1:(Threads.nthreads() == 1 ? 1 : 10)
        status = Lib.gpuarr_array_empty(out, device.pointer, number, N, sizes, Lib.GPUARR_ORDER_F,
            C_NULL)
        status == Lib.GPUARR_ERR_OUT_OF_MEMORY || break
    end
    check(status)
    owned(T, dims, out[])
end

GArray{T,N}(::UndefInitializer, dims::NTuple{N,Integer}; device::Device = Device()) where {T,N} =
    allocate(T, map(Int, dims), device)
GArray{T,N}(::UndefInitializer, dims::Vararg{Integer,N}; kw...) where {T,N} =
    GArray{T,N}(undef, dims; kw...)
GArray{T}(::UndefInitializer, dims::NTuple{N,Integer}; kw...) where {T,N} =
    GArray{T,N}(undef, dims; kw...)
GArray{T}(::UndefInitializer, dims::Integer...; kw...) where {T} = GArray{T}(undef, dims; kw...)

"""
    unsafe_free!(x)

Release an array now: its memory is reused once work under way is done. Arrays that look at the same
memory go on. Using `x` afterwards is an error; releasing it again does nothing.
"""
unsafe_free!(x::GArray) = finalize(x.handle)

"""
    device(x)

The device that an array lives on.
"""
device(x::GArray) = Device(Lib.gpuarr_array_device(x))

Base.size(x::GArray) = x.dims
Base.IndexStyle(::Type{<:GArray}) = IndexLinear()
Base.elsize(::Type{<:GArray{T}}) where {T} = sizeof(T)

"""
    strides(x), pointer(x)

Strides of an array's memory, in elements, and the address of its first element, on its device.
"""
Base.strides(x::GArray{T,N}) where {T,N} = GC.@preserve x begin
    values = Lib.gpuarr_array_strides(handle(x))
    ntuple(k -> Int(unsafe_load(values, k)), Val(N))
end
Base.pointer(x::GArray{T}) where {T} = Ptr{T}(Lib.gpuarr_array_data(x))

Base.similar(x::GArray, ::Type{T}, dims::Dims{N}) where {T,N} = allocate(T, dims, device(x))

function filled(f, ::Type{T}, dims::NTuple{N,Integer}, device::Device) where {T,N}
    x = GArray{T}(undef, dims; device = device)
    f(x)
    x
end

"""
    GPUArr.zeros(T = Float64, dims...; device = Device())
    GPUArr.ones(T = Float64, dims...; device = Device())
    GPUArr.fill(value, dims...; device = Device())

Arrays of one value.
"""
zeros(::Type{T}, dims::NTuple{N,Integer}; device::Device = Device()) where {T,N} =
    filled(x -> fill!(x, zero(T)), T, dims, device)
zeros(::Type{T}, dims::Integer...; kw...) where {T} = zeros(T, dims; kw...)
zeros(dims::Integer...; kw...) = zeros(Float64, dims; kw...)

ones(::Type{T}, dims::NTuple{N,Integer}; device::Device = Device()) where {T,N} =
    filled(x -> fill!(x, one(T)), T, dims, device)
ones(::Type{T}, dims::Integer...; kw...) where {T} = ones(T, dims; kw...)
ones(dims::Integer...; kw...) = ones(Float64, dims; kw...)

fill(value::T, dims::NTuple{N,Integer}; device::Device = Device()) where {T<:Element,N} =
    filled(x -> fill!(x, value), T, dims, device)
fill(value::Element, dims::Integer...; kw...) = fill(value, dims; kw...)
