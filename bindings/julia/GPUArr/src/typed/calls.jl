# Calls: what the tables know, methods that are translated in their turn, and types that are called.

# Functions by what becomes of a call: handler(body, arguments, type of the result) gives a Value,
# or nothing where it does not know what to do with these arguments.
const KNOWN = IdDict{Any,Any}()

function call_value(b::Body, parts, @nospecialize(T), known)
    callee = value_of(b, parts[1])
    arguments = Value[]
    for k in 2:length(parts)
        add!(arguments, value_of(b, parts[k]))
    end
    call(b, callee, arguments, T, known)
end

function call(b::Body, callee::Value, arguments::Vector{Value}, @nospecialize(T), known = nothing)
    callee.known === nothing && return call_method(b, callee, nothing, arguments, T)
    f = something(callee.known)
    f isa Core.Builtin || f isa Core.IntrinsicFunction || drop_nothing!(b, f, arguments)
    known !== nothing && is_pure_call(f, arguments) && return literal(b.unit, something(known))
    f isa Core.IntrinsicFunction && !isempty(arguments) && all(v -> is_plain(v.type) &&
        v.known !== nothing, arguments) && is_plain(T) &&
        return literal(b.unit, f((something(v.known) for v in arguments)...))
    handler = get(KNOWN, f, nothing)
    if handler !== nothing
        v = handler(b, arguments, T)
        v === nothing || return v::Value
    end
    (f isa Core.Builtin || f isa Core.IntrinsicFunction) && refuse(place(b),
        T isa Union || T <: Union{Int128,UInt128} ? why_no_type(T) * ": " : "", "calls ",
        described_call(f, (v.type for v in arguments)), ", which kernels do not have")
    f isa Type && is_plain(f) && length(arguments) == 1 && is_number(arguments[1]) &&
        return exactly(b, arguments[1], f)
    call_method(b, callee, f, arguments, T)
end
# What may be nothing where no method takes nothing: a MethodError, as a way that only throws.
function drop_nothing!(b::Body, @nospecialize(f), arguments::Vector{Value})
    for k in 1:length(arguments)
        T = maybe_of(arguments[k].type)
        T === nothing && continue
        types = Any[type_of_argument(v) for v in arguments]
        types[k] = Nothing
        isempty(matches_of(Tuple{Core.Typeof(f),types...})) &&
            (arguments[k] = coerced(b.unit, arguments[k], T))
    end
end
is_number(v::Value) = is_plain(v.type) || (v.known !== nothing && something(v.known) isa Real)

# Calls of which nothing but their value is left. Arrays may be written, so those stay.
is_pure_call(@nospecialize(f), arguments) = !any(v -> has_arrays(v.type), arguments) &&
    (f isa Core.Builtin || f isa Core.IntrinsicFunction || f isa Type || is_of_base(f)) &&
    !haskey(EFFECTS, f)
is_of_base(@nospecialize(f)) = (part = Base.moduleroot(parentmodule(typeof(f)));
    part === Base || part === Core)
const EFFECTS = IdDict{Any,Bool}()

function call_method(b::Body, callee::Value, @nospecialize(f), arguments, @nospecialize(T))
    types = Any[type_of_argument(v) for v in arguments]
    F = callee.known === nothing ? callee.type : f isa Type ? Type{f} : typeof(f)
    name = f isa Function ? nameof(f) : f isa Type ? nameof(f) : :call
    why = why_no_call(f, name)
    isempty(why) ||
        refuse(place(b), "calls ", described_call(f === nothing ? F : f, types), ": ", why)
    bad = findfirst(S -> !(isconcretetype(S) || S <: Type || maybe_of(S) !== nothing), types)
    bad === nothing || refuse(place(b), "calls ", described_call(f === nothing ? F : f, types),
        " with ", why_no_type(types[bad]))
    translated = translate!(b.unit, Tuple{F,types...}, place(b))
    translated.effects && flush!(b, v -> true)
    b.effects |= translated.effects
    b.memory |= translated.memory
    given = is_ghost(F) ? arguments : Value[callee; arguments]
    passed = Value[whole(b.unit, v) for v in given if !is_ghost(v.type)]
    R = translated.result
    if is_ghost(R)
        translated.effects && write!(b, Node(:do, place(b);
            text = called(Nothing, translated.name, passed...).text))
        return ghost(R, constant_of(R))
    end
    result = called(R, translated.name, passed...)
    translated.effects ? acted(b, result) :
        expression(R, result.text, result; atom = true, memory = translated.memory)
end
type_of_argument(v::Value) = v.known !== nothing && something(v.known) isa Type ?
    Type{something(v.known)} : v.type

# A function of the text.
struct Translated
    name::String
    result::Any
    effects::Bool
    memory::Bool
end

function translate!(unit::Unit, @nospecialize(signature), from::Place)
    found = get(unit.functions, signature, nothing)
    found === nothing || return found::Translated
    what = call_of_signature(signature)
    any(s -> s === signature, unit.active) && refuse(from, "calls ", what,
        ", which calls itself: recursion is not in kernels; write a loop")
    matches = matches_of(signature)
    length(matches) == 1 || refuse(from, "calls ", what, ", ", isempty(matches) ?
        "for which there is no method" : "for which more than one method is possible")
    push!(unit.active, signature)
    outer = unit.place
    try
        made = translate_method(unit, signature, from)
        unit.functions[signature] = made
        return made
    finally
        pop!(unit.active)
        unit.place = outer
    end
end
function call_of_signature(@nospecialize(signature))
    F = signature.parameters[1]
    described_call(isdefined(F, :instance) ? F.instance : F <: Type ? F.parameters[1] : F,
        signature.parameters[2:end])
end

# Functions of Base are taken as they are optimised, which is short; those of users as they are
# written, with the names and lines that they know. Where that has what only the optimiser
# resolves, such as keywords, they are taken as they are optimised too.
function translate_method(unit::Unit, @nospecialize(signature), from::Place)
    is_users_signature(signature) ? translate_twice(unit, signature, from, false) :
        translate_source(unit, signature, true, from)
end
function translate_twice(unit::Unit, @nospecialize(signature), from::Place, kernel::Bool)
    texts, functions = length(unit.texts), copy(unit.functions)
    problem = try
        return translate_source(unit, signature, false, from, kernel)
    catch thrown
        thrown isa Refusal || rethrow()
        thrown
    end
    resize!(unit.texts, texts)
    unit.functions = functions
    try
        translate_source(unit, signature, true, from, kernel)
    catch thrown
        thrown isa Refusal || rethrow()
        throw(problem)
    end
end

function is_users_signature(@nospecialize(signature))
    F = signature.parameters[1]
    name = string(nameof(F <: Type && F isa DataType && !(F.parameters[1] isa TypeVar) ?
        Base.unwrap_unionall(F.parameters[1]) : F))
    method = (matches_of(signature)[1])
    part = Base.moduleroot(method_of(method).module)
    !(part === Base || part === Core) && !occursin("##kw", name) && !occursin("#kw##", name)
end
