# Reductions of blocked arrays: each block by itself, partial results combined in the blocks' order,
# so that bits do not depend on the number of places.

# By C's name. With dims the result is in one block on every place, otherwise a number.
function reduce_blocks(name, x::BlockedArray, dims, fast::Bool = false; ddof = 0.0)
    axes, count, keepdims = axis_list(dims, ndims(x))
    out = BlockedPlace(C_NULL)
    check(x.team, Lib.gpuarr_blocked_reduce(out, name, x, axes, count, keepdims, ddof,
        fast ? Lib.GPUARR_REDUCE_FAST : Int32(0)))
    as_result(owned(out[], x.team, no_ghosts(ndims(x))), dims)
end
as_result(x::BlockedArray, dims) = x
function as_result(x::BlockedArray, ::Colon)
    value = read_slab(x, (), -1)[]
    unsafe_free!(x)
    value
end

"""
    sum(x; dims = :, fast = false), prod, maximum, minimum, any, all, count, mean, var, std, norm,
    argmax, argmin, extrema, mapreduce(f, op, x, y...; dims = :, init), sum(f, x), x == y

Reductions of a [`BlockedArray`](@ref). Collective: every process gets the number, or with `dims` a
blocked array of one block, which every place has. Bits depend on the blocks, not on how many places
have them; `fast` lets GPUs combine large sums, products, extrema and means by NCCL, in an order of
its own. A [`ReductionKernel`](@ref) takes blocked arrays, too.
"""
Base.sum(x::BlockedArray; dims = :, fast::Bool = false) = reduce_blocks("sum", x, dims, fast)
Base.prod(x::BlockedArray; dims = :, fast::Bool = false) = reduce_blocks("prod", x, dims, fast)
Base.maximum(x::BlockedArray; dims = :, fast::Bool = false) = reduce_blocks("max", x, dims, fast)
Base.minimum(x::BlockedArray; dims = :, fast::Bool = false) = reduce_blocks("min", x, dims, fast)
Statistics.mean(x::BlockedArray; dims = :, fast::Bool = false) =
    reduce_blocks("mean", x, dims, fast)
Base.any(x::BlockedArray{Bool}; dims = :) = reduce_blocks("any", x, dims)
Base.all(x::BlockedArray{Bool}; dims = :) = reduce_blocks("all", x, dims)
Base.count(x::BlockedArray{Bool}; dims = :) = reduce_blocks("count_nonzero", x, dims)
Base.extrema(x::BlockedArray) = (minimum(x), maximum(x))
Statistics.var(x::BlockedArray; dims = :, corrected::Bool = true) =
    reduce_blocks("var", x, dims; ddof = Float64(corrected))
Statistics.std(x::BlockedArray; dims = :, corrected::Bool = true) =
    reduce_blocks("std", x, dims; ddof = Float64(corrected))
function LinearAlgebra.norm(x::BlockedArray, p::Real = 2)
    names = Dict(1 => "norm_1", 2 => "norm_2", Inf => "norm_inf")
    haskey(names, p) || throw(ArgumentError("norm: p is $p; blocked arrays have 1, 2 and Inf"))
    reduce_blocks(names[p], x, :)
end
LinearAlgebra.dot(x::BlockedArray, y::BlockedArray) =
    mapreduce((a, b) -> conj(a) * b, Base.add_sum, x, y)

# C counts in its own order, which is by columns where axes are reversed.
for (f, name) in ((:argmax, "argmax"), (:argmin, "argmin"))
    @eval function Base.$f(x::BlockedArray)
        turned = PermutedDimsArray(x, ndims(x):-1:1)
        k = reduce_blocks($name, turned, :) + 1
        unsafe_free!(turned)
        ndims(x) == 1 ? Int(k) : CartesianIndices(size(x))[k]
    end
end

for (f, op) in ((:sum, :(Base.add_sum)), (:prod, :(Base.mul_prod)), (:maximum, :max),
                (:minimum, :min), (:any, :|), (:all, :&), (:count, :(Base.add_sum)))
    @eval Base.$f(f::Base.Callable, x::BlockedArray; dims = :) =
        mapreduced(f, $op, NoStart(), dims, x)
end
Base.mapreduce(f, op, x::BlockedArray; dims = :, init = NoStart()) =
    mapreduced(f, op, init, dims, x)
function Base.mapreduce(f, op, x::BlockedArray, others::BlockedArray...; dims = :,
                        init = NoStart())
    same_size(x, others...)
    mapreduced(f, op, init, dims, x, others...)
end
Base.:(==)(x::BlockedArray, y::BlockedArray) = size(x) == size(y) && mapreduce(==, &, x, y)
Base.isequal(x::BlockedArray, y::BlockedArray) = size(x) == size(y) && mapreduce(isequal, &, x, y)
Base.hash(x::BlockedArray, h::UInt) = hash(objectid(x.handle), h)

@generated function whole_arguments(tree)
    parts = []
    visit_leaves(tree, :tree) do kind, T, path
        push!(parts, T <: BlockedArray ? :(blocked_argument(handle($path))) : :(argument($path)))
    end
    Expr(:tuple, parts...)
end

# The kernel of a mapreduce.
function reduce_tree(op::O, tree::Broadcasted{BlockedStyle{N}}, ::Type{R}, start::I, post::P,
                     dims) where {O,N,R,I,P}
    axes = axis_list(dims, N)
    start === nothing && check_elements(map(length, tree.axes), dims)
    R <: Element || throw(ArgumentError("blocked arrays reduce to numbers, not to a $R"))
    slot = slot_of(Tuple{O,typeof(tree),R,I,P})
    isready(slot) || prepare_reduction!(slot, op, tree, R, start, post)
    x = blocked_leaves(tree)[1]
    arguments = Argument[whole_arguments(tree)..., part_arguments(start)...]
    as_result(GC.@preserve(tree, run_blocked(Ptr{Lib.gpuarr_reduction}(slot.pointer), x, (), 1,
        arguments, axes))[1], dims)
end

# The results of a kernel, of which some may be given.
function run_blocked(kernel::Ptr{Lib.gpuarr_reduction}, x::BlockedArray, given, count, arguments,
                     axes)
    outputs = isempty(given) ? Base.fill(Ptr{Lib.gpuarr_blocked}(C_NULL), count) :
        Ptr{Lib.gpuarr_blocked}[handle(z) for z in given]
    GC.@preserve arguments given check(x.team, Lib.gpuarr_blocked_reduction(kernel, outputs, count,
        Ptr{Lib.gpuarr_arg}(pointer(arguments)), length(arguments), axes...))
    isempty(given) ? [owned(pointer, x.team, no_ghosts(ndims(x))) for pointer in outputs] : given
end

whole_argument(x::BlockedArray) = blocked_argument(handle(x))
whole_argument(x) = argument(x)
argument(x::BlockedArray) = throw(ArgumentError("a kernel takes blocked arrays block by block: " *
    "map_blocks!(kernel, outputs, inputs...)"))

is_any_blocked() = false
is_any_blocked(x, more...) = x isa BlockedArray || is_any_blocked(more...)

function call_blocked(kernel::ReductionKernel, inputs, dims, out)
    x = inputs[findfirst(x -> x isa BlockedArray, inputs)]
    given = out === nothing ? () : as_outputs(out)
    isempty(given) || check_count("outputs", kernel.name, length(given), kernel.outputs)
    arguments = Argument[whole_argument(x) for x in inputs]
    results = GC.@preserve kernel inputs run_blocked(kernel.pointer, x, given, kernel.outputs,
        arguments, axis_list(dims, ndims(x)))
    out === nothing || return out
    values = Tuple(as_result(z, dims) for z in results)
    length(values) == 1 ? values[1] : values
end
