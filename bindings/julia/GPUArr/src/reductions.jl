# Reductions by the names that Julia has for them.

for (name, op) in ((:any, :|), (:all, :&))
    @eval Base.$name(x::Reducible; dims = :) = mapreduced(identity, $op, NoStart(), dims, x)
    @eval Base.$name(f::Function, x::Reducible; dims = :) = mapreduced(f, $op, NoStart(), dims, x)
end
Base.count(x::Reducible; dims = :) = sum(x; dims = dims)
Base.count(f, x::Reducible; dims = :) = mapreduce(f, Base.add_sum, x; dims = dims)
for (name, op) in ((:sum, :(Base.add_sum)), (:prod, :(Base.mul_prod)), (:maximum, :max),
                   (:minimum, :min))
    @eval Base.$name(f, x::Tree; dims = :) = mapreduce(f, $op, x; dims = dims)
    @eval Base.$name(x::Tree; dims = :) = mapreduce(identity, $op, x; dims = dims)
end
Base.extrema(x::GArray; dims = :) = dims isa Colon ? (minimum(x), maximum(x)) :
    tuple.(Array(minimum(x; dims = dims)), Array(maximum(x; dims = dims)))

# mean(f, x; dims): the sum's kernel divides by the number of elements.
function averaged(f, dims, x)
    tree = as_tree(f, x)
    S = reduced_type(Base.add_sum, mapped_type(tree), mapped_type(tree))
    R = Base.promote_op(/, S, Int)
    reduce_tree(Base.add_sum, tree, R, zero(accumulator(R)), average, dims)
end
Statistics.mean(x::GArray; dims = :) = averaged(identity, dims, x)
Statistics.mean(f, x::GArray; dims = :) = averaged(f, dims, x)

# Functions of the library with parameters of their own: call(out, axes, count, keepdims).
function ready_made(call, x::GArray, dims)
    axes, count, keepdims = axis_list(dims, ndims(x))
    out = Ref{Ptr{Lib.gpuarr_array}}(C_NULL)
    GC.@preserve x check(call(out, axes, count, keepdims))
    dims isa Colon ? numbers(owned(out[])) : owned(out[])
end

"""
    var(x; dims = :, corrected = true), std(x; ...)

Variance and standard deviation, of `Statistics`, in one pass over memory.
"""
Statistics.var(x::GArray; dims = :, corrected::Bool = true) = ready_made(x, dims) do out, axes...
    Lib.gpuarr_var(out, x, Float64(corrected), axes..., C_NULL)
end
Statistics.std(x::GArray; dims = :, corrected::Bool = true) = ready_made(x, dims) do out, axes...
    Lib.gpuarr_std(out, x, Float64(corrected), axes..., C_NULL)
end

"""
    norm(x, p = 2), dot(x, y)

Of `LinearAlgebra`: the norm of all elements for `p` of 1, 2 or `Inf`; the sum of `conj(x) * y`.
"""
function LinearAlgebra.norm(x::GArray, p::Real = 2)
    isempty(x) && return zero(real(float(eltype(x))))
    ready_made((out, axes...) -> Lib.gpuarr_norm(out, x, p, axes..., C_NULL), x, :)
end
LinearAlgebra.dot(x::Viewed, y::Viewed) = mapreduce((a, b) -> conj(a) * b, Base.add_sum, x, y)

# Places count in columns, and C order along reversed axes is that.
function place_of_extreme(name, x::Viewed)
    isempty(x) && throw(ArgumentError("an array of size $(size(x)) has no extreme"))
    k = number(reduced(name, Lazy(x), Int, :))
    ndims(x) == 1 ? k + 1 : CartesianIndices(size(x))[k+1]
end

# Comparisons of whole arrays.
Base.:(==)(x::Viewed, y::Viewed) = size(x) == size(y) && mapreduce(==, &, x, y)
Base.isequal(x::Viewed, y::Viewed) = size(x) == size(y) && mapreduce(isequal, &, x, y)
function Base.isapprox(x::Viewed, y::Viewed; atol::Real = 0,
                       rtol::Real = Base.rtoldefault(eltype(x), eltype(y), atol))
    larger = max(LinearAlgebra.norm(x), LinearAlgebra.norm(y))
    LinearAlgebra.norm(x .- y) <= max(atol, rtol * larger)
end
