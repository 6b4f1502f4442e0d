# Functions that Julia has no name for, in dotted expressions, and all of the library's by name.

# Of one float; on plain numbers as the C library has it.
const LIBM = isdefined(Base, :libm_name) ? Base.libm_name : "libm.so.6"
for (f, call, about) in (C_FUNCTIONS...,
    (:loggamma, "lgamma", "Compute the logarithm of the gamma function's absolute value."))
    text = """
        GPUArr.$f(x)

    $about Of a number, and in dotted expressions, `GPUArr.$f.(x)`.
    """
    @eval begin
        @doc $text $f(x::Float64) =
            ccall(($(QuoteNode(Symbol(call))), LIBM), Float64, (Float64,), x)
        $f(x::Union{Float32,Float16,BFloat16}) = oftype(x, $f(Float64(x)))
        $f(x::Integer) = $f(float(x))
        $f(x::TracedFloat{T}) where {T} =
            called($(f === :loggamma ? :(helper("log_gamma")) : call), T, x)
        $f(x::ElementInteger) = $f(float(x))
    end
end

"""
    GPUArr.logaddexp(x, y), GPUArr.logaddexp2(x, y)

`log(exp(x) + exp(y))`, and the same by powers of 2, without overflow.
"""
logaddexp(x::Real, y::Real) = log_sum(exp, log1p, promote(float(x), float(y))...)
logaddexp2(x::Real, y::Real) =
    log_sum(exp2, z -> log1p(z) * oftype(z, inv(log(2.0))), promote(float(x), float(y))...)
@doc (@doc logaddexp) logaddexp2
log_sum(power, logarithm, x, y) =
    select(x == y, x + logarithm(one(x)), max(x, y) + logarithm(power(-abs(x - y))))

"""
    GPUArr.fmax(x, y), GPUArr.fmin(x, y)

The larger and the smaller number, or the other one where one is NaN.
"""
fmax(x::Real, y::Real) = select(isnan(x), y, select(isnan(y), x, max(x, y)))
fmin(x::Real, y::Real) = select(isnan(x), y, select(isnan(y), x, min(x, y)))
@doc (@doc fmax) fmin

"""
    GPUArr.heaviside(x, h)

0 where `x < 0`, `h` where `x` is 0, else 1.
"""
function heaviside(x::Real, h::Real)
    z, v = promote(float(x), float(h))
    select(isnan(z), z, select(z == 0, v, select(z > 0, one(z), zero(z))))
end

# Base's own loop or look at bits.
for f in (:gcd, :lcm)
    @eval Base.$f(x::TracedInteger{T}, y::TracedInteger{T}) where {T} =
        emit(T, string(helper($("$f")), "(", x.name, ", ", y.name, ")"))
end
Base.ldexp(x::TracedFloat{T}, n::Union{TracedInteger,PlainInteger}) where {T} = emit(T, string(
    "ldexp(", as(compute_type(T), x), ", ",
    as("int32", TracedInteger{Int32}(clamp(n, -9999, 9999))), ")"))
for (f, towards) in ((:nextfloat, "INFINITY"), (:prevfloat, "-INFINITY"))
    @eval Base.$f(x::TracedFloat{T}) where {T<:Union{Float32,Float64}} =
        emit(T, string("nextafter(", x.name, ", (", kernel_type(T), ")", $towards, ")"))
end

# Numbers of results of the library's functions, by their names.
function described(index)
    name, about = Ref{Cstring}(), Ref{Cstring}()
    inputs, outputs = Ref(Int32(0)), Ref(Int32(0))
    check(Lib.gpuarr_apply_describe(name, about, inputs, outputs, index))
    (name = unsafe_string(name[]), about = unsafe_string(about[]), inputs = Int(inputs[]),
        outputs = Int(outputs[]))
end

"""
    GPUArr.functions()

The functions that [`GPUArr.apply`](@ref) knows: names, what they do, counts of inputs and outputs.
"""
functions() = [described(k) for k in 0:Lib.gpuarr_apply_count()-1]

"""
    GPUArr.apply(name, inputs...; out = nothing, where = nothing)

Run one of the library's own functions by its name, such as `"frexp"` or `"nextafter"`, on arrays
and numbers, with its own rules of types, which are NumPy's. With `where`, an array of `Bool`s, the
arrays that are given as `out` change where it is true, and keep what they hold elsewhere.
"""
function apply(name::AbstractString, inputs...; out = nothing, where = nothing)
    known = filter(f -> f.name == name, functions())
    isempty(known) && throw(ArgumentError(
        "there is no function \"$name\": GPUArr.functions() has those that there are"))
    given_arrays, mask = as_tuple(out), as_tuple(where)
    outputs = isempty(given_arrays) ?
        Base.fill(Ptr{Lib.gpuarr_array}(C_NULL), known[1].outputs) :
        Ptr{Lib.gpuarr_array}[handle(x) for x in given_arrays]
    values = (inputs..., mask...)
    with_arguments(values, Base.fill(false, length(values)), given_arrays) do arguments, all
        on = isempty(mask) ? Ptr{Lib.gpuarr_array}(C_NULL) : last(all).array
        check(Lib.gpuarr_apply(outputs, length(outputs), name, arguments, length(inputs), on,
            C_NULL))
    end
    results(out, outputs)
end
