# From statements to the text of a function: what is simple is put together, variables are declared
# where they are first set, and lines are those of the user's source.

# `t = c ? a : b` for two ways that set the same variable, and so && and ||; a variable of the
# translator's own that the next statement alone reads is put there.
function simplify!(nodes::Vector{Node}, b::Body)
    for node in nodes
        simplify!(node.first, b)
        simplify!(node.second, b)
        join_ways!(node)
        node.kind === :loop && as_while!(node)
    end
    foreach(k -> rename!(nodes, k, b), length(nodes):-1:1)
    filter!(node -> node.kind !== :gone, nodes)
    k = 1
    while k < length(nodes)
        k = put_into_next!(nodes, k, b) ? max(k - 1, 1) : k + 1
    end
    nodes
end

function join_ways!(node::Node)
    node.kind === :if && length(node.first) == length(node.second) == 1 || return
    x, y = node.first[1], node.second[1]
    x.kind === :set && y.kind === :set && x.name == y.name || return
    length(x.text) + length(y.text) < 120 || return
    node.kind, node.name, node.acts = :set, x.name, x.acts || y.acts
    c = node.text
    node.text = c == "true" ? x.text : c == "false" ? y.text :
        y.text == "false" ? string(and_part(c), " && ", and_part(x.text)) :
        x.text == "true" || x.text == c ? string(part(c), " || ", part(y.text)) :
        x.text == "false" ? string(negated(c), " && ", and_part(y.text)) :
        y.text == "true" ? string(negated(c), " || ", part(x.text)) :
        string(part(c), " ? ", part(x.text), " : ", part(y.text))
    empty!(node.first)
    empty!(node.second)
    nothing
end
const COMPARISON = r"^[\w.]+(\(\d*\))?(\[\d\])? [<>=!]=? [\w.]+(\(\d*\))?(\[\d\])?$"
# In parentheses, unless it is so simple that none are needed.
part(text::String) = occursin(r"^[!-]?[\w.:<>]*(\([^()]*\))?$", text) ||
    (startswith(text, '(') && closes_at_end(text, 1)) ? text :
    occursin(COMPARISON, text) ? text : string("(", text, ')')
# Beside && no parentheses are needed around another.
and_part(text::String) = !occursin(r"[|?]", text) && occursin("&&", text) ? text : part(text)

function as_while!(node::Node)
    isempty(node.first) || !(last(node.first).kind === :continue) || pop!(node.first)
    isempty(node.first) && return
    head = node.first[1]
    head.kind === :if && isempty(head.second) && length(head.first) == 1 &&
        head.first[1].kind === :break || return
    node.kind, node.text = :while, negated(head.text)
    popfirst!(node.first)
    nothing
end

function count_of(text::String, name::String)
    found, from = 0, 1
    while true
        at = findnext(name, text, from)
        at === nothing && return found
        next = last(at) + 1
        next > ncodeunits(text) || !(isdigit(text[next])) || (from = next; continue)
        first(at) == 1 || !(isletter(text[first(at)-1]) || text[first(at)-1] == '_') ?
            (found += 1) : nothing
        from = next
    end
end
mentions_of(node::Node, name::String) = count_of(node.text, name) +
    ((node.kind === :set || node.kind === :for) && node.name == name) +
    mentions_of(node.first, name) + mentions_of(node.second, name)
mentions_of(nodes::Vector{Node}, name::String) =
    isempty(nodes) ? 0 : sum(Int[mentions_of(node, name) for node in nodes])

function put_into_next!(nodes, k::Int, b::Body)
    x, y = nodes[k], nodes[k+1]
    x.kind === :set && y.kind in (:set, :if, :return) && is_own(x.name) || return false
    count_of(y.text, x.name) == 1 && mentions_of(b.nodes, x.name) == 2 || return false
    x.acts && y.text != x.name && y.text != "!" * x.name && return false
    y.acts |= x.acts
    y.text = y.text == x.name ? x.text : y.text == "!" * x.name ? negated(x.text) :
        replace(y.text, Regex("\\b" * x.name * "\\b") => SubstitutionString(
            replace(part(x.text), '\\' => "\\\\")))
    deleteat!(nodes, k)
    true
end
is_own(name::String) = startswith(name, "t_")

# `t = ...; name = t` is `name = ...`, if t is nowhere else.
function rename!(nodes, k::Int, b::Body)
    copy = nodes[k]
    copy.kind === :set && is_own(copy.text) && count_sets(b.nodes, copy.name) == 1 &&
        mentions_of(b.nodes, copy.text) == 2 || return
    at = findfirst(node -> node.kind === :set && node.name == copy.text, nodes)
    at === nothing || at >= k || (nodes[at].name = copy.name; nodes[at].place = copy.place;
        gone!(copy))
    nothing
end
# Variables that nobody reads are not set; of what acts only the value is dropped.
function drop_unread!(b::Body, variable::Variable)
    name = variable.name
    (variable.sets == 0 || mentions_of(b.nodes, name) != count_sets(b.nodes, name)) && return
    for_all(b.nodes) do node
        node.kind === :set && node.name == name || return
        node.acts ? (node.kind = :do) : gone!(node)
    end
end
function gone!(node::Node)
    node.kind, node.text = :gone, ""
    nothing
end
for_all(f, nodes) =
    foreach(node -> (f(node); for_all(f, node.first); for_all(f, node.second)), nodes)

# Variables are declared in the innermost list that has all of what mentions them.
function declare!(b::Body)
    has_labels = has_node(b.nodes, :goto, "")
    foreach(variable -> drop_unread!(b, variable), reverse(b.variables))
    for variable in b.variables
        (is_ghost(variable.type) || variable.sets == 0) && continue
        total = mentions_of(b.nodes, variable.name)
        total == 0 && continue
        has_node(b.nodes, :for, variable.name) && continue
        type = type_name(b.unit, variable.type)
        if has_labels
            pushfirst!(b.nodes, Node(:do, NOWHERE; text = string(type, ' ', variable.name)))
        else
            declare_in!(b, b.nodes, variable.name, type, total)
        end
    end
end
# Whether there is a node of this kind, and of this name if it is not empty.
function has_node(nodes::Vector{Node}, kind::Symbol, name::String)
    for node in nodes
        node.kind === kind && (isempty(name) || node.name == name) && return true
        (has_node(node.first, kind, name) || has_node(node.second, kind, name)) && return true
    end
    false
end

function declare_in!(b::Body, nodes::Vector{Node}, name::String, type::String, total::Int)
    at = findfirst(node -> mentions_of(node, name) > 0, nodes)
    node = nodes[at]
    for inner in (node.first, node.second)
        if mentions_of(inner, name) == total && is_set_first(inner, name)
            return declare_in!(b, inner, name, type, total)
        end
    end
    if node.kind === :set && node.name == name && count_of(node.text, name) == 0
        sets = count_sets(nodes, name)
        node.kind = :declare
        node.name = string(sets == 1 ? "const " : "", type, ' ', name)
    else
        insert!(nodes, at, Node(:do, NOWHERE; text = string(type, ' ', name)))
    end
    nothing
end
# Whether a list sets the variable before all else that mentions it, in whatever list within.
function is_set_first(nodes, name)
    at = findfirst(node -> mentions_of(node, name) > 0, nodes)
    node = nodes[at]
    node.kind === :set && node.name == name && return count_of(node.text, name) == 0
    total = mentions_of(nodes, name)
    any(inner -> mentions_of(inner, name) == total && is_set_first(inner, name),
        (node.first, node.second))
end
count_sets(nodes, name) = isempty(nodes) ? 0 : sum(Int[(node.kind === :set && node.name == name) +
    count_sets(node.first, name) + count_sets(node.second, name) for node in nodes])

# The text, with a #line wherever the line of the user's source is not the next one.
mutable struct Printer
    lines::Vector{String}
    line::Int              # which the compiler takes the next line for, 0 for none of the user's
    file::String
end

function function_text(b::Body, head::String)
    drop_labels!(b.nodes, b.labels)
    simplify!(b.nodes, b)
    drop_last_return!(b)
    declare!(b)
    printer = Printer(String[], 0, "")
    method, tells_lines = b.source.method, b.has_places && b.unit.tells_lines
    tells_lines && put_line!(printer, Place(string(method.file), method.line, ""))
    put!(printer, head * " {")
    put_nodes!(printer, b.nodes, "  ", tells_lines)
    put!(printer, "}\n")
    join(printer.lines, '\n')
end
function drop_labels!(nodes, labels)
    filter!(node -> node.kind !== :label || parse(Int, node.name) in labels, nodes)
    foreach(node -> (drop_labels!(node.first, labels); drop_labels!(node.second, labels)), nodes)
end
drop_last_return!(b::Body) = !isempty(b.nodes) && last(b.nodes).kind === :return &&
    isempty(last(b.nodes).text) && pop!(b.nodes)

put!(printer::Printer, text::String) = (push!(printer.lines, text); printer.line += 1; nothing)
function put_line!(printer::Printer, p::Place)
    p.line == 0 && return
    p.line == printer.line && p.file == printer.file && return
    push!(printer.lines, string("#line ", p.line, p.file == printer.file ? "" :
        string(" \"", escape_string(p.file), '"')))
    printer.line, printer.file = p.line, p.file
    nothing
end

function put_nodes!(printer::Printer, nodes, indent::String, tells_lines::Bool)
    for node in nodes
        node.kind === :gone && continue
        tells_lines && node.kind !== :label && put_line!(printer, node.place)
        put_node!(printer, node, indent, tells_lines)
    end
end
function put_node!(printer::Printer, node::Node, indent::String, tells_lines::Bool)
    kind = node.kind
    if kind === :set || kind === :declare
        put!(printer, string(indent, node.name, " = ", node.text, ';'))
    elseif kind === :lines
        put!(printer, node.text)
        printer.line = 0
    elseif kind === :do
        put!(printer, string(indent, node.text, ';'))
    elseif kind === :return
        put!(printer, string(indent, isempty(node.text) ? "return" : "return ", node.text, ';'))
    elseif kind === :break || kind === :continue
        put!(printer, string(indent, kind, ';'))
    elseif kind === :goto
        put!(printer, string(indent, "goto L", node.name, ';'))
    elseif kind === :label
        put!(printer, string("L", node.name, ":;"))
    else
        put_compound!(printer, node, indent, tells_lines)
    end
end
function put_compound!(printer::Printer, node::Node, indent::String, tells_lines::Bool)
    head = node.kind === :if ? string("if (", node.text, ')') : node.kind === :loop ? "for (;;)" :
        node.kind === :while ? string("while (", node.text, ')') : node.text
    put!(printer, string(indent, head, " {"))
    put_nodes!(printer, node.first, indent * "  ", tells_lines)
    if !isempty(node.second)
        put!(printer, indent * "} else {")
        put_nodes!(printer, node.second, indent * "  ", tells_lines)
    end
    put!(printer, indent * "}")
end
