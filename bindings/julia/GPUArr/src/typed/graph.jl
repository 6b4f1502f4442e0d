# The blocks of a function's code, which of them can be reached, and how they lie in one another.

mutable struct Block
    first::Int
    last::Int
    next::Vector{Int}      # where it goes on: for a branch first if true, then if false
    before::Vector{Int}
    throws::Bool           # ends in an exception, whatever happens
end

struct Graph
    blocks::Vector{Block}
    of::Vector{Int}              # the block of a statement
    order::Vector{Int}           # blocks that can be reached, in reverse postorder
    rank::Vector{Int}            # place in that order, 0 if it cannot be reached
    parent::Vector{Int}          # the nearest block that all ways to it lead through
    children::Vector{Vector{Int}}
    loops::Vector{Vector{Int}}   # heads of the loops around a block, from outside
end

function find_blocks(source::Source)
    code, n = source.code, length(source.code)
    starts = falses(n + 1)
    starts[1] = true
    for (i, s) in enumerate(code)
        s isa Union{Jump,Branch} && (starts[s.target] = true)
        s isa Union{Jump,Branch,Return,Unreachable} && (starts[i+1] = true)
    end
    heads = findall(starts[1:n])
    of = Base.zeros(Int, n)
    blocks = Block[]
    for (k, head) in enumerate(heads)
        last = k == length(heads) ? n : heads[k+1] - 1
        of[head:last] .= k
        push!(blocks, Block(head, last, Int[], Int[], false))
    end
    for block in blocks
        connect!(block, source, of, blocks)
    end
    blocks, of
end

# A call that never returns ends its block; a condition that is known has one way.
function connect!(block::Block, source::Source, of, blocks)
    for i in block.first:block.last
        s = source.code[i]
        if s isa Unreachable || (source.types[i] === Union{} && !(s isa Union{Return,Jump,Branch}))
            block.last, block.throws = i, true
            return
        end
    end
    s = source.code[block.last]
    if s isa Jump
        block.next = [of[s.target]]
    elseif s isa Branch
        known = known_condition(source, s.condition)
        next, other = of[block.last] + 1, of[s.target]
        block.next = known === nothing ? (next == other ? [next] : [next, other]) :
            [known ? next : other]
    elseif !(s isa Return)
        of[block.last] < length(blocks) && (block.next = [of[block.last] + 1])
    end
    nothing
end
known_condition(source::Source, c::Bool) = c
known_condition(source::Source, c::Some) = something(c)
known_condition(source::Source, c::Core.SSAValue) =
    source.constants[c.id] === nothing ? nothing : something(source.constants[c.id])
known_condition(source::Source, @nospecialize(c)) = nothing

# A block that only leads to exceptions is one itself. Ways into them are left out.
function drop_throws!(blocks)
    changed = true
    while changed
        changed = false
        for block in blocks
            (block.throws || isempty(block.next)) && continue
            all(k -> blocks[k].throws, block.next) && (block.throws = changed = true)
        end
    end
end
ways(blocks, k) = filter(t -> !blocks[t].throws, blocks[k].next)

function make_graph(source::Source)
    blocks, of = find_blocks(source)
    drop_throws!(blocks)
    order = Int[]
    visit!(order, falses(length(blocks)), blocks, 1)
    reverse!(order)
    rank = Base.zeros(Int, length(blocks))
    rank[order] = 1:length(order)
    for k in order, t in ways(blocks, k)
        push!(blocks[t].before, k)
    end
    parent = dominators(blocks, order, rank)
    children = [Int[] for _ in blocks]
    for k in order
        k == 1 || push!(children[parent[k]], k)
    end
    Graph(blocks, of, order, rank, parent, children, find_loops(blocks, order, rank, parent))
end
function visit!(order, seen, blocks, k)
    seen[k] = true
    for t in reverse(ways(blocks, k))
        seen[t] || visit!(order, seen, blocks, t)
    end
    push!(order, k)
end

function dominators(blocks, order, rank)
    parent = Base.zeros(Int, length(blocks))
    parent[1] = 1
    changed = true
    while changed
        changed = false
        for k in order[2:end]
            new = 0
            for p in blocks[k].before
                parent[p] == 0 || (new = new == 0 ? p : meeting(parent, rank, p, new))
            end
            parent[k] == new || (parent[k] = new; changed = true)
        end
    end
    parent
end
function meeting(parent, rank, a, b)
    while a != b
        rank[a] > rank[b] ? (a = parent[a]) : (b = parent[b])
    end
    a
end
is_above(graph_parent, a, b) = a == b || (b != 1 && is_above(graph_parent, a, graph_parent[b]))

function find_loops(blocks, order, rank, parent)
    loops = [Int[] for _ in blocks]
    for head in order
        body = Set{Int}()
        for k in blocks[head].before
            is_above(parent, head, k) && collect_body!(body, blocks, head, k)
        end
        for k in body
            push!(loops[k], head)
        end
    end
    loops
end
function collect_body!(body, blocks, head, k)
    push!(body, head)
    k in body && return
    push!(body, k)
    for p in blocks[k].before
        collect_body!(body, blocks, head, p)
    end
end
is_head(graph::Graph, k) = k in graph.loops[k]

# Every use of a statement's value: how many, and in which blocks.
function count_uses(source::Source, graph::Graph)
    n = length(source.code)
    uses, blocks = Base.zeros(Int, n), [Int[] for _ in 1:n]
    for k in graph.order, i in graph.blocks[k].first:graph.blocks[k].last
        count_in!(uses, blocks, source.code[i], k)
    end
    uses, blocks
end
function count_in!(uses, blocks, @nospecialize(s), k)
    if s isa Core.SSAValue
        uses[s.id] += 1
        push!(blocks[s.id], k)
    elseif s isa Expr
        foreach(part -> count_in!(uses, blocks, part, k), s.args)
    elseif s isa Phi
        foreach(part -> count_in!(uses, blocks, part, 0), s.values)
    elseif s isa Union{Return,Pi,Assign}
        count_in!(uses, blocks, s.value, k)
    elseif s isa Branch
        count_in!(uses, blocks, s.condition, k)
    end
    nothing
end
