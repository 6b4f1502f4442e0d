# Arrays that look at another array's memory, and indexing by ranges.

# One axis after the other is cut; each step makes a reference, all but the last are dropped.
function cut(pointer, axis, index::Integer)
    out = Ref{Ptr{Lib.gpuarr_array}}(C_NULL)
    check(Lib.gpuarr_array_select(out, pointer, axis, index - 1))
    out[], axis
end
function cut(pointer, axis, index::AbstractRange)
    out = Ref{Ptr{Lib.gpuarr_array}}(C_NULL)
    from, by = Int64(first(index)) - 1, Int64(step(index))
    to = isempty(index) ? from : Int64(last(index)) - 1 + sign(by)
    # Backwards from some place to the first: there is no number for the place before it.
    check(Lib.gpuarr_array_slice(out, pointer, axis, isempty(index) ? 0 : from,
        isempty(index) ? 0 : to < 0 ? Lib.GPUARR_NONE : to, by))
    out[], axis + Int32(1)
end
function cut(pointer, axis, ::Base.Slice)
    Lib.gpuarr_array_retain(pointer), axis + Int32(1)
end

const ViewIndex = Union{Integer,AbstractRange{<:Integer},Base.Slice}

"""
    view(x, indices...)

Look at part of an array, without a copy: indices are numbers, ranges with any step, and `:`. What
is returned is a `GArray` over the same memory, which lasts as long as one of them. One range alone
counts elements in columns, and takes an array whose elements lie one after the other.
"""
function Base.view(x::GArray{T,N}, indices::Vararg{Any,M}) where {T,N,M}
    M == 1 && N != 1 && return view(vec(x), indices...)
    M == N || throw(ArgumentError("view: $M indices for $(summary_of(x))"))
    kept = Base.to_indices(x, indices)
    all(index -> index isa ViewIndex, kept) || throw(ArgumentError(
        "view: GArrays take numbers, ranges and colons as indices, not $(map(typeof, indices))"))
    checkbounds(x, kept...)
    pointer, axis = Lib.gpuarr_array_retain(x), Int32(0)
    for index in kept
        old = pointer
        try
            pointer, axis = cut(old, axis, index)
        finally
            Lib.gpuarr_array_release(old)
        end
    end
    dims = map(length, filter(index -> !(index isa Integer), kept))
    owned(T, dims, pointer)
end
Base.view(x::GArray{T,0}) where {T} = x

# The library reshapes in C order of indices, which is column order of the axes in reverse.
function reversed_reshape(out, x, dims)
    backwards, shaped = Ref{Ptr{Lib.gpuarr_array}}(C_NULL), Ref{Ptr{Lib.gpuarr_array}}(C_NULL)
    status = Lib.gpuarr_array_transpose(backwards, x, 0, C_NULL)
    status == 0 || return status
    status = Lib.gpuarr_array_reshape(shaped, backwards[], length(dims), Int64[reverse(dims)...])
    Lib.gpuarr_array_release(backwards[])
    status == 0 || return status
    status = Lib.gpuarr_array_transpose(out, shaped[], 0, C_NULL)
    Lib.gpuarr_array_release(shaped[])
    status
end

"""
    reshape(x, dims...), vec(x)

Look at the elements, in columns, through another shape, without a copy. A view whose elements have
gaps between them may allow none: copy it first.
"""
function Base.reshape(x::GArray{T}, dims::NTuple{N,Int}) where {T,N}
    prod(dims) == length(x) || throw(DimensionMismatch(
        "reshape: $(summary_of(x)) has $(length(x)) elements, size $dims $(prod(dims))"))
    dims == x.dims && return x
    out = Ref{Ptr{Lib.gpuarr_array}}(C_NULL)
    check(reversed_reshape(out, x, dims))
    owned(T, dims, out[])
end
Base.reshape(x::GArray, dims::Tuple{Vararg{Union{Int,Colon}}}) =
    reshape(x, Base._reshape_uncolon(x, dims))
Base.vec(x::GArray) = reshape(x, (length(x),))

function transposed(x::GArray{T,N}, order) where {T,N}
    isperm(order) && length(order) == N || throw(ArgumentError(
        "permutedims: $order is no permutation of 1:$N"))
    axes = Int32[order...] .- Int32(1)
    out = Ref{Ptr{Lib.gpuarr_array}}(C_NULL)
    check(Lib.gpuarr_array_transpose(out, x, N, axes))
    owned(T, ntuple(k -> x.dims[order[k]], Val(N)), out[])
end

"""
    permutedims(x, order), permutedims(x)

A copy with the dimensions in another order.
"""
Base.permutedims(x::GArray, order) = copy(transposed(x, order))
Base.permutedims(x::GArray{T,2}) where {T} = copy(transposed(x, (2, 1)))
Base.permutedims(x::GArray{T,1}) where {T} = reshape(copy(x), 1, length(x))

"""
    transpose(x), adjoint(x), x'

A matrix with rows and columns exchanged, or a vector as a row, over the same memory. The adjoint of
complex elements is a copy.
"""
Base.transpose(x::GArray{T,2}) where {T} = transposed(x, (2, 1))
Base.transpose(x::GArray{T,1}) where {T} = reshape(x, 1, length(x))
Base.adjoint(x::GArray{<:Real}) = transpose(x)
Base.adjoint(x::GArray{<:Complex}) = conj.(transpose(x))

Base.dropdims(x::GArray; dims) = reshape(x, kept_dims(x, dims))
function kept_dims(x::GArray, dims)
    all(d -> size(x, d) == 1, dims) || throw(ArgumentError(
        "dropdims: dimensions $dims of $(summary_of(x)) are not all of size 1"))
    Tuple(size(x, d) for d in 1:ndims(x) if !(d in dims))
end

dropped(x) = filter(!=(1), size(x))
