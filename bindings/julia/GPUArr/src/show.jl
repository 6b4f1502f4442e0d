# How arrays print.

Base.summary(io::IO, x::GArray) = print(io, summary_of(x),
    x.handle.pointer == C_NULL ? " (released)" : string(" on ", name(device(x))))

# Elements of an array that is too large to be copied for being shown: those in sight, one by one.
struct Peek{T,N} <: AbstractArray{T,N}
    x::GArray{T,N}
end
Base.size(peek::Peek) = size(peek.x)
Base.getindex(peek::Peek, indices::Integer...) = number(place(peek.x, indices...))

to_show(x::GArray) = length(x) <= 100_000 ? Array(x) : Peek(x)

function Base.show(io::IO, ::MIME"text/plain", x::GArray)
    summary(io, x)
    (x.handle.pointer == C_NULL || isempty(x)) && return
    print(io, ":\n")
    Base.print_array(IOContext(io, :typeinfo => eltype(x), :compact => true), to_show(x))
end
Base.show(io::IO, x::GArray) =
    x.handle.pointer == C_NULL ? summary(io, x) : show(io, to_show(x))
