# Functions whose methods in Base use tables, 128 bits or memory, for kernels.

function factorial_of(n)
    product = one(Int64)
    for k in 2:n
        product *= k
    end
    product
end
# Divided before it is multiplied, so that nothing beyond the result wraps around.
function binomial_of(n, k)
    (k < 0 || (n >= 0 && k > n)) && return zero(n)
    n < 0 && return (iseven(k) ? one(n) : -one(n)) * binomial_of_whole(k - n - one(n), k)
    binomial_of_whole(n, k)
end
function binomial_of_whole(n, k)
    k = min(k, n - k)
    result = one(n)
    for j in one(k):k
        common = gcd(result, j)
        result = div(result, common) * div(n - k + j, div(j, common))
    end
    result
end
# Sine and cosine are exact to the last bits for large angles too.
function mod2pi_of(x)
    turn = 2oftype(x, pi)
    0 <= x < turn && return x
    angle = atan(sin(x), cos(x))
    angle < 0 ? angle + turn : angle
end
rem2pi_of(x) = abs(x) <= oftype(x, pi) ? x : atan(sin(x), cos(x))
modf_of(x) = (copysign(isinf(x) ? zero(x) : x - trunc(x), x), trunc(x))
hypot_of(x, y, more...) = hypot_of(hypot(x, y), more...)
hypot_of(x) = x

function rewritten(b::Body, f, arguments, @nospecialize(T))
    call_method(b, literal(b.unit, f), f, Value[arguments...], T)
end
KNOWN[factorial] = (b, arguments, T) -> T === Int64 && is_plain(arguments[1].type) ?
    rewritten(b, factorial_of, arguments, T) : nothing
KNOWN[binomial] = (b, arguments, T) -> T <: Whole && all(v -> v.type === T, arguments) ?
    rewritten(b, binomial_of, arguments, T) : nothing
KNOWN[mod2pi] = (b, arguments, T) -> T <: Floating && arguments[1].type === T ?
    rewritten(b, mod2pi_of, arguments, T) : nothing
KNOWN[rem2pi] = (b, arguments, T) -> T <: Floating && arguments[1].type === T &&
    arguments[2].type === typeof(RoundNearest) ? rewritten(b, rem2pi_of, arguments[1:1], T) :
    nothing
KNOWN[modf] = (b, arguments, T) -> arguments[1].type <: Floating ?
    rewritten(b, modf_of, arguments, T) : nothing
KNOWN[hypot] = (b, arguments, T) -> length(arguments) == 2 ?
    float_function("hypot")(b, arguments, T) : T <: Floating && all_plain(arguments) ?
    rewritten(b, hypot_of, arguments, T) : nothing
