# Arrays joined, repeated, shifted and turned round.

const GVecOrMatOf{T} = Union{GArray{T,1},GArray{T,2}}

function joined_along(d::Integer, arrays)
    ndim = max(d, maximum(map(ndims, arrays)))
    T = promote_type(map(eltype, arrays)...)
    parts = [reshaped_to(as_elements(T, x), ndim) for x in arrays]
    all(x -> all(k -> k == d || size(x, k) == size(parts[1], k), 1:ndim), parts) ||
        throw(DimensionMismatch("arrays of sizes $(map(size, arrays)) are not joined along " *
                                "dimension $d: the others must be alike"))
    pointers = map(handle, parts)
    GC.@preserve parts made() do out
        Lib.gpuarr_concatenate(out, pointers, length(pointers), d - 1, C_NULL)
    end
end
reshaped_to(x::GArray, ndim) =
    ndims(x) == ndim ? x : reshape(x, ntuple(k -> size(x, k), ndim))

"""
    vcat(x, y, ...), hcat(x, y, ...), [x y; z w], cat(x, y, ...; dims)

Arrays joined along a dimension, by one kernel for each of `x`, `y` and so on or less.
"""
Base.cat(x::GArray, others::GArray...; dims) = dims isa Val ? cat_of(dims, x, others...) :
    joined_along(checked_dimension(dims), (x, others...))
cat_of(::Val{d}, arrays...) where {d} = joined_along(checked_dimension(d), arrays)
checked_dimension(d) = d isa Integer && d >= 1 ? d : throw(ArgumentError(
    "dims = $d: GArrays are joined along one dimension, from 1"))
# Julia's own methods are for arrays of one type, and of any: these are more special than both.
for (f, d) in ((:vcat, 1), (:hcat, 2))
    @eval Base.$f(x::GVecOrMatOf{T}, others::GVecOrMatOf{T}...) where {T} =
        joined_along($d, (x, others...))
    @eval Base.$f(x::GVecOrMatOf, others::GVecOrMatOf...) = joined_along($d, (x, others...))
    @eval Base.$f(x::GArray, others::GArray...) = joined_along($d, (x, others...))
end
function Base.hvcat(rows::Tuple{Vararg{Int}}, arrays::GVecOrMatOf...)
    ends = cumsum(collect(rows))
    joined_along(1, Tuple(joined_along(2, arrays[stop-count+1:stop])
                          for (count, stop) in zip(rows, ends)))
end

"""
    GPUArr.stack(x, y, ...; dims)

Arrays of one size joined along a new dimension, the last one unless `dims` says which.
"""
function stack(x::GArray, others::GArray...; dims::Integer = ndims(x) + 1)
    arrays = (x, others...)
    T = promote_type(map(eltype, arrays)...)
    parts = [as_elements(T, y) for y in arrays]
    pointers = map(handle, parts)
    GC.@preserve parts made() do out
        Lib.gpuarr_stack(out, pointers, length(pointers), dims - 1, C_NULL)
    end
end

"""
    GPUArr.sections(x, sections; dims), GPUArr.sections(x, firsts; dims)

Views of the parts of an array along a dimension: as many alike as a number says, or parts that
begin at the given indices, and the one before them.
"""
function sections(x::GArray, count::Integer; dims::Integer)
    outs = Base.fill(Ptr{Lib.gpuarr_array}(C_NULL), count)
    check(Lib.gpuarr_split(outs, count, x, one_axis(x, dims)))
    map(owned, outs)
end
function sections(x::GArray, firsts::AbstractVector{<:Integer}; dims::Integer)
    outs, count = Base.fill(Ptr{Lib.gpuarr_array}(C_NULL), length(firsts) + 1), length(firsts)
    check(Lib.gpuarr_split_at(outs, count, Int64.(firsts) .- 1, x, one_axis(x, dims)))
    map(owned, outs)
end

"""
    repeat(x, counts...), repeat(x; inner, outer)

An array repeated as a whole along its dimensions, or each element so many times.
"""
Base.repeat(x::GArray, counts::Integer...) = repeated(x, (), counts)
Base.repeat(x::GArray; inner = (), outer = ()) = repeated(x, Tuple(inner), Tuple(outer))
function repeated(x::GArray, inner, outer)
    part = reshaped_to(x, max(ndims(x), length(inner), length(outer)))
    for (d, count) in enumerate(inner)
        count == 1 || (part = made(out -> Lib.gpuarr_repeat(out, part, count, d - 1, C_NULL)))
    end
    times = Int64[k <= length(outer) ? outer[k] : 1 for k in 1:ndims(part)]
    made(out -> Lib.gpuarr_tile(out, part, length(times), times, C_NULL))
end

"""
    GPUArr.repeat_each(x, counts; dims = 1)

Each index of a dimension repeated as often as the vector `counts` says.
"""
repeat_each(x::GArray, counts::GVector{<:Integer}; dims::Integer = 1) =
    made(out -> Lib.gpuarr_repeat_each(out, x, counts, one_axis(x, dims), C_NULL))

Base.circshift(x::GArray, shift::Integer) = circshift(x, (shift,))
function Base.circshift(x::GArray, shifts::Tuple{Vararg{Integer}})
    count = min(length(shifts), ndims(x))
    by, axes = Int64[shifts[1:count]...], Int32[0:count-1;]
    made(out -> Lib.gpuarr_roll(out, x, count, by, axes, C_NULL))
end

reversed(x::GArray, axes) =
    (view = viewed(out -> Lib.gpuarr_flip(out, x, length(axes), axes)); copied(view))
copied(view) = (x = copy(view); unsafe_free!(view); x)
all_axes(x, ::Colon) = Int32[0:ndims(x)-1;]
all_axes(x, dims) = Int32[one_axis(x, d) for d in dims]
"""
    reverse(x; dims), circshift(x, shifts), rotl90(x), rotr90(x), rot180(x)

Copies with elements in another order.
"""
Base.reverse(x::GArray; dims = :) = reversed(x, all_axes(x, dims))
Base.reverse(x::GVector; dims = :) = reversed(x, all_axes(x, dims))
Base.reverse!(x::GVector) = copyto!(x, reverse(x))
for (f, turns) in ((:rotl90, 1), (:rotr90, -1), (:rot180, 2))
    @eval Base.$f(x::GMatrix, k::Integer = 1) =
        copied(viewed(out -> Lib.gpuarr_rot90(out, x, mod($turns * k, 4), 0, 1)))
end

const BORDERS = (constant = Lib.GPUARR_PAD_CONSTANT, edge = Lib.GPUARR_PAD_EDGE,
    reflect = Lib.GPUARR_PAD_REFLECT, symmetric = Lib.GPUARR_PAD_SYMMETRIC,
    wrap = Lib.GPUARR_PAD_WRAP)
named(table::NamedTuple, name::Symbol) = haskey(table, name) ? table[name] : throw(ArgumentError(
    "there is no :$name here; there are $(join(repr.(keys(table)), ", "))"))

"""
    GPUArr.pad(x, before, after = before; mode = :constant, value = 0)

An array with a border of so many elements before and after, for each dimension: of a value, or with
`mode` of `:edge`, `:reflect`, `:symmetric` or `:wrap` of its own elements.
"""
function pad(x::GArray{T}, before, after = before; mode::Symbol = :constant, value = 0) where {T}
    widths(w) = w isa Integer ? Base.fill(Int64(w), ndims(x)) : Int64[w...]
    check_count("widths", "pad", length(widths(before)), ndims(x))
    check_count("widths", "pad", length(widths(after)), ndims(x))
    made(out -> Lib.gpuarr_pad(out, x, widths(before), widths(after), named(BORDERS, mode),
        by_value(T, value), C_NULL))
end

"""
    GPUArr.meshgrid(x, y, ...)

Coordinates of a grid's points, each along the dimension of its number, as views that repeat them.
"""
function meshgrid(arrays::GVector...)
    outs, pointers = Base.fill(Ptr{Lib.gpuarr_array}(C_NULL), length(arrays)), map(handle, arrays)
    GC.@preserve arrays check(Lib.gpuarr_meshgrid(outs, collect(pointers), length(arrays),
        Lib.GPUARR_INDEXING_IJ))
    Tuple(map(owned, outs))
end
