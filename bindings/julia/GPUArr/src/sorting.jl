# Sorting, and what follows from the order of elements.

# Along one dimension; the first one of a vector need not be named.
sorted_axis(x::GVector, ::Nothing) = Int32(0)
sorted_axis(x::GArray, dims) = one_axis(x, dims)
sorted_axis(x::GArray, ::Nothing) = throw(ArgumentError(
    "$(summary_of(x)) is sorted along one of its dimensions: say which by dims"))

# Calls f with x and an array for the result as the library takes them for `rev`, and a flag. There
# NaNs come last; in Julia's reverse order first, so that floats are sorted upwards, from the end.
function in_order(f, x::GArray, result::GArray, axis, rev::Bool)
    rev && eltype(x) <: Union{AbstractFloat,Complex} || return f(x, result, Int32(rev))
    turned_x, turned_result = flipped(x, axis), flipped(result, axis)
    f(turned_x, turned_result, Int32(0))
    unsafe_free!(turned_x)
    unsafe_free!(turned_result)
end
flipped(x::GArray, axis) = viewed(out -> Lib.gpuarr_flip(out, x, 1, Int32[axis]))

function sort_into!(z::GArray, x::GArray, dims, rev::Bool)
    axis = sorted_axis(x, dims)
    in_order(x, z, axis, rev) do x, z, descending
        check(Lib.gpuarr_sort(given(z), x, axis, descending, C_NULL))
    end
    z
end

# Whether the library's sort takes the keys, rather than one by kernels.
has_plain_keys(x::GArray, by) = eltype(x) <: Element &&
    (by === identity || !is_struct_type(Base.promote_op(by, eltype(x))))

"""
    sort(x; dims, rev = false, by = identity, lt = isless), sort!(x; ...), sortperm(x; ...)

Sort stably, and NaNs last, or first if `rev`, as in Julia, but that `0.0` and `-0.0` are equal.
Arrays of several dimensions take `dims`; `sortperm` numbers all elements, so that `x[sortperm(x;
dims = d)]` is sorted. `by` and `lt` are functions as in dotted expressions; with an `lt`, and for
arrays of structs, it is a merge sort by kernels of their own, for which vectors alone have a
`sortperm`.
"""
function Base.sort(x::GArray; dims = nothing, rev::Bool = false, by = identity, lt = isless)
    lt === isless && has_plain_keys(x, by) || return sorted_by(x, dims, lt, by, rev)
    by === identity && return sort_into!(similar(x), x, dims, rev)
    axis = sorted_axis(x, dims)
    places = sorted_places(x, axis, rev, by)
    places .-= 1
    result = made(out -> Lib.gpuarr_take_along_axis(out, x, places, axis, C_NULL))
    unsafe_free!(places)
    result
end
Base.sort!(x::GArray; dims = nothing, rev::Bool = false, by = identity, lt = isless) =
    rev || by !== identity || lt !== isless || !(eltype(x) <: Element) ?
    copyto!(x, sort(x; dims = dims, rev = rev, by = by, lt = lt)) : sort_into!(x, x, dims, rev)

# Places along the dimension.
function sorted_places(x::GArray, axis, rev::Bool, by)
    keys = by === identity ? x : by.(x)
    places, n = similar(x, Int), size(x, axis + 1)
    in_order(keys, places, axis, rev) do keys, places, descending
        check(Lib.gpuarr_argsort(given(places), keys, axis, descending, C_NULL))
        descending == rev ? (places .+= 1) : (places .= n .- places)
    end
    places
end
Base.sortperm(x::GVector; dims = nothing, rev::Bool = false, by = identity, lt = isless) =
    lt === isless && has_plain_keys(x, by) ? sorted_places(x, Int32(0), rev, by) :
    sorted_places_by(x, lt, by, rev)
Base.sortperm(x::GArray; dims = nothing, rev::Bool = false, by = identity) =
    (axis = sorted_axis(x, dims); numbered!(sorted_places(x, axis, rev, by), x, axis))

# Places along a dimension as numbers of elements of x, which has the same other dimensions.
function numbered!(places::GArray{Int,N}, x::Viewed, axis) where {N}
    steps = (1, cumprod(collect(size(x)))...)
    N == 1 || (places .= (places .- 1) .* steps[axis+1] .+ 1)
    for d in 1:N
        d == axis + 1 && continue
        dims = ntuple(k -> k == d ? size(x, d) : 1, Val(N))
        numbers = GArray(reshape(steps[d] .* (0:size(x, d)-1), dims); device = device(x))
        places .+= numbers
        unsafe_free!(numbers)
    end
    places
end

# The least or the greatest element along a dimension: its place is the host's, being Cartesian.
function extreme_along(name, x::Viewed, dims)
    isempty(x) && throw(ArgumentError("an array of size $(size(x)) has no extreme"))
    axis = one_axis(x, dims)
    places = GArray(reduced(name, Lazy(x), Int, dims) .+ 1)
    CartesianIndices(size(x))[Array(numbered!(places, x, axis))]
end
for (f, find, reduced) in ((:argmin, :findmin, :minimum), (:argmax, :findmax, :maximum))
    @eval Base.$f(x::Viewed; dims = :) = dims isa Colon ? place_of_extreme($(string(f)), x) :
        extreme_along($(string(f)), x, dims)
    @eval Base.$find(x::Lazy; dims = :) = $find(GArray(x); dims = dims)
    @eval Base.$find(x::GArray; dims = :) = dims isa Colon ?
        (k = $f(x); (number(place(x, Tuple(k)...)), k)) :
        ($reduced(x; dims = dims), $f(x; dims = dims))
end

Base.issorted(x::GVector; rev::Bool = false) = length(x) < 2 ||
    (x[1:end-1], x[2:end]) |> ((a, b),) -> mapreduce(rev ? (p, q) -> !isless(p, q) :
        (p, q) -> !isless(q, p), &, a, b)

"""
    GPUArr.topk(x, k; dims, rev = false)

The `k` least elements along a dimension, or the greatest ones if `rev`, in order, and where they
are: `values, places = GPUArr.topk(x, 3; rev = true)`. NaNs come last either way.
"""
function topk(x::GArray, k::Integer; dims = nothing, rev::Bool = false)
    axis = sorted_axis(x, dims)
    0 <= k <= size(x, axis + 1) || throw(ArgumentError(
        "topk: k is $k; there are $(size(x, axis + 1)) elements along the dimension"))
    values, places = made(2) do values, places
        Lib.gpuarr_topk(values, places, x, k, axis, rev, C_NULL)
    end
    places .+= 1
    values, places
end

"""
    partialsort(x, k; rev = false), partialsortperm(x, k; rev = false), partialsort!(x, k)

The element that sorting would put at place `k` of a vector, or those at a range of places; or where
they are.
"""
Base.partialsort(x::GVector, k::Union{Integer,OrdinalRange}; rev::Bool = false) =
    part_at(topk(x, upper_place(x, k); rev = rev)[1], k)
Base.partialsortperm(x::GVector, k::Union{Integer,OrdinalRange}; rev::Bool = false) =
    part_at(topk(x, upper_place(x, k); rev = rev)[2], k)
function Base.partialsort!(x::GVector, k::Integer)
    checkbounds(x, k)
    check(Lib.gpuarr_partition(given(x), x, k - 1, 0, C_NULL))
    number(place(x, k))
end
upper_place(x, k) = (checkbounds(x, k); isempty(k) ? 0 : Int(maximum(k)))
part_at(x, k::Integer) = number(place(x, k))
part_at(x, k::OrdinalRange) = x[k]

"""
    GPUArr.unique_all(x)

The elements that differ, in ascending order, as `(values = ..., indices = ..., inverse = ...,
counts = ...)`: with the place of the first of each, which of the values each element is, and how
many there are of each. NaNs are equal, and so are `0.0` and `-0.0`.
"""
function unique_all(x::GArray)
    values, indices, inverse, counts = in_columns(x) do x
        made((outs...) -> Lib.gpuarr_unique(outs..., x, C_NULL), 4)
    end
    indices .+= 1
    inverse .+= 1
    (values = values, indices = indices, inverse = turned(inverse), counts = counts)
end
# In the order of their first places, as in Julia.
function Base.unique(x::GArray)
    values, indices = in_columns(x) do x
        made(2) do values, indices
            Lib.gpuarr_unique(values, indices, C_NULL, C_NULL, x, C_NULL)
        end
    end
    order = made(out -> Lib.gpuarr_argsort(out, indices, 0, 0, C_NULL))
    result = made(out -> Lib.gpuarr_take(out, values, order, 0, C_NULL))
    foreach(unsafe_free!, (values, indices, order))
    result
end
Base.allunique(x::GArray) = length(unique(x)) == length(x)

"""
    searchsortedfirst(v, x), searchsortedlast(v, x)

Places in a sorted vector, of a number or of each element of an array, which may also be written
`searchsortedfirst.(Ref(v), x)`.
"""
function searched(v::GVector, x::GArray, right::Bool)
    sorted, wanted = alike(v, x)
    made(out -> Lib.gpuarr_searchsorted(out, sorted, wanted, right, C_NULL))
end
for (f, right) in ((:searchsortedfirst, false), (:searchsortedlast, true))
    shift = right ? 0 : 1
    @eval Base.$f(v::GVector, x::GArray) = (places = searched(v, x, $right); places .+= $shift)
    @eval Base.$f(v::GVector, x::Element) =
        numbers(searched(v, GArray(x; device = device(v)), $right)) + $shift
    @eval Broadcast.broadcasted(::typeof($f), v::Base.RefValue{<:GVector}, x::GArray) = $f(v[], x)
end

"""
    GPUArr.histogram(x; bins = 10, range = nothing), GPUArr.histogram(x, edges)

Counts of elements in bins and the bins' edges. A bin has its lower edge and not its upper one, but
the last has both; `range = (low, high)` has elements outside left out. Between edges that are given
as a vector only the counts are returned.
"""
function histogram(x::GArray; bins::Integer = 10, range = nothing)
    limits = range === nothing ? C_NULL : Float64[first(range), last(range)]
    made((counts, edges) -> Lib.gpuarr_histogram(counts, edges, x, bins, limits, C_NULL), 2)
end
histogram(x::GArray, edges::GVector) =
    made(counts -> Lib.gpuarr_histogram_between(counts, x, edges, C_NULL))
histogram(x::GArray, edges::AbstractVector) = histogram(x, GArray(edges; device = device(x)))

"""
    GPUArr.bincount(x; weights = nothing, minlength = 0)

How often each of the integers from 0 to the greatest occurs, or the sum of their weights:
element `k + 1` is that of `k`.
"""
bincount(x::GArray; weights = nothing, minlength::Integer = 0) = made() do out
    Lib.gpuarr_bincount(out, x, weights === nothing ? C_NULL : weights, minlength, C_NULL)
end
