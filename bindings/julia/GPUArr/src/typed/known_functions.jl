# Functions of floats and complex numbers, powers and rounding.

function float_function(name::String)
    function (b, arguments, T)
        T <: Union{ComplexF32,ComplexF64} && length(arguments) == 1 &&
            return arguments[1].type === T && name in COMPLEX_NAMES ?
                called(T, name, whole(b.unit, arguments[1])) : nothing
        T <: AbstractFloat && T <: Plain && isconcretetype(T) && all_plain(arguments) ||
            return nothing
        name == "log" && length(arguments) == 2 && return nothing      # of any base
        in_floats(b, T, name, arguments...)
    end
end
const COMPLEX_NAMES = Set(["sqrt", "exp", "log", "log10", "sin", "cos", "tan", "sinh", "cosh",
    "tanh"])
for (f, name) in (BASE_FUNCTIONS..., :exp10 => "exp10", :sinpi => "sinpi", :cospi => "cospi")
    g = getfield(Base, f)
    KNOWN[g] = name == "atan" ? ((b, arguments, T) -> float_function(length(arguments) == 2 ?
        "atan2" : "atan")(b, arguments, T)) : float_function(name)
end
KNOWN[fma] = float_function("fma")
KNOWN[copysign] = (b, arguments, T) -> T <: Floating && all(v -> v.type <: Floating, arguments) ?
    float_function("copysign")(b, arguments, T) : nothing
KNOWN[sincos] = function (b, arguments, T)
    T <: Tuple{R,R} where {R<:Plain} && is_plain(arguments[1].type) || return nothing
    x, R = kept(b, arguments[1]), T.parameters[1]
    in_parts(T, Any[KNOWN[sin](b, Value[x], R), KNOWN[cos](b, Value[x], R)])
end
for (f, name) in ((erf, "erf"), (erfc, "erfc"), (gamma, "tgamma"), (rsqrt, "rsqrt"),
                  (loggamma, "gpuarr_julia::log_gamma"))
    KNOWN[f] = float_function(name)
end

KNOWN[abs] = function (b, arguments, T)
    v = arguments[1]
    v.type <: Union{ComplexF32,ComplexF64} &&
        return called(T, "hypot", field(b.unit, v, 1), field(b.unit, v, 2))
    T === v.type && is_plain(T) || return nothing
    T <: Union{Unsigned,Bool} ? v : T <: Integer ? called(T, julia("abs"), v) :
        float_function("fabs")(b, arguments, T)
end
for (f, name) in ((isnan, "isnan"), (isinf, "isinf"), (isfinite, "isfinite"), (signbit, "signbit"))
    KNOWN[f] = (b, arguments, T) -> arguments[1].type <: Union{Half,Floating} &&
        is_plain(arguments[1].type) ? called(Bool, julia(name), of_half(b, arguments[1])) : nothing
end

# Rounding: halves to even; with a type, to an integer of it.
for (f, name) in ((round, "rint"), (floor, "floor"), (ceil, "ceil"), (trunc, "trunc"))
    KNOWN[f] = function (b, arguments, T)
        v = last(arguments)
        S = arguments[1].known === nothing ? nothing : something(arguments[1].known)
        length(arguments) == 1 && T <: AbstractFloat && is_plain(T) && v.type === T &&
            return float_function(name)(b, arguments, T)
        length(arguments) == 2 && S isa Type && is_plain(T) && T <: Integer && T !== Bool ||
            return nothing
        v.type <: Integer && return exactly(b, v, T)
        v.type <: AbstractFloat && is_plain(v.type) || return nothing
        called(T, string(julia("to<"), NUMBERS[T], '>'),
            float_function(name)(b, Value[of_half(b, v)], v.type <: Half ? Float32 : v.type))
    end
end

# Powers.
KNOWN[Base.literal_pow] = function (b, arguments, T)
    x, n = arguments[2], typeof(something(arguments[3].known)).parameters[1]
    is_plain(T) && T !== Bool && x.type === T && n isa Integer || return complex_power(b, x, n, T)
    n == 1 && return x
    n == 0 && return literal(b.unit, one(T))
    n == -1 && T <: Floating && return operator(T, literal(b.unit, one(T)), "/", x)
    n in (2, 3) && T <: Floating && is_simple(b, x) &&
        return n == 2 ? operator(T, x, "*", x) : operator(T, operator(T, x, "*", x), "*", x)
    n in (2, 3) && return in_floats(b, T, julia(n == 2 ? "square" : "cube"), x)
    T <: Floating ? called(T, "pow", x, literal(b.unit, T(n))) : T <: Half ? cast_to(T,
        called(Float32, "pow", converted(b, x, Float32), literal(b.unit, Float32(n)))) :
        called(T, julia("power"), x, literal(b.unit, Int64(n)))
end
function complex_power(b::Body, x::Value, n, @nospecialize(T))
    T <: Union{ComplexF32,ComplexF64} && x.type === T || return nothing
    n == 1 && return x
    z = kept(b, whole(b.unit, x))
    square = operator(T, z, "*", z)
    n in (2, 3) && return n == 2 ? square : operator(T, square, "*", z)
    called(T, "pow", z, literal(b.unit, Int64(n)))
end
KNOWN[^] = function (b, arguments, T)
    x, y = arguments
    T <: Union{ComplexF32,ComplexF64} && x.type === T && (y.type === T || y.type <: Integer) &&
        return called(T, "pow", whole(b.unit, x), y.type === T ? whole(b.unit, y) :
            converted(b, y, Int64))
    is_plain(T) && all_plain(arguments) || return nothing
    T <: AbstractFloat && return float_function("pow")(b, arguments, T)
    T <: Whole && is_plain(y.type) && y.type <: Integer ?
        called(T, julia("power"), converted(b, x, T), converted(b, y, Int64)) : nothing
end
