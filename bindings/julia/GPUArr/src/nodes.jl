# Arithmetic and functions of the numbers that stand for elements while a lazy expression is built:
# each makes a node of the library's. Operands have met by Julia's promotion before, so that results
# have Julia's types; what Julia's own numbers can compute is computed at once.

const NodeComplex = Complex{<:NodeReal}
const NodeNumber = Union{NodeReal,NodeComplex}
const NodeBool = NodeInteger{Bool}

is_known(x::NodeReal) = x.node.pointer == C_NULL
is_known(z::NodeComplex) = is_known(z.re) && is_known(z.im)
known(x::NodeReal) = x.value
known(z::NodeComplex) = Complex(z.re.value, z.im.value)
made_by(x::NodeReal) = x.node.made
made_by(z::NodeComplex) = is_known(z.re) ? z.im.node.made : z.re.node.made
@inline is_known(x, more...) = is_known(x) && is_known(more...)
@inline made_by(x, more...) = is_known(x) ? made_by(more...) : made_by(x)

# A node that call(out) makes, right where it is kept.
@inline function node!(call, made)
    push!(made, C_NULL)
    GC.@preserve made check(call(pointer(made, length(made))))
    last(made)
end

# The number of type T that a node is. Where the library's rules give another type it is converted.
@inline function number_of(::Type{T}, pointer, made) where {T<:Real}
    same = Lib.gpuarr_expr_dtype(pointer) == dtype(T)
    node = same ? pointer : node!(out -> Lib.gpuarr_expr_astype(out, pointer, dtype(T)), made)
    node_type(T)(Node(node, made), zero(T))
end
function number_of(::Type{Complex{T}}, pointer, made) where {T}
    part(name) = number_of(T, applied(made, name, (pointer,)), made)
    Complex(part("real"), part("imag"))
end

@inline function applied(made, name::String, operands::NTuple{K,Ptr{Lib.gpuarr_expr}}) where {K}
    list = Ref(operands)
    GC.@preserve list node!(made) do out
        Lib.gpuarr_expr_apply(out, Int32(1), name,
            Ptr{Ptr{Lib.gpuarr_expr}}(Base.unsafe_convert(Ptr{typeof(operands)}, list)), Int32(K))
    end
end

@inline pointer_of(made, x::NodeReal) = is_known(x) ? scalar_node(made, x.value) : x.node.pointer
pointer_of(made, z::NodeComplex) = is_known(z) ? scalar_node(made, known(z)) :
    applied(made, "complex", (pointer_of(made, z.re), pointer_of(made, z.im)))
@inline scalar_node(made, x) =
    node!(out -> Lib.gpuarr_expr_scalar(out, to_lib(argument(x))), made)

# f, which the library calls by a name, of numbers; it gives one of type R.
@inline function apply_node(f::F, ::Type{R}, name::String, x::Vararg{NodeNumber,K}) where {F,R,K}
    is_known(x...) && return convert(node_type(R), f(map(known, x)...))
    made = made_by(x...)
    number_of(R, applied(made, name, map(part -> pointer_of(made, part), x)), made)
end
refuse_type(R) = throw(ArgumentError("values of type $R, which kernels do not have"))
node_type(R) = refuse_type(R)

function cast(T, x::NodeReal)
    is_known(x) && return constant(node_type(T), x.value isa Integer && T <: Integer ?
        x.value % T : T(x.value))
    node = x.node
    node_type(T)(Node(node!(out -> Lib.gpuarr_expr_astype(out, node.pointer, dtype(T)), node.made),
        node.made), zero(T))
end

# Of two of one type.
for (op, name) in ((:+, "add"), (:-, "subtract"), (:*, "multiply"))
    @eval Base.$op(x::NodeFloat{T}, y::NodeFloat{T}) where {T} = apply_node($op, T, $name, x, y)
    @eval Base.$op(x::NodeInteger{T}, y::NodeInteger{T}) where {T} =
        of_whole($op, result($op, T, T), $name, x, y)
end
of_whole(f, R, name, x...) = apply_node(f, R, name, map(part -> convert(node_type(R), part), x)...)
for (f, name) in ((:/, "divide"), (:^, "power"), (:rem, "fmod"), (:mod, "remainder"),
                  (:max, "maximum"), (:min, "minimum"), (:copysign, "copysign"),
                  (:atan, "arctan2"), (:hypot, "hypot"))
    @eval Base.$f(x::NodeFloat{T}, y::NodeFloat{T}) where {T} = apply_node($f, T, $name, x, y)
end
for (f, name) in ((:max, "maximum"), (:min, "minimum"), (:&, "bitwise_and"), (:|, "bitwise_or"),
                  (:xor, "bitwise_xor"), (:fld, "floor_divide"), (:mod, "remainder"),
                  (:rem, "fmod"), (:gcd, "gcd"), (:lcm, "lcm"))
    @eval Base.$f(x::NodeInteger{T}, y::NodeInteger{T}) where {T} = apply_node($f, T, $name, x, y)
end
Base.div(x::NodeInteger{T}, y::NodeInteger{T}) where {T} = fld(x - rem(x, y), y)
Base.cld(x::NodeInteger{T}, y::NodeInteger{T}) where {T} =
    fld(x, y) + convert(NodeInteger{T}, mod(x, y) != 0)
Base.:^(x::NodeInteger{T}, y::NodeInteger) where {T} =
    of_whole(^, result(^, T, meaning(y)), "power", x, y)

for (op, name) in ((:(==), "equal"), (:<, "less"), (:<=, "less_equal"))
    @eval Base.$op(x::NodeFloat{T}, y::NodeFloat{T}) where {T} =
        apply_node($op, Bool, $name, x, y)
    @eval Base.$op(x::NodeInteger, y::NodeInteger) = apply_node($op, Bool, $name, x, y)
    @eval Base.$op(x::NodeInteger, y::NodeFloat) = $op(Float64(x), Float64(y))
    @eval Base.$op(x::NodeFloat, y::NodeInteger) = $op(Float64(x), Float64(y))
end

# Of one.
Base.:-(x::NodeFloat{T}) where {T} = apply_node(-, T, "negative", x)
Base.:-(x::NodeInteger{T}) where {T} = of_whole(-, result(-, T), "negative", x)
Base.abs(x::NodeFloat{T}) where {T} = apply_node(abs, T, "abs", x)
Base.:~(x::NodeInteger{T}) where {T} = apply_node(~, T, "invert", x)
Base.:!(x::NodeBool) = apply_node(!, Bool, "logical_not", x)
for f in (:signbit, :isnan, :isinf, :isfinite)
    @eval Base.$f(x::NodeFloat) = apply_node($f, Bool, $(string(f)), x)
end
for (f, mode, name) in ((:round, :Nearest, "rint"), (:floor, :Down, "floor"), (:ceil, :Up, "ceil"),
                        (:trunc, :ToZero, "trunc"))
    @eval Base.round(x::NodeFloat{T}, ::RoundingMode{$(QuoteNode(mode))}) where {T} =
        apply_node($f, T, $name, x)
    @eval Base.$f(x::NodeFloat{T}) where {T} = apply_node($f, T, $name, x)
end
for (f, name) in LIBRARY_FUNCTIONS
    owner = isdefined(Base, f) ? :Base : :GPUArr
    @eval $owner.$f(x::NodeFloat{T}) where {T} = apply_node($f, T, $name, x)
end
Base.exp10(x::NodeFloat) = oftype(x, 10)^x

# The library's shifts give the same as Julia's where a number is not negative.
for (op, name, back) in ((:<<, "left_shift", :>>), (:>>, "right_shift", :<<))
    @eval Base.$op(x::NodeInteger{T}, y::NodeInteger{Int64}) where {T} =
        is_known(y) && y.value < 0 ? $back(x, -y) :
        is_known(y) ? shifted($op, $name, x, y) :
        select(y < 0, shifted($back, $(name == "left_shift" ? "right_shift" : "left_shift"), x, -y),
            shifted($op, $name, x, y))
    @eval Base.$op(x::NodeInteger, y::NodeInteger) = $op(x, convert(NodeInteger{Int64}, y))
end
shifted(op, name, x::NodeInteger{T}, y) where {T} =
    (R = result(op, T, Int64); apply_node(op, R, name, convert(node_type(R), x), y))
Base.:>>>(x::NodeInteger{T}, y::NodeInteger) where {T} = (unsigned(x) >> y) % T

function select(condition::NodeBool, a::Real, b::Real)
    T = promote_type(meaning(a), meaning(b))
    x, y = convert(node_type(T), a), convert(node_type(T), b)
    is_known(condition) ? (condition.value ? x : y) :
        apply_node(ifelse, T, "where", condition, x, y)
end

Base.ldexp(x::NodeFloat{T}, n::Union{NodeInteger,PlainInteger}) where {T} =
    apply_node(ldexp, T, "ldexp", x, convert(NodeInteger{Int32}, clamp(n, -9999, 9999)))
for (f, towards) in ((:nextfloat, Inf), (:prevfloat, -Inf))
    @eval Base.$f(x::NodeFloat{T}) where {T} =
        apply_node((v, _) -> $f(v), T, "nextafter", x, oftype(x, $towards))
end

# Complex numbers; sums and products are Base's own.
for f in COMPLEX_FUNCTIONS
    @eval Base.$f(z::NodeComplex) = apply_node($f, float(meaning(z)), $(string(f)), float(z))
end
Base.:/(z::Complex{NodeFloat{T}}, w::Complex{NodeFloat{T}}) where {T} =
    apply_node(/, Complex{T}, "divide", z, w)
Base.:^(z::Complex{NodeFloat{T}}, w::Complex{NodeFloat{T}}) where {T} =
    apply_node(^, Complex{T}, "power", z, w)
Base.:^(z::Complex{<:NodeFloat}, n::PlainInteger) = z^oftype(z, n)
