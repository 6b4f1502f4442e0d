# Dotted expressions of blocked arrays: one kernel, called for each block.

"""
    GPUArr.BlockedStyle{N}

The broadcasting style of [`BlockedArray`](@ref)s.
"""
struct BlockedStyle{N} <: Broadcast.AbstractArrayStyle{N} end
BlockedStyle(::Val{N}) where {N} = BlockedStyle{N}()
BlockedStyle{M}(::Val{N}) where {M,N} = BlockedStyle{N}()
Broadcast.BroadcastStyle(::Type{<:BlockedArray{T,N}}) where {T,N} = BlockedStyle{N}()
Broadcast.BroadcastStyle(::BlockedStyle{M}, ::GStyle{N}) where {M,N} = BlockedStyle{max(M, N)}()
Broadcast.broadcastable(x::BlockedArray) = x

const BlockedTree = Broadcasted{<:BlockedStyle}

# Arrays go to C with their axes in reverse, so that dimensions match from the first; `made` is to
# be released.
@generated function blocked_arguments(tree, made)
    parts = []
    visit_leaves(tree, :tree) do kind, T, path
        push!(parts, kind === :array ? :(reversed_argument($path, made)) : :(argument($path)))
    end
    Expr(:tuple, parts...)
end
blocked_argument(pointer) =
    Argument(C_NULL, Int32(0), Lib.GPUARR_ARG_BLOCKED, UInt64(UInt(pointer)), UInt64(0))
reversed_argument(x::BlockedArray, made) = blocked_argument(axes_reversed(x))
function reversed_argument(x::GArray, made)
    push!(made, backwards_view(x))
    Argument(last(made), Int32(0), Int32(0), UInt64(0), UInt64(0))
end
start_argument(d, N) =
    Argument(C_NULL, Int32(0), Lib.GPUARR_ARG_BLOCK_START, UInt64(N - d), UInt64(0))

# The dimensions of ranges in a tree: their elements are those of the whole, so the kernel asks
# where its block starts.
@generated range_dims(tree) = Tuple(sort!(unique(dims_of_ranges(tree))))
function dims_of_ranges(T)
    T <: Broadcasted && return Int[d for A in T.parameters[4].parameters for d in dims_of_ranges(A)]
    is_bits_range(T) ? [1] : T <: RowRange ? [2] : Int[]
end

function prepare_blocked!(slot::Slot, @nospecialize(T), @nospecialize(tree), N::Int)
    world, outer = Base.get_world_counter(), begin_trace()
    try
        walk = Walk()
        last_statement = stored(T, trace(walk, tree))::String
        check_parameters(walk, T)
        dims = range_dims(tree)
        append!(walk.parameters, [string("int64 start", d) for d in dims])
        for d in reverse(dims)
            pushfirst!(CURRENT[].statements, string("const int64 axis", d, " = start", d,
                " + _ind.get()[", N - d, "] + 1;"))
        end
        empty!(walk.axes)
        write_elementwise(slot, walk, output_list(T), last_statement, world)
    finally
        end_trace(outer)
    end
end

struct OfBlocks end

function run!(z::BlockedArray{T,N}, tree::B) where {T,N,B}
    slot = slot_of(Tuple{OfBlocks,T,B})
    isready(slot) || prepare_blocked!(slot, T, tree, N)
    made = Ptr{Lib.gpuarr_array}[]
    try
        arguments = (blocked_arguments(tree, made)...,
            map(d -> start_argument(d, N), range_dims(tree))...)
        inputs, outputs = Ref(arguments), Ref(axes_reversed(z))
        check(z.team, GC.@preserve z tree inputs Lib.gpuarr_map_blocks_elementwise(
            Ptr{Lib.gpuarr_elementwise}(slot.pointer), outputs, Int32(1),
            Ptr{Lib.gpuarr_arg}(Base.unsafe_convert(Ptr{typeof(arguments)}, inputs)),
            Int32(length(arguments))))
    finally
        foreach(Lib.gpuarr_array_release, made)
    end
    z
end

Base.copyto!(z::BlockedArray, tree::BlockedTree) = run!(z, tree)
Base.copyto!(z::BlockedArray, tree::Broadcasted{<:GStyle}) = run!(z, tree)
Base.copyto!(z::BlockedArray, tree::Broadcasted{<:Broadcast.DefaultArrayStyle}) = run!(z, tree)
Base.copyto!(z::BlockedArray, tree::Broadcasted{<:Broadcast.DefaultArrayStyle{0}}) =
    tree.f === identity && tree.args isa Tuple{Number} ? fill!(z, tree.args[1]) : run!(z, tree)
Base.copyto!(a::AbstractArray, tree::BlockedTree) = copyto!(a, copy(tree))

# A new array has the blocks of the operand that is as large and in the most blocks.
@generated function blocked_leaves(tree)
    leaves = []
    visit_leaves(tree, :tree) do kind, T, path
        T <: BlockedArray && push!(leaves, path)
    end
    Expr(:vect, leaves...)
end
function Base.similar(tree::BlockedTree, ::Type{T}) where {T}
    dims = map(length, axes(tree))
    like = filter(x -> size(x) == dims, blocked_leaves(tree))
    isempty(like) &&
        throw(ArgumentError(string("no operand of this dotted expression has the size ",
        dims, " of its result, so nothing says in which blocks that is: give it, by z .= ...")))
    similar(like[argmax([prod(grid(x)) for x in like])], T)
end
Base.copy(tree::BlockedTree) = run!(similar(tree, mapped_type(tree)), tree)

Base.map(f, x::BlockedArray, others::BlockedArray...) = f.(x, same_size(x, others...)...)
Base.map!(f, z::BlockedArray, x::BlockedArray, others::BlockedArray...) =
    (z .= f.(x, same_size(x, others...)...))
