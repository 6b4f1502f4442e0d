# What the functions of the library that come ready-made share: results that it makes, and axes in
# its order.

const Place = Ref{Ptr{Lib.gpuarr_array}}
no_array() = Place(C_NULL)

# The array that a call has made, which counts as taken memory.
function taken(pointer::Ptr{Lib.gpuarr_array})
    x = owned(pointer)
    count_taken(sizeof(x))
    x
end

# made(call): the array that call(out) makes. With a count a tuple of as many.
function made(call)
    out = no_array()
    check(call(out))
    taken(out[])
end
function made(call, count::Integer)
    outs = ntuple(_ -> no_array(), count)
    check(call(outs...))
    map(out -> taken(out[]), outs)
end

# A view, which takes no memory.
function viewed(call)
    out = no_array()
    check(call(out))
    owned(out[])
end

# Puts x, already there, where a call finds its output.
given(x::GArray) = Place(handle(x))

by_value(x) = to_lib(argument(x))
by_value(::Type{T}, x::GArray) where {T} = by_value(x)
by_value(::Type{T}, x) where {T} = by_value(convert(T, x))

# Calls f with arrays whose axes are in reverse. What the library does in C order of the indices,
# it does then in Julia's order of elements, by columns. The views go when f is done.
function in_columns(f, arrays...)
    views = map(backwards, arrays)
    try
        f(views...)
    finally
        foreach(drop_view, views, arrays)
    end
end
backwards(x) = x
backwards(x::GArray{T,N}) where {T,N} = N < 2 ? x : transposed(x, N:-1:1)
drop_view(view, x) = nothing
drop_view(view::GArray, x) = view === x || unsafe_free!(view)

# A result in C order with its axes turned round, so that it is one in Julia's.
function turned(x::GArray)
    view = backwards(x)
    drop_view(x, view)
    view
end

# The axis of one dimension that a call works along.
function one_axis(x, dims)
    dims isa Integer || throw(ArgumentError("dims = $dims: one dimension is wanted here"))
    1 <= dims <= ndims(x) || throw(ArgumentError(
        "dims = $dims: $(summary_of(x)) has dimensions 1 to $(ndims(x))"))
    Int32(dims - 1)
end

# Both with the element type that Julia's promotion has for them.
alike(x::GArray{T}, y::GArray{T}) where {T} = x, y
alike(x::GArray{T}, y::GArray{S}) where {T,S} =
    as_elements(promote_type(T, S), x), as_elements(promote_type(T, S), y)
as_elements(::Type{T}, x::GArray{T}) where {T} = x
as_elements(::Type{T}, x::GArray) where {T} = T.(x)
