# Julia's builtins: fields, tuples, types, identity; splatting, ranges and what destructuring calls.

function field_number(@nospecialize(T), @nospecialize(k))
    k isa Symbol && T isa DataType && hasfield(T, k) && return Base.fieldindex(T, k)
    k isa Integer && T isa DataType && 1 <= k <= fieldcount(T) ? Int(k) : 0
end
function get_field(b::Body, arguments, @nospecialize(T))
    v, k = arguments
    owner = v.known === nothing ? nothing : something(v.known)
    if owner isa Module
        return global_value(b, GlobalRef(owner, something(k.known)))
    end
    k.known === nothing && return dynamic_element(b, v, k)
    owner isa DataType && return literal(b.unit, getfield(owner, something(k.known)))
    n = field_number(v.type, something(k.known))
    n == 0 && refuse(place(b), "a ", v.type, " has no field ", something(k.known))
    field(b.unit, v, n)
end
KNOWN[Core.getfield] = get_field
KNOWN[Base.getproperty] = function (b, arguments, T)
    v, name = arguments
    is_module = v.known !== nothing && something(v.known) isa Module
    is_module || (name.known !== nothing && is_default_property(v.type)) ?
        get_field(b, arguments, T) : nothing
end
function is_default_property(@nospecialize(T))
    found = matches_of(Tuple{typeof(getproperty),T,Symbol})
    length(found) == 1 && is_of_base_method(found[1])
end
is_of_base_method(match) =
    Base.moduleroot(method_of(match).module) === Base

# t[k] of a tuple: of one element type with any k, else with a literal.
function tuple_element(b::Body, v::Value, k::Value, @nospecialize(T))
    k.known === nothing && return dynamic_element(b, v, k)
    n = field_number(v.type, something(k.known))
    n == 0 && refuse(place(b), "a tuple of ", fieldcount(v.type), " elements has none at ",
        something(k.known))
    field(b.unit, v, n)
end
function dynamic_element(b::Body, v::Value, k::Value)
    is_array_tuple(v.type) && k.type <: Whole && all(T -> T === v.type.parameters[1],
        v.type.parameters) || refuse(place(b), "takes element [k] of a ", v.type,
        " by a k that is not a literal: the elements must be of one type")
    t = whole(b.unit, v)
    t.is_atom && !startswith(t.text, "gpuarr_julia::tuple") || (t = kept(b, t))
    from_member(expression(v.type.parameters[1], string(t.text, ".at[", k.text, " - 1]"), t, k;
        atom = true))
end

KNOWN[Core.tuple] = function (b, arguments, T)
    S = Tuple{(type_of_argument(v) for v in arguments)...}
    all(v -> is_ghost(v.type), arguments) || return in_parts(S, Any[arguments...])
    Value(T isa DataType && T <: Tuple ? T : S, "", true, nothing, Any[arguments...], NO_READS,
        false)
end
KNOWN[Base.indexed_iterate] = function (b, arguments, T)
    v, k = arguments[1], arguments[2]
    v.type <: Tuple && k.known !== nothing || return nothing
    n = something(k.known)
    part = field(b.unit, v, n)
    in_parts(Tuple{part.type,Int}, Any[part, literal(b.unit, n + 1)])
end
KNOWN[Core.typeassert] = function (b, arguments, T)
    v, S = arguments[1], something(arguments[2].known)
    v.type <: S && return v
    other = maybe_of(v.type)
    other !== nothing && other <: S && return coerced(b.unit, v, other)
    refuse(place(b), "asserts that a ", v.type, " is a ", S)
end
KNOWN[isdefined] = (b, arguments, T) -> length(arguments) == 2 && arguments[2].known !== nothing &&
    isbitstype(arguments[1].type) ? literal(b.unit, field_number(arguments[1].type,
        something(arguments[2].known)) > 0) : nothing
KNOWN[typeof] = (b, arguments, T) -> isconcretetype(arguments[1].type) ?
    literal(b.unit, arguments[1].type) : nothing

# x === nothing, of what may be nothing; numbers and structs by their bits.
KNOWN[===] = function (b, arguments, T)
    x, y = arguments
    x.type === Nothing && ((x, y) = (y, x))
    if y.type === Nothing && maybe_of(x.type) !== nothing
        return expression(Bool, string("!", inner(x), ".has"), x; atom = true)
    end
    x.type === y.type || return literal(b.unit, false)
    x.type <: Union{Bool,Whole} && return operator(Bool, x, "==", y)
    x.type <: Union{Floating,Half} && return called(Bool, "gpuarr_julia::same_bits", x, y)
    x.known !== nothing && y.known !== nothing ?
        literal(b.unit, something(x.known) === something(y.known)) : is_ghost(x.type) ?
        literal(b.unit, true) : same_parts(b, x, y)
end
function same_parts(b::Body, x::Value, y::Value)
    has_arrays(x.type) && refuse(place(b), "compares arrays by ===, as x .= y does in a kernel: ",
        "write a loop, or x[i] = y[i] in each thread")
    list = [KNOWN[===](b, Value[field(b.unit, x, k), field(b.unit, y, k)], Bool)
            for k in 1:fieldcount(x.type)]
    reduce((p, q) -> operator(Bool, p, "&&", q), list)
end
KNOWN[isnothing] = (b, arguments, T) ->
    KNOWN[===](b, Value[arguments[1], literal(b.unit, nothing)], Bool)
KNOWN[isa] = function (b, arguments, T)
    v, S = arguments[1], something(arguments[2].known)
    v.type <: S && return literal(b.unit, true)
    other = maybe_of(v.type)
    other === nothing && return literal(b.unit, false)
    has = expression(Bool, string(inner(v), ".has"), v; atom = true)
    other <: S ? has : Nothing <: S ? expression(Bool, negated(has.text), v; atom = true) :
        literal(b.unit, false)
end

# f(a, t..., b): each element of the tuples is an argument.
function spread(b::Body, callee::Value, lists, @nospecialize(T))
    all(v -> v.type <: Union{Tuple,NamedTuple} && isconcretetype(v.type), lists) || refuse(place(b),
        "splats a ", join((v.type for v in lists), ", "), ": only tuples have a known length")
    elements = Value[field(b.unit, v, k) for v in lists for k in 1:fieldcount(v.type)]
    call(b, callee, elements, T)
end
KNOWN[Core._apply] = (b, arguments, T) -> spread(b, arguments[1], arguments[2:end], T)
isdefined(Core, :_apply_iterate) && (KNOWN[Core._apply_iterate] =
    (b, arguments, T) -> spread(b, arguments[2], arguments[3:end], T))
isdefined(Core, :invoke) && (KNOWN[Core.invoke] = (b, arguments, T) -> nothing)

# Ranges, as they are written.
KNOWN[:] = function (b, arguments, T)
    T <: UnitRange{<:Whole} && length(arguments) == 2 || (T <: StepRange{<:Whole,<:Whole} &&
        length(arguments) == 3) || return nothing
    types = fieldtypes(T)
    in_parts(T, Any[converted(b, v, types[k]) for (k, v) in enumerate(arguments)])
end
KNOWN[Base.OneTo] = (b, arguments, T) -> T <: Base.OneTo{<:Whole} && is_number(arguments[1]) ?
    in_parts(T, Any[converted(b, arguments[1], eltype(T))]) : nothing
KNOWN[eachindex] = (b, arguments, T) -> length(arguments) == 1 && arguments[1].type <: InKernel ?
    in_parts(Base.OneTo{Int}, Any[KNOWN[length](b, arguments, Int)]) : nothing
KNOWN[lastindex] = function (b, arguments, T)
    arguments[1].type <: InKernel || return nothing
    length(arguments) == 1 ? KNOWN[length](b, arguments, Int) : extent(b, arguments...)
end

# Complex numbers.
KNOWN[real] = (b, arguments, T) -> arguments[1].type <: Complex ? field(b.unit, arguments[1], 1) :
    is_plain(arguments[1].type) ? arguments[1] : nothing
KNOWN[imag] = (b, arguments, T) -> arguments[1].type <: Complex ? field(b.unit, arguments[1], 2) :
    nothing
function make_complex(b::Body, arguments, @nospecialize(T))
    T <: Union{ComplexF32,ComplexF64} && all_plain(arguments) || return nothing
    R = T.parameters[1]
    length(arguments) == 1 ? converted(b, arguments[1], T) :
        in_parts(T, Any[converted(b, v, R) for v in arguments])
end
for f in (Complex, ComplexF32, ComplexF64, complex)
    KNOWN[f] = make_complex
end
