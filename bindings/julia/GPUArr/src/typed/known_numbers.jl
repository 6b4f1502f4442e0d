# Arithmetic, comparisons and functions of numbers: operators of CUDA C++ where these mean what
# Julia's do, calls of the prelude's namespace gpuarr_julia where not.

julia(name) = "gpuarr_julia::" * name
types_of(arguments) = (v.type for v in arguments)
const NumberKind = Union{Plain,ComplexF32,ComplexF64}
all_plain(arguments) = all(is_number, arguments)

# A number as one of another type, as promotion does it: a cast, or the literal itself.
function converted(b::Body, v::Value, @nospecialize(T))
    v.type === T && return v
    T <: Plain && isconcretetype(T) || return v.type === T ? v : converted_complex(b, v, T)
    if v.known !== nothing && something(v.known) isa Real
        x = something(v.known)
        made = x isa Integer && T <: Integer ? (x % T) : try T(x) catch; nothing end
        made === nothing || return literal(b.unit, made)
    end
    is_plain(v.type) || return nothing
    expression(T, string("(", NUMBERS[T], ')', inner(v)), v; atom = true)
end
function converted_complex(b::Body, v::Value, @nospecialize(T))
    T <: Complex && is_number(v) || (T <: Complex && v.type <: Complex) || return nothing
    R = T.parameters[1]
    re = v.type <: Complex ? field(b.unit, v, 1) : v
    im = v.type <: Complex ? field(b.unit, v, 2) : literal(b.unit, zero(R))
    in_parts(T, Any[converted(b, re, R), converted(b, im, R)])
end

# T(x) and convert(T, x) of numbers, where Julia throws unless it is exact.
function exactly(b::Body, v::Value, @nospecialize(T))
    v.type === T && return v
    x = v.known === nothing ? nothing : something(v.known)
    if x isa Real
        made = try T(x) catch; nothing end
        made === nothing && refuse(place(b), T, '(', x, ") throws an InexactError")
        return literal(b.unit, made)
    end
    is_plain(v.type) || return nothing
    T <: Integer && !(typemin(T) <= (v.type <: Integer ? typemin(v.type) : -Inf) &&
        (v.type <: Integer ? typemax(v.type) : Inf) <= typemax(T)) || return converted(b, v, T)
    called(T, string(julia("exact<"), NUMBERS[T], '>'), v)
end

# x op y of one type.
operator(@nospecialize(T), x::Value, op::String, y::Value) = expression(T,
    string(y.known === nothing ? short(x) : inner(x), ' ', op, ' ', short(y)), x, y)
cast_to(@nospecialize(T), v::Value) =
    expression(T, string("(", NUMBERS[T], ')', inner(v)), v; atom = true)

function arithmetic(op::String, wrapping::String)
    function (b, arguments, T)
        length(arguments) >= 2 && T <: NumberKind && isconcretetype(T) || return nothing
        T <: Complex && return complex_arithmetic(b, arguments, op, T)
        all_plain(arguments) || return nothing
        (T <: AbstractFloat && any(v -> v.type === Bool, arguments)) && op == "*" && return nothing
        all_of_one = length(arguments) == 2 || all(v -> v.type === T, arguments)
        all_of_one || !any(v -> v.type === Bool, arguments) || return nothing
        reduce((x, y) -> one_operation(b, x, y, all_of_one ? T : promote_type(x.type, y.type), op,
            wrapping), arguments)        # of several, each step has its own type
    end
end
function one_operation(b::Body, x::Value, y::Value, @nospecialize(T), op, wrapping)
    x, y = converted(b, x, T), converted(b, y, T)
    T <: Floating && return operator(T, x, op, y)
    T <: Half && return cast_to(T, operator(Float32, x, op, y))
    op != "*" && T === Int64 && (is_of_sizes(x) || is_of_sizes(y)) && return operator(T, x, op, y)
    expression(T, string(julia(wrapping), '(', x.text, ", ",
        y.known !== nothing && T === Int64 ? short(y) : y.text, ')'), x, y; atom = true)
end
# Sizes and places of threads are far from where integers wrap around.
is_of_sizes(v::Value) = occursin(r"\.size\(|\.shape\(|threadIdx|blockIdx|blockDim|gridDim", v.text)
function complex_arithmetic(b::Body, arguments, op, @nospecialize(T))
    all(v -> v.type === T, arguments) && length(arguments) == 2 && op != "/" || return nothing
    x, y = whole(b.unit, arguments[1]), whole(b.unit, arguments[2])
    operator(T, x, op, y)
end
KNOWN[+] = arithmetic("+", "add")
KNOWN[*] = arithmetic("*", "mul")
const difference = arithmetic("-", "sub")
KNOWN[-] = function (b, arguments, T)
    length(arguments) == 1 || return difference(b, arguments, T)
    v = arguments[1]
    T === v.type && T <: NumberKind || return nothing
    T <: Floating && return expression(T, "-" * inner(v), v)
    T <: Half && return cast_to(T, expression(Float32, "-" * inner(v), v))
    T <: Whole ? called(T, julia("neg"), v) : nothing
end
KNOWN[/] = function (b, arguments, T)
    T <: AbstractFloat && T <: Plain && length(arguments) == 2 && all_plain(arguments) ||
        return T <: Union{ComplexF32,ComplexF64} && all(v -> v.type === T, arguments) ?
            operator(T, whole(b.unit, arguments[1]), "/", whole(b.unit, arguments[2])) : nothing
    one_operation(b, arguments[1], arguments[2], T, "/", "")
end
KNOWN[muladd] = function (b, arguments, T)
    T <: Floating && all_plain(arguments) || return nothing
    x, y, z = (converted(b, v, T) for v in arguments)
    operator(T, operator(T, x, "*", y), "+", z)
end

# Comparisons. Integers of other signedness, and an integer with a float, are compared by value.
fits(@nospecialize(S), @nospecialize(T)) = S === T || (S <: Integer && T <: Floating &&
    sizeof(S) < (T === Float32 ? 3 : 7)) || (S <: AbstractFloat && T <: AbstractFloat) ||
    (S <: Integer && T <: Integer && (S <: Unsigned) == (T <: Unsigned)) ||
    (S <: Union{Unsigned,Bool} && T <: Signed && sizeof(S) < sizeof(T))
function comparison(op::String, name::String, swapped::Bool = false)
    function (b, arguments, T)
        T === Bool && length(arguments) == 2 && all_plain(arguments) || return nothing
        x, y = arguments
        for (u, v) in ((x, y), (y, x))       # a literal takes the other's type
            u.known === nothing && v.known !== nothing && is_plain(u.type) || continue
            number = try (u.type)(something(v.known)) catch; nothing end
            number === nothing || number != something(v.known) && !(something(v.known) isa
                AbstractIrrational) || return operator(Bool,
                    (u === x ? u : literal(b.unit, number)), op,
                    (u === x ? literal(b.unit, number) : u))
        end
        is_plain(x.type) && is_plain(y.type) || return nothing
        (fits(x.type, y.type) || fits(y.type, x.type)) && return expression(Bool,
            string(inner(x), ' ', op, ' ', inner(y)), x, y)
        first, second = swapped ? (y, x) : (x, y)
        v = called(Bool, julia(name), first, second)
        op == "!=" ? expression(Bool, "!" * v.text, v; atom = true) : v
    end
end
KNOWN[<] = comparison("<", "less")
KNOWN[<=] = comparison("<=", "less_equal")
KNOWN[>] = comparison(">", "less", true)
KNOWN[>=] = comparison(">=", "less_equal", true)
KNOWN[==] = comparison("==", "equal")
KNOWN[!=] = comparison("!=", "equal")
KNOWN[!] = (b, arguments, T) -> arguments[1].type === Bool ?
    expression(Bool, negated(arguments[1].text), arguments[1]; atom = true) : nothing
KNOWN[isless] = function (b, arguments, T)
    length(arguments) == 2 && all(v -> is_plain(v.type), arguments) || return nothing
    all(v -> v.type <: Integer, arguments) && return KNOWN[<](b, arguments, T)
    arguments[1].type === arguments[2].type ?
        called(Bool, julia("isless"), (of_half(b, v) for v in arguments)...) : nothing
end
of_half(b::Body, v::Value) = v.type <: Half ? converted(b, v, Float32) : v

# Bits.
function bitwise(op::String)
    function (b, arguments, T)
        T <: Union{Bool,Whole} && all_plain(arguments) && length(arguments) == 2 || return nothing
        x, y = (converted(b, v, T) for v in arguments)
        sizeof(T) < 4 ? cast_to(T, operator(Int32, x, op, y)) : operator(T, x, op, y)
    end
end
KNOWN[&], KNOWN[|], KNOWN[xor] = bitwise("&"), bitwise("|"), bitwise("^")
KNOWN[~] = (b, arguments, T) -> T <: Whole ? cast_to(T, expression(T, "~" * inner(arguments[1]),
    arguments[1]; atom = true)) : nothing
for (f, name) in ((<<, "shift_left"), (>>, "shift_right"), (>>>, "shift_logical"))
    KNOWN[f] = function (b, arguments, T)
        x, n = arguments
        x.type === T && T <: Whole && is_plain(n.type) || return nothing
        plain = n.known !== nothing && 0 <= something(n.known) < 8 * sizeof(T) && sizeof(T) >= 4 &&
            (f === (>>) || T <: Unsigned)
        plain ? operator(T, x, f === (<<) ? "<<" : ">>", n) :
            called(T, julia(name), x, converted(b, n, Int64))
    end
end

# Division of integers. By a literal it is C's own.
for (f, name, op) in ((div, "div", "/"), (rem, "rem", "%"), (mod, "mod", ""), (fld, "fld", ""),
                      (cld, "cld", ""))
    KNOWN[f] = function (b, arguments, T)
        length(arguments) == 2 && T <: Plain && isconcretetype(T) || return nothing
        x, y = arguments
        if y.known !== nothing && something(y.known) isa Type && f === rem
            return is_plain(x.type) && x.type <: Integer && T !== Bool ? converted(b, x, T) :
                nothing
        end
        all_plain(arguments) && (T <: Floating || all(v -> v.type === T || v.known !== nothing,
            arguments)) && T !== Bool || return nothing
        x, y = converted(b, x, T), converted(b, y, T)
        T <: Floating && f === rem && return called(T, "fmod", x, y)
        T <: Half && return nothing
        isempty(op) || y.known === nothing || something(y.known) <= 0 || T <: Floating ||
            sizeof(T) < 4 || return operator(T, x, op, y)
        called(T, julia(name), x, y)
    end
end
for (f, name) in ((gcd, "gcd"), (lcm, "lcm"))
    KNOWN[f] = (b, arguments, T) -> T <: Whole && length(arguments) == 2 && all_plain(arguments) ?
        called(T, julia(name), (converted(b, v, T) for v in arguments)...) : nothing
end

# In the type of the result; 16-bit floats are computed in 32.
function in_floats(b::Body, @nospecialize(T), name::String, arguments::Value...)
    T <: Half || return called(T, name, (converted(b, v, T) for v in arguments)...)
    cast_to(T, called(Float32, name, (converted(b, v, Float32) for v in arguments)...))
end

# The larger, the smaller, between.
function of_all(name::String)
    function (b, arguments, T)
        T <: Plain && isconcretetype(T) && all_plain(arguments) && length(arguments) >= 2 ||
            return nothing
        reduce((x, y) -> in_floats(b, T, julia(name), x, y), arguments)
    end
end
KNOWN[max], KNOWN[min] = of_all("max"), of_all("min")
KNOWN[clamp] = (b, arguments, T) -> T <: Plain && isconcretetype(T) && all_plain(arguments) &&
    length(arguments) == 3 ?
    in_floats(b, T, julia("clamp"), arguments...) : nothing
KNOWN[ifelse] = function (b, arguments, T)
    c, x, y = arguments
    x.type === y.type && !is_ghost(x.type) || return nothing
    x, y = whole(b.unit, x), whole(b.unit, y)
    expression(x.type, string(inner(c), " ? ", inner(x), " : ", inner(y)), c, x, y)
end

# Conversions.
KNOWN[convert] = KNOWN[oftype] = function (b, arguments, T)
    v = arguments[2]
    T isa DataType && (v.type === T || v.type <: T) && return v
    is_plain(T) && is_number(v) ? exactly(b, v, T) : T <: Union{ComplexF32,ComplexF64} ?
        converted(b, v, T) : nothing
end
KNOWN[unsafe_trunc] = (b, arguments, T) -> is_plain(T) ? converted(b, arguments[2], T) : nothing
KNOWN[float] = (b, arguments, T) -> is_plain(T) && is_plain(arguments[1].type) ?
    converted(b, arguments[1], T) : nothing
KNOWN[reinterpret] = function (b, arguments, T)
    length(arguments) == 2 && is_plain(T) && is_plain(arguments[2].type) || return nothing
    bits_as(b, arguments[2], T)
end
bits_as(b::Body, v::Value, @nospecialize(T)) = v.type === T ? v :
    T <: Integer && v.type <: Integer && T !== Bool && v.type !== Bool ? cast_to(T, v) :
    called(T, string(julia("bitcast<"), NUMBERS[T], '>'), v)
