# Numbers that stand for an element while a Julia function is turned into a kernel, or into nodes of
# a lazy expression.
#
# A function is called once with such numbers in place of elements; each operation on them writes
# a statement of CUDA C++ and returns a number that stands for its result. So whatever a function
# is made of, in Base or in a user's program, becomes a kernel, as long as its course does not
# depend on values.

"""
    GPUArr.ElementFloat{T}, GPUArr.ElementInteger{T}

Stand for an element of type `T` while a function is turned into a kernel, or into a lazy
expression. Complex elements are `Complex{<:ElementFloat{T}}`, truth values `ElementInteger{Bool}`.
"""
abstract type ElementFloat{T<:AbstractFloat} <: AbstractFloat end
@doc (@doc ElementFloat)
abstract type ElementInteger{T<:Integer} <: Integer end

# In a kernel: the name of a variable, or a literal.
struct TracedFloat{T} <: ElementFloat{T}
    name::String
    TracedFloat{T}(name::String) where {T<:AbstractFloat} = new{T}(name)
end
struct TracedInteger{T} <: ElementInteger{T}
    name::String
    TracedInteger{T}(name::String) where {T<:Integer} = new{T}(name)
end

# In a lazy expression: a node of the library's, or where its pointer is NULL, a constant. `made`
# are the nodes that are released when the expression is built.
struct Node
    pointer::Ptr{Lib.gpuarr_expr}
    made::Vector{Ptr{Lib.gpuarr_expr}}
end
const NO_NODE = Node(C_NULL, Ptr{Lib.gpuarr_expr}[])
struct NodeFloat{T} <: ElementFloat{T}
    node::Node
    value::T
    NodeFloat{T}(node::Node, value::T) where {T<:AbstractFloat} = new{T}(node, value)
end
struct NodeInteger{T} <: ElementInteger{T}
    node::Node
    value::T
    NodeInteger{T}(node::Node, value::T) where {T<:Integer} = new{T}(node, value)
end

const Standin = Union{ElementFloat,ElementInteger}
const Traced = Union{TracedFloat,TracedInteger}
const NodeReal = Union{NodeFloat,NodeInteger}
const StandinNumber = Union{Standin,Complex{<:Standin}}
const StandinBool = ElementInteger{Bool}
const TracedBool = TracedInteger{Bool}

standin(::Type{T}) where {T<:AbstractFloat} = TracedFloat{T}
standin(::Type{T}) where {T<:Integer} = TracedInteger{T}
standin(::Type{Complex{T}}) where {T} = Complex{TracedFloat{T}}
node_type(::Type{T}) where {T<:AbstractFloat} = NodeFloat{T}
node_type(::Type{T}) where {T<:Integer} = NodeInteger{T}
node_type(::Type{Complex{T}}) where {T} = Complex{NodeFloat{T}}
# As of the stand-ins that x is one of.
standin(::Traced, T) = standin(T)
standin(::NodeReal, T) = node_type(T)

# The type that a number stands for; of others their own.
meaning(::ElementFloat{T}) where {T} = T
meaning(::ElementInteger{T}) where {T} = T
meaning(::Complex{<:ElementFloat{T}}) where {T} = Complex{T}
meaning(x) = typeof(x)

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

# Name of a function of the library's prelude that has Julia's meaning.
helper(name::String) = "gpuarr_julia::" * name

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

constant(::Type{S}, x::T) where {T,S<:Union{TracedFloat{T},TracedInteger{T}}} = S(literal(x))
constant(::Type{S}, x::T) where {T,S<:Union{NodeFloat{T},NodeInteger{T}}} = S(NO_NODE, x)

const PlainInteger = Union{Int8,Int16,Int32,Int64,UInt8,UInt16,UInt32,UInt64}
const PlainReal = Union{PlainInteger,Bool,Float16,BFloat16,Float32,Float64}

# Conversions, of constants and of other stand-ins.
cast(T, x::Traced) = emit(T, as(kernel_type(T), x))
refuse_fraction(S, T) = throw(ArgumentError(
    "a $S becomes a $T: in Julia that throws where there is a fraction, which a kernel cannot; " *
    "say how, by round, trunc, floor or ceil ($T, x)"))
refuse_complex(S, T) = throw(ArgumentError("a $S becomes a $T: take real(x) or abs(x)"))

for (Float, Whole, type) in ((:TracedFloat, :TracedInteger, :standin),
                             (:NodeFloat, :NodeInteger, :node_type))
    @eval begin
        $Float{T}(x::$Float{T}) where {T<:AbstractFloat} = x
        $Whole{T}(x::$Whole{T}) where {T<:Integer} = x
        $Float{T}(x::Union{$Float,$Whole}) where {T<:AbstractFloat} = cast(T, x)
        $Whole{T}(x::$Whole) where {T<:Integer} = cast(T, x)
        $Whole{T}(x::$Float{S}) where {T<:Integer,S} = refuse_fraction(S, T)
        Base.promote_rule(::Type{$Float{T}}, ::Type{$Float{S}}) where {T,S} =
            $type(promote_type(T, S))
        Base.promote_rule(::Type{$Whole{T}}, ::Type{$Whole{S}}) where {T,S} =
            $type(promote_type(T, S))
        Base.promote_rule(::Type{$Float{T}}, ::Type{$Whole{S}}) where {T,S} =
            $type(promote_type(T, S))
        Base.promote_rule(::Type{$Whole{S}}, ::Type{$Float{T}}) where {T,S} =
            $type(promote_type(T, S))
        Base.promote_rule(::Type{Bool}, ::Type{$Whole{T}}) where {T} = $Whole{T}
        Base.float(::Type{$Whole{T}}) where {T} = $type(float(T))
        Base.rem(x::$Whole, ::Type{$Whole{T}}) where {T} = $Whole{T}(x)
        Base.rem(x::Union{PlainInteger,Bool}, ::Type{$Whole{T}}) where {T} =
            constant($Whole{T}, x % T)
    end
    for Standin in (Float, Whole)
        Bound = Standin === Float ? AbstractFloat : Integer
        for Special in (:Real, :Rational, :AbstractIrrational, :Float16)
            @eval $Standin{T}(x::$Special) where {T<:$Bound} = constant($Standin{T}, T(x))
        end
        @eval $Standin{T}(x::Complex) where {T<:$Bound} = refuse_complex(meaning(x), T)
        @eval Base.promote_rule(::Type{$Standin{T}}, ::Type{S}) where {T,S<:Real} =
            $type(promote_type(T, S))
        @eval Base.promote_rule(::Type{S}, ::Type{$Standin{T}}) where {T,S<:AbstractIrrational} =
            $type(promote_type(T, S))
        @eval Base.promote_rule(::Type{Rational{S}}, ::Type{$Standin{T}}) where {T,S<:Integer} =
            $type(promote_type(T, Rational{S}))
        @eval Base.promote_rule(::Type{$Standin{T}}, ::Type{Rational{S}}) where {T,S<:Integer} =
            $type(promote_type(T, Rational{S}))
        # What generic code asks of a type.
        for ask in (:zero, :one, :oneunit, :typemin, :typemax)
            @eval Base.$ask(::Type{$Standin{T}}) where {T} = constant($Standin{T}, T($ask(T)))
        end
    end
    for ask in (:eps, :floatmin, :floatmax)
        @eval Base.$ask(::Type{$Float{T}}) where {T} = constant($Float{T}, $ask(T))
    end
end

for (T, _, _) in ELEMENTS, Standin in (:ElementFloat, :ElementInteger)
    T <: Complex && continue
    T === BFloat16 ? @eval(BFloat16(x::$Standin) = convert(standin(x, BFloat16), x)) :
    @eval(Base.$(nameof(T))(x::$Standin) = convert(standin(x, $T), x))
    @eval Base.convert(::Type{$T}, x::$Standin) = convert(standin(x, $T), x)
end
for Part in (Float32, Float64)
    for Standin in (:ElementFloat, :ElementInteger)
        @eval Complex{$Part}(x::$Standin) = Complex{standin(x, $Part)}(x)
        @eval Base.convert(::Type{Complex{$Part}}, x::$Standin) = Complex{$Part}(x)
    end
    @eval Complex{$Part}(x::Complex{<:Standin}) = Complex{standin(x.re, $Part)}(x)
    @eval Base.convert(::Type{Complex{$Part}}, x::Complex{<:Standin}) = Complex{$Part}(x)
end

Base.zero(x::Standin) = zero(typeof(x))
Base.one(x::Standin) = one(typeof(x))
Base.float(::Type{S}) where {S<:ElementFloat} = S
Base.float(x::ElementFloat) = x
Base.float(x::ElementInteger) = convert(float(typeof(x)), x)
Base.AbstractFloat(x::ElementInteger) = float(x)
Base.show(io::IO, x::Standin) = print(io, meaning(x), " element")
