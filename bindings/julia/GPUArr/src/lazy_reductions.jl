# Reductions of lazy expressions: with `dims` they are lazy, without they are numbers, as those of
# arrays. `lazily(f, x...)` is what `f(x...)` is inside of `@lazy` and `@fused`: never computed.

# The library's name of what op reduces elements of type T by; nothing if it has none.
reduction_name(op, T) = nothing
reduction_name(::Union{typeof(+),typeof(Base.add_sum)}, T) = "sum"
reduction_name(::Union{typeof(*),typeof(Base.mul_prod)}, T) = "prod"
reduction_name(::typeof(max), T) = "max"
reduction_name(::typeof(min), T) = "min"
reduction_name(::typeof(|), ::Type{Bool}) = "any"
reduction_name(::typeof(&), ::Type{Bool}) = "all"

# Results of type R, by the library's reduction of a name.
function reduced(name::String, x::Lazy{T,N}, ::Type{R}, dims, ddof::Real = 0) where {T,N,R}
    axes, count, keepdims = axis_list(dims, N)
    axes .= Int32(N - 1) .- axes
    made = no_nodes()
    try
        pointer = GC.@preserve x node!(out -> Lib.gpuarr_expr_reduce(out, name, handle(x), axes,
            count, keepdims, ddof), made)
        pointer = pointer_of(made, number_of(R, pointer, made))
        Lazy(R, reduced_size(dims, x.dims), Lib.gpuarr_expr_retain(pointer), x.device)
    finally
        foreach(Lib.gpuarr_expr_release, made)
    end
end

lazy_map(f, x...) = lazy.(f.(x...))
lazy_map(::typeof(identity), x) = Lazy(x)

# Reductions that the library does not have are computed at once.
function lazily(::typeof(mapreduce), f, op, x::Viewed...; dims = :)
    mapped = lazy_map(f, x...)
    T = eltype(mapped)
    name = reduction_name(op, T)
    name === nothing ? Lazy(as_array(mapreduce(identity, op, GArray(mapped); dims = dims))) :
        reduced(name, mapped, reduced_type(op, T, T), dims)
end
as_array(x) = x isa GArray ? x : GArray(x)

# mapreduce and its like where an argument is lazy. What the library has no reduction for is
# computed before it is reduced; structs are no elements of lazy expressions.
function mapreduced_lazily(f, op, start, dims, x::Viewed...)
    is_struct_type(Base.promote_op(f, map(eltype, x)...)) &&
        return mapreduced(f, op, start, dims, map(as_array, x)...)
    mapped = lazy_map(f, x...)
    start isa NoStart && reduction_name(op, eltype(mapped)) !== nothing &&
        return outcome(lazily(mapreduce, identity, op, mapped; dims = dims))
    mapreduced(identity, op, start, dims, GArray(mapped))
end
outcome(x::Lazy) = x
outcome(x::Lazy{T,0}) where {T} = number(x)

for (f, op) in ((:sum, :(Base.add_sum)), (:prod, :(Base.mul_prod)), (:maximum, :max),
                (:minimum, :min), (:any, :|), (:all, :&), (:count, :(Base.add_sum)))
    @eval lazily(::typeof($f), g, x::Viewed; dims = :) =
        lazily(mapreduce, g, $op, x; dims = dims)
    @eval lazily(::typeof($f), x::Viewed; dims = :) = lazily($f, identity, x; dims = dims)
end
lazily(::typeof(LinearAlgebra.dot), x::Viewed, y::Viewed) =
    lazily(mapreduce, (a, b) -> conj(a) * b, Base.add_sum, x, y)

divided_type(T) = Base.promote_op(/, reduced_type(Base.add_sum, T, T), Int)
lazily(::typeof(Statistics.mean), x::Viewed; dims = :) =
    reduced("mean", Lazy(x), divided_type(eltype(x)), dims)
lazily(::typeof(Statistics.mean), f, x::Viewed; dims = :) =
    lazily(Statistics.mean, lazy_map(f, x); dims = dims)
lazily(::typeof(Statistics.var), x::Viewed; dims = :, corrected::Bool = true) =
    reduced("var", Lazy(x), real(divided_type(eltype(x))), dims, corrected)
lazily(::typeof(Statistics.std), x::Viewed; dims = :, corrected::Bool = true) =
    reduced("std", Lazy(x), real(divided_type(eltype(x))), dims, corrected)
function lazily(::typeof(LinearAlgebra.norm), x::Viewed, p::Real = 2)
    name = p == 1 ? "norm_1" : p == 2 ? "norm_2" : p == Inf ? "norm_inf" :
        throw(ArgumentError("norm: p is $p; take 1, 2 or Inf"))
    reduced(name, Lazy(x), real(float(eltype(x))), :)
end
for (f, name) in ((:nansum, "nansum"), (:nanmaximum, "nanmax"), (:nanminimum, "nanmin"))
    @eval lazily(::typeof($f), x::Viewed; dims = :) = reduced($name, Lazy(x),
        $(f === :nansum ? :(reduced_type(Base.add_sum, eltype(x), eltype(x))) : :(eltype(x))), dims)
end
lazily(::typeof(logsumexp), x::Viewed; dims = :) =
    reduced("logsumexp", Lazy(x), float(eltype(x)), dims)

for f in (:(Statistics.mean), :(Statistics.var), :(Statistics.std), :nansum, :nanmaximum,
          :nanminimum, :logsumexp)
    @eval $f(x::Lazy; kw...) = outcome(lazily($f, x; kw...))
end
Statistics.mean(f, x::Lazy; dims = :) = outcome(lazily(Statistics.mean, f, x; dims = dims))
LinearAlgebra.norm(x::Lazy, p::Real = 2) =
    isempty(x) ? zero(real(float(eltype(x)))) : outcome(lazily(LinearAlgebra.norm, x, p))
function Base.extrema(x::Lazy; dims = :)
    both = evaluate(lazily(minimum, x; dims = dims), lazily(maximum, x; dims = dims))
    dims isa Colon ? map(numbers, both) : tuple.(map(Array, both)...)
end
