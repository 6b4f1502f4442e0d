# Numbers that stand for an element while a Julia function is turned into a kernel.
#
# A function is called once with such numbers in place of elements; each operation on them writes
# a statement of CUDA C++ and returns a number that stands for its result. So whatever a function
# is made of, in Base or in a user's program, becomes a kernel, as long as its course does not
# depend on values.

"""
    GPUArr.TracedFloat{T}, GPUArr.TracedInteger{T}

Stand for an element of type `T` while a function is turned into a kernel. Complex elements are
`Complex{TracedFloat{T}}`, truth values `TracedInteger{Bool}`.
"""
struct TracedFloat{T<:AbstractFloat} <: AbstractFloat
    name::String
    TracedFloat{T}(name::String) where {T<:AbstractFloat} = new{T}(name)
end
@doc (@doc TracedFloat)
struct TracedInteger{T<:Integer} <: Integer
    name::String
    TracedInteger{T}(name::String) where {T<:Integer} = new{T}(name)
end

const Traced = Union{TracedFloat,TracedInteger}
const TracedNumber = Union{Traced,Complex{<:Traced}}
const TracedBool = TracedInteger{Bool}

standin(::Type{T}) where {T<:AbstractFloat} = TracedFloat{T}
standin(::Type{T}) where {T<:Integer} = TracedInteger{T}
standin(::Type{Complex{T}}) where {T} = Complex{TracedFloat{T}}

# The type that a number stands for; of others their own.
meaning(::TracedFloat{T}) where {T} = T
meaning(::TracedInteger{T}) where {T} = T
meaning(::Complex{<:TracedFloat{T}}) where {T} = Complex{T}
meaning(x) = typeof(x)

# The statements of the function that is being traced; the lock in trees.jl lets one be at a time.
struct Trace
    statements::Vector{String}
    helpers::Vector{String}
end
Trace() = Trace(String[], String[])
const CURRENT = Ref(Trace())

# A number of type T that stands for a variable of a kernel.
variable_of(::Type{T}, name::String) where {T<:Real} = standin(T)(name)
variable_of(::Type{Complex{T}}, name::String) where {T} =
    Complex(TracedFloat{T}(name * ".re"), TracedFloat{T}(name * ".im"))

# Writes a statement for an expression of type T.
@noinline function emit(@nospecialize(T), text::String)
    T isa Type && T <: Element && isconcretetype(T) || throw(ArgumentError(
        "$(isconcretetype(T) ? "a value" : "values") of type $T, which kernels do not have"))
    statements = CURRENT[].statements
    name = string("t", length(statements) + 1)
    type = kernel_type(T)
    push!(statements, "const $type $name = ($type)($text);")
    variable_of(T, name)
end

# Name of a function of helpers.jl, which goes into the kernel's preamble.
@noinline function helper(name::String)
    helpers = CURRENT[].helpers
    name in helpers || push!(helpers, name)
    string("julia_", name)
end

# What operations on a type are computed in: 16-bit floats in float32, integers in unsigned ones
# of at least 32 bits, whose overflow wraps around as Julia's does.
compute_type(::Type{T}) where {T<:Union{Float16,BFloat16}} = "float32"
compute_type(::Type{T}) where {T<:Union{Bool,Int8,Int16,Int32,UInt8,UInt16,UInt32}} = "uint32"
compute_type(::Type{T}) where {T<:Union{Int64,UInt64}} = "uint64"
compute_type(::Type{T}) where {T} = kernel_type(T)

as(type::String, x::Traced) = string('(', type, ')', x.name)

# Literals. Hexadecimal floats are exact.
literal(x::Bool) = x ? "true" : "false"
literal(x::Int64) = x == typemin(Int64) ? "(-9223372036854775807ll - 1)" : string(x, "ll")
literal(x::UInt64) = string(x, "ull")
literal(x::T) where {T<:Integer} = string('(', kernel_type(T), ")(", Int64(x), "ll)")
function literal(x::T) where {T<:AbstractFloat}
    digits = isnan(x) ? "NAN" : isinf(x) ? (x < 0 ? "-INFINITY" : "INFINITY") : @sprintf("%a", x)
    string('(', kernel_type(T), ")(", digits, ')')
end
literal(x::Complex{T}) where {T} =
    string(kernel_type(Complex{T}), '(', literal(real(x)), ", ", literal(imag(x)), ')')
literal(x::BFloat16) = string("(bfloat16)(", literal(Float32(x)), ')')
literal(x::Float16) = string("(float16)(", literal(Float32(x)), ')')

# Conversions, of constants and of other stand-ins.
TracedFloat{T}(x::TracedFloat{T}) where {T} = x
TracedInteger{T}(x::TracedInteger{T}) where {T} = x
TracedFloat{T}(x::Traced) where {T} = emit(T, as(kernel_type(T), x))
TracedInteger{T}(x::TracedInteger) where {T} = emit(T, as(kernel_type(T), x))
TracedInteger{T}(x::TracedFloat{S}) where {T,S} = throw(ArgumentError(
    "a $S becomes a $T: in Julia that throws where there is a fraction, which a kernel cannot; " *
    "say how, by round, trunc, floor or ceil ($T, x)"))
TracedFloat{T}(x::Real) where {T} = TracedFloat{T}(literal(T(x)))
TracedInteger{T}(x::Real) where {T} = TracedInteger{T}(literal(T(x)))
for Standin in (:TracedFloat, :TracedInteger), Special in (:Rational, :AbstractIrrational, :Float16)
    @eval $Standin{T}(x::$Special) where {T} = $Standin{T}(literal(T(x)))
end
TracedFloat{T}(x::Complex) where {T} = throw(ArgumentError(
    "a $(meaning(x)) becomes a $T: take real(x) or abs(x)"))
TracedInteger{T}(x::Complex) where {T} = throw(ArgumentError(
    "a $(meaning(x)) becomes a $T: take real(x) or abs(x)"))

for (T, _, _) in ELEMENTS, Standin in (:TracedFloat, :TracedInteger)
    T <: Complex && continue
    T === BFloat16 ? @eval(BFloat16(x::$Standin) = convert(standin(BFloat16), x)) :
    @eval(Base.$(nameof(T))(x::$Standin) = convert(standin($T), x))
    @eval Base.convert(::Type{$T}, x::$Standin) = convert(standin($T), x)
end
for Part in (Float32, Float64), Standin in (:TracedFloat, :TracedInteger)
    @eval Complex{$Part}(x::$Standin) = Complex{TracedFloat{$Part}}(x)
    @eval Base.convert(::Type{Complex{$Part}}, x::$Standin) = Complex{$Part}(x)
end
for Part in (Float32, Float64)
    @eval Complex{$Part}(x::Complex{<:Traced}) = Complex{TracedFloat{$Part}}(x)
    @eval Base.convert(::Type{Complex{$Part}}, x::Complex{<:Traced}) = Complex{$Part}(x)
end

Base.promote_rule(::Type{TracedFloat{T}}, ::Type{TracedFloat{S}}) where {T,S} =
    standin(promote_type(T, S))
Base.promote_rule(::Type{TracedInteger{T}}, ::Type{TracedInteger{S}}) where {T,S} =
    standin(promote_type(T, S))
Base.promote_rule(::Type{TracedFloat{T}}, ::Type{TracedInteger{S}}) where {T,S} =
    standin(promote_type(T, S))
Base.promote_rule(::Type{TracedInteger{S}}, ::Type{TracedFloat{T}}) where {T,S} =
    standin(promote_type(T, S))
Base.promote_rule(::Type{TracedFloat{T}}, ::Type{S}) where {T,S<:Real} = standin(promote_type(T, S))
Base.promote_rule(::Type{TracedInteger{T}}, ::Type{S}) where {T,S<:Real} =
    standin(promote_type(T, S))
Base.promote_rule(::Type{Bool}, ::Type{TracedInteger{T}}) where {T} = TracedInteger{T}
for Standin in (:TracedFloat, :TracedInteger)
    @eval Base.promote_rule(::Type{S}, ::Type{$Standin{T}}) where {T,S<:AbstractIrrational} =
        standin(promote_type(T, S))
    @eval Base.promote_rule(::Type{Rational{S}}, ::Type{$Standin{T}}) where {T,S<:Integer} =
        standin(promote_type(T, Rational{S}))
    @eval Base.promote_rule(::Type{$Standin{T}}, ::Type{Rational{S}}) where {T,S<:Integer} =
        standin(promote_type(T, Rational{S}))
end

# What generic code asks of a type.
for ask in (:zero, :one, :oneunit, :typemin, :typemax, :eps, :floatmin, :floatmax)
    @eval Base.$ask(::Type{TracedFloat{T}}) where {T} = TracedFloat{T}(literal($ask(T)))
    ask in (:eps, :floatmin, :floatmax) ||
        @eval Base.$ask(::Type{TracedInteger{T}}) where {T} = TracedInteger{T}(literal(T($ask(T))))
end
Base.zero(x::Traced) = zero(typeof(x))
Base.one(x::Traced) = one(typeof(x))
Base.float(::Type{TracedFloat{T}}) where {T} = TracedFloat{T}
Base.float(::Type{TracedInteger{T}}) where {T} = standin(float(T))
Base.float(x::TracedFloat) = x
Base.float(x::TracedInteger) = convert(float(typeof(x)), x)
Base.AbstractFloat(x::TracedInteger) = float(x)
Base.show(io::IO, x::Traced) = print(io, meaning(x), " element")
