# What kernels have beside functions of numbers: arrays, places of threads, shared memory,
# barriers, atomic operations, warps. Julia sees their types; their texts are in device_texts.jl.

"""
    GPUArr.KernelArray{T,N}

What a [`@kernel`](@ref) sees of a `GArray{T,N}`: an `AbstractArray` that is read and written by
1-based indices, `x[i, j]`, or by one that counts in columns.
"""
struct KernelArray{T,N,Unit} <: AbstractArray{T,N}
    data::Ptr{T}
end

"""
    @shared T (m, n...)

Memory that the threads of a block share, in a [`@kernel`](@ref): `tile = @shared Float32 (32, 33)`.
Sizes are constants. What it holds at first is not said.
"""
struct SharedArray{T,N,Dims} <: AbstractArray{T,N}
    data::Ptr{T}
end
const InKernel{T,N} = Union{KernelArray{T,N},SharedArray{T,N}}

# Inference must not know that these functions have no value outside of kernels.
const NEVER = Ref{Any}(nothing)
@noinline check_in_kernel() = NEVER[] === nothing && error(
    "this function is for functions that become kernels: it means nothing on the host")
@noinline in_kernel(::Type{T}) where {T} = (check_in_kernel(); NEVER[]::T)

@noinline Base.getindex(x::InKernel{T}, i::Integer...) where {T} = in_kernel(T)
@noinline Base.getindex(x::InKernel{T}, i::CartesianIndex) where {T} = in_kernel(T)
@noinline Base.setindex!(x::InKernel, v, i::Integer...) = (in_kernel(Nothing); x)
@noinline Base.setindex!(x::InKernel, v, i::CartesianIndex) = (in_kernel(Nothing); x)
@noinline Base.size(x::InKernel{T,N}) where {T,N} = in_kernel(NTuple{N,Int})
@noinline Base.size(x::InKernel, d::Integer) = in_kernel(Int)
@noinline Base.length(x::InKernel) = in_kernel(Int)
Base.axes(x::InKernel, d::Integer) = Base.OneTo(size(x, d))
Base.axes(x::InKernel{T,1}) where {T} = (Base.OneTo(length(x)),)
Base.axes(x::InKernel) = map(Base.OneTo, size(x))
Base.eachindex(x::InKernel) = Base.OneTo(length(x))
Base.lastindex(x::InKernel) = length(x)
Base.lastindex(x::InKernel, d::Integer) = size(x, d)
Base.firstindex(x::InKernel) = 1

"""
    thread_index(d = 1), block_index(d = 1), block_size(d = 1), grid_size(d = 1)

In a [`@kernel`](@ref): which thread of its block this is, and which block, from 1; how many threads
a block has, and how many blocks there are. `d` is a literal from 1 to 3.
"""
@noinline thread_index(d::Integer = 1) = in_kernel(Int)
@noinline block_index(d::Integer = 1) = in_kernel(Int)
@noinline block_size(d::Integer = 1) = in_kernel(Int)
@noinline grid_size(d::Integer = 1) = in_kernel(Int)
@doc (@doc thread_index) block_index
@doc (@doc thread_index) block_size
@doc (@doc thread_index) grid_size

"""
    i = global_index(); i, j = global_index(2)

In a [`@kernel`](@ref): which thread of all this is, from 1, along the first dimension, or along the
first two or three as a tuple.
"""
@noinline global_index() = in_kernel(Int)
global_index(n::Integer) = n == 1 ? (global_index(),) : n == 2 ? global_pair() : global_triple()
@noinline global_pair() = in_kernel(NTuple{2,Int})
@noinline global_triple() = in_kernel(NTuple{3,Int})

"""
    sync_threads(); GPUArr.sync_warp()

In a [`@kernel`](@ref): wait until all threads of the block, or of the warp, have come here.
"""
@noinline sync_threads() = in_kernel(Nothing)
@noinline sync_warp() = in_kernel(Nothing)
@doc (@doc sync_threads) sync_warp

"""
    GPUArr.lane(), GPUArr.shuffle(x, lane)
    GPUArr.shuffle_up(x, n), GPUArr.shuffle_down(x, n), GPUArr.shuffle_xor(x, mask)
    GPUArr.vote_any(c), GPUArr.vote_all(c), GPUArr.ballot(c)

In a [`@kernel`](@ref), of the 32 threads of a warp: which one this is, from 1; the value that
another one has for `x`; whether a condition is true in one or in all, and in which, as bits.
"""
@noinline lane() = in_kernel(Int)
for f in (:shuffle, :shuffle_up, :shuffle_down, :shuffle_xor)
    @eval @noinline $f(x::T, n::Integer) where {T} = in_kernel(T)
    f === :shuffle || @eval @doc (@doc lane) $f
end
@noinline vote_any(c::Bool) = in_kernel(Bool)
@noinline vote_all(c::Bool) = in_kernel(Bool)
@noinline ballot(c::Bool) = in_kernel(UInt32)

@noinline shared(::Val, ::Type{T}, ::Val{D}) where {T,D} =
    in_kernel(SharedArray{T,length(D),D isa Tuple ? D : (D,)})
macro shared(T, dims)
    name = QuoteNode(gensym("shared"))
    :(shared(Val{$name}(), $(esc(T)), Val{$(esc(dims))}()))
end
@doc (@doc SharedArray) :(@shared)

"""
    GPUArr.@atomic x[i] += v

Change an element of an array in one step that no other thread comes between, in a
[`@kernel`](@ref), where it is `@atomic`. It gives what was there before. Operators are `+`, `-`,
`&`, `|`, `⊻`, `max` and `min` (`@atomic x[i] = max(x[i], v)`); `@atomic x[i] = v` exchanges.
"""
macro atomic(e)
    esc(atomic_code(e))
end
function atomic_code(e)
    e isa Expr && length(e.args) == 2 && e.args[1] isa Expr && e.args[1].head === :ref ||
        throw(ArgumentError("@atomic takes x[i] += v and the like, not $e"))
    place, value = e.args
    array, indices = place.args[1], place.args[2:end]
    e.head === :(=) || return Expr(:call, atomic!, Symbol(chop(string(e.head))), array, value,
        indices...)
    is_operator = value isa Expr && value.head === :call && length(value.args) == 3 &&
        value.args[2] == place
    is_operator ? Expr(:call, atomic!, value.args[1], array, value.args[3], indices...) :
        Expr(:call, atomic!, identity, array, value, indices...)
end
@noinline atomic!(f, x::InKernel{T}, v, i::Integer...) where {T} = in_kernel(T)

"""
    GPUArr.print_values("x = ", x, ...)

Print a line of texts and numbers from a kernel: on the CPU at once, on a GPU when the device is
waited for. On the host it is `println`.
"""
@noinline print_values(values...) = NEVER[] === nothing ? println(values...) : nothing
