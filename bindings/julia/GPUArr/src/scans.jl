# Running sums and the like along a dimension.

scan_axis(x::GVector, ::Nothing) = Int32(0)
scan_axis(x::GArray, dims) = one_axis(x, dims)
scan_axis(x::GArray, ::Nothing) = throw(ArgumentError(
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
    call = ready_scan(op)
    call === nothing || ready_type(op, T) !== R ? run_scan!(z, op, x, axis) :
        check(call(given(z), x, axis, 0, C_NULL))
    z
end

# Of an operator that is traced: result k is op(result k - 1, x[k]).
function run_scan!(z::GArray{R}, op::O, x::GArray{T}, axis) where {R,O,T}
    slot, tree = slot_of(Tuple{Scanned,O,T,R}), as_tree(identity, x)
    isready(slot) || prepare_scan!(slot, op, tree, R)
    inputs, output = Ref(argument(x)), Ref(handle(z))
    check(GC.@preserve x z inputs Lib.gpuarr_scan_call(Ptr{Lib.gpuarr_scan}(slot.pointer), output,
        Int32(1), Ptr{Lib.gpuarr_arg}(Base.unsafe_convert(Ptr{Argument}, inputs)), Int32(1), axis,
        Int32(0), C_NULL))
end
struct Scanned end

function prepare_scan!(slot::Slot, @nospecialize(op), @nospecialize(tree), @nospecialize(R))
    world, outer, A = Base.get_world_counter(), begin_trace(), accumulator(R)
    try
        walk = Walk()
        preamble = reduction_preamble(walk, op, tree, A)::String
        write_scan(slot, walk, preamble, kernel_type(A), kernel_type(R), world)
    finally
        end_trace(outer)
    end
end
function write_scan(slot::Slot, walk::Walk, preamble, partial, result, world::UInt)
    names = join((last(split(parameter)) for parameter in walk.parameters), ", ")
    inputs, output = join(walk.parameters, ", "), result * " z"
    text = string("scan ", inputs, " -> ", output, '\n', preamble)
    fill_slot!(slot, text, walk, world, release_scan) do
        out = Ref{Ptr{Lib.gpuarr_scan}}(C_NULL)
        with_options(name = "accumulate", preamble = preamble, reduce_type = partial) do options
            check(Lib.gpuarr_scan_create(out, inputs, output, "julia_map($names)",
                "julia_combine(a, b)", "z = ($result)a;", C_NULL, options))
        end
        out[]
    end
end
release_scan(pointer) = Lib.gpuarr_scan_release(Ptr{Lib.gpuarr_scan}(pointer))

"""
    accumulate(op, x; dims), cumsum(x; dims), cumprod(x; dims), and with a `!` into a given array

Running results along a dimension, which a vector need not name, by one kernel; `op` is traced as
for `mapreduce`. It must be associative, and is taken to be: the order of operations is not said.
"""
function Base.accumulate(op, x::GArray{T}; dims = nothing) where {T}
    R = reduced_type(op, T, T)
    scan!(similar(x, R), op, x, dims)
end
Base.accumulate!(op, z::GArray, x::GArray; dims = nothing) = scan!(z, op, x, dims)
for (f, op) in ((:cumsum, :(Base.add_sum)), (:cumprod, :(Base.mul_prod)))
    f! = Symbol(f, :!)
    @eval Base.$f(x::GArray; dims = nothing) = accumulate($op, x; dims = dims)
    @eval Base.$f(x::GVector; dims = 1) = accumulate($op, x; dims = dims)
    @eval Base.$f!(z::GArray, x::GArray; dims = nothing) = scan!(z, $op, x, dims)
    @eval Base.$f!(z::GVector, x::GVector; dims = 1) = scan!(z, $op, x, dims)
end

"""
    diff(x; dims)

Differences of neighbours along a dimension.
"""
Base.diff(x::GArray; dims = nothing) = differences(x, scan_axis(x, dims))
Base.diff(x::GVector; dims = 1) = differences(x, scan_axis(x, dims))
differences(x::GArray{Bool}, axis) = differences(Int.(x), axis)
differences(x::GArray, axis) = made(out -> Lib.gpuarr_diff(out, x, 1, axis, C_NULL))
