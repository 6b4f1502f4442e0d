# Why a function cannot become a kernel, and what to do: one sentence each, with the place in the
# user's source.

struct Refusal <: Exception
    message::String
    place::Place
    is_untyped::Bool           # that types are not known, which calling it with stand-ins may do
end
refuse(place::Place, parts...) = throw(Refusal(string(parts...), place, false))

Base.showerror(io::IO, problem::Refusal) = print(io, problem.place.line == 0 ? "" :
    string(problem.place.file, ':', problem.place.line, ": in `", problem.place.name, "`: "),
    problem.message)

# A call as a reader would write it, by the types of its arguments.
described_call(@nospecialize(f), types) = string(described(f), '(', join(types, ", "), ')')
function described(@nospecialize(f))
    name = f isa Function ? string(f) : f isa Type && f <: Function ? string(nameof(f)) :
        f isa Type ? string(f) : string("a ", typeof(f))
    occursin('#', name) && !occursin(r"^[#A-Za-z_!0-9]*[A-Za-z_]", replace(name, "var" => "")) ?
        "an anonymous function" : name
end

# What is wrong with a type whose values kernels do not have.
function why_no_type(@nospecialize(T))
    T === Any && return "a value whose type is not known before it runs (Any): a variable of a " *
        "module that is not const, or a field or a function without a type, makes it so; declare " *
        "it const, or give it as an argument"
    T isa Union && Base._InitialValue <: T && return "the result of a fold that may have no " *
        "first element: tuples, ranges and generators over these can be folded; else write a loop"
    T isa Union && T <: Function && return string("a function that is now one, then another (", T,
        "): call each in a branch of its own")
    loop = maybe_of(T)
    loop isa DataType && loop <: Tuple{Any,Any} && !isconcretetype(loop) && return string(
        "a loop over elements of different types (", loop.parameters[1], "): give them one type, ",
        "or fold them by sum, foldl or map, which take each by its own")
    T isa Union && Missing <: T && return string("a value that may be missing (", T, "): kernels ",
        "have numbers only; use NaN, or a condition beside the number")
    T isa Union && return string("a value that is now of one type, then of another (", T,
        "): make both the same, by oftype(x, 1), zero(x), one(x) or convert")
    T isa DataType && T.name === Core.Box.name && return "a variable that an inner function " *
        "assigns to: return its new value instead"
    (T <: AbstractString || T <: Symbol || T <: AbstractChar || T <: Regex) && return string("a ",
        T, ": kernels have no text; tell cases apart by numbers")
    T <: Array && return string("an array of the host (", T, "): memory cannot be allocated in ",
        "a kernel; use a tuple, give a GArray as an argument, or @shared in a @kernel")
    T <: Union{Int128,UInt128,BigInt,BigFloat} && return string("a value of type ", T,
        ": numbers have up to 64 bits")
    is_mutable(T) && return string("a ", T,
        ", which is mutable: it would have to be allocated; use an immutable struct")
    T <: Tuple && !isconcretetype(T) && return string("a tuple whose length or types are not ",
        "known before it runs (", T, "): write ntuple(f, Val(3)), or numbers in its place")
    isconcretetype(T) || return string("a value of the abstract type ", T,
        ": its type must be known before it runs")
    string("a value of type ", T, ", which has no fixed layout on the device")
end
const is_mutable = isdefined(Base, :ismutabletype) ?
    (T -> T isa DataType && Base.ismutabletype(T)) :
    (T -> T isa DataType && !T.abstract && T.mutable)

# Calls that no kernel can make, by the name of what is called.
function why_no_call(@nospecialize(f), name::Symbol)
    part = f isa Function || f isa Type ? string(parentmodule(f)) : ""
    (startswith(part, "Random") || name in (:rand, :randn, :randexp)) && return "random numbers " *
        "have a state: fill an array by rand(GPUArr.Generator(1), ...) and give it as an argument"
    name in (:print, :println, :show, :display, :printstyled) &&
        return "printing needs GPUArr.print_values(\"x = \", x)"
    name in (:string, :repr, :print_to_string, :sprint) && return "kernels have no text"
    name in (:vect, :zeros, :ones, :collect, :fill, :similar, :vcat, :hcat, :copy, :push!, :Array,
        :jl_alloc_array_1d, :jl_alloc_array_2d, :jl_alloc_array_3d) && return "memory cannot be " *
        "allocated in a kernel; use a tuple, or @shared in a @kernel"
    name in (:eval, :include, :invokelatest) && return "kernels cannot compile"
    ""
end
