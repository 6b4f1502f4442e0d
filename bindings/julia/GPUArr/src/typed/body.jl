# A function while it is translated: its values and variables, and the statements that are written.

# A statement of CUDA C++. `first` and `second` are the bodies of an `if`, a loop has one.
mutable struct Node
    kind::Symbol      # set, do, if, loop, while, for, break, continue, goto, label, return
    name::String      # of the variable that is set, or of a label
    text::String
    first::Vector{Node}
    second::Vector{Node}
    place::Place
    acts::Bool        # whether its text does more than give a value: it stays, and where it is
end
Node(kind::Symbol, place::Place; name = "", text = "", first = Node[], second = Node[]) =
    Node(kind, name, text, first, second, place, false)

struct Variable
    name::String
    type::Any
    sets::Int         # how often it is assigned to in the source; an argument never, if not at all
end

# The innermost loop: where `continue` and `break` lead to.
struct LoopEnds
    again::Int
    after::Int
end

mutable struct Body
    unit::Unit
    source::Source
    graph::Graph
    uses::Vector{Int}
    use_blocks::Vector{Vector{Int}}
    values::Vector{Any}               # of statements, a Value each
    pending::Vector{Int}              # statements whose values are not written yet
    variables::Vector{Variable}
    slots::Vector{Int}                # the variable of a slot, 0 for none
    ranges::Dict{Int,Any}             # slots that count in a `for`, a Value each
    latches::Set{Int}                 # blocks that end the body of a `for`
    counters::Vector{String}          # variables that count in them
    phis::Dict{Int,Int}               # the variable of a phi
    nodes::Vector{Node}
    loops::Vector{LoopEnds}
    hoisted::Set{Int}                 # blocks that are written behind their loop
    labels::Set{Int}
    count::Int
    block::Int
    effects::Bool                     # whether it changes memory or synchronizes
    memory::Bool                      # whether it reads memory
    has_places::Bool                  # user's code, whose lines are told
    kernel::Bool
    heads::Vector{String}             # statements at the top of a kernel
end

function new_variable!(b::Body, name::AbstractString, @nospecialize(T), sets::Int)
    push!(b.variables, Variable(string(plain_name(name), '_', b.count += 1), T, sets))
    length(b.variables)
end

place(b::Body) = b.unit.place
write!(b::Body, node::Node) = (push!(b.nodes, node); nothing)

# Statements that `f` writes, as a list of their own.
function written(f, b::Body)
    outer = b.nodes
    b.nodes = Node[]
    try
        f()
        return b.nodes
    finally
        b.nodes = outer
    end
end

variable_value(b::Body, k::Int) = is_ghost(b.variables[k].type) ?
    ghost(b.variables[k].type, constant_of(b.variables[k].type)) :
    Value(b.variables[k].type, b.variables[k].name, true, nothing, nothing, Int[k], false)
is_stable(b::Body, v::Value) = !v.memory && all(k -> b.variables[k].sets <= 1, v.reads)

# Assigns to a variable. Values that read it and are not written yet come first.
function set!(b::Body, k::Int, v::Value)
    variable = b.variables[k]
    value = is_plain(variable.type) && is_plain(v.type) ? converted(b, v, variable.type) :
        coerced(b.unit, v, variable.type)
    is_ghost(variable.type) && return
    text = whole(b.unit, value).text
    text == variable.name && return
    flush!(b, pending -> k in pending.reads)
    type_name(b.unit, variable.type)
    write!(b, Node(:set, place(b); name = variable.name, text = text))
end

# A value in a variable of its own, which never changes.
function kept(b::Body, v::Value)
    v.parts === nothing || return in_parts(v.type, Any[kept(b, part) for part in v.parts])
    (is_ghost(v.type) || v.known !== nothing || isempty(v.text)) && return v
    is_name(b, v) && return v
    k = new_variable!(b, "t", v.type, 1)
    set_new!(b, k, v)
    variable_value(b, k)
end
# What is made by an action on memory or on other threads.
function acted(b::Body, v::Value, name::String = "t")
    k = new_variable!(b, name, v.type, 1)
    set_new!(b, k, v)
    last(b.nodes).acts = true
    variable_value(b, k)
end
function set_new!(b::Body, k::Int, v::Value)
    type_name(b.unit, b.variables[k].type)
    write!(b, Node(:set, place(b); name = b.variables[k].name, text = v.text))
end

drop!(list::Vector{Int}, k::Int) = (filter!(x -> x != k, list); nothing)

# Writes pending values for which `which` is true.
function flush!(b::Body, which)
    for id in copy(b.pending)
        which(b.values[id]) || continue
        drop!(b.pending, id)
        b.values[id] = kept(b, b.values[id])
    end
end

# The value of statement i: written at once if it is used more than once, else where it is used.
function define!(b::Body, i::Int, v::Value)
    if b.uses[i] == 0
        b.values[i] = v
    elseif b.uses[i] == 1 && all(==(b.block), b.use_blocks[i])
        b.values[i] = v
        is_constant_value(v) || push!(b.pending, i)
    elseif is_simple(b, v)
        b.values[i] = v
    else
        b.values[i] = kept(b, v)
    end
    nothing
end
is_name(b::Body, v::Value) = v.is_atom && !occursin('(', v.text) && is_stable(b, v)
is_constant_value(v::Value) = isempty(v.reads) && !v.memory
# May be written down again: names and literals that stay what they are.
is_simple(b::Body, v::Value) = v.parts === nothing ?
    is_ghost(v.type) || v.known !== nothing || is_name(b, v) :
    all(part -> is_simple(b, part), v.parts)

# The value of an operand.
function value_of(b::Body, @nospecialize(x))
    if x isa Core.SSAValue
        drop!(b.pending, x.id)
        v = b.values[x.id]
        v === nothing && refuse(place(b), "a value that is not there yet")
        return v::Value
    elseif x isa Core.SlotNumber
        return slot_value(b, x.id)
    elseif x isa Narrow
        v = slot_value(b, x.slot)
        return maybe_of(v.type) === nothing ? v : coerced(b.unit, v, x.type)
    elseif x isa GlobalRef
        return global_value(b, x)
    elseif x isa Some
        return literal(b.unit, something(x))
    elseif x isa Expr
        return expression_value(b, x)
    end
    literal(b.unit, x)
end

function slot_value(b::Body, id::Int)
    haskey(b.ranges, id) && return b.ranges[id]::Value
    k = b.slots[id]
    if k == 0
        T = b.source.slots[id]
        is_ghost(T) && return ghost(T, constant_of(T))
        name = b.source.names[id]
        refuse(place(b), isempty(name) || startswith(name, '@') ? "has " :
            string("the variable `", name, "` is "), why_no_type(T))
    end
    variable_value(b, k)
end

function global_value(b::Body, x::GlobalRef)
    isdefined(x.mod, x.name) || refuse(place(b), "`", x.name, "` is not defined")
    isconst(x.mod, x.name) && return literal(b.unit, getfield(x.mod, x.name))
    refuse_global(place(b), x)
end
refuse_global(at::Place, x::GlobalRef) = throw(Refusal(string("uses the global variable `", x.name,
    "`, a ", typeof(getfield(x.mod, x.name)), ", which may change: declare it const, or give it ",
    "as an argument"), at, true))
