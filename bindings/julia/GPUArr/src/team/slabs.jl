# Elements of blocked arrays: read, written, set, and moved to other blocks.

# A slab's first indices and those behind its last, from 0, and its shape without dropped
# dimensions.
function slab(x::BlockedArray{T,N}, indices) where {T,N}
    length(indices) == N || throw(ArgumentError(
        "$(length(indices)) indices for $(summary_of(x)), which has $N dimensions"))
    all(index -> index isa Union{Integer,AbstractUnitRange{<:Integer},Colon}, indices) ||
        throw(ArgumentError("blocked arrays take numbers, ranges with a step of 1 and colons as " *
            "indices, not $(map(typeof, indices))"))
    ranges = map((i, axis) -> i isa Colon ? axis : i isa Integer ? (i:i) : i, indices, axes(x))
    all(d -> checkindex(Bool, axes(x, d), ranges[d]), 1:N) || throw(BoundsError(x, indices))
    kept = Tuple(length(ranges[d]) for d in 1:N if !(indices[d] isa Integer))
    Int64[first(r) - 1 for r in ranges], Int64[last(r) for r in ranges], map(length, ranges), kept
end

# All of it without indices.
function read_slab(x::BlockedArray{T,N}, indices, place) where {T,N}
    start, stop, dims, kept = slab(x, isempty(indices) ? ntuple(_ -> :, N) : indices)
    is_here = place == -1 || place in local_places(x.team)
    a = Array{T,N}(undef, is_here ? dims : zeros_of(dims))
    # One stride at least: NULL would say C's order.
    GC.@preserve a check(x.team, Lib.gpuarr_blocked_read(pointer(a), sizeof(a),
        [strides_vector(a); Int64(1)], x, start, stop, place))
    is_here ? (N == length(kept) ? a : reshape(a, kept)) : nothing
end
function write_slab!(x::BlockedArray{T,N}, a, indices, place) where {T,N}
    start, stop, dims, kept = slab(x, isempty(indices) ? ntuple(_ -> :, N) : indices)
    if place != -1 && !(place in local_places(x.team))
        check(x.team, Lib.gpuarr_blocked_write(x, start, stop, place, C_NULL, 0, C_NULL))
        return x
    end
    size(a) == kept || throw(DimensionMismatch(
        "an array of size $(size(a)) does not fit a part of size $kept"))
    host = converted(T, a)
    host isa Array || (host = host_copy(host))
    whole = reshape(host, dims)
    GC.@preserve whole check(x.team, Lib.gpuarr_blocked_write(x, start, stop, place,
        pointer(whole), sizeof(whole), [strides_vector(whole); Int64(1)]))
    x
end

"""
    x[1:10, :], x[3, :], x[1:10, :] = a, Array(x), copyto!(x, a), copyto!(a, x)

Read elements of a [`BlockedArray`](@ref) into an `Array`, or write them from one that all processes
have with equal contents. Collective: every process gets them. Indices are numbers, ranges and
colons. Single elements, `x[3, 5]`, must be allowed by [`@allowscalar`](@ref).
"""
Base.getindex(x::BlockedArray, indices...) = read_slab(x, indices, -1)
function Base.getindex(x::BlockedArray, indices::Integer...)
    check_scalar(x)
    read_slab(x, indices, -1)[]
end
Base.setindex!(x::BlockedArray, a::AbstractArray, indices...) = write_slab!(x, a, indices, -1)
function Base.setindex!(x::BlockedArray{T}, value, indices::Integer...) where {T}
    check_scalar(x)
    write_slab!(x, Base.fill(convert(T, value)), indices, -1)
end
Base.firstindex(x::BlockedArray, d::Integer) = 1
Base.lastindex(x::BlockedArray, d::Integer) = size(x, d)
Base.lastindex(x::BlockedArray) = length(x)
Base.iterate(x::BlockedArray, ::Any...) = throw(ArgumentError(
    "there are no loops over the elements of a blocked array: Array(x) reads all of them"))
Base.view(x::BlockedArray, ::Any...) = throw(ArgumentError(string("there are no views of parts of ",
    "blocked arrays: x[1:10, :] reads, x[1:10, :] = a writes, map_blocks! works block by block")))

"""
    GPUArr.gather(x, indices...; place = 0)
    GPUArr.scatter!(x, a, indices...; place = 0)

Read elements, all without indices, into an `Array` of the process that has a place; the others get
`nothing`. Or write them from an array of that process; what others give is ignored. Collective.
"""
gather(x::BlockedArray, indices...; place::Integer = 0) = read_slab(x, indices, Int32(place))
scatter!(x::BlockedArray, a, indices...; place::Integer = 0) =
    write_slab!(x, a, indices, Int32(place))

Base.Array(x::BlockedArray) = read_slab(x, (), -1)
Base.Array{T}(x::BlockedArray) where {T} = converted(T, Array(x))
Base.Array{T,N}(x::BlockedArray{<:Any,N}) where {T,N} = converted(T, Array(x))
Base.collect(x::BlockedArray) = Array(x)
Base.copyto!(x::BlockedArray, a::AbstractArray) = write_slab!(x, a, (), -1)
function Base.copyto!(a::AbstractArray, x::BlockedArray)
    size(a) == size(x) || throw(DimensionMismatch(
        "cannot copy $(summary_of(x)) into an array of size $(size(a))"))
    copyto!(a, Array(x))
end
Base.copyto!(to::BlockedArray, from::BlockedArray) = redistribute!(to, from)

function Base.fill!(x::BlockedArray{T}, value) where {T}
    check(x.team, Lib.gpuarr_blocked_fill(x, by_value(T, value)))
    x
end

"""
    GPUArr.arange!(x, start = 0, step = 1)

Set each element to `start + step * k`, k counting elements in columns of the whole from 0. Nothing
is sent.
"""
function arange!(x::BlockedArray, start = 0, step = 1)
    GC.@preserve x check(x.team, Lib.gpuarr_blocked_arange(axes_reversed(x), by_value(start),
        by_value(step)))
    x
end

"""
    redistribute!(to, from)

Copy a blocked array into one of the same size and type with other blocks, on other places of the
team. `copyto!(to, from)` is the same. Returns `to`.
"""
function redistribute!(to::BlockedArray, from::BlockedArray)
    check(to.team, Lib.gpuarr_redistribute(to, from))
    to
end

"""
    PermutedDimsArray(x, order), transpose(x), permutedims(x, order)

A [`BlockedArray`](@ref) with its dimensions in another order: `permutedims` is a copy, the others
are the same blocks on the same places, over the same memory. Nothing is sent.
"""
function Base.PermutedDimsArray(x::BlockedArray, order)
    N = ndims(x)
    isperm(order) && length(order) == N || throw(ArgumentError("$order is no permutation of 1:$N"))
    out = BlockedPlace(C_NULL)
    check(Lib.gpuarr_blocked_transpose(out, x, N, Int32[d - 1 for d in order]))
    owned(out[], x.team, ntuple(k -> x.handle.ghosts[order[k]], N))
end
Base.transpose(x::BlockedArray{T,2}) where {T} = PermutedDimsArray(x, (2, 1))
Base.permutedims(x::BlockedArray, order = ndims(x):-1:1) = copy(PermutedDimsArray(x, order))

"""
    update_halo!(x, y, ...)
    update_halo!(f, x, y, ...)

Bring the ghost cells of blocked arrays up to date, corners too; what was done before in the places'
streams is what neighbours see. With `f` they are under way while `f()` gives work on inner parts,
which may read the blocks, but neither write what neighbours are sent nor touch ghost cells:

    update_halo!(u) do
        map_blocks!(inner!, v, GPUArr.Halo(u))
    end
    map_blocks!(border!, v, GPUArr.Halo(u))
"""
function update_halo!(x::BlockedArray, more::BlockedArray...)
    for one in (x, more...)
        check(one.team, Lib.gpuarr_halo_exchange(one))
    end
end
function update_halo!(f, x::BlockedArray, more::BlockedArray...)
    for one in (x, more...)
        check(one.team, Lib.gpuarr_halo_begin(one))
    end
    try
        f()
    finally
        for one in (x, more...)
            check(one.team, Lib.gpuarr_halo_end(one))
        end
    end
end

const COMBINATIONS = Dict{Any,Int32}((+) => Lib.GPUARR_COMBINE_SUM, (*) => Lib.GPUARR_COMBINE_PROD,
    min => Lib.GPUARR_COMBINE_MIN, max => Lib.GPUARR_COMBINE_MAX)

"""
    all_reduce!(x, op = +)

Combine the copies that places have of a replicated array, element by element, so that each has the
result: `MPI.Allreduce!` by `+`, `*`, `min` or `max`. Returns `x`.
"""
function all_reduce!(x::BlockedArray, op = +)
    haskey(COMBINATIONS, op) || throw(ArgumentError("all_reduce! takes +, *, min or max, not $op"))
    check(x.team, Lib.gpuarr_all_reduce(x, COMBINATIONS[op]))
    x
end
