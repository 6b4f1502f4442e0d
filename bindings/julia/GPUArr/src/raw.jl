# Raw kernels: __global__ functions as they are, launched with a grid and blocks.

"""
    RawModule(source; options, kernels, check = 0)
    RawModule(path = "file.cu"; ...)

CUDA C++ with kernels and variables of your own, or a file with it, or with PTX, a cubin or a
fatbin. `kernels` names instances of templates that are known in advance; `check` adds up
`GPUArr.Lib.GPUARR_CHECK_...`. It is compiled when a kernel is first used on a device.
`RawKernel(module, name)` is one of its kernels.
"""
mutable struct RawModule
    pointer::Ptr{Lib.gpuarr_module}
    RawModule(pointer::Ptr{Lib.gpuarr_module}) = finalizer(release!, new(pointer))
end
release!(code::RawModule) = Lib.gpuarr_module_release(code.pointer)

function RawModule(source::AbstractString; kw...)
    out = Ref{Ptr{Lib.gpuarr_module}}(C_NULL)
    with_options(options -> check(Lib.gpuarr_module_create(out, source, options)); kw...)
    RawModule(out[])
end
function RawModule(; path::AbstractString, kw...)
    out = Ref{Ptr{Lib.gpuarr_module}}(C_NULL)
    if isempty(kw)
        check(Lib.gpuarr_module_open(out, path, C_NULL))
    else
        with_options(options -> check(Lib.gpuarr_module_open(out, path, options)); kw...)
    end
    RawModule(out[])
end

"""
    GPUArr.variable(module, name, T; device = Device())

A `__device__` or `__constant__` variable of a module as a vector of elements of type `T`, over its
memory.
"""
function variable(code::RawModule, name::AbstractString, ::Type{T};
                  device::Device = Device()) where {T<:Element}
    out = Ref{Ptr{Lib.gpuarr_array}}(C_NULL)
    GC.@preserve code check(Lib.gpuarr_module_global(out, code.pointer, name, dtype(T),
        device.pointer))
    owned(out[])
end

"""
    RawKernel(source, name; params = nothing, options, check = 0)
    RawKernel(module, name; params = nothing)

A `__global__` function of CUDA C++, by its name or, of a template, by an expression such as
`"scale<float, 4>"`. `params`, such as `"const float* x, int n"`, is checked at each launch where
the code itself does not tell.

    kernel(args...; grid, block, shared = 0, stream = nothing)
    kernel(args...; elements, stream = nothing)

launches it: on `grid` blocks of `block` threads, a number or up to three, with `shared` bytes of
dynamic shared memory; or on at least `elements` threads. Arguments are `GArray`s (a pointer to
the first element, columns one after the other), [`ArrayView`](@ref)s, numbers of the parameter's
very type (`Int32(n)` for an `int`), structs of such, and `Ptr`s. Nothing is converted. Any task
may call it.
"""
mutable struct RawKernel
    pointer::Ptr{Lib.gpuarr_raw}
    name::String
    RawKernel(pointer::Ptr{Lib.gpuarr_raw}, name) = finalizer(release!, new(pointer, name))
end
release!(kernel::RawKernel) = Lib.gpuarr_raw_release(kernel.pointer)

or_null(text::AbstractString) = text
or_null(::Nothing) = C_NULL

function RawKernel(source::AbstractString, name::AbstractString; params = nothing, kw...)
    out = Ref{Ptr{Lib.gpuarr_raw}}(C_NULL)
    with_options(; kw...) do options
        check(Lib.gpuarr_raw_create(out, source, name, or_null(params), options))
    end
    RawKernel(out[], name)
end
function RawKernel(code::RawModule, name::AbstractString; params = nothing)
    out = Ref{Ptr{Lib.gpuarr_raw}}(C_NULL)
    GC.@preserve code check(Lib.gpuarr_module_kernel(out, code.pointer, name, or_null(params)))
    RawKernel(out[], name)
end

"""
    ArrayView(x)

An array for a raw kernel's parameter of type `gpuarr_view<T, NDIM>` (`#include <gpuarr.cuh>`),
which knows shape and strides: `x(i, j)` is the element at 0-based indices.
"""
struct ArrayView{T<:Union{GArray,BlockedArray,Halo}}
    x::T
end

three(n::Integer) = Int64[n, 1, 1]
three(n) = Int64[n..., ntuple(_ -> 1, 3 - length(n))...]

# Structs stay where they are until the launch has copied them.
raw_argument(x::Union{GArray,Element}, kept) = argument(x)
raw_argument(x::ArrayView, kept) = Argument(handle(x.x), Int32(0), Lib.GPUARR_ARG_VIEW, 0, 0)
raw_argument(x::Ptr, kept) = Argument(C_NULL, Int32(0), Lib.GPUARR_ARG_POINTER, UInt64(UInt(x)), 0)
function raw_argument(x::T, kept) where {T}
    isbitstype(T) && sizeof(T) > 0 || throw(ArgumentError(string("a raw kernel takes GArrays, ",
        "numbers, structs of numbers and pointers, not ", T,
        x isa AbstractArray ? ": GArray(a) copies it to a device" : "")))
    bytes = Ref(x)
    push!(kept, bytes)
    address = UInt(Base.unsafe_convert(Ptr{T}, bytes))
    Argument(C_NULL, Int32(0), Lib.GPUARR_ARG_BYTES, UInt64(address), UInt64(sizeof(T)))
end

function (kernel::RawKernel)(args...; grid = nothing, block = nothing, elements = nothing,
                             shared::Integer = 0, stream::AnyStream = nothing)
    (elements === nothing) == (grid !== nothing && block !== nothing) || throw(ArgumentError(
        "$(kernel.name): a launch takes either grid and block, or elements"))
    kept = Any[]
    arguments = Argument[raw_argument(x, kept) for x in args]
    GC.@preserve kernel args kept stream arguments begin
        values = Ptr{Lib.gpuarr_arg}(pointer(arguments))
        if elements === nothing
            check(Lib.gpuarr_raw_launch(kernel.pointer, three(grid), three(block), shared, values,
                length(args), stream_pointer(stream)))
        else
            check(Lib.gpuarr_raw_launch_1d(kernel.pointer, elements, values, length(args),
                stream_pointer(stream)))
        end
    end
    nothing
end
