# y[i] = c ? v : 0 has a value that is now of one type, then of another, but is only stored: its
# variable is of the type of y's elements, to which setindex! would convert either.

stored_type(source::Source, slot::Int, @nospecialize(T)) = all(is_plain, Base.uniontypes(T)) ?
    something(type_of_uses(source, Core.SlotNumber(slot), 1), T) : T

# Of the arrays that all uses of the value lead to, by way of other variables; or nothing.
function type_of_uses(source::Source, @nospecialize(value), depth::Int)
    found = nothing
    for (i, s) in enumerate(source.code)
        is_used(s, value) || continue
        E = depth == 9 ? nothing : s isa Assign && is_same(s.value, value) ?
            type_of_uses(source, Core.SlotNumber(s.slot), depth + 1) : is_same(s, value) ?
            type_of_uses(source, Core.SSAValue(i), depth + 1) : type_of_store(source, s, value)
        E !== nothing && (found === nothing || found === E) || return nothing
        found = E
    end
    found
end
function type_of_store(source::Source, @nospecialize(s), @nospecialize(value))
    s isa Expr && s.head === :call && length(s.args) > 3 && is_same(s.args[3], value) &&
        operand_type(source, s.args[1]) === typeof(setindex!) || return nothing
    A = operand_type(source, s.args[2])
    A isa Type && A <: InKernel && is_plain(eltype(A)) ? eltype(A) : nothing
end
is_same(@nospecialize(x), @nospecialize(value)) =
    x === value || (x isa Narrow && Core.SlotNumber(x.slot) === value)
is_used(@nospecialize(s), @nospecialize(value)) = is_same(s, value) ||
    (s isa Expr ? any(x -> is_used(x, value), s.args) : s isa Branch ?
    is_used(s.condition, value) : s isa Union{Assign,Return} && is_used(s.value, value))
