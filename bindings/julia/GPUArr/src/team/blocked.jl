# Blocked arrays: made, asked, released.

# What the collector watches: the reference, and one to the array with its axes reversed, made when
# it is first asked for. Ghost cells are here since C's functions do not tell them.
mutable struct BlockedHandle
    pointer::Ptr{Lib.gpuarr_blocked}
    reversed::Ptr{Lib.gpuarr_blocked}
    ghosts::Any                      # for each dimension (low, high, are there any at the ends)
    BlockedHandle(pointer, ghosts) = finalizer(release!, new(pointer, C_NULL, ghosts))
end
function release!(handle::BlockedHandle)
    pointer, reversed = handle.pointer, handle.reversed
    handle.pointer = handle.reversed = C_NULL
    Lib.gpuarr_blocked_release(reversed)
    Lib.gpuarr_blocked_release(pointer)
end

"""
    BlockedArray{T,N}

An array in blocks, each of them a [`GArray`](@ref) on one place of a [`Team`](@ref); made by
[`blocked`](@ref) and [`adopt`](@ref). `size`, `axes`, `eltype` are of the whole.

Calls that work on elements are collective: every process of the team makes them, in the same order.
So it is no `AbstractArray`, whose loops, comparisons and printing would ask for one element after
the other, and wait for ever where one process alone prints something. Dotted expressions
(`z .= x .+ 2 .* y`), `sum` and the like, `map_blocks!`, `x[1:10, :]`, `Array(x)` and `copyto!` are
there. Printing tells the blocks only, and is not collective.
"""
struct BlockedArray{T,N}
    handle::BlockedHandle
    dims::NTuple{N,Int}
    team::Team
end
const BlockedVector{T} = BlockedArray{T,1}
const BlockedMatrix{T} = BlockedArray{T,2}

@inline function handle(x::BlockedArray)
    pointer = x.handle.pointer
    pointer == C_NULL && throw_released(x)
    pointer
end
Base.unsafe_convert(::Type{Ptr{Lib.gpuarr_blocked}}, x::BlockedArray) = handle(x)

# The same with axes in reverse: where C matches axes from the last, Julia does from the first.
function axes_reversed(x::BlockedArray{T,N}) where {T,N}
    N < 2 && return handle(x)
    if x.handle.reversed == C_NULL
        out = Ref{Ptr{Lib.gpuarr_blocked}}(C_NULL)
        check(Lib.gpuarr_blocked_transpose(out, x, 0, C_NULL))
        x.handle.reversed = out[]
    end
    x.handle.reversed
end

const BlockedPlace = Ref{Ptr{Lib.gpuarr_blocked}}

# The array of a reference that the caller owns.
function owned(pointer::Ptr{Lib.gpuarr_blocked}, team::Team, ghosts)
    N = Int(Lib.gpuarr_blocked_ndim(pointer))
    dims = ntuple(d -> Int(Lib.gpuarr_blocked_extent(pointer, d - 1)), N)
    T = element_type(Lib.gpuarr_blocked_dtype(pointer))
    BlockedArray{T,N}(BlockedHandle(pointer, ghosts), dims, team)
end
no_ghosts(N) = ntuple(_ -> (0, 0, true), N)

function made_blocked(call, team::Team, ghosts)
    out = BlockedPlace(C_NULL)
    check(team, call(out))
    x = owned(out[], team, ghosts)
    count_taken(sizeof(eltype(x)) * sum(Int[prod(map(length, r)) for r in local_ranges(x)]))
    x
end

const PLACEMENTS = (balanced = Lib.GPUARR_PLACEMENT_BALANCED, cyclic = Lib.GPUARR_PLACEMENT_CYCLIC,
    replicated = Lib.GPUARR_PLACEMENT_REPLICATED)
const BOUNDARIES = (none = Lib.GPUARR_BOUNDARY_NONE, periodic = Lib.GPUARR_BOUNDARY_PERIODIC,
    constant = Lib.GPUARR_BOUNDARY_CONSTANT, nearest = Lib.GPUARR_BOUNDARY_NEAREST,
    reflect = Lib.GPUARR_BOUNDARY_REFLECT)
function choice(what, values, name)
    name isa Symbol && haskey(values, name) && return values[name]
    throw(ArgumentError(
        "$what is $(repr(name)); give one of $(join(map(repr, keys(values)), ", "))"))
end

# One value for each dimension, or one for all.
each_dimension(what, x::Tuple, N) = length(x) == N ? x : throw(ArgumentError(
    "$what has $(length(x)) entries for $N dimensions; give one for each, or one for all"))
each_dimension(what, x, N) = ntuple(_ -> x, N)

# Calls f(options, ghosts).
function with_blocked_options(f, N; placement = :balanced, halo = 0, boundary = :none, fill = 0)
    out = Ref{Ptr{Lib.gpuarr_blocked_options}}(C_NULL)
    check(Lib.gpuarr_blocked_options_create(out))
    options = out[]
    try
        check(Lib.gpuarr_blocked_options_set_order(options, Lib.GPUARR_ORDER_F))
        if placement isa Symbol
            check(Lib.gpuarr_blocked_options_set_placement(options,
                choice("placement", PLACEMENTS, placement)))
        else                         # an array in the shape of the grid; C's order is rows
            owners = Int32[vec(permutedims(placement, ndims(placement):-1:1))...]
            check(Lib.gpuarr_blocked_options_set_owners(options, owners, length(owners)))
        end
        widths = map(w -> w isa Integer ? (w, w) : w, each_dimension("halo", halo, N))
        bounds = map(b -> choice("boundary", BOUNDARIES, b),
                     each_dimension("boundary", boundary, N))
        if any(w -> w != (0, 0), widths)
            check(Lib.gpuarr_blocked_options_set_halo(options, N, Int64[first.(widths)...],
                Int64[last.(widths)...], Int32[bounds...]))
        end
        fill == 0 || check(Lib.gpuarr_blocked_options_set_fill(options, by_value(fill)))
        f(options, ntuple(d -> (Int(widths[d][1]), Int(widths[d][2]),
            bounds[d] != Lib.GPUARR_BOUNDARY_NONE), N))
    finally
        Lib.gpuarr_blocked_options_release(options)
    end
end

"""
    blocked(T, team, dims; chunk = nothing, placement = :balanced, halo = 0, boundary = :none,
            fill = 0)
    blocked(a, team; ...)

Make a [`BlockedArray`](@ref) of uninitialized elements, or of an array that all processes have with
equal contents.

    x = blocked(Float32, team, (1000, 300); chunk = (400, 100))     # 3 × 3 blocks

`chunk` is the size of a block, the last of a dimension maybe smaller; without it the last dimension
is divided by the number of places. `placement` says who has which block: runs of equal length
(`:balanced`), one place after the other (`:cyclic`), every place all of them (`:replicated`), or an
array of places in the shape of the grid. Blocks are in the order of ranks in `MPI.Cart_create`: the
last dimension's come one after the other.

`halo` is how many ghost cells surround a block, for [`update_halo!`](@ref): a number, for each
dimension one, or `(low, high)`. `boundary` is what they hold beyond the ends, for all dimensions or
for each: nothing, since there are none (`:none`), elements of the other end (`:periodic`), the
value `fill` (`:constant`), the last element (`:nearest`), or the array backwards (`:reflect`).
"""
blocked(::Type{T}, team::Team, dims::Tuple{Vararg{Integer}}; chunk = nothing,
        kw...) where {T<:Element} =
    with_blocked_options(length(dims); kw...) do options, ghosts
        N = length(dims)
        sizes = chunk === nothing ? default_chunk(dims, length(team)) :
            each_dimension("chunk", chunk, N)
        made_blocked(team, ghosts) do out
            Lib.gpuarr_blocked_empty(out, team, dtype(T), N, Int64[dims...], Int64[sizes...],
                options)
        end
    end
blocked(T::Type, team::Team, dims::Tuple{Vararg{Integer}}; kw...) = dtype(T)
blocked(T::Type, team::Team, dims::Integer...; kw...) = blocked(T, team, dims; kw...)
blocked(a::AbstractArray{T}, team::Team; kw...) where {T} =
    copyto!(blocked(T, team, size(a); kw...), a)
default_chunk(dims, count) = ntuple(d -> d < length(dims) ? max(dims[d], 1) :
    max(cld(dims[d], count), 1), length(dims))

"""
    adopt(team, arrays...; grid = (1, ..., 1, length(team)), halo = 0, boundary = :none, fill = 0)

Make a [`BlockedArray`](@ref) of arrays that the places have already, without a copy: one for each
place of this process, ghost cells included. `grid` is the number of blocks along each dimension;
blocks are on places as in [`blocked`](@ref).

What [ImplicitGlobalGrid](https://github.com/eth-cscs/ImplicitGlobalGrid.jl) makes of local arrays
with an overlap of 2 is `adopt(team, A; grid = dims, halo = 1)`: at the ends of a dimension that is
not periodic the outermost cells are no ghost cells.
"""
function adopt(team::Team, arrays::GArray{T,N}...; grid = default_grid(team, N),
               kw...) where {T<:Element,N}
    length(grid) == N || throw(ArgumentError(
        "grid is $grid for arrays of $N dimensions; give a number of blocks for each"))
    with_blocked_options(N; kw...) do options, ghosts
        GC.@preserve arrays made_blocked(team, ghosts) do out
            Lib.gpuarr_blocked_from_local(out, team, [handle(x) for x in arrays], length(arrays),
                Int64[grid...], options)
        end
    end
end
default_grid(team, N) = ntuple(d -> d < N ? 1 : length(team), N)

unsafe_free!(x::BlockedArray) = finalize(x.handle)

Base.size(x::BlockedArray) = x.dims
Base.size(x::BlockedArray, d::Integer) = d <= length(x.dims) ? x.dims[d] : 1
Base.axes(x::BlockedArray) = map(Base.OneTo, x.dims)
Base.axes(x::BlockedArray, d::Integer) = Base.OneTo(size(x, d))
Base.length(x::BlockedArray) = prod(x.dims)
Base.isempty(x::BlockedArray) = length(x) == 0
Base.eltype(::Type{<:BlockedArray{T}}) where {T} = T
Base.ndims(::Type{<:BlockedArray{T,N}}) where {T,N} = N
Base.ndims(x::BlockedArray) = length(x.dims)
Base.sizeof(x::BlockedArray) = length(x) * sizeof(eltype(x))

"""
    similar(x), similar(x, T), zero(x), copy(x)

Blocked arrays with the same blocks, places and ghost cells as another one.
"""
function Base.similar(x::BlockedArray, ::Type{T} = eltype(x)) where {T}
    made_blocked(x.team, x.handle.ghosts) do out
        Lib.gpuarr_blocked_empty_like(out, x, dtype(T))
    end
end
Base.zero(x::BlockedArray) = fill!(similar(x), zero(eltype(x)))
Base.copy(x::BlockedArray) = redistribute!(similar(x), x)

"""
    GPUArr.team(x)

The team of a blocked array.
"""
team(x::BlockedArray) = x.team

"""
    GPUArr.grid(x)

The number of blocks along each dimension.
"""
grid(x::BlockedArray{T,N}) where {T,N} =
    GC.@preserve x ntuple(d -> Int(Lib.gpuarr_blocked_count(handle(x), d - 1)), Val(N))

# Blocks are numbered in C's order of their location, from 0.
function block_number(x::BlockedArray{T,N}, location::NTuple{N,Integer}) where {T,N}
    counts = grid(x)
    all(d -> 1 <= location[d] <= counts[d], 1:N) || throw(ArgumentError(
        "there is no block at $location: the grid is $counts"))
    foldl((number, d) -> number * counts[d] + location[d] - 1, 1:N; init = 0)
end
function block_location(counts::NTuple{N,Int}, number) where {N}
    location = zeros_of(counts)
    for d in N:-1:1
        location = Base.setindex(location, number % counts[d] + 1, d)
        number ÷= counts[d]
    end
    location
end
zeros_of(x) = map(_ -> 0, x)
block_ranges(x::BlockedArray{T,N}, number::Integer) where {T,N} = ntuple(Val(N)) do d
    Int(Lib.gpuarr_blocked_start(handle(x), number, d - 1))+1:Int(
        Lib.gpuarr_blocked_stop(handle(x), number, d - 1))
end
local_numbers(x::BlockedArray) = [Lib.gpuarr_blocked_local_number(handle(x), k)
                                  for k in 0:Lib.gpuarr_blocked_local_count(handle(x))-1]
local_ranges(x::BlockedArray) = [block_ranges(x, number) for number in local_numbers(x)]

"""
    GPUArr.place_of(x, location...), GPUArr.ranges_of(x, location...)

The place that has the block at a location of the grid, which counts from 1, and the indices of the
block in the whole.
"""
place_of(x::BlockedArray, location::Integer...) =
    Int(Lib.gpuarr_blocked_owner(handle(x), block_number(x, location)))
ranges_of(x::BlockedArray, location::Integer...) = block_ranges(x, block_number(x, location))

"""
    GPUArr.Block

Which block a function works on: its `location` in the grid, which counts from 1, the `ranges` of
its indices in the whole, and the `place` that has it.
"""
struct Block{N}
    place::Int
    location::NTuple{N,Int}
    ranges::NTuple{N,UnitRange{Int}}
end

Base.size(block::Block) = map(length, block.ranges)
Base.size(block::Block, d::Integer) = length(block.ranges[d])
Base.length(block::Block) = prod(size(block))

"""
    GPUArr.Halo(x)

A blocked array of which [`map_blocks!`](@ref) gives each block with its ghost cells, as they are.
"""
struct Halo{T<:BlockedArray}
    x::T
end

"""
    GPUArr.local_blocks(x; halo = false)

The blocks that places of this process have, as `(block, array)`: a [`GPUArr.Block`](@ref) and a
`GArray` over its memory, with its ghost cells if `halo`. Not collective. Work on them belongs in
the place's stream, the current one unless it was changed.
"""
function local_blocks(x::BlockedArray{T,N}; halo::Bool = false) where {T,N}
    map(enumerate(local_numbers(x))) do (k, number)
        block = Block{N}(Lib.gpuarr_blocked_local_place(handle(x), k - 1),
            block_location(grid(x), number), block_ranges(x, number))
        out = no_array()
        check(Lib.gpuarr_blocked_local(out, x, k - 1, halo))
        block, owned(out[])::GArray{T,N}
    end
end

summary_of(x::BlockedArray) = string(Base.dims2string(size(x)), ' ', typeof(x))
function Base.show(io::IO, x::BlockedArray)
    x.handle.pointer == C_NULL && return print(io, "released ", summary_of(x))
    print(io, summary_of(x), " of ", Base.dims2string(grid(x)), " blocks on ",
        length(x.team), " places")
end
