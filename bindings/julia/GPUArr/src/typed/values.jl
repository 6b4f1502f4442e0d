# Values while a function is translated: expressions of CUDA C++ with their Julia types.

struct Value
    type::Any
    text::String
    is_atom::Bool            # needs no parentheses
    known::Any               # Some(value), or nothing
    parts::Any               # values of the fields, if it need not be made; or nothing
    reads::Vector{Int}       # variables that it reads
    memory::Bool             # whether it reads memory
end
const NO_READS = Int[]
add!(list::Vector{Value}, v::Value) = (push!(list, v); nothing)
expression(@nospecialize(T), text::String, from...; atom = false, memory = false) =
    Value(T, text, atom, nothing, nothing, reads_of(from), memory || any(v -> v.memory, from))
called(@nospecialize(T), name::String, from::Value...) =
    expression(T, string(name, '(', comma_list(Value[from...]), ')'), from...; atom = true)
function comma_list(values::Vector{Value})
    text = ""
    for (k, v) in enumerate(values)
        text = k == 1 ? v.text : string(text, ", ", v.text)
    end
    text
end
reads_of(from) = isempty(from) ? NO_READS :
    length(from) == 1 ? from[1].reads : all_reads(Value[from...])
function all_reads(values::Vector{Value})
    reads = Int[]
    for v in values, k in v.reads
        k in reads || push!(reads, k)
    end
    reads
end
ghost(@nospecialize(T), @nospecialize(known = nothing)) =
    Value(T, "", true, known, nothing, NO_READS, false)
in_parts(@nospecialize(T), parts::Vector) =
    Value(T, "", false, nothing, parts, reads_of(parts), any(v -> v.memory, parts))

inner(v::Value) = v.is_atom ? v.text : string("(", v.text, ')')

# Literals. Numbers of float are written so that nothing is lost.
number_text(x::Bool) = x ? "true" : "false"
number_text(x::Int64) = x == typemin(Int64) ? "(-9223372036854775807ll - 1)" : string(x, "ll")
number_text(x::Int32) = x == typemin(Int32) ? "(-2147483647 - 1)" : string(x)
number_text(x::UInt64) = string(x, "ull")
number_text(x::UInt32) = string(x, "u")
number_text(x::Whole) = string("(", NUMBERS[typeof(x)], ')', Int(x))
number_text(x::Float64) = isnan(x) ? "(double)NAN" : isinf(x) ?
    (x < 0 ? "-(double)INFINITY" : "(double)INFINITY") : string(x)
number_text(x::Float32) = isnan(x) ? "(float)NAN" : isinf(x) ?
    (x < 0 ? "-(float)INFINITY" : "(float)INFINITY") :
    string(replace(string(x), 'f' => 'e'), 'f')
number_text(x::Half) = string("(", NUMBERS[typeof(x)], ')', number_text(Float32(x)))

# The value of a constant that is part of the text. What has no place on the device may be known
# too, as long as nobody wants its data.
function literal(unit::Unit, @nospecialize(x))
    T = typeof(x)
    T <: Plain && return Value(T, number_text(x), !startswith(number_text(x), '-'), Some(x),
        nothing, NO_READS, false)
    is_struct = isbitstype(T) && fieldcount(T) > 0 && !(T <: Ptr)
    is_struct || return ghost(x isa Type ? Type{x} : T, Some(x))
    Value(T, "", false, Some(x), Any[literal(unit, getfield(x, k)) for k in 1:fieldcount(T)],
        NO_READS, false)
end

# A number in an expression with others, whose type it takes anyhow.
short(v::Value) = v.known !== nothing && v.type === Int64 &&
    abs(something(v.known)) <= typemax(Int32) ? string(something(v.known)) : inner(v)

# The text of a value that exists as one: structs are put together.
function whole(unit::Unit, v::Value)
    T = v.type
    isempty(v.text) && v.parts === nothing && !is_ghost(T) && refuse(unit.place, why_no_type(T))
    v.parts === nothing && return v
    name = type_name(unit, T)
    values = Value[as_member(unit, whole(unit, field(unit, v, k)), T) for k in 1:length(v.parts)
                   if !is_ghost(v.parts[k].type)]
    list = comma_list(values)
    T <: Union{ComplexF32,ComplexF64} && return expression(T, string(name, '(', list, ')'),
        values...; atom = true)
    expression(T, is_array_tuple(T) ? string(name, "{{", list, "}}") : string(name, '{', list, '}'),
        values...; atom = true)
end

is_complex(@nospecialize(T)) = T <: Union{ComplexF32,ComplexF64}
function as_member(unit::Unit, v::Value, @nospecialize(T))
    is_complex(v.type) || return v
    expression(v.type, string(stored_name(unit, v.type), '{', inner(v), ".re, ", inner(v),
        ".im}"), v; atom = true)
end
function from_member(v::Value)
    is_complex(v.type) || return v
    R = v.type.parameters[1]
    in_parts(v.type, Any[expression(R, string(v.text, '.', name), v; atom = true)
                         for name in ("re", "im")])
end

# A value as one of another type of which it is a case.
function coerced(unit::Unit, v::Value, @nospecialize(T))
    v.type === T && return v
    is_ghost(T) && (v.type === T || is_ghost(v.type)) && return ghost(T, constant_of(T))
    other, from = maybe_of(T), maybe_of(v.type)
    if other !== nothing && from === nothing
        v.type === Nothing && return expression(T, string(type_name(unit, T), "{false, {}}");
            atom = true)
        value = whole(unit, coerced(unit, v, other))
        return expression(T, string(type_name(unit, T), "{true, ", value.text, '}'), value;
            atom = true)
    end
    from === T && return expression(T, string(inner(v), ".value"), v; atom = true)
    from !== nothing && T === Nothing && return ghost(Nothing, Some(nothing))
    v.known !== nothing && something(v.known) isa T && return v
    v.type <: Type && T <: Type && return ghost(T, v.known)
    refuse(unit.place, "a ", v.type, " where a ", T, " is wanted: ",
        why_no_type(Union{v.type,T}))
end

# Field k of a struct or a tuple. Ranges are kept as they are written, with any end.
function field(unit::Unit, v::Value, k::Int)
    v.parts === nothing || return v.known === nothing ? part_of(v, k) : v.parts[k]
    T = fieldtype(v.type, k)
    v.known === nothing || return literal(unit, getfield(something(v.known), k))
    is_ghost(T) && return ghost(T, constant_of(T))
    type_name(unit, v.type)
    is_array_tuple(v.type) &&
        return from_member(expression(T, string(inner(v), ".at[", k - 1, ']'), v; atom = true))
    from_member(expression(T, string(inner(v), '.', field_name(v.type, k)), v; atom = true))
end

function part_of(v::Value, k::Int)
    T, parts = v.type, v.parts
    T <: UnitRange{<:Whole} && k == 2 &&
        return called(eltype(T), "gpuarr_julia::last_of", parts[1], parts[2])
    T <: Base.OneTo{<:Whole} && return called(eltype(T), "gpuarr_julia::count_of", parts[1])
    T <: StepRange{<:Whole,<:Whole} && k == 3 &&
        return called(eltype(T), "gpuarr_julia::last_of", parts[1], parts[2], parts[3])
    parts[k]
end
# First number, step and end of a range, for a loop.
function range_ends(unit::Unit, v::Value)
    ends = v.parts === nothing ? Value[field(unit, v, k) for k in 1:fieldcount(v.type)] : v.parts
    one_step = literal(unit, 1)
    v.type <: Base.OneTo ? (literal(unit, one(eltype(v.type))), one_step, ends[1]) :
        v.type <: UnitRange ? (ends[1], one_step, ends[2]) : (ends[1], ends[2], ends[3])
end
