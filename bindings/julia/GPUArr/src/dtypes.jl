# Element types: their numbers in the library, and a number as an argument of a kernel.

"""
    GPUArr.Element

The types that a `GArray` may hold: `Bool`, integers of 8 to 64 bits, `Float16`, `BFloat16`,
`Float32`, `Float64`, `ComplexF32`, `ComplexF64`.
"""
const Element = Union{Bool,Int8,Int16,Int32,Int64,UInt8,UInt16,UInt32,UInt64,Float16,BFloat16,
    Float32,Float64,ComplexF32,ComplexF64}

# Type, its number, its name in kernels.
const ELEMENTS = (
    (Bool, Lib.GPUARR_BOOL, "bool"), (Int8, Lib.GPUARR_I8, "int8"),
    (Int16, Lib.GPUARR_I16, "int16"), (Int32, Lib.GPUARR_I32, "int32"),
    (Int64, Lib.GPUARR_I64, "int64"), (UInt8, Lib.GPUARR_U8, "uint8"),
    (UInt16, Lib.GPUARR_U16, "uint16"), (UInt32, Lib.GPUARR_U32, "uint32"),
    (UInt64, Lib.GPUARR_U64, "uint64"), (Float16, Lib.GPUARR_F16, "float16"),
    (BFloat16, Lib.GPUARR_BF16, "bfloat16"), (Float32, Lib.GPUARR_F32, "float32"),
    (Float64, Lib.GPUARR_F64, "float64"), (ComplexF32, Lib.GPUARR_C64, "complex64"),
    (ComplexF64, Lib.GPUARR_C128, "complex128"))

for (type, number, name) in ELEMENTS
    @eval dtype(::Type{$type}) = $number
    @eval kernel_type(::Type{$type}) = $name
end
@noinline dtype(T::Type) = throw(ArgumentError(
    "a GArray cannot hold elements of type $T; it takes Bool, integers of 8 to 64 bits, Float16, " *
    "BFloat16, Float32, Float64, ComplexF32, ComplexF64"))

element_type(number::Integer) = ELEMENTS[findfirst(entry -> entry[2] == number, ELEMENTS)][1]

# gpuarr_arg, with the 16 bytes of its value as two words.
struct Argument
    array::Ptr{Lib.gpuarr_array}
    dtype::Int32
    flags::Int32
    low::UInt64
    high::UInt64
end
@assert sizeof(Argument) == sizeof(Lib.gpuarr_arg) == 32

bits(x::Bool) = UInt64(x)
bits(x::Union{Int8,UInt8}) = UInt64(reinterpret(UInt8, x))
bits(x::Union{Int16,UInt16,Float16,BFloat16}) = UInt64(reinterpret(UInt16, x))
bits(x::Union{Int32,UInt32,Float32}) = UInt64(reinterpret(UInt32, x))
bits(x::Union{Int64,UInt64,Float64}) = reinterpret(UInt64, x)
bits(x::ComplexF32) = bits(x.re) | bits(x.im) << 32

@inline argument(x::T) where {T<:Element} = Argument(C_NULL, dtype(T), Int32(0), bits(x), UInt64(0))
@inline argument(x::ComplexF64) =
    Argument(C_NULL, Lib.GPUARR_C128, Int32(0), bits(x.re), bits(x.im))

function to_lib(x::Argument)
    place = Ref(x)
    GC.@preserve place unsafe_load(Ptr{Lib.gpuarr_arg}(Base.unsafe_convert(Ptr{Argument}, place)))
end
