# Statements of typed code, one by one.

# The statements that follow have this place in the user's source.
function at!(b::Body, i::Int)
    p = b.source.places[i]
    b.has_places && p.line > 0 && (b.unit.place = p)
    nothing
end

function write_statement!(b::Body, i::Int)
    at!(b, i)
    s, T = b.source.code[i], b.source.types[i]
    (s isa Skip || s isa Phi) && return s isa Phi ? define_phi!(b, i) : nothing
    if s isa Assign
        k = b.slots[s.slot]
        haskey(b.ranges, s.slot) && return
        k == 0 && !is_ghost(b.source.slots[s.slot]) && return slot_value(b, s.slot)
        v = statement_value(b, s.value, i)
        if k != 0 && v.type <: SharedArray && b.variables[k].sets == 1 && v.is_atom
            b.ranges[s.slot] = v           # the memory is an array of the kernel's own
            return
        end
        if k != 0 && b.variables[k].sets == 1 && v.type === Int64 && v.text in b.counters &&
           is_call(b, s.value, getfield)       # not another variable, which may outlive it
            b.ranges[s.slot] = v           # the loop's own counter
            return
        end
        return k == 0 ? nothing : set!(b, k, v)
    end
    s isa Pi && return define!(b, i, coerced(b.unit, value_of(b, s.value), T))
    define!(b, i, statement_value(b, s, i))
end

function define_phi!(b::Body, i::Int)
    T = b.source.types[i]
    b.values[i] = haskey(b.phis, i) ? variable_value(b, b.phis[i]) : ghost(T, constant_of(T))
    nothing
end

# The value of a statement, as the type that inference has for it.
function statement_value(b::Body, @nospecialize(s), i::Int)
    T = b.source.types[i]
    v = s isa Expr ? computed_value(b, s, T, b.source.constants[i]) : value_of(b, s)
    v.type === T ? v : refined(b, v, T, b.source.constants[i])
end

# Inference may know more of a value than the call that makes it says.
function refined(b::Body, v::Value, @nospecialize(T), known)
    T === Any && return v
    is_ghost(T) && known !== nothing && return ghost(T, known)
    v.type isa Type && v.type <: T && return v
    T isa Union && is_plain(v.type) && return v       # see stored_type
    coerced(b.unit, v, T)
end

expression_value(b::Body, s::Expr) = computed_value(b, s, Any, nothing)

function computed_value(b::Body, s::Expr, @nospecialize(T), known)
    h = s.head
    (h === :call || h === :invoke) && return call_value(b, call_parts(s), T, known)
    h === :new && return made_value(b, s, T)
    h === :splatnew && return splat_made(b, s, T)
    h === :static_parameter && !(b.source.static_parameters[s.args[1]] isa TypeVar) &&
        return literal(b.unit, b.source.static_parameters[s.args[1]])
    h === :boundscheck && return literal(b.unit, false)
    h === :isdefined && return literal(b.unit, true)
    h === :throw_undef_if_not && return ghost(Nothing, Some(nothing))
    h === :foreigncall && return foreign_value(b, s, T)
    h === :copyast && return value_of(b, s.args[1])
    h in (:enter, :leave, :pop_exception, :the_exception) &&
        refuse(place(b), "try and catch: there are no exceptions on a device")
    h === :global_set && refuse(place(b), "assigns to the global variable `", s.args[1],
        "`: give the value back, or write it to an array of a @kernel")
    h in (:method, :thunk, :toplevel) && refuse(place(b), "defines a function, which ",
        "captures a variable that changes: give the variable as an argument")
    refuse(place(b), "has an expression (", h, ") that kernels do not have")
end

# %new: a struct of its fields.
function made_value(b::Body, s::Expr, @nospecialize(T))
    made = value_of(b, s.args[1])
    S = made.known === nothing ? T : something(made.known)
    S isa DataType && isconcretetype(S) && !is_mutable(S) || refuse(place(b), why_no_type(S))
    is_ghost(S) && return ghost(S, constant_of(S))
    in_parts(S, Any[part_of_struct(b, value_of(b, x), fieldtype(S, k))
                    for (k, x) in enumerate(s.args[2:end])])
end
function part_of_struct(b::Body, v::Value, @nospecialize(T))
    v.type === T || coerced(b.unit, v, T).type === T || refuse(place(b), why_no_type(T))
    coerced(b.unit, v, T)
end
function splat_made(b::Body, s::Expr, @nospecialize(T))
    S, v = something(value_of(b, s.args[1]).known), value_of(b, s.args[2])
    S isa DataType && isconcretetype(S) || refuse(place(b), why_no_type(S))
    is_ghost(S) && return ghost(S, constant_of(S))
    in_parts(S, Any[part_of_struct(b, field(b.unit, v, k), fieldtype(S, k))
                    for k in 1:fieldcount(S)])
end

const LLVM_FUNCTION =
    r"^llvm\.(pow|powi|exp|exp2|log|log2|log10|sin|cos|floor|ceil|trunc|rint|sqrt|fma)\."
const LIBM_FUNCTION = r"\"(log2|log10|log1p|exp2|exp10|expm1|cbrt)f?\", Base.Math.libm"

# C's functions, which Base calls by name where LLVM has none.
function foreign_value(b::Body, s::Expr, @nospecialize(T))
    target = s.args[1] isa Some ? something(s.args[1]) : s.args[1]
    name = target isa Symbol ? string(target) : target isa Tuple ? string(target[1]) :
        target isa Expr ? string(target) : string(target)
    known = match(LLVM_FUNCTION, name)
    T <: Plain && known === nothing && (known = match(LIBM_FUNCTION, name))
    T <: Plain && known !== nothing || refuse(place(b), "calls `", name, "` of C",
        occursin("alloc", name) ? ": memory cannot be allocated in a kernel; use a tuple, or " *
        "@shared in a @kernel" : ", which kernels do not have")
    count = length(s.args[3])
    values = Value[whole(b.unit, value_of(b, x)) for x in s.args[6:5+count]]
    known[1] == "powi" && (values[2] = converted(b, values[2], T))
    called(T, known[1] == "powi" ? "pow" : String(known[1]), values...)
end

function write_return!(b::Body, s::Return)
    T = b.source.result
    if b.kernel
        flush!(b, v -> v.memory)
        return write!(b, Node(:return, place(b)))
    end
    v = value_of(b, s.value)
    if is_ghost(T) || T === Union{}
        flush!(b, v -> true)
        return write!(b, Node(:return, place(b)))
    end
    value = whole(b.unit, coerced(b.unit, v, T))
    flush!(b, v -> true)
    write!(b, Node(:return, place(b); text = value.text))
end

# A condition that leads to an exception: under checks it is reported, else the way is left out.
function write_check!(b::Body, s::Branch, block::Block)
    condition = value_of(b, s.condition)
    bad_if = b.graph.blocks[block.next[1]].throws
    text = bad_if ? negated(condition.text) : condition.text
    message = thrown_message(b, b.graph.blocks[block.next[bad_if ? 1 : 2]])
    flush!(b, v -> true)
    text in ("true", "!false") || write!(b, Node(:do, place(b);
        text = string("gpuarr_julia::require(", text, ", \"", message, "\")")))
end

# What an exception says, as far as it is known: its type, or the text of error("...").
function thrown_message(b::Body, block::Block)
    for i in block.first:block.last
        s = b.source.code[i]
        s isa Expr && s.head in (:call, :invoke) || continue
        b.source.types[i] === Union{} || continue
        parts = call_parts(s)
        f = parts[1] isa GlobalRef && isdefined(parts[1].mod, parts[1].name) ?
            getfield(parts[1].mod, parts[1].name) : parts[1]
        for x in parts[2:end]
            x isa Some && (x = something(x))
            x isa String && return escape_string(x)
            x isa Core.SSAValue || continue
            T = b.source.types[x.id]
            T isa Type && T <: Exception && return string(nameof(T))
            made = b.source.code[x.id]
            made isa Expr || continue
            for part in made.args
                part isa Some{String} && return escape_string(something(part))
                part isa String && return escape_string(part)
            end
        end
        return f isa Function ? string("exception by ", nameof(f)) : "exception"
    end
    "exception"
end
