# Arithmetic, comparisons and bits of the numbers that stand for elements. Types of results are what
# Julia infers for the types that are stood for; mixed types meet by Julia's own promotion.

result(f, types...) = Base.promote_op(f, types...)

for op in (:+, :-, :*)
    @eval function Base.$op(x::TracedFloat{T}, y::TracedFloat{T}) where {T}
        type = compute_type(T)
        emit(T, string(as(type, x), $(" $op "), as(type, y)))
    end
    @eval function Base.$op(x::TracedInteger{T}, y::TracedInteger{T}) where {T}
        R = result($op, T, T)
        type = compute_type(R)
        emit(R, string(as(type, x), $(" $op "), as(type, y)))
    end
end
Base.:/(x::TracedFloat{T}, y::TracedFloat{T}) where {T} =
    emit(T, string(as(compute_type(T), x), " / ", as(compute_type(T), y)))
Base.:/(x::ElementInteger, y::ElementInteger) = float(x) / float(y)
Base.:/(x::ElementInteger, y::Integer) = float(x) / float(y)
Base.:/(x::Integer, y::ElementInteger) = float(x) / float(y)
Base.inv(x::ElementFloat) = one(x) / x
Base.inv(x::ElementInteger) = inv(float(x))

# false times anything is 0, NaN and infinity included.
Base.:*(x::StandinBool, y::ElementFloat) = select(x, y, copysign(zero(y), y))
Base.:*(x::ElementFloat, y::StandinBool) = y * x

Base.:+(x::Standin) = x
Base.:-(x::TracedFloat{T}) where {T} = emit(T, string("-", as(compute_type(T), x)))
Base.:-(x::TracedInteger{T}) where {T} = negative(result(-, T), x)
negative(R, x::TracedInteger) = emit(R, string("0u - ", as(compute_type(R), x)))
Base.abs(x::TracedFloat{T}) where {T} = emit(T, string("fabs(", as(compute_type(T), x), ")"))
Base.abs(x::ElementInteger{T}) where {T<:Unsigned} = x
Base.abs(x::StandinBool) = x
Base.abs(x::ElementInteger{T}) where {T} = select(x < zero(x), -x, x)
Base.abs2(x::Standin) = x * x
Base.sign(x::ElementFloat) = select(x > 0, one(x), select(x < 0, -one(x), x))
Base.sign(x::ElementInteger) = convert(typeof(x), x > 0) - convert(typeof(x), x < 0)
Base.sign(x::StandinBool) = x
Base.sign(x::ElementInteger{T}) where {T<:Unsigned} = convert(typeof(x), x != zero(x))
Base.signbit(x::TracedFloat{T}) where {T} =
    emit(Bool, string("signbit(", as(compute_type(T), x), ")"))
Base.signbit(x::ElementInteger) = x < zero(x)
Base.copysign(x::TracedFloat{T}, y::TracedFloat{T}) where {T} =
    emit(T, string("copysign(", as(compute_type(T), x), ", ", as(compute_type(T), y), ")"))
Base.copysign(x::ElementFloat, y::Standin) = select(signbit(y), -abs(x), abs(x))
Base.copysign(x::ElementFloat, y::Real) = signbit(y) ? -abs(x) : abs(x)
Base.copysign(x::ElementInteger, y::Real) = select(signbit(y), -abs(x), abs(x))
Base.flipsign(x::ElementFloat, y::Real) = select(signbit(y), -x, x)
Base.flipsign(x::ElementInteger, y::Real) = select(signbit(y), -x, x)

# Comparisons. An integer and a float are compared as doubles, integers by their values, also of
# different signedness.
for (op, text) in ((:(==), "=="), (:<, "<"), (:<=, "<="))
    @eval Base.$op(x::TracedFloat{T}, y::TracedFloat{T}) where {T} =
        emit(Bool, string(as(compute_type(T), x), $(" $text "), as(compute_type(T), y)))
    @eval Base.$op(x::TracedInteger{T}, y::TracedInteger{T}) where {T} =
        emit(Bool, string(x.name, $(" $text "), y.name))
    @eval Base.$op(x::TracedInteger, y::TracedFloat) =
        emit(Bool, string(as("float64", x), $(" $text "), as("float64", y)))
    @eval Base.$op(x::TracedFloat, y::TracedInteger) =
        emit(Bool, string(as("float64", x), $(" $text "), as("float64", y)))
    @eval Base.$op(x::TracedInteger, y::TracedInteger) =
        emit(Bool, string(helper($("compare")), "(", x.name, ", ", y.name, $(") $text 0")))
end
Base.isequal(x::ElementFloat, y::ElementFloat) =
    (isnan(x) & isnan(y)) | ((x == y) & (signbit(x) == signbit(y)))
Base.isless(x::ElementFloat{T}, y::ElementFloat{T}) where {T} =
    (x < y) | (isnan(y) & !isnan(x)) | ((x == y) & signbit(x) & !signbit(y))
Base.isless(x::ElementInteger, y::ElementInteger) = x < y
Base.iszero(x::Standin) = x == zero(x)
Base.isone(x::Standin) = x == one(x)
for test in (:isnan, :isinf, :isfinite)
    @eval Base.$test(x::TracedFloat{T}) where {T} =
        emit(Bool, string($("$test("), as(compute_type(T), x), ") != 0"))
    @eval Base.$test(x::ElementInteger) = $(test === :isfinite)
end
Base.isinteger(x::ElementFloat) = isfinite(x) & (trunc(x) == x)

Base.:!(x::TracedBool) = emit(Bool, string("!", x.name))
Base.:~(x::TracedBool) = !x
Base.:~(x::TracedInteger{T}) where {T} = emit(T, string("~", as(compute_type(T), x)))
for (op, text) in ((:&, "&"), (:|, "|"), (:xor, "^"))
    @eval Base.$op(x::TracedInteger{T}, y::TracedInteger{T}) where {T} =
        emit(T, string(as(compute_type(T), x), $(" $text "), as(compute_type(T), y)))
end

# Shifts by too many bits give 0 or the sign, shifts by negative numbers go the other way.
for (op, name) in ((:<<, "shift_left"), (:>>, "shift_right"), (:>>>, "shift_logical"))
    @eval Base.$op(x::TracedInteger{T}, y::TracedInteger) where {T} =
        emit(result($op, T, Int64), string(helper($name), "(", x.name, ", ", as("int64", y), ")"))
    for T in Base.uniontypes(PlainInteger)
        @eval Base.$op(x::ElementInteger, y::$T) = $op(x, convert(standin(x, Int64), y % Int64))
    end
    @eval Base.$op(x::PlainInteger, y::ElementInteger) = $op(convert(standin(y, typeof(x)), x), y)
end

# Integer division; by 0, which Julia refuses, it gives 0.
function divided(name, x::TracedInteger{T}, y::TracedInteger{T}) where {T}
    emit(T, string(helper(name), "(", x.name, ", ", y.name, ")"))
end
const DIVISIONS = ((:div, "div"), (:fld, "fld"), (:cld, "cld"), (:rem, "rem"), (:mod, "mod"))
for (op, name) in DIVISIONS
    @eval Base.$op(x::TracedInteger{T}, y::TracedInteger{T}) where {T} = divided($name, x, y)
    for X in (:ElementInteger, :ElementFloat), Y in (:ElementInteger, :ElementFloat)
        @eval Base.$op(x::$X{T}, y::$Y{S}) where {T,S} = $op(promote(x, y)...)
    end
    for Standin in (:ElementInteger, :ElementFloat)
        @eval Base.$op(x::$Standin, y::PlainReal) = $op(x, convert(standin(x, typeof(y)), y))
        @eval Base.$op(x::PlainReal, y::$Standin) = $op(convert(standin(y, typeof(x)), x), y)
    end
end
# Of different signedness, as Julia does it: by absolute values.
Base.signed(x::ElementInteger{T}) where {T} = x % signed(T)
Base.unsigned(x::ElementInteger{T}) where {T} = x % unsigned(T)
const StandinSigned = ElementInteger{<:Signed}
const StandinUnsigned = ElementInteger{<:Unsigned}
Base.div(x::StandinSigned, y::StandinUnsigned) = flipsign(signed(div(unsigned(abs(x)), y)), x)
Base.div(x::StandinUnsigned, y::StandinSigned) = 
    unsigned(flipsign(signed(div(x, unsigned(abs(y)))), y))
Base.rem(x::StandinSigned, y::StandinUnsigned) = flipsign(signed(rem(unsigned(abs(x)), y)), x)
Base.rem(x::StandinUnsigned, y::StandinSigned) = rem(x, unsigned(abs(y)))

Base.rem(x::TracedFloat{T}, y::TracedFloat{T}) where {T} =
    emit(T, string("fmod(", as(compute_type(T), x), ", ", as(compute_type(T), y), ")"))
function Base.mod(x::ElementFloat{T}, y::ElementFloat{T}) where {T}
    r = rem(x, y)
    select(r == 0, copysign(r, y), select((r > 0) ⊻ (y > 0), r + y, r))
end
Base.div(x::ElementFloat{T}, y::ElementFloat{T}) where {T} = round((x - rem(x, y)) / y)
Base.fld(x::ElementFloat{T}, y::ElementFloat{T}) where {T} = round((x - mod(x, y)) / y)
Base.cld(x::ElementFloat{T}, y::ElementFloat{T}) where {T} = -fld(-x, y)
Base.rem(x::ElementInteger, ::Type{T}) where {T<:PlainInteger} = cast(T, x)
Base.rem(x::ElementInteger, ::Type{Bool}) = isodd(x)

# The larger and the smaller: NaN if one is, and -0 is less than 0.
for name in (:max, :min)
    @eval Base.$name(x::TracedFloat{T}, y::TracedFloat{T}) where {T} = emit(T, string(
        helper($("$name")), "(", as(compute_type(T), x), ", ", as(compute_type(T), y), ")"))
    @eval Base.$name(x::TracedInteger{T}, y::TracedInteger{T}) where {T} =
        select($(name === :max ? :< : :>)(x, y), y, x)
end
Base.minmax(x::Standin, y::Standin) = (min(x, y), max(x, y))

"""
    GPUArr.select(condition, a, b)

`condition ? a : b` for numbers, without a branch: what a function that is to become a kernel does
in place of one. On plain numbers it is `ifelse`.
"""
select(condition::Bool, a, b) = condition ? a : b
function select(condition::TracedBool, a::Real, b::Real)
    T = promote_type(meaning(a), meaning(b))
    x, y = convert(standin(T), a), convert(standin(T), b)
    x.name == y.name && return x
    emit(T, string(condition.name, " ? ", as(kernel_type(T), x), " : ", as(kernel_type(T), y)))
end
select(condition::StandinBool, a::Number, b::Number) =
    Complex(select(condition, real(a), real(b)), select(condition, imag(a), imag(b)))
# A builtin before Julia 1.8, which takes a Bool alone.
if !(ifelse isa Core.Builtin)
    Base.ifelse(condition::StandinBool, a, b) = select(condition, a, b)
end

Base.clamp(x::ElementFloat, low::Number, high::Number) = clamped(x, low, high)
Base.clamp(x::ElementInteger, low::Number, high::Number) = clamped(x, low, high)
Base.clamp(x::PlainReal, low::Standin, high::Standin) = clamped(x, low, high)
clamped(x, low, high) = select(x > high, high, select(x < low, low, x))
