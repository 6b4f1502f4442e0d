# Arrays that look at another array's memory, and indexing by ranges.

const Viewed = Union{GArray,Lazy}

# The library's functions for views of an array and of a lazy expression, and what they give.
# The axes of the one are the dimensions, the axes of the other are those from the last on.
calls_for(::GArray) = (retain = Lib.gpuarr_array_retain, release = Lib.gpuarr_array_release,
    select = Lib.gpuarr_array_select, slice = Lib.gpuarr_array_slice,
    transpose = Lib.gpuarr_array_transpose, axis = Int32(0), step = Int32(1))
calls_for(::Lazy) = (retain = Lib.gpuarr_expr_retain, release = Lib.gpuarr_expr_release,
    select = Lib.gpuarr_expr_index, slice = Lib.gpuarr_expr_slice,
    transpose = Lib.gpuarr_expr_transpose, axis = Int32(-1), step = Int32(-1))
view_of(x::GArray{T}, dims, pointer) where {T} = owned(T, dims, pointer)
view_of(x::Lazy{T}, dims, pointer) where {T} = Lazy(T, dims, pointer, x.device)
place_for(pointer::Ptr{T}) where {T} = Ref{Ptr{T}}(C_NULL)

# One axis after the other is cut; each step makes a reference, all but the last are dropped.
function cut(calls, pointer, axis, index::Integer)
    out = place_for(pointer)
    check(calls.select(out, pointer, axis, index - 1))
    out[], axis
end
function cut(calls, pointer, axis, index::AbstractRange)
    out = place_for(pointer)
    from, by = Int64(first(index)) - 1, Int64(step(index))
    to = isempty(index) ? from : Int64(last(index)) - 1 + sign(by)
    # Backwards from some place to the first: there is no number for the place before it.
    check(calls.slice(out, pointer, axis, isempty(index) ? 0 : from,
        isempty(index) ? 0 : to < 0 ? Lib.GPUARR_NONE : to, by))
    out[], axis + calls.step
end
cut(calls, pointer, axis, ::Base.Slice) = calls.retain(pointer), axis + calls.step

const ViewIndex = Union{Integer,AbstractRange{<:Integer},Base.Slice}

"""
    view(x, indices...)

Look at part of an array, without a copy: indices are numbers, ranges with any step, and `:`. What
is returned is a `GArray` over the same memory, which lasts as long as one of them. One range alone
counts elements in columns, and takes an array whose elements lie one after the other.
"""
function Base.view(x::Viewed, indices::Vararg{Any,M}) where {M}
    N = ndims(x)
    M == 1 && N != 1 && return view(vec(x), indices...)
    M == N || throw(ArgumentError("view: $M indices for $(summary_of(x))"))
    kept = Base.to_indices(x, indices)
    all(index -> index isa ViewIndex, kept) || throw(ArgumentError(
        "view: GArrays take numbers, ranges and colons as indices, not $(map(typeof, indices))"))
    checkbounds(x, kept...)
    calls = calls_for(x)
    pointer, axis = GC.@preserve(x, calls.retain(handle(x))), calls.axis
    for index in kept
        old = pointer
        try
            pointer, axis = cut(calls, old, axis, index)
        finally
            calls.release(old)
        end
    end
    view_of(x, map(length, filter(index -> !(index isa Integer), kept)), pointer)
end
Base.view(x::Union{GArray{T,0},Lazy{T,0}}) where {T} = x

# The library reshapes in C order of indices, which is column order of the axes in reverse.
function reshaped(x::GArray{<:Element}, dims)
    backwards, shaped, out = no_array(), no_array(), no_array()
    try
        check(Lib.gpuarr_array_transpose(backwards, x, 0, C_NULL))
        check(Lib.gpuarr_array_reshape(shaped, backwards[], length(dims), Int64[reverse(dims)...]))
        check(Lib.gpuarr_array_transpose(out, shaped[], 0, C_NULL))
    finally
        Lib.gpuarr_array_release(backwards[])
        Lib.gpuarr_array_release(shaped[])
    end
    out[]
end
function reshaped(x::Lazy, dims)
    out = ExprPlace(C_NULL)
    check(Lib.gpuarr_expr_reshape(out, x, length(dims), Int64[reverse(dims)...]))
    out[]
end

"""
    reshape(x, dims...), vec(x)

Look at the elements, in columns, through another shape, without a copy. A view whose elements have
gaps between them may allow none: copy it first.
"""
function Base.reshape(x::Viewed, dims::Dims)
    prod(dims) == length(x) || throw(DimensionMismatch(
        "reshape: $(summary_of(x)) has $(length(x)) elements, size $dims $(prod(dims))"))
    dims == x.dims && return x
    view_of(x, dims, reshaped(x, dims))
end
Base.reshape(x::Viewed, dims::Tuple{Vararg{Union{Int,Colon}}}) =
    reshape(x, Base._reshape_uncolon(x, dims))
Base.vec(x::Viewed) = reshape(x, (length(x),))

is_of_structs(x) = x isa GArray && !(eltype(x) <: Element)
function transposed(x::Viewed, order)
    N = ndims(x)
    isperm(order) && length(order) == N || throw(ArgumentError(
        "permutedims: $order is no permutation of 1:$N"))
    axes = x isa GArray ? Int32[d - 1 for d in order] : Int32[N - d for d in reverse(order)]
    is_of_structs(x) && push!(axes, N)        # the axis of words stays the last
    out = place_for(handle(x))
    GC.@preserve x check(calls_for(x).transpose(out, handle(x), length(axes), axes))
    view_of(x, map(k -> x.dims[k], NTuple{N,Int}(order)), out[])
end

"""
    permutedims(x, order), permutedims(x)

A copy with the dimensions in another order; of a lazy expression, a lazy one.
"""
Base.permutedims(x::Lazy, order) = transposed(x, order)
Base.permutedims(x::Lazy{T,2}) where {T} = transpose(x)
Base.permutedims(x::Lazy{T,1}) where {T} = transpose(x)
Base.permutedims(x::GArray, order) = copy(transposed(x, order))
Base.permutedims(x::GArray{T,2}) where {T} = copy(transposed(x, (2, 1)))
Base.permutedims(x::GArray{T,1}) where {T} = reshape(copy(x), 1, length(x))

"""
    transpose(x), adjoint(x), x'

A matrix with rows and columns exchanged, or a vector as a row, over the same memory. The adjoint of
complex elements is a copy.
"""
Base.transpose(x::Union{GArray{T,2},Lazy{T,2}}) where {T} = transposed(x, (2, 1))
Base.transpose(x::Union{GArray{T,1},Lazy{T,1}}) where {T} = reshape(x, 1, length(x))
Base.adjoint(x::Union{GArray{<:Real},Lazy{<:Real}}) = transpose(x)
Base.adjoint(x::Union{GArray{<:Complex},Lazy{<:Complex}}) = conj.(transpose(x))

Base.dropdims(x::Viewed; dims) = reshape(x, kept_dims(x, dims))
function kept_dims(x::Viewed, dims)
    all(d -> size(x, d) == 1, dims) || throw(ArgumentError(
        "dropdims: dimensions $dims of $(summary_of(x)) are not all of size 1"))
    Tuple(size(x, d) for d in 1:ndims(x) if !(d in dims))
end

dropped(x) = filter(!=(1), size(x))
