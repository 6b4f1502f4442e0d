# Cumulative sums and the like along a dimension.

scan_axis(x, dims) = one_axis(x, dims)
scan_axis(x, ::Nothing) = ndims(x) == 1 ? Int32(0) : throw(ArgumentError(
    "$(summary_of(x)) has several dimensions: say by dims along which one"))

# What the library has ready-made, for the types that it gives the same results for.
ready_scan(op) = nothing
ready_scan(::Union{typeof(+),typeof(Base.add_sum)}) = Lib.gpuarr_cumsum
ready_scan(::Union{typeof(*),typeof(Base.mul_prod)}) = Lib.gpuarr_cumprod
ready_scan(::typeof(max)) = Lib.gpuarr_cummax
ready_scan(::typeof(min)) = Lib.gpuarr_cummin
ready_type(op, ::Type{T}) where {T} =
    op in (max, min) ? T : T <: Union{Bool,Signed} ? Int64 : T <: Unsigned ? UInt64 : T

function scan!(z::GArray{R}, op, x::GArray{T}, dims) where {R,T}
    size(z) == size(x) || throw(DimensionMismatch(
        "a scan of size $(size(x)) does not go into an array of size $(size(z))"))
    axis = scan_axis(x, dims)
    call = T <: Element ? ready_scan(op) : nothing
    call === nothing || ready_type(op, T) !== R ? run_scan!(z, op, x, axis) :
        check(call(given(z), x, axis, 0, C_NULL))
    z
end

# Of an operator that is traced: result k is op(result k - 1, x[k]).
function run_scan!(z::GArray{R}, op::O, x::GArray{T,N}, axis) where {R,O,T,N}
    slot, tree = slot_of(Tuple{Scanned,O,T,R}), as_tree(identity, x)
    isready(slot) || prepare_scan!(slot, op, tree, R)
    (arguments, _), outputs = leaf_arguments(tree, Val(N)), outputs_of(z)
    inputs, list = Ref(arguments), Ref(outputs)
    check(GC.@preserve x z inputs list Lib.gpuarr_scan_call(Ptr{Lib.gpuarr_scan}(slot.pointer),
        Ptr{Ptr{Lib.gpuarr_array}}(Base.unsafe_convert(Ptr{typeof(outputs)}, list)),
        Int32(length(outputs)),
        Ptr{Lib.gpuarr_arg}(Base.unsafe_convert(Ptr{typeof(arguments)}, inputs)),
        Int32(length(arguments)), axis, Int32(0), C_NULL))
end
struct Scanned end

function prepare_scan!(slot::Slot, @nospecialize(op), @nospecialize(tree), @nospecialize(R))
    R <: Element || is_partial_type(R) || refuse_reduced(op, Any[R, R], R, R)
    world, outer = Base.get_world_counter(), begin_trace()
    try
        walk = Walk()
        write_scan(slot, walk, reduction_text(walk, op, tree, R, nothing, keep), world)
    finally
        end_trace(outer)
    end
end
function write_scan(slot::Slot, walk::Walk, text::ReductionText, world::UInt)
    fill_slot!(slot, "scan " * whole_text(text), walk, world, release_scan) do
        out = Ref{Ptr{Lib.gpuarr_scan}}(C_NULL)
        with_options(name = "accumulate", preamble = text.preamble,
                     reduce_type = text.partial) do options
            check(Lib.gpuarr_scan_create(out, text.inputs, text.output, text.map,
                "julia_combine(a, b)", text.post, C_NULL, options))
        end
        out[]
    end
end
release_scan(pointer) = Lib.gpuarr_scan_release(Ptr{Lib.gpuarr_scan}(pointer))

"""
    accumulate(op, x; dims), cumsum(x; dims), cumprod(x; dims), and with a `!` into a given array

Running results along a dimension, which a vector need not name, by one kernel; elements and `op`
may be what they may for `mapreduce`. `op` must be associative, and is taken to be: the order of
operations is not said. It need not be commutative.
"""
function Base.accumulate(op, x::GArray{T}; dims = nothing, init = NoStart()) where {T}
    result = scan!(similar(x, reduced_type(op, T, T)), op, x, dims)
    init isa NoStart ? result : op.(init isa Number ? init : Ref(init), result)
end
Base.accumulate!(op, z::GArray, x::GArray; dims = nothing) = scan!(z, op, x, dims)
Base.accumulate!(op, z::BlockedArray, x::BlockedArray; dims = nothing) = scan!(z, op, x, dims)
for (f, op) in ((:cumsum, :(Base.add_sum)), (:cumprod, :(Base.mul_prod)))
    f! = Symbol(f, :!)
    @eval Base.$f(x::GArray; dims = nothing) = accumulate($op, x; dims = dims)
    @eval Base.$f(x::GVector; dims = 1) = accumulate($op, x; dims = dims)
    @eval Base.$f!(z::GArray, x::GArray; dims = nothing) = scan!(z, $op, x, dims)
    @eval Base.$f!(z::GVector, x::GVector; dims = 1) = scan!(z, $op, x, dims)
    @eval Base.$f(x::BlockedArray; dims = nothing) = accumulate($op, x; dims = dims)
    @eval Base.$f!(z::BlockedArray, x::BlockedArray; dims = nothing) = scan!(z, $op, x, dims)
end

"""
    GPUArr.exclusive(op, x; dims)

The same without each element's own: the first result is that of no elements. `op` is `+`, `*`,
`max` or `min`.
"""
function exclusive(op, x::GArray{T}; dims = nothing) where {T}
    call = ready_scan(op)
    call === nothing && throw(ArgumentError("exclusive: op is $(function_name(op)); it takes +, " *
        "*, max and min, and a ScanKernel any text"))
    made(out -> call(out, x, scan_axis(x, dims), 1, C_NULL))
end

"""
    ScanKernel(in_params, out_params, map, reduce, post, identity = nothing;
               name, preamble, reduce_type, options)

A kernel of running results along a dimension, whose texts are those of [`ReductionKernel`](@ref):

    sums = ScanKernel("T x, T y", "T z", "x * y", "a + b", "z = a", "0")
    sums(x, y; dims = 1)

`reduce` need not be commutative.

    kernel(inputs...; dims = 1, exclusive = false, out = nothing, stream = nothing)

runs it; `exclusive` results leave their own element out, and the first is `post` of `identity`. Any
task may call it.
"""
mutable struct ScanKernel
    pointer::Ptr{Lib.gpuarr_scan}
    name::String
    inputs::Int
    outputs::Int
    function ScanKernel(in_params::AbstractString, out_params::AbstractString,
                        map::AbstractString, reduce::AbstractString, post::AbstractString,
                        identity::Union{AbstractString,Nothing} = nothing;
                        name::AbstractString = "scan", kw...)
        out = Ref{Ptr{Lib.gpuarr_scan}}(C_NULL)
        with_options(; name = name, kw...) do options
            check(Lib.gpuarr_scan_create(out, in_params, out_params, map, reduce, post,
                identity === nothing ? C_NULL : identity, options))
        end
        finalizer(release!, new(out[], name, length(raw_parameters(in_params)),
            length(raw_parameters(out_params))))
    end
end
release!(kernel::ScanKernel) = Lib.gpuarr_scan_release(kernel.pointer)

function (kernel::ScanKernel)(inputs...; dims::Integer = 1, exclusive::Bool = false, out = nothing,
                              stream::AnyStream = nothing)
    check_count("inputs", kernel.name, length(inputs), kernel.inputs)
    arrays = as_tuple(out)
    isempty(arrays) || check_count("outputs", kernel.name, length(arrays), kernel.outputs)
    outputs = isempty(arrays) ? Base.fill(Ptr{Lib.gpuarr_array}(C_NULL), kernel.outputs) :
        Ptr{Lib.gpuarr_array}[handle(x) for x in arrays]
    with_arguments(inputs, Base.fill(false, length(inputs)), arrays) do arguments, _
        GC.@preserve kernel stream check(Lib.gpuarr_scan_call(kernel.pointer, outputs,
            length(outputs), arguments, length(inputs), dims - 1, exclusive,
            stream_pointer(stream)))
    end
    results(out, outputs)
end

"""
    diff(x; dims)

Differences of neighbours along a dimension.
"""
Base.diff(x::GArray; dims = nothing) = differences(x, scan_axis(x, dims))
Base.diff(x::GVector; dims = 1) = differences(x, scan_axis(x, dims))
differences(x::GArray{Bool}, axis) = differences(Int.(x), axis)
differences(x::GArray, axis) = made(out -> Lib.gpuarr_diff(out, x, 1, axis, C_NULL))
