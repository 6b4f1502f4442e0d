# Lazy expressions: values that are known by what computes them, as nodes of the library's. A node's
# axes are the dimensions in reverse, so that the library's C order is Julia's order by columns.

const ExprPlace = Ref{Ptr{Lib.gpuarr_expr}}

# What the collector watches, as of arrays.
mutable struct LazyHandle
    pointer::Ptr{Lib.gpuarr_expr}
    LazyHandle(pointer) = finalizer(release!, new(pointer))
end
function release!(handle::LazyHandle)
    pointer = handle.pointer
    handle.pointer = C_NULL
    Lib.gpuarr_expr_release(pointer)
end

"""
    GPUArr.Lazy{T,N}

An expression that is not computed yet, as [`@lazy`](@ref) makes it: an `AbstractArray` whose
elements are there when it is computed. Dotted expressions, views, and reductions with `dims` of it
are lazy, too. `GPUArr.Lazy(x)` of an array is one.

It is computed, each time anew and by as few kernels as the library's planner finds, by `GArray(x)`,
`Array(x)`, `collect(x)`, `y .= x`, `copyto!(y, x)`, by printing, by reductions to a number, and by
`x[]`, `Float64(x)` and their like where it has no dimensions. Arrays count as they are then. Keep
`GArray(x)` of what is used more than once; see [`GPUArr.evaluate`](@ref) and [`@fused`](@ref).
"""
struct Lazy{T,N} <: AbstractArray{T,N}
    handle::LazyHandle
    dims::NTuple{N,Int}
    device::Device
end

# Of a reference that the caller owns.
Lazy(::Type{T}, dims::NTuple{N,Int}, pointer, device::Device) where {T,N} =
    Lazy{T,N}(LazyHandle(pointer), dims, device)

Lazy(x::GArray{T}) where {T} = Lazy(T, x.dims, node_of(x), device(x))

# The node of an array, of which the caller owns a reference.
@inline function node_of(x::GArray)
    out, backwards = ExprPlace(C_NULL), ExprPlace(C_NULL)
    check(Lib.gpuarr_expr_array(out, x))
    ndims(x) < 2 && return out[]
    status = Lib.gpuarr_expr_transpose(backwards, out[], Int32(0), C_NULL)
    Lib.gpuarr_expr_release(out[])
    check(status)
    backwards[]
end
Lazy(x::Lazy) = x

@inline function handle(x::Lazy)
    pointer = x.handle.pointer
    pointer == C_NULL && throw_released(x)
    pointer
end
unsafe_free!(x::Lazy) = finalize(x.handle)
Base.unsafe_convert(::Type{Ptr{Lib.gpuarr_expr}}, x::Lazy) = handle(x)

device(x::Lazy) = x.device
Base.size(x::Lazy) = x.dims
Base.getindex(x::Lazy{T,0}) where {T} = number(x)
Base.getindex(x::Lazy, indices::Union{Colon,AbstractRange,Integer}...) =
    all(index -> index isa Integer, indices) ? refuse_element(x) : view(x, indices...)
refuse_element(x) = error(
    "a lazy expression has no elements: GArray(x) computes it, reductions and dotted expressions ",
    "take it")
number(x::Lazy{T,0}) where {T} = numbers(GArray(x))
function Base.reverse(x::Lazy{T,N}; dims = 1:N) where {T,N}
    out, axes = ExprPlace(C_NULL), Int32[N - 1 - one_axis(x, d) for d in dims]
    check(Lib.gpuarr_expr_flip(out, x, length(axes), axes))
    Lazy(T, x.dims, out[], x.device)
end
for (T, _, _) in ELEMENTS
    T <: Complex ? @eval(Base.Complex{$(real(T))}(x::Lazy{<:Any,0}) = $T(number(x))) :
    T === BFloat16 ? @eval(BFloat16(x::Lazy{<:Any,0}) = BFloat16(number(x))) :
    @eval(Base.$(nameof(T))(x::Lazy{<:Any,0}) = $T(number(x)))
end
Base.convert(::Type{T}, x::Lazy{<:Any,0}) where {T<:Number} = convert(T, number(x))

"""
    GPUArr.evaluate(x, y, ...)

Compute lazy expressions together, what they have in common once, into new arrays, which are
returned: `low, high = GPUArr.evaluate(minimum(e; dims = 1), maximum(e; dims = 1))`.
"""
evaluate(x::Lazy) = evaluate_into!((allocate(eltype(x), x.dims, x.device),), (x,))[1]
evaluate(x::Lazy...) =
    evaluate_into!(map(e -> allocate(eltype(e), e.dims, e.device), x), x)

function evaluate_into!(arrays::NTuple{K,GArray}, exprs::NTuple{K,Lazy}) where {K}
    list = Ref(map(handle, exprs))
    outputs = Ref(map(backwards_view, arrays))
    status = GC.@preserve outputs list arrays exprs Lib.gpuarr_evaluate(
        first_of(outputs), first_of(list), Int32(K), C_NULL)
    foreach(Lib.gpuarr_array_release, outputs[])
    check(status)
    arrays
end
@inline function backwards_view(x::GArray)
    ndims(x) < 2 && return Lib.gpuarr_array_retain(x)
    out = Ref{Ptr{Lib.gpuarr_array}}(C_NULL)
    check(Lib.gpuarr_array_transpose(out, x, Int32(0), C_NULL))
    out[]
end
@inline first_of(tuple::Base.RefValue{NTuple{K,T}}) where {K,T} =
    Ptr{T}(Base.unsafe_convert(Ptr{NTuple{K,T}}, tuple))

"""
    GPUArr.explain(x, ...)

Tell which kernels lazy expressions become when they are computed together, what these read and
write, and why each value that is stored is stored. Shapes and axes are the library's: the
dimensions in reverse, from 0.
"""
function explain(x::Lazy...)
    out, list = Ref{Cstring}(C_NULL), collect(map(handle, x))
    GC.@preserve x list check(Lib.gpuarr_expr_explain(out, list, length(x)))
    unsafe_string(out[])
end

GArray(x::Lazy) = evaluate(x)
GArray{T,N}(x::Lazy{S,N}) where {T,N,S} = evaluate(converted(T, x))
converted(::Type{T}, x::Lazy{T}) where {T} = x
converted(::Type{T}, x::Lazy) where {T} = convert.(T, x)
Base.Array{S,N}(x::Lazy{T,N}) where {S,T,N} = Array{S,N}(GArray(x))
Base.Array{S}(x::Lazy{T,N}) where {S,T,N} = Array{S,N}(x)
Base.Array(x::Lazy{T,N}) where {T,N} = Array{T,N}(x)
Base.collect(x::Lazy) = Array(x)
Base.convert(::Type{Array{S,N}}, x::Lazy{T,N}) where {S,T,N} = Array{S,N}(x)
Base.copy(x::Lazy) = GArray(x)
Base.similar(x::Lazy, ::Type{T}, dims::Dims{N}) where {T,N} = allocate(T, dims, x.device)
Base.summary(io::IO, x::Lazy) = print(io, summary_of(x))
Base.show(io::IO, x::Lazy) = show(io, GArray(x))
function Base.show(io::IO, ::MIME"text/plain", x::Lazy)
    summary(io, x)
    isempty(x) && return
    print(io, ":\n")
    Base.print_array(IOContext(io, :typeinfo => eltype(x), :compact => true), to_show(GArray(x)))
end
