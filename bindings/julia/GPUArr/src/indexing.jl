# Elements by arrays of indices and by masks.

# Indices of the library count from 0, and -1 is the last: one below 1 must be out of range for it.
zero_based(places::AbstractArray, n) = Int64.(places) .- 1
zero_based(places::GArray, n) = (k -> select(k < 1, Int64(k) - (n + 1), Int64(k) - 1)).(places)

# Indices that are on the host are checked there. Others are checked by the kernel that uses them:
# on the CPU it is the call that fails.
function with_places(call, x::GArray, places, axis)
    n = size(x, axis + 1)
    places isa GArray || checkindex(Bool, Base.OneTo(n), places) ||
        throw(BoundsError(x, (Base.fill(Colon(), axis)..., places)))
    from_zero = on_device_of(x, zero_based(places, n))
    status = call(from_zero)
    unsafe_free!(from_zero)
    if status == Lib.GPUARR_ERR_INDEX
        low, high = extrema(places)
        throw(BoundsError(x, (Base.fill(Colon(), axis)..., low < 1 ? low : high)))
    end
    check(status)
end
on_device_of(x::GArray, a::GArray) = a
on_device_of(x::GArray, a::AbstractArray) = GArray(a; device = device(x))

function taken_at(x::GArray, places, axis)
    out = no_array()
    with_places(k -> Lib.gpuarr_take(out, x, k, axis, C_NULL), x, places, axis)
    taken(out[])
end

# Masks and Cartesian indices as numbers of elements.
plain_index(x, axis, index) = index
plain_index(x, axis, index::AbstractArray{Bool}) = (length(index) == size(x, axis) || throw(
    BoundsError(x, index)); findall(vec(index)))
is_array(index) = index isa AbstractArray && !(index isa AbstractRange)

# By one index that is an array: a mask, or numbers of elements by columns.
function chosen(x::GArray, mask::AbstractArray{Bool})
    check_mask(x, mask)
    in_columns(x, on_device_of(x, mask)) do x, mask
        made(out -> Lib.gpuarr_select(out, x, mask, C_NULL))
    end
end
chosen(x::GArray, places::AbstractArray{<:Integer}) =
    in_a_row(row -> taken_at(row, places, 0), x)
chosen(x::GArray, places::AbstractArray{<:CartesianIndex}) =
    chosen(x, LinearIndices(size(x))[places])
in_a_row(f, x::GVector) = f(x)
function in_a_row(f, x::GArray)
    row = vec(x)
    try
        f(row)
    finally
        unsafe_free!(row)
    end
end
check_mask(x, mask) = size(mask) == size(x) || throw(BoundsError(x, (mask,)))

# By several indices, of which some are arrays: those one after the other.
function chosen(x::GArray, indices...)
    length(indices) == ndims(x) || throw(BoundsError(x, indices))
    part = view(x, map(index -> is_array(index) ? Colon() : index, indices)...)
    axis = Int32(0)
    for (d, index) in enumerate(indices)
        is_array(index) && (part = taken_at(part, plain_index(x, d, index), axis))
        axis += index isa Integer ? 0 : index isa AbstractArray ? ndims(index) : 1
    end
    part
end

# Values for a part of the given size: numbers repeat, and arrays are brought to the device.
struct Spread{V}   # those of x[...] .= values, which repeat where they are of size 1
    values::V
end
bare_values(values) = values
bare_values(spread::Spread) = spread.values
fitting(x::GArray{T}, value, dims) where {T} = convert(T, value)
fitting(x::GArray, values::AbstractArray, dims) =
    length(values) == prod(dims) && dropped(values) == filter(!=(1), dims) ?
    reshape(on_device_of(x, values), dims) : refuse_values(values, dims)
function fitting(x::GArray, spread::Spread, dims)
    values = spread.values
    values isa AbstractArray || return fitting(x, values, dims)
    ndims(values) <= length(dims) && all(k -> size(values, k) in (1, dims[k]), 1:length(dims)) ||
        refuse_values(values, dims)
    reshaped_to(on_device_of(x, values), length(dims))
end
refuse_values(values, dims) = throw(DimensionMismatch(
    "cannot put an array of size $(size(values)) in the place of size $dims"))

function choose!(x::GArray, values, mask::AbstractArray{Bool})
    check_mask(x, mask)
    on = on_device_of(x, mask)
    count_of = bare_values(values) isa AbstractArray ? count(on) : 1
    fit = fitting(x, values, (count_of,))
    count_of == 0 || GC.@preserve fit in_columns(x, on) do x, on
        check(Lib.gpuarr_place(x, on, by_value(fit), C_NULL))
    end
    x
end
choose!(x::GArray, values, places::AbstractArray{<:Integer}) =
    (in_a_row(row -> put_values!(row, fitting(x, values, size(places)), places, Int32(0)), x); x)
choose!(x::GArray, values, places::AbstractArray{<:CartesianIndex}) =
    choose!(x, values, LinearIndices(size(x))[places])
function choose!(x::GArray, values, indices...)
    length(indices) == ndims(x) || throw(BoundsError(x, indices))
    which = findall(is_array, collect(Any, indices))
    length(which) == 1 || throw(ArgumentError(
        "x[...] = values takes one array among its indices, not $(length(which))"))
    d = which[1]
    places = plain_index(x, d, indices[d])
    part = view(x, map(index -> is_array(index) ? Colon() : index, indices)...)
    axis = count(index -> !(index isa Integer), indices[1:d-1])
    dims = (size(part)[1:axis]..., size(places)..., size(part)[axis+2:end]...)
    put_values!(part, fitting(x, values, dims), places, Int32(axis))
    x
end
function put_values!(x, values, places, axis)
    GC.@preserve values with_places(x, places, axis) do k
        Lib.gpuarr_put(x, k, by_value(values), axis, C_NULL)
    end
end

"""
    x[mask], x[places], x[:, places], findall(mask), x[mask] .= values

Elements by a mask or by indices, which may be arrays on the host or on a device; the result is a
copy. How many a mask chooses is waited for. Indices out of range are a `BoundsError`; those that
lie on a GPU are looked at there, and it is the next call that waits which throws a `GPUArrError`.
Where places are equal it is not said whose value stays.
"""
Base.getindex(x::GArray, indices::Union{Colon,Integer,AbstractArray}...) =
    all(index -> index isa Integer, indices) ? element(x, indices...) :
    any(is_array, indices) ? chosen(x, indices...) : copy(view(x, indices...))

function Base.setindex!(x::GArray, value, indices::Union{Colon,Integer,AbstractArray}...)
    all(index -> index isa Integer, indices) && return set_element!(x, value, indices...)
    value isa AbstractArray || throw(ArgumentError(
        "x[...] = value takes an array of the part's size; x[...] .= value repeats a number"))
    any(is_array, indices) && return choose!(x, value, indices...)
    part = view(x, indices...)
    copy_elements!(part, fitting(x, value, size(part)))
    x
end

# The left side of x[mask] .= values.
struct Chosen{X<:GArray,I<:Tuple}
    x::X
    indices::I
end
Base.dotview(x::GArray, indices...) =
    any(is_array, indices) ? Chosen(x, indices) : view(x, indices...)
Broadcast.materialize!(left::Chosen, right) = choose!(left.x, Spread(right), left.indices...)
function Broadcast.materialize!(left::Chosen, right::Broadcasted)
    value = right.f === identity && right.args isa Tuple{Any} ? right.args[1] :
        Broadcast.materialize(right)
    choose!(left.x, Spread(value isa Ref ? value[] : value), left.indices...)
end

# Places of elements. Those of an array of several dimensions are Cartesian, which is the host's.
function Base.findall(mask::GVector{Bool})
    places = made(out -> Lib.gpuarr_flatnonzero(out, mask, C_NULL))
    places .+= 1
end
function Base.findall(mask::GArray{Bool})
    numbers = in_columns(mask) do mask
        made(out -> Lib.gpuarr_flatnonzero(out, mask, C_NULL))
    end
    vec(CartesianIndices(size(mask)))[Array(numbers).+1]
end
Base.findall(f::Function, x::GArray) = findall(f.(x))
Base.filter(f, x::GArray) = x[f.(x)]
Base.in(value::Number, x::GArray) = any(==(value), x)
Base.findfirst(mask::GArray{Bool}) = any(mask) ? argmax(mask) : nothing
Base.findfirst(f::Function, x::GArray) = findfirst(f.(x))
Base.findlast(mask::GVector{Bool}) =
    any(mask) ? length(mask) + 1 - argmax(flipped(mask, 0)) : nothing
Base.findlast(f::Function, x::GVector) = findlast(f.(x))

"""
    GPUArr.nonzero(x)

Indices of the elements that are not 0: for each dimension a vector, in the order of the elements.
"""
function nonzero(x::GArray)
    outs = Base.fill(Ptr{Lib.gpuarr_array}(C_NULL), ndims(x))
    in_columns(x -> check(Lib.gpuarr_nonzero(outs, ndims(x), x, C_NULL)), x)
    Tuple(taken(out) .+ 1 for out in reverse(outs))
end

"""
    GPUArr.take_along(x, places; dims), GPUArr.put_along!(x, places, values; dims)

An element for each place along a dimension, as [`GPUArr.topk`](@ref) names them; the other
dimensions of `places` are those of `x`.
"""
function take_along(x::GArray, places::GArray; dims::Integer)
    axis, out = one_axis(x, dims), no_array()
    with_places(x, places, axis) do k
        Lib.gpuarr_take_along_axis(out, x, k, axis, C_NULL)
    end
    taken(out[])
end
function put_along!(x::GArray, places::GArray, values; dims::Integer)
    axis = one_axis(x, dims)
    GC.@preserve values with_places(x, places, axis) do k
        Lib.gpuarr_put_along_axis(x, k, by_value(eltype(x), values), axis, C_NULL)
    end
    x
end

"""
    GPUArr.add_at!(x, places, values; dims = 1)

Add values at places along a dimension, all of them where places are equal. Sums of floats are
rounded in an order that differs from call to call.
"""
function add_at!(x::GArray, places::AbstractArray{<:Integer}, values; dims::Integer = 1)
    axis = one_axis(x, dims)
    GC.@preserve values with_places(x, places, axis) do k
        Lib.gpuarr_put_add(x, k, by_value(eltype(x), values), axis, C_NULL)
    end
    x
end

"""
    GPUArr.choose_into!(out, x, mask)

Put the elements that a mask chooses into the front of a vector and return their number as an array
without dimensions, so that nothing is waited for.
"""
function choose_into!(out::GVector, x::GArray, mask::GArray{Bool})
    in_columns(x, mask) do x, mask
        made(count -> Lib.gpuarr_select_into(out, count, x, mask, C_NULL))
    end
end

"""
    GPUArr.indices(x; dims = 1)

The index of each element of an array along a dimension, from 1, as a lazy expression, in which the
index costs nothing where `x` has one dimension: `sum(@lazy(x .* GPUArr.indices(x))) / sum(x)`. Of
`x` only the size counts.
"""
function indices(x::Viewed; dims::Integer = 1)
    out, l = ExprPlace(C_NULL), Lazy(x)
    check(Lib.gpuarr_expr_indices(out, l, Int32(ndims(x) - 1) - one_axis(x, dims)))
    Lazy(Int, size(x), out[], device(x)) .+ 1
end
