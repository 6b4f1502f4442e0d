# From blocks that jump to one another to statements that lie in one another: `if`, loops, `break`
# and `continue`, and a goto where these do not do (as in Ramsey, "Beyond Relooper").

forward_ways(graph::Graph, k) = count(p -> !is_above(graph.parent, k, p), graph.blocks[k].before)
is_merge(graph::Graph, k) = forward_ways(graph, k) > 1

# Block k and all below it; what falls off its end goes on at `follow`.
function write_tree!(b::Body, k::Int, follow::Int)
    is_head(b.graph, k) || return write_block!(b, k, follow)
    after = loop_exit(b.graph, k, follow)
    after == follow || after == 0 || push!(b.hoisted, after)
    push!(b.loops, LoopEnds(k, after))
    write!(b, Node(:label, place(b); name = string(k)))
    at = place(b)
    inner = written(() -> write_block!(b, k, k), b)
    pop!(b.loops)
    write!(b, Node(:loop, at; first = inner))
    after == follow || after == 0 || write_labelled!(b, after, follow)
end
function write_labelled!(b::Body, k::Int, follow::Int)
    write!(b, Node(:label, place(b); name = string(k)))
    write_tree!(b, k, follow)
end

# Where a loop goes on when it is left: that which most ways lead to.
function loop_exit(graph::Graph, head::Int, follow::Int)
    counts = Dict{Int,Int}()
    for k in graph.order, t in ways(graph.blocks, k)
        head in graph.loops[k] && !(head in graph.loops[t]) && (counts[t] = get(counts, t, 0) + 1)
    end
    isempty(counts) && return 0
    haskey(counts, follow) && return follow
    inside = filter(t -> is_above(graph.parent, head, t), collect(keys(counts)))
    isempty(inside) && return 0
    inside[argmax([(counts[t], graph.rank[t]) for t in inside])]
end

function write_block!(b::Body, k::Int, follow::Int)
    graph = b.graph
    merges = filter(c -> is_merge(graph, c) && !(c in b.hoisted), graph.children[k])
    length(merges) > 1 && sort!(merges; by = c -> graph.rank[c])
    b.block = k
    block = graph.blocks[k]
    s = b.source.code[block.last]
    ends = s isa Union{Jump,Branch,Return}
    next = isempty(merges) ? follow : merges[1]
    if k in b.latches
        foreach(i -> write_statement!(b, i), block.first:block.last-4)
        return flush!(b, v -> true)
    end
    range = nothing
    for i in block.first:block.last-ends
        i == block.last - 3 && (range = counting_loop(b, k))
        range === nothing ? write_statement!(b, i) : break
    end
    range === nothing ? write_end!(b, k, s, block, next) : write_range!(b, range, k, next)
    for (j, merge) in enumerate(merges)
        merge in b.hoisted && continue
        write_labelled!(b, merge, j == length(merges) ? follow : merges[j+1])
    end
end

function write_end!(b::Body, k::Int, s, block::Block, follow::Int)
    at!(b, block.last)
    if s isa Return
        return write_return!(b, s)
    end
    open = ways(b.graph.blocks, k)
    if s isa Branch && length(block.next) == 2
        if length(open) == 2
            condition = value_of(b, s.condition)
            condition.type === Bool || refuse(place(b), "has a condition that is a ",
                condition.type, ": Julia takes a Bool alone, such as x != 0")
            flush!(b, v -> true)
            return write_branch!(b, k, condition, open, follow)
        end
        write_check!(b, s, block)
    end
    flush!(b, v -> true)
    isempty(open) && refuse(place(b), "always throws an exception")
    write_jump!(b, k, open[1], follow)
end

function write_branch!(b::Body, k::Int, condition::Value, open, follow::Int)
    at = place(b)
    first = written(() -> write_jump!(b, k, open[1], follow), b)
    b.block = k
    second = written(() -> write_jump!(b, k, open[2], follow), b)
    write_if!(b, condition.text, first, second, at)
end
function write_if!(b::Body, condition::String, first, second, at::Place)
    isempty(first) && isempty(second) && return
    if isempty(first) || (is_exit(second) && !is_exit(first))
        condition, first, second = negated(condition), second, first
    end
    write!(b, Node(:if, at; text = condition, first = first,
        second = is_exit(first) ? Node[] : second))
    is_exit(first) && append!(b.nodes, second)
    nothing
end
is_exit(list) = !isempty(list) && last(list).kind in (:break, :continue, :goto, :return)
negated(text::String) = startswith(text, "!(") && closes_at_end(text, 2) ? text[3:end-1] :
    occursin(r"^![\w.]+$", text) ? text[2:end] : occursin(r"^[\w.]+$", text) ? "!" * text :
    startswith(text, '(') && closes_at_end(text, 1) ? "!" * text : string("!(", text, ')')
function closes_at_end(text::String, open::Int)
    depth = 0
    for (k, c) in enumerate(codeunits(text))
        depth += c == UInt8('(') ? 1 : c == UInt8(')') ? -1 : 0
        depth == 0 && k >= open && return k == ncodeunits(text)
    end
    false
end

function write_jump!(b::Body, from::Int, to::Int, follow::Int)
    write_phis!(b, from, to)
    to == follow && return
    if !isempty(b.loops)
        ends = last(b.loops)
        to == ends.again && return write!(b, Node(:continue, place(b)))
        to == ends.after && return write!(b, Node(:break, place(b)))
    end
    inline = b.graph.parent[to] == from && !is_merge(b.graph, to) && !(to in b.hoisted)
    inline && return write_tree!(b, to, follow)
    push!(b.labels, to)
    write!(b, Node(:goto, place(b); name = string(to)))
end

# What the phis of a block get on the way from another, all at once.
function write_phis!(b::Body, from::Int, to::Int)
    isempty(b.phis) && return
    targets, given = Int[], Value[]
    for i in b.graph.blocks[to].first:b.graph.blocks[to].last
        s = b.source.code[i]
        s isa Phi || (s isa Skip ? continue : break)
        edge = findfirst(e -> b.graph.of[e] == from, s.edges)
        edge === nothing && continue
        haskey(b.phis, i) || continue
        push!(targets, b.phis[i])
        push!(given, coerced(b.unit, value_of(b, s.values[edge]), b.variables[b.phis[i]].type))
    end
    for j in eachindex(given)
        any(k -> k != targets[j] && k in targets, given[j].reads) || continue
        k = new_variable!(b, "next", given[j].type, 1)
        set_new!(b, k, whole(b.unit, given[j]))
        given[j] = variable_value(b, k)
    end
    foreach((k, v) -> set!(b, k, v), targets, given)
end

# for k in range, as Julia lowers it: `iterate` before and at the end, and a test after each.
struct Counting
    slot::Int
    range::Value
    head::Int
    latch::Int
    after::Int
end

# The slot and the operands of `slot = iterate(...)` with its test at the end of a block.
function iteration_at(b::Body, block::Block)
    s = b.source.code[block.last]
    s isa Branch && s.condition isa Core.SSAValue || return nothing
    not = b.source.code[s.condition.id]
    is_call(b, not, Core.Intrinsics.not_int) && not.args[2] isa Core.SSAValue || return nothing
    test = b.source.code[not.args[2].id]
    is_call(b, test, ===) && test.args[2] isa Union{Core.SlotNumber,Narrow} || return nothing
    set = not.args[2].id - 1
    set >= block.first || return nothing
    s = b.source.code[set]
    s isa Assign && s.slot == slot_of_operand(test.args[2]) && is_call(b, s.value, iterate) ||
        return nothing
    (s.slot, s.value.args[2:end])
end
slot_of_operand(x::Core.SlotNumber) = x.id
slot_of_operand(x::Narrow) = x.slot
function is_call(b::Body, @nospecialize(s), @nospecialize(f))
    s isa Expr && s.head === :call || return false
    g = s.args[1]
    g isa GlobalRef ? isdefined(g.mod, g.name) && getfield(g.mod, g.name) === f : g === f
end

const CountedRange = Union{UnitRange{<:Whole},Base.OneTo{<:Whole},StepRange{<:Whole,<:Whole}}

# Whether C's `for` could count on beyond the type's last number; shorter types count in 64 bits.
function may_wrap(b::Body, range::Value)
    T = eltype(range.type)
    sizeof(T) == 8 || return false
    _, step, stop = range_ends(b.unit, range)
    step.known === nothing && return T === UInt64
    by = Int128(something(step.known))
    by < 0 && T === UInt64 && return true
    stop.known !== nothing && !(typemin(T) <= something(stop.known) + by <= typemax(T))
end
function counting_loop(b::Body, k::Int)
    graph, guard = b.graph, b.graph.blocks[k]
    first = iteration_at(b, guard)
    first === nothing && return nothing
    slot, operands = first
    length(operands) == 1 || return nothing
    range = operands[1] isa Core.SSAValue ? b.values[operands[1].id] :
        operands[1] isa Some ? literal(b.unit, something(operands[1])) : nothing
    range isa Value && range.type <: CountedRange && !may_wrap(b, range) || return nothing
    head = guard.next[1]
    is_head(graph, head) || return nothing
    back = filter(p -> is_above(graph.parent, head, p), graph.blocks[head].before)
    length(back) == 1 || return nothing
    latch = back[1]
    graph.blocks[latch].first == graph.blocks[latch].last &&
        length(graph.blocks[latch].before) == 1 && (latch = graph.blocks[latch].before[1])
    again = iteration_at(b, graph.blocks[latch])
    again !== nothing && again[1] == slot && length(graph.blocks[latch].next) == 2 || return nothing
    after = graph.blocks[latch].next[2]
    length(guard.next) == 1 || guard.next[2] == after || return nothing
    Counting(slot, range, head, latch, after)
end

# The user's name for what counts: the first variable that the body sets.
function counter_name(b::Body, loop::Counting)
    for i in b.graph.blocks[loop.head].first:b.graph.blocks[loop.head].last
        s = b.source.code[i]
        s isa Assign && is_call(b, s.value, getfield) && return b.source.names[s.slot]
    end
    "k"
end
function write_range!(b::Body, loop::Counting, guard::Int, follow::Int)
    flush!(b, v -> true)
    T = eltype(loop.range.type)
    first, step, stop = (kept(b, v) for v in range_ends(b.unit, loop.range))
    k = new_variable!(b, counter_name(b, loop), sizeof(T) < 8 ? Int64 : T, 2)
    push!(b.counters, b.variables[k].name)
    name, by = b.variables[k].name, step.known === nothing ? 0 : something(step.known)
    condition = by > 0 ? string(name, " <= ", short(stop)) : by < 0 ?
        string(name, " >= ", short(stop)) : string(step.text, " > 0 ? ", name, " <= ", stop.text,
            " : ", name, " >= ", stop.text)
    change = by == 1 ? "++" * name : string(name, " += ", short(step))
    counter = Value(Int64, name, true, nothing, nothing, NO_READS, false)
    element = sizeof(T) < 8 ? expression(T, string("(", NUMBERS[T], ')', name); atom = true) :
        Value(T, name, true, nothing, nothing, NO_READS, false)
    b.ranges[loop.slot] = in_parts(Tuple{T,T}, Any[element, element])
    # A latch that does nothing else is where `continue` leads to; else it ends the body.
    latch = b.graph.blocks[loop.latch]
    is_bare = latch.last - latch.first == 3
    push!(b.latches, loop.latch)
    is_bare && push!(b.hoisted, loop.latch)
    is_alone = length(b.graph.blocks[guard].next) == 1 && loop.after != follow
    is_alone && push!(b.hoisted, loop.after)
    push!(b.loops, LoopEnds(is_bare ? loop.latch : 0, loop.after))
    at = place(b)
    inner = written(() -> write_block!(b, loop.head, is_bare ? loop.latch : 0), b)
    pop!(b.loops)
    write!(b, Node(:for, at; name = name, first = inner, text = string("for (",
        sizeof(T) < 8 ? "long long" : NUMBERS[T], ' ', name, " = ", short(first), "; ", condition,
        "; ", change, ')')))
    is_alone ? write_labelled!(b, loop.after, follow) :
        write_jump!(b, guard, loop.after, follow)
end
