# Medians and quantiles, reductions that pass over NaNs, and others with no name in Julia.

# Without dims all elements are one row.
function by_order(call, x::GArray, dims)
    isempty(x) && throw(ArgumentError("an array of size $(size(x)) has no median or quantile"))
    row, axis = dims isa Colon ? (vec(x), Int32(0)) : (x, one_axis(x, dims))
    made(out -> call(out, row, axis))
end
# In the place of the dimension that is gone there are the results, `count` of them.
kept(x::GArray, result, dims) =
    reshape(result, ntuple(k -> k == dims ? 1 : size(x, k), ndims(x)))

const METHODS = (linear = Lib.GPUARR_QUANTILE_LINEAR, lower = Lib.GPUARR_QUANTILE_LOWER,
    higher = Lib.GPUARR_QUANTILE_HIGHER, nearest = Lib.GPUARR_QUANTILE_NEAREST,
    midpoint = Lib.GPUARR_QUANTILE_MIDPOINT)

"""
    median(x; dims = :), quantile(x, p; dims = :, method = :linear)

Of `Statistics`: numbers, or with `dims` arrays; `quantile` takes a vector of `p` too. Methods are
`:linear`, which is Julia's, `:lower`, `:higher`, `:nearest` and `:midpoint`. A NaN among the
elements makes a NaN; `GPUArr.nanmedian` and `GPUArr.nanquantile` pass over them.
"""
function median_by(call, x, dims)
    result = by_order((out, x, axis) -> call(out, x, axis, C_NULL), x, dims)
    dims isa Colon ? numbers(result) : kept(x, result, dims)
end
function quantile_by(call, x, p, dims, method)
    all(q -> 0 <= q <= 1, p) || throw(ArgumentError("quantile: p is $p; take numbers from 0 to 1"))
    places, number = Float64[q for q in p], named(METHODS, method)
    result = by_order(x, dims) do out, x, axis
        call(out, x, places, length(places), axis, number, C_NULL)
    end
    dims isa Colon && return p isa Real ? numbers(dropdims(result; dims = 1)) : result
    # Quantiles are the first axis of the result.
    copied(transposed(result, [2:dims; 1; dims+1:ndims(x)]))
end
function nanmedian end
function nanquantile end
for (Owner, prefix) in ((:Statistics, ""), (:GPUArr, "nan"))
    median, quantile = Symbol(prefix, :median), Symbol(prefix, :quantile)
    @eval $Owner.$median(x::GArray; dims = :) =
        median_by(Lib.$(Symbol(:gpuarr_, median)), x, dims)
    for P in (:Real, :(AbstractVector{<:Real}))
        @eval $Owner.$quantile(x::GArray, p::$P; dims = :, method::Symbol = :linear) =
            quantile_by(Lib.$(Symbol(:gpuarr_, quantile)), x, p, dims, method)
    end
end

"""
    GPUArr.nansum(x; dims = :), GPUArr.nanmaximum(x; dims = :), GPUArr.nanminimum(x; dims = :)

Reductions that pass over NaNs.
"""
nansum(x::GArray; dims = :) =
    ready_made((out, axes...) -> Lib.gpuarr_nansum(out, x, axes..., C_NULL), x, dims)
nanmaximum(x::GArray; dims = :) =
    ready_made((out, axes...) -> Lib.gpuarr_nanmax(out, x, axes..., C_NULL), x, dims)
@doc (@doc nansum) nanmaximum
nanminimum(x::GArray; dims = :) =
    ready_made((out, axes...) -> Lib.gpuarr_nanmin(out, x, axes..., C_NULL), x, dims)
@doc (@doc nansum) nanminimum

"""
    GPUArr.logsumexp(x; dims = :)

The logarithm of the sum of exponentials, without overflow.
"""
logsumexp(x::GArray; dims = :) =
    ready_made((out, axes...) -> Lib.gpuarr_logsumexp(out, x, axes..., C_NULL), x, dims)

# Covariances of columns, or of rows with dims = 2; of two vectors.
function Statistics.cov(x::GMatrix; dims::Integer = 1, corrected::Bool = true)
    one_axis(x, dims)
    rest = x .- Statistics.mean(x; dims = dims)
    product = dims == 1 ? transpose(rest) * conj_of(rest) : rest * rest'
    product ./ (size(x, dims) - corrected)
end
Statistics.cov(x::GVector; corrected::Bool = true) = Statistics.var(x; corrected = corrected)
Statistics.cov(x::GVector, y::GVector; corrected::Bool = true) =
    LinearAlgebra.dot(y .- Statistics.mean(y), x .- Statistics.mean(x)) / (length(x) - corrected)
function Statistics.cor(x::GMatrix; dims::Integer = 1)
    products = Statistics.cov(x; dims = dims)
    lengths = sqrt.(LinearAlgebra.diag(products))
    products ./ (lengths .* lengths')
end
Statistics.cor(x::GVector, y::GVector) =
    Statistics.cov(x, y) / (Statistics.std(x) * Statistics.std(y))

Base.clamp!(x::GArray, low, high) = (x .= clamp.(x, low, high))
