# The upper half of a Float32, which Julia has no type for.

"""
    BFloat16(x)

A number of 16 bits with the range of `Float32` and 8 bits of precision. Arithmetic is that of
`Float32`, rounded to nearest even.
"""
primitive type BFloat16 <: AbstractFloat 16 end

function BFloat16(x::Float32)
    bits = reinterpret(UInt32, x)
    isnan(x) && return reinterpret(BFloat16, (bits >> 16) % UInt16 | 0x0040)
    reinterpret(BFloat16, ((bits + 0x00007fff + ((bits >> 16) & 1)) >> 16) % UInt16)
end
BFloat16(x::BFloat16) = x
BFloat16(x::Real) = BFloat16(Float32(x))
BFloat16(x::Rational) = BFloat16(Float32(x))
Base.Float32(x::BFloat16) = reinterpret(Float32, UInt32(reinterpret(UInt16, x)) << 16)
Base.Float64(x::BFloat16) = Float64(Float32(x))
Base.Float16(x::BFloat16) = Float16(Float32(x))
(::Type{T})(x::BFloat16) where {T<:Integer} = T(Float32(x))
Base.Bool(x::BFloat16) = Bool(Float32(x))

Base.promote_rule(::Type{BFloat16}, ::Type{Float16}) = Float32
Base.promote_rule(::Type{BFloat16}, ::Type{Float32}) = Float32
Base.promote_rule(::Type{BFloat16}, ::Type{Float64}) = Float64
Base.promote_rule(::Type{BFloat16}, ::Type{<:Integer}) = BFloat16
Base.promote_rule(::Type{<:AbstractIrrational}, ::Type{BFloat16}) = BFloat16

for op in (:+, :-, :*, :/, :^)
    @eval Base.$op(x::BFloat16, y::BFloat16) = BFloat16($op(Float32(x), Float32(y)))
end
for op in (:-, :abs, :sqrt, :exp, :log, :sin, :cos, :tan, :tanh, :floor, :ceil, :trunc)
    @eval Base.$op(x::BFloat16) = BFloat16($op(Float32(x)))
end
for op in (:(==), :<, :<=, :isless)
    @eval Base.$op(x::BFloat16, y::BFloat16) = $op(Float32(x), Float32(y))
end
Base.typemin(::Type{BFloat16}) = BFloat16(-Inf32)
Base.typemax(::Type{BFloat16}) = BFloat16(Inf32)
Base.eps(::Type{BFloat16}) = BFloat16(2.0f0^-7)
Base.signbit(x::BFloat16) = signbit(Float32(x))
Base.show(io::IO, x::BFloat16) = print(io, "BFloat16(", Float32(x), ')')
