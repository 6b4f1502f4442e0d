# Arrays of immutable structs and tuples of numbers. In the library such an array is one of words
# with an axis of its own, the last, along which the words of an element lie; each number in the
# struct is an array over the same memory, with gaps, for dotted expressions and reductions.

is_struct_type(@nospecialize(T)) = T isa DataType && isbitstype(T) && !(T <: Element) &&
    fieldcount(T) > 0 && all(k -> is_struct_part(fieldtype(T, k)), 1:fieldcount(T))
is_struct_part(@nospecialize(T)) = T <: Element || Base.issingletontype(T) || is_struct_type(T)

# Structs lie in memory as words of their alignment.
word_type(T) = (UInt8, UInt16, UInt32, UInt64)[trailing_zeros(Base.datatype_alignment(T))+1]
words_of(::Type{T}) where {T<:Element} = 1
words_of(::Type{T}) where {T} = sizeof(T) ÷ sizeof(word_type(T))

# Calls visit(type, offset in bytes) for the numbers of a struct, in order; complex ones are two.
function visit_fields(visit, @nospecialize(T), offset::Int = 0)
    T <: Real && T <: Element && return visit(T, offset)
    Base.issingletontype(T) && return
    for k in 1:fieldcount(T)
        visit_fields(visit, fieldtype(T, k), offset + Int(fieldoffset(T, k)))
    end
end
function fields_of(@nospecialize(T))
    found = Tuple{Any,Int}[]
    visit_fields((E, offset) -> push!(found, (E, offset)), T)
    found
end

# An array of the dimensions, then the words. Words come first in memory.
function allocate_structs(::Type{T}, dims::NTuple{N,Int}, device::Device) where {T,N}
    is_struct_type(T) || dtype(T)
    words = allocate(word_type(T), (words_of(T), dims...), device)
    x = structs_view(T, words)
    unsafe_free!(words)
    x
end
# The words as an array of their own, over the same memory, with the axis of words first.
function words_view(x::GArray{T,N}) where {T,N}
    words = GArray{word_type(T),N + 1}(x.handle, (x.dims..., words_of(T)))
    transposed(words, (N + 1, ntuple(identity, N)...))
end

# The other way: words that come first as an array of structs.
function structs_view(::Type{T}, words::GArray{W,M}) where {T,W,M}
    turned = transposed(words, (ntuple(k -> k + 1, M - 1)..., 1))
    GArray{T,M - 1}(turned.handle, words.dims[2:end])
end
reshaped(x::GArray{T}, dims) where {T} = Lib.gpuarr_array_retain(handle(structs_view(T,
    reshape(words_view(x), words_of(T), dims...))))

# The array of field k, made when it is first asked for and kept as long as x.
function field_array(x::GArray{T}, k::Int) where {T}
    handle(x)
    parts = x.handle.parts
    parts === nothing && (parts = x.handle.parts = Any[wrapped_field(x, E, offset)
                                                       for (E, offset) in fields_of(T)])
    parts[k]
end
wrapped_field(x::GArray{T}, ::Type{E}, offset::Int) where {T,E} = wrapped(E, x, x.dims,
    [step * sizeof(word_type(T)) ÷ sizeof(E) for step in Base.strides(x)], offset)
# An array over the memory of another, which it keeps.
function wrapped(::Type{E}, x::GArray, dims, steps, offset::Int) where {E}
    out, owner = no_array(), Lib.gpuarr_array_retain(handle(x))
    status = Lib.gpuarr_array_wrap(out, device(x).pointer, dtype(E), length(dims),
        Int64[dims...], Int64[steps...], Ptr{Cvoid}(pointer(x)) + offset, 0,
        Lib.gpuarr_array_release_address[], owner)
    status == Lib.GPUARR_OK || Lib.gpuarr_array_release(owner)
    check(status)
    owned(E, dims, out[])
end
is_contiguous(x::GArray{T,N}) where {T,N} =
    Base.strides(x) == ntuple(d -> prod(x.dims[1:d-1]) * words_of(T), N)
@generated field_arrays(x::GArray{T,N}) where {T,N} = Expr(:tuple,
    (:(field_array(x, $k)::GArray{$E,$N}) for (k, (E, _)) in enumerate(fields_of(T)))...)

# The bytes as they are, padding included.
function write_structs!(x::GArray{T,N}, a::AbstractArray) where {T,N}
    host = a isa Array{T,N} ? a : Array{T,N}(a)
    words = Array{word_type(T)}(undef, words_of(T), size(a)...)
    copy_bytes!(words, host)
    write!(words_view(x), words)
    x
end
function read_structs!(a::AbstractArray{T,N}, x::GArray{T,N}) where {T,N}
    host = Array{T,N}(undef, size(a))
    copy_bytes!(host, Array(words_view(x)))
    copyto!(a, host)
end
copy_bytes!(to::Array, from::Array) = GC.@preserve to from unsafe_copyto!(
    Ptr{UInt8}(pointer(to)), Ptr{UInt8}(pointer(from)), sizeof(from))

# As values of a kernel: a parameter for each number of the struct.
function struct_value(walk::Walk, @nospecialize(T))
    T <: Real && T <: Element && return typed(parameter!(walk, T))
    Base.issingletontype(T) && return Typed.literal(CURRENT[].unit, T.instance)
    Typed.in_parts(T, Any[struct_value(walk, fieldtype(T, k)) for k in 1:fieldcount(T)])
end

# Statements that set the outputs z1, z2 ... to the parts of a value.
function stored_value(@nospecialize(T), x::TracedValue)
    unit = CURRENT[].unit
    x.value.type === T || throw(ArgumentError(
        "a dotted expression gives a $(x.value.type) for an element, not a $T"))
    parts = String[]
    collect_parts!(parts, unit, x.value)
    join((string('z', k, " = ", part, ';') for (k, part) in enumerate(parts)), '\n')
end
function collect_parts!(parts, unit, v)
    v.type <: Real && v.type <: Element && return push!(parts, Typed.whole(unit, v).text)
    Base.issingletontype(v.type) && return parts
    for k in 1:fieldcount(v.type)
        collect_parts!(parts, unit, Typed.field(unit, v, k))
    end
end
output_list(T) = T <: Element ? kernel_type(T) * " z" :
    join((string(kernel_type(E), " z", k) for (k, (E, _)) in enumerate(fields_of(T))), ", ")
# Each number of a struct is a parameter of the kernel.
const MOST_PARAMETERS = 32
function check_parameters(walk::Walk, @nospecialize(T))
    count = length(walk.parameters) + (T <: Element ? 1 : length(fields_of(T)))
    count <= MOST_PARAMETERS || throw(ArgumentError(string("this kernel has ", count, " numbers ",
        "for an element, those of structs and of the result counted one by one: up to ",
        MOST_PARAMETERS, " are possible; a @kernel takes structs of any size")))
end
@inline outputs_of(z::GArray{<:Element}) = (handle(z),)
@inline outputs_of(z::GArray) = map(handle, field_arrays(z))

"""
    reinterpret(T, x)

The memory of an array seen as elements of another type, without a copy. Where sizes differ it is
the first dimension that changes, whose elements must have no gaps.
"""
function Base.reinterpret(::Type{S}, x::GArray{T,N}) where {S<:Element,T<:Element,N}
    S === T && return x
    same = sizeof(S) == sizeof(T)
    steps, dims = collect(Int, Base.strides(x)), collect(Int, x.dims)
    if !same
        N > 0 && (steps[1] == 1 || dims[1] < 2) && dims[1] * sizeof(T) % sizeof(S) == 0 &&
            all(step -> step * sizeof(T) % sizeof(S) == 0, steps[2:end]) ||
            refuse_parts(S, x)
        dims[1] = dims[1] * sizeof(T) ÷ sizeof(S)
        steps = [1; steps[2:end] .* sizeof(T) .÷ sizeof(S)]
    end
    wrapped(S, x, Tuple(dims), steps, 0)
end
Base.reinterpret(::Type{S}, x::GArray{T,N}) where {S<:Element,T,N} =
    is_contiguous(x) ? reinterpret(S, reshape(words_view(x), :, x.dims[2:end]...)) :
    throw(ArgumentError("reinterpret: $(summary_of(x)) has gaps between its elements"))
function Base.reinterpret(::Type{S}, x::GArray{T,N}) where {S,T,N}
    is_struct_type(S) && N > 0 || throw(ArgumentError("reinterpret: no GArray has elements of $S"))
    words = reinterpret(word_type(S), x)
    k = words_of(S)
    size(words, 1) % k == 0 || refuse_parts(S, x)
    dims = (size(words, 1) ÷ k, x.dims[2:end]...)
    structs_view(S, reshape(words, k, dims...))
end
refuse_parts(S, x) = throw(ArgumentError(
    "reinterpret: $(summary_of(x)) does not divide into elements of $S"))
