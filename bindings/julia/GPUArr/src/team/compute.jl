# What is computed over all blocks: products of matrices, sorting, running results.

# Calls call(out) with a place that has an array for the result.
function into(call, z::BlockedArray)
    GC.@preserve z check(z.team, call(BlockedPlace(handle(z))))
    z
end

as_elements(::Type{T}, x::BlockedArray{T}) where {T} = x
as_elements(::Type{T}, x::BlockedArray) where {T} = T.(x)

multiply!(z::BlockedArray{T}, x::BlockedArray, y::BlockedArray) where {T} = into(z) do out
    Lib.gpuarr_blocked_matmul(out, as_elements(T, x), as_elements(T, y))
end
function multiplied(x::BlockedArray{T}, y::BlockedArray{S}) where {T,S}
    check_product(x, y)
    R = product_type(T, S)
    made_blocked(x.team, no_ghosts(ndims(y))) do out
        Lib.gpuarr_blocked_matmul(out, as_elements(R, x), as_elements(R, y))
    end
end

"""
    A * B, A * x, A', mul!(C, A, B), mul!(C, A, B, α, β)

Products of blocked matrices, and of one and a blocked vector, in any blocks on any places. A new
result has the rows of `A`'s blocks and the columns of `B`'s. Bits depend on the blocks, not on how
many places have them. `A'` is a view unless elements are complex.
"""
Base.:*(A::BlockedMatrix, B::BlockedMatrix) = multiplied(A, B)
Base.:*(A::BlockedMatrix, x::BlockedVector) = multiplied(A, x)
for (C, A, B) in ((:BlockedMatrix, :BlockedMatrix, :BlockedMatrix),
                  (:BlockedVector, :BlockedMatrix, :BlockedVector))
    @eval LinearAlgebra.mul!(C::$C, A::$A, B::$B, α::Number, β::Number) = multiply!(C, A, B, α, β)
    @eval LinearAlgebra.mul!(C::$C, A::$A, B::$B) = multiply!(C, A, B, true, false)
end
Base.adjoint(x::BlockedMatrix{<:Real}) = transpose(x)
Base.adjoint(x::BlockedMatrix) = conj.(transpose(x))

function scan!(z::BlockedArray, op, x::BlockedArray, dims, exclusive::Bool = false)
    call = ready_scan(op)
    call === nothing && throw(ArgumentError("running results of a blocked array: op is " *
        "$(function_name(op)); it takes +, *, max and min"))
    name, axis = replace(string(nameof(call)), "gpuarr_" => ""), scan_axis(x, dims)
    into(out -> Lib.gpuarr_blocked_scan(out, name, x, axis, exclusive), z)
end

"""
    accumulate(op, x; dims), cumsum(x; dims), cumprod(x; dims), GPUArr.exclusive(op, x; dims)

Running results along a dimension, which a vector need not name, of a [`BlockedArray`](@ref); with a
`!` into a given one. `op` is `+`, `*`, `max` or `min`; sums and products of small integers are
`Int` or `UInt`.
"""
function Base.accumulate(op, x::BlockedArray{T}; dims = nothing, init = NoStart()) where {T}
    z = scan!(similar(x, ready_type(op, T)), op, x, dims)
    init isa NoStart ? z : op.(init, z)
end
exclusive(op, x::BlockedArray{T}; dims = nothing) where {T} =
    scan!(similar(x, ready_type(op, T)), op, x, dims, true)

"""
    sort(x; rev = false), sort!(x; rev = false)

Sort a blocked vector, NaNs last, or first if `rev`: the same at any number of places.
"""
Base.sort(x::BlockedArray; rev::Bool = false) = sort_into!(similar(x), x, rev)
Base.sort!(x::BlockedArray; rev::Bool = false) = sort_into!(x, x, rev)
function sort_into!(z::BlockedArray{T}, x::BlockedArray{T}, rev::Bool) where {T}
    nans = rev && T <: AbstractFloat ? sum(isnan, x) : 0
    # The library has NaNs last: they are sorted as infinities, which are the first.
    keys = nans == 0 ? x : ifelse.(isnan.(x), T(Inf), x)
    into(out -> Lib.gpuarr_blocked_sort(out, keys, rev), z)
    nans == 0 || (z .= ifelse.((1:length(z)) .<= nans, T(NaN), z); unsafe_free!(keys))
    z
end
