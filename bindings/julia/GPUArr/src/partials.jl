# Partial results of reductions and scans: numbers, or immutable structs and tuples of numbers,
# which the library takes by the name of a type of the text.

const MOST_PARTIAL_BYTES = 64
is_partial_type(@nospecialize(T)) = is_struct_type(T) && 0 < sizeof(T) <= MOST_PARTIAL_BYTES

@noinline function refuse_reduced(@nospecialize(op), types, @nospecialize(R), @nospecialize(S))
    what = string("a reduction by ", function_name(op), " of elements of type ", types[2])
    called = R === Union{} ? types : Any[R, R]
    S === Union{} && throw(ArgumentError(string(what, " calls it with (", join(called, ", "),
        "), for which it has no method or always throws: kernels combine any two partial results, ",
        "so elements must be such results too, as mapreduce(f, op, x) makes them by f")))
    is_struct_type(S) && throw(ArgumentError(string(what, " has partial results of type ", S,
        ", of ", sizeof(S), " bytes: kernels have up to ", MOST_PARTIAL_BYTES)))
    throw(ArgumentError(string(what, " gives ", S, ", which kernels do not have: numbers, and ",
        "immutable structs and tuples of them, whose type is known before it runs")))
end

# A type of the text has a name of its own, since that of a tuple is more than a word.
partial_name(@nospecialize(A)) = A <: Element ? kernel_type(A) : "julia_partial"
partial_definition(@nospecialize(A)) = A <: Element ? "" :
    string("typedef ", Typed.type_name(CURRENT[].unit, A), " julia_partial;\n")

# The statements that return a traced value as a partial result. A struct goes through no variable,
# which would cost a quarter of the speed on the CPU.
function returned_partial(walk::Walk, @nospecialize(A), @nospecialize(value))
    A <: Element && return string(kernel_type(A), " z;\n", stored(A, value), "\nreturn z;")
    E = meaning(value)
    E === A || Base.promote_op(convert, Type{A}, E) !== Union{} || throw(ArgumentError(string(
        "elements become values of type ", E, ", but partial results are of type ", A,
        ", to which these do not convert: make such of them")))
    made = E === A ? value : call_function(walk, convert, nothing, Any[A, value])
    string("return ", Typed.whole(CURRENT[].unit, typed(made)).text, ';')
end

# The first value of a reduction, as a partial result.
as_start(::Type{A}, start::Number) where {A<:Number} = convert(A, start)
as_start(::Type{A}, start) where {A} = start isa A ? start : applicable(convert, A, start) ?
    convert(A, start)::A : throw(ArgumentError(
    "init is of type $(typeof(start)), but results are of type $A: give it as such"))
@generated function part_arguments(x)
    arguments = []
    visit_parts((kind, T, path) -> push!(arguments, :(argument($path))), x, :x)
    Expr(:tuple, arguments...)
end
