# Single elements: each read or write is a copy and waits, so they are refused unless asked for.

const ALLOW = :GPUArr_allowscalar

"""
    allowscalar(allowed = true)
    allowscalar(f)

Let this task read and write single elements of `GArray`s (`x[3]`, `x[2, 5] = 1`, loops over
them), or no longer; or let it during `f()`. Each is a copy between host and device that waits for
work under way: good for a look, ruinous in a loop.
"""
allowscalar(allowed::Bool = true) = (task_local_storage(ALLOW, allowed); nothing)
allowscalar(f::Base.Callable) = task_local_storage(f, ALLOW, true)

"""
    @allowscalar expression

Evaluate an expression in which single elements of `GArray`s may be read and written.
"""
macro allowscalar(expression)
    :(allowscalar(() -> $(esc(expression))))
end

function check_scalar(x)
    get(task_local_storage(), ALLOW, false)::Bool || error(
        "single elements of a ", nameof(typeof(x)), " are not read or written by default, since ",
        "each takes a copy that waits for the device: use dotted expressions, reductions or ",
        "Array(x), or allow it with @allowscalar")
    nothing
end

# The place of an element as a view without dimensions.
place(x::GArray{T,N}, indices::Vararg{Integer,N}) where {T,N} = view(x, indices...)
place(x::GArray{T,1}, k::Integer) where {T} = view(x, k)
function place(x::GArray, k::Integer)
    checkbounds(x, k)
    view(x, Tuple(CartesianIndices(x)[k])...)
end
function place(x::GArray{T,N}, indices::Integer...) where {T,N}
    checkbounds(x, indices...)
    view(x, ntuple(k -> k <= length(indices) ? Int(indices[k]) : 1, Val(N))...)
end

function element(x::GArray{T}, indices::Integer...) where {T}
    check_scalar(x)
    number(place(x, indices...))
end
function set_element!(x::GArray, value, indices::Integer...)
    check_scalar(x)
    part = place(x, indices...)
    fill!(part, value)
    unsafe_free!(part)
    x
end

"""
    GPUArr.number(x)

The only element of an array without dimensions, such as a reduction's `out`; waits for it.
"""
function number(x::GArray{T,0}) where {T}
    out = Ref{T}()
    GC.@preserve out check(Lib.gpuarr_array_read(
        Ptr{Cvoid}(Base.unsafe_convert(Ptr{T}, out)), sizeof(T), C_NULL, x, C_NULL))
    out[]
end
