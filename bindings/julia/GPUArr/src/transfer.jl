# Copies between host and devices, and between arrays.

strides_vector(x::AbstractArray) = Int64[strides(x)...]
host_copy(a::AbstractArray{T,N}) where {T,N} = copyto!(Array{T,N}(undef, size(a)), a)

# Arrays of the host whose memory can be read as it is.
const HostArray{T,N} = Union{Array{T,N},SubArray{T,N,<:Array,<:Tuple{Vararg{Union{Int,
    AbstractRange{Int},Colon}}}}}

# Bytes from the lowest to the highest element.
span(a::HostArray{T}) where {T} =
    isempty(a) ? 0 : (1 + reduce(+, (size(a) .- 1) .* abs.(strides(a)); init = 0)) * sizeof(T)

write!(x::GArray{T,N}, a::AbstractArray{T,N}) where {T,N} = write_structs!(x, a)
read!(a::AbstractArray{T,N}, x::GArray{T,N}) where {T,N} = read_structs!(a, x)
function write!(x::GArray{T,N}, a::AbstractArray{T,N}) where {T<:Element,N}
    host = a isa HostArray ? a : host_copy(a)
    strides = strides_vector(host)
    GC.@preserve host check(Lib.gpuarr_array_write(
        x, strides, pointer(host), span(host), C_NULL))
    x
end

function read!(a::AbstractArray{T,N}, x::GArray{T,N}) where {T<:Element,N}
    host = a isa HostArray ? a : Array{T,N}(undef, size(a))
    strides = strides_vector(host)
    GC.@preserve host check(Lib.gpuarr_array_read(
        pointer(host), span(host), strides, x, C_NULL))
    host === a ? a : copyto!(a, host)
end

converted(::Type{T}, a::AbstractArray{T}) where {T} = a
converted(::Type{T}, a::AbstractArray{S,N}) where {T,S,N} = convert(Array{T,N}, a)

GArray{T,N}(a::AbstractArray{S,N}; device::Device = Device()) where {T,N,S} =
    write!(allocate(T, size(a), device), converted(T, a))
GArray{T}(a::AbstractArray{S,N}; kw...) where {T,S,N} = GArray{T,N}(a; kw...)
GArray(a::AbstractArray{T,N}; kw...) where {T,N} = GArray{T,N}(a; kw...)
function GArray{T,N}(x::GArray{S,N}; device::Device = device(x)) where {T,N,S}
    moved = device == GPUArr.device(x) ? x : moved_to(device, x)
    S === T ? (moved === x ? copy(x) : moved) : T.(moved)
end
# A number becomes an array without dimensions.
GArray(value::T; device::Device = Device()) where {T<:Element} = fill(value, (); device = device)

function moved_to(device::Device, x::GArray{T,N}) where {T,N}
    out = Ref{Ptr{Lib.gpuarr_array}}(C_NULL)
    check(Lib.gpuarr_array_to_device(out, x, device.pointer, C_NULL))
    owned(T, x.dims, out[])
end

Base.convert(::Type{GArray{T,N}}, x::GArray{T,N}) where {T,N} = x
Base.convert(::Type{GArray{T,N}}, a::AbstractArray{S,N}) where {T,S,N} = GArray{T,N}(a)
Base.convert(::Type{GArray{T}}, a::AbstractArray{S,N}) where {T,S,N} = convert(GArray{T,N}, a)
Base.convert(::Type{GArray}, a::AbstractArray{T,N}) where {T,N} = convert(GArray{T,N}, a)

Base.Array{S,N}(x::GArray{T,N}) where {S,T,N} = converted(S, read!(Array{T,N}(undef, x.dims), x))
Base.Array{S}(x::GArray{T,N}) where {S,T,N} = Array{S,N}(x)
Base.Array(x::GArray{T,N}) where {T,N} = Array{T,N}(x)
Base.convert(::Type{Array{S,N}}, x::GArray{T,N}) where {S,T,N} = Array{S,N}(x)
Base.convert(::Type{Array{S}}, x::GArray{T,N}) where {S,T,N} = Array{S,N}(x)
Base.convert(::Type{Array}, x::GArray) = Array(x)
Base.collect(x::GArray) = Array(x)

Base.copy(x::GArray{T}) where {T} = copyto!(similar(x), x)
function Base.copy(x::GArray{T,N}) where {T<:Element,N}
    out = Ref{Ptr{Lib.gpuarr_array}}(C_NULL)
    count_taken(sizeof(x))
    check(Lib.gpuarr_array_copy(out, x, Lib.GPUARR_ORDER_F, C_NULL))
    owned(T, x.dims, out[])
end
Base.deepcopy_internal(x::GArray, seen::IdDict) = get!(() -> copy(x), seen, x)

Base.fill!(x::GArray{T}, value) where {T} = (x .= Ref(convert(T, value)))
function Base.fill!(x::GArray{T}, value) where {T<:Element}
    number = to_lib(argument(convert(T, value)))
    check(Lib.gpuarr_array_fill(x, number, C_NULL))
    x
end

# copyto! goes by the order of elements in columns, whatever the shapes; like shapes are the rule.
assign!(x::GArray{T,N}, a::AbstractArray{T,N}) where {T,N} = write!(x, a)
assign!(x::GArray{T,N}, a::AbstractArray{S,N}) where {T,S,N} = write!(x, converted(T, a))
assign!(a::AbstractArray{T,N}, x::GArray{T,N}) where {T,N} = read!(a, x)
assign!(a::AbstractArray, x::GArray) = copyto!(a, Array(x))
function assign!(x::GArray{T,N}, y::GArray{T,N}) where {T,N}
    check(Lib.gpuarr_array_assign(x, y, C_NULL))
    x
end
function assign!(x::GArray{T,N}, y::GArray{S,N}) where {T,S,N}
    x .= device(x) == device(y) ? y : moved_to(device(x), y)
end

function copy_elements!(to, from)
    size(to) == size(from) && return assign!(to, from)
    length(from) <= length(to) || throw(BoundsError(to, length(from)))
    assign!(view(vec(to), 1:length(from)), vec(from))
    to
end
function copy_elements!(to, to_first, from, from_first, count)
    count == 0 && return to
    count > 0 || throw(ArgumentError("cannot copy $count elements: 0 or more would do"))
    assign!(view(vec(to), to_first:to_first+count-1),
        view(vec(from), from_first:from_first+count-1))
    to
end

for (To, From) in ((:GArray, :GArray), (:GArray, :AbstractArray), (:AbstractArray, :GArray))
    @eval Base.copyto!(to::$To, from::$From) = copy_elements!(to, from)
    @eval Base.copyto!(to::$To, to_first::Integer, from::$From, from_first::Integer,
                       count::Integer) =
        copy_elements!(to, to_first, from, from_first, count)
end
for Shape in (:AbstractArray, :AbstractVector)
    G = Shape === :AbstractArray ? :GArray : :(GArray{<:Any,1})
    @eval Base.copy!(to::$G, from::$Shape) = copy_same!(to, from)
    @eval Base.copy!(to::$Shape, from::$G) = copy_same!(to, from)
    @eval Base.copy!(to::$G, from::$G) = copy_same!(to, from)
end
function copy_same!(to, from)
    size(to) == size(from) || throw(DimensionMismatch(
        "cannot copy an array of size $(size(from)) into one of size $(size(to))"))
    assign!(to, from)
end
