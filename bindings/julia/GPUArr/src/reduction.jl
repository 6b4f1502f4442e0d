# Reduction kernels of the user's own text.

"""
    ReductionKernel(in_params, out_params, map, reduce, post, identity = nothing;
                    name, preamble, reduce_type, commutative = true, options)

A kernel that maps every element, combines the results and post-processes what is left, such as

    mse = ReductionKernel("T x, T y", "float64 mse", "(x - y) * (x - y)", "a + b", "mse = a / n")
    mse(x, y)

`map` is an expression of an element of each input, `reduce` one of `a` and `b`, `post` sets the
outputs from `a`; all see `n`, the number of elements. `identity` enters each result once; without
one, no elements have no result. Partial results have the first output's type, or `reduce_type`.

    kernel(inputs...; dims = :, out = nothing, stream = nothing)

reduces along `dims`, a number or several, which stay with size 1, as in Julia. With `dims = :`
the result is a number, or a tuple of them; given as `out` (an array, or a tuple of arrays: of no
dimensions for `dims = :`) results stay on the device, and nothing is waited for. Any task may
call it.
"""
mutable struct ReductionKernel
    pointer::Ptr{Lib.gpuarr_reduction}
    name::String
    raw_inputs::Vector{Bool}
    outputs::Int
    function ReductionKernel(in_params::AbstractString, out_params::AbstractString,
                             map::AbstractString, reduce::AbstractString, post::AbstractString,
                             identity::Union{AbstractString,Nothing} = nothing;
                             name::AbstractString = "reduction", kw...)
        out = Ref{Ptr{Lib.gpuarr_reduction}}(C_NULL)
        with_options(; name = name, kw...) do options
            check(Lib.gpuarr_reduction_create(out, in_params, out_params, map, reduce, post,
                identity === nothing ? C_NULL : identity, options))
        end
        finalizer(release!, new(out[], name, raw_parameters(in_params),
            length(raw_parameters(out_params))))
    end
end
release!(kernel::ReductionKernel) = Lib.gpuarr_reduction_release(kernel.pointer)

# Axes of the library that `dims` are, in arrays of so many dimensions; those beyond are of size 1.
axis_list(::Colon, ndim) = Int32[], Lib.GPUARR_ALL_AXES, Int32(0)
function axis_list(dims, ndim)
    all(d -> d isa Integer && d >= 1, dims) || throw(ArgumentError(
        "dims = $dims: dimensions are whole numbers from 1, or : for all"))
    allunique(dims) || throw(ArgumentError("dims = $dims names a dimension twice"))
    axes = Int32[d - 1 for d in dims if d <= ndim]
    # A list without entries has an address too: NULL would stand for all.
    isempty(axes) ? Int32[0] : axes, Int32(length(axes)), Int32(1)
end

function (kernel::ReductionKernel)(inputs...; dims = :, out = nothing, stream::AnyStream = nothing)
    check_count("inputs", kernel.name, length(inputs), length(kernel.raw_inputs))
    is_any_blocked(inputs...) && return call_blocked(kernel, inputs, dims, out)
    given = as_tuple(out)
    isempty(given) || check_count("outputs", kernel.name, length(given), kernel.outputs)
    outputs = isempty(given) ? Base.fill(Ptr{Lib.gpuarr_array}(C_NULL), kernel.outputs) :
        Ptr{Lib.gpuarr_array}[handle(x) for x in given]
    ndim = largest(Int[ndims(x) for (x, raw) in zip(inputs, kernel.raw_inputs)
                       if x isa GArray && !raw])
    axes, count, keep = axis_list(dims, ndim)
    with_arguments(inputs, kernel.raw_inputs, ()) do arguments, _
        GC.@preserve kernel stream given check(Lib.gpuarr_reduction_call(kernel.pointer, outputs,
            length(outputs), arguments, length(inputs), axes, count, keep, stream_pointer(stream)))
    end
    out === nothing || return out
    dims isa Colon ? numbers(results(nothing, outputs)) : results(nothing, outputs)
end

# Results without dimensions as numbers; their arrays are of no use any more.
numbers(x::Tuple) = map(numbers, x)
function numbers(x::GArray{T,0}) where {T}
    value = number(x)
    unsafe_free!(x)
    value
end
