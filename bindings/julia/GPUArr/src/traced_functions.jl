# Functions of numbers that stand for elements: Julia's on the left, CUDA's on the right. Whole
# numbers become floats first, as in Julia.

const FUNCTIONS = (BASE_FUNCTIONS..., :exp10 => "exp10", :sinpi => "sinpi", :cospi => "cospi")
const COMPLEX_FUNCTIONS = (:sqrt, :exp, :log, :log10, :sin, :cos, :tan, :sinh, :cosh, :tanh)

called(name, T, x::TracedFloat) = emit(T, string(name, "(", as(compute_type(T), x), ")"))
called(name, T, x::TracedFloat, y::TracedFloat) =
    emit(T, string(name, "(", as(compute_type(T), x), ", ", as(compute_type(T), y), ")"))

for (f, name) in FUNCTIONS
    @eval Base.$f(x::TracedFloat{T}) where {T} = called($name, T, x)
    @eval Base.$f(x::ElementInteger) = $f(float(x))
end
for (f, name) in ((:atan, "atan2"), (:hypot, "hypot"))
    @eval Base.$f(x::TracedFloat{T}, y::TracedFloat{T}) where {T} = called($name, T, x, y)
    @eval Base.$f(x::ElementInteger, y::ElementInteger) = $f(float(x), float(y))
end
Base.fma(x::TracedFloat{T}, y::TracedFloat{T}, z::TracedFloat{T}) where {T} = emit(T, string("fma(",
    as(compute_type(T), x), ", ", as(compute_type(T), y), ", ", as(compute_type(T), z), ")"))
Base.sincos(x::Standin) = (sin(x), cos(x))
Base.sinc(x::ElementFloat) = select(x == 0, one(x), sinpi(x) / (oftype(x, π) * x))

# Rounding. Julia rounds halves to even.
for (f, mode, name) in ((:round, :Nearest, "rint"), (:floor, :Down, "floor"), (:ceil, :Up, "ceil"),
                        (:trunc, :ToZero, "trunc"))
    @eval Base.round(x::TracedFloat{T}, ::RoundingMode{$(QuoteNode(mode))}) where {T} =
        called($name, T, x)
    @eval Base.$f(x::TracedFloat{T}) where {T} = called($name, T, x)
    @eval Base.$f(x::ElementInteger) = x
    @eval Base.$f(::Type{T}, x::ElementFloat) where {T<:Integer} = cast(T, $f(x))
    @eval Base.$f(::Type{T}, x::ElementInteger) where {T<:Integer} = convert(standin(x, T), x)
end
Base.unsafe_trunc(::Type{T}, x::ElementFloat) where {T<:Integer} = cast(T, x)

# Powers. A float to a whole number has the float's type; integers wrap around.
Base.:^(x::TracedFloat{T}, y::TracedFloat{T}) where {T} = called("pow", T, x, y)
Base.:^(x::ElementFloat, y::Union{ElementInteger,PlainInteger,Bool}) = x^oftype(x, y)
Base.:^(x::TracedInteger{T}, y::TracedInteger) where {T} =
    emit(result(^, T, meaning(y)), string(helper("power"), "(", x.name, ", ", as("int64", y), ")"))
Base.:^(x::ElementInteger, y::PlainInteger) = x^convert(standin(x, typeof(y)), y)
Base.:^(x::PlainInteger, y::ElementInteger) = convert(standin(y, typeof(x)), x)^y
for T in (:Float16, :BFloat16, :Float32, :Float64)
    @eval Base.:^(x::$T, y::ElementInteger) = convert(standin(y, $T), x)^y
end
Base.literal_pow(::typeof(^), x::ElementFloat, ::Val{-1}) = inv(x)
for Standin in (:ElementFloat, :ElementInteger)
    @eval function Base.literal_pow(::typeof(^), x::$Standin, ::Val{p}) where {p}
        p == 0 ? one(x) : p == 1 ? x : p == 2 ? x * x : p == 3 ? x * x * x :
        p == -1 ? inv(x) : p == -2 ? inv(x * x) : x^p
    end
end

# Complex numbers. Base's own sums and products are traced as they are.
joined(z::Complex{<:TracedInteger}) = joined(float(z))
joined(z::Complex{<:TracedFloat}) =
    string(kernel_type(meaning(z)), "(", z.re.name, ", ", z.im.name, ")")
for f in COMPLEX_FUNCTIONS
    @eval Base.$f(z::Complex{<:Traced}) = emit(float(meaning(z)), string($("$f("), joined(z), ")"))
end
Base.:/(z::Complex{TracedFloat{T}}, w::Complex{TracedFloat{T}}) where {T} =
    emit(Complex{T}, string(joined(z), " / ", joined(w)))
Base.:/(z::Complex{S}, w::S) where {S<:ElementFloat} = Complex(z.re / w, z.im / w)
Base.inv(z::Complex{<:ElementFloat}) = one(z) / z
Base.:^(z::Complex{TracedFloat{T}}, w::Complex{TracedFloat{T}}) where {T} =
    emit(Complex{T}, string("pow(", joined(z), ", ", joined(w), ")"))
Base.:^(z::Complex{<:TracedFloat}, n::PlainInteger) =
    emit(meaning(z), string("pow(", joined(z), ", ", literal(Int64(n)), ")"))
function Base.literal_pow(::typeof(^), z::Complex{<:ElementFloat}, ::Val{p}) where {p}
    p == 2 ? z * z : p == 3 ? z * z * z : p == -1 ? inv(z) : z^p
end
Base.abs(z::Complex{<:ElementFloat}) = hypot(z.re, z.im)
Base.:(==)(z::Complex{<:Standin}, x::Real) = (z.re == x) & (z.im == 0)
Base.:(==)(x::Real, z::Complex{<:Standin}) = z == x
Base.isnan(z::Complex{<:ElementFloat}) = isnan(z.re) | isnan(z.im)
Base.isfinite(z::Complex{<:ElementFloat}) = isfinite(z.re) & isfinite(z.im)
Base.:*(z::Complex{Bool}, x::Standin) = Complex(z.re ? x : zero(x), z.im ? x : zero(x))
Base.:*(x::Standin, z::Complex{Bool}) = z * x
