# From the tree of a dotted expression to a kernel: its leaves become parameters, its functions
# statements. The type of a tree says what kernel it is, so that a repeated expression finds its
# kernel without looking for it.

# Values that a type alone tells: they are part of the kernel's text.
is_constant(@nospecialize(T)) = Base.issingletontype(T) || T <: Type ||
    (T <: Base.RefValue && is_constant(T.parameters[1]))
# Complex numbers of whole parts, such as im, are two arguments.
const WholeComplex = Complex{<:Integer}
const NumberRef = Union{Base.RefValue{<:Element},AbstractArray{<:Element,0}}

# Calls visit(kind, type, path) for the leaves of a tree of type T that are arguments, in order.
function visit_leaves(visit, T, path)
    if T <: Broadcasted
        visit_captured(visit, T.parameters[3], :($path.f))
        for (k, A) in enumerate(T.parameters[4].parameters)
            visit_leaves(visit, A, :($path.args[$k]))
        end
    elseif T <: Viewed
        visit(:array, T, path)
    elseif T <: Element
        visit(:number, T, path)
    elseif T <: WholeComplex
        visit(:number, real(T), :(real($path)))
        visit(:number, real(T), :(imag($path)))
    elseif T <: NumberRef && !(T <: GArray)
        visit(:number, eltype(T), :($path[]))
    end
end

const is_mutable = isdefined(Base, :ismutabletype) ? Base.ismutabletype : (F -> F.mutable)

# Whether values of a type may hold numbers that are to be arguments: closures do, and callable
# structs.
may_hold_numbers(F) = isconcretetype(F) && isstructtype(F) && !is_mutable(F) && fieldcount(F) > 0 &&
    !(F <: Union{Tuple,NamedTuple,AbstractArray,AbstractString,Number})

# Numbers that a function has caught are arguments too: their values are no part of its type.
function visit_captured(visit, F, path)
    (is_constant(F) || !may_hold_numbers(F)) && return
    for k in 1:fieldcount(F)
        T, part = fieldtype(F, k), :(getfield($path, $k))
        T <: Element ? visit(:number, T, part) : visit_captured(visit, T, part)
    end
end

# The arguments of a kernel of `ndim` dimensions, and the references that were made for them.
@generated function leaf_arguments(tree, ::Val{N}) where {N}
    checks, borrowed, arguments = [], [], []
    visit_leaves(tree, :tree) do kind, T, path
        if kind === :array && 0 < ndims(T) < N
            reference = gensym()
            push!(checks, :(handle($path)))
            push!(borrowed, reference => path)
            push!(arguments, :(Argument($reference, Int32(0), Int32(0), UInt64(0), UInt64(0))))
        else
            push!(arguments, :(argument($path)))
        end
    end
    quote
        $(checks...)
        $((:($reference = expanded($path, N)) for (reference, path) in borrowed)...)
        (($(arguments...),), ($(first.(borrowed)...),))
    end
end

@generated function tree_device(tree)
    found = nothing
    visit_leaves(tree, :tree) do kind, T, path
        kind === :array && found === nothing && (found = path)
    end
    found === nothing ? :(Device()) : :(device($found))
end

# A variable of a module, and its value when a kernel was made.
const Global = Tuple{Module,Symbol,Any}

# A kernel that was made of a tree. Where functions of the user's own are in it, it holds as long
# as no method is defined, which `world` counts, and as long as the variables that they read are
# as they were.
mutable struct Slot
    pointer::Ptr{Cvoid}
    text::String
    world::UInt
    globals::Vector{Global}
end
const FOREVER = typemax(UInt)
@generated slot_of(::Type{K}) where {K} = Slot(C_NULL, "", 0, Global[])
@inline isready(slot::Slot) = slot.pointer != C_NULL && (slot.world == FOREVER || holds(slot))
@noinline holds(slot::Slot) = slot.world == Base.get_world_counter() &&
    all(((part, name, value),) -> getfield(part, name) === value, slot.globals)

const LOCK = ReentrantLock()
const SLOTS = Slot[]
const RELEASES = Tuple{Ptr{Cvoid},Function}[]

# What tracing a tree gives besides statements: parameters, whether a function is the user's own,
# and variables that such functions read.
mutable struct Walk
    parameters::Vector{String}
    is_users::Bool
    globals::Vector{Global}
end
Walk() = Walk(String[], false, Global[])

# Gives a slot what make() returns, unless it has that of this text; the lock is held.
function fill_slot!(make::Function, slot::Slot, text::String, walk::Walk, world::UInt,
                    release::Function)
    if slot.pointer == C_NULL || slot.text != text
        pointer = Ptr{Cvoid}(make())
        push!(RELEASES, (pointer, release))
        push!(SLOTS, slot)
        slot.text, slot.pointer = text, pointer
    end
    slot.world = walk.is_users ? world : FOREVER
    slot.globals = walk.globals
    nothing
end

"""
    GPUArr.release_kernels()

Release the kernels that were made of dotted expressions and of Julia functions; those that are used
again are made again, from the cache. No other task may compute meanwhile.
"""
function release_kernels()
    lock(LOCK) do
        foreach(slot -> slot.pointer = C_NULL, SLOTS)
        foreach(((pointer, release),) -> release(pointer), RELEASES)
        empty!(SLOTS)
        empty!(RELEASES)
    end
    nothing
end

# One kernel is written at a time; a function that is traced may itself need one.
function begin_trace()
    lock(LOCK)
    outer = CURRENT[]
    CURRENT[] = Trace()
    outer
end
function end_trace(outer::Trace)
    CURRENT[] = outer
    unlock(LOCK)
end

function parameter!(walk::Walk, @nospecialize(T))
    name = string('x', length(walk.parameters) + 1)
    push!(walk.parameters, string(kernel_type(T), ' ', name))
    variable_of(T, name)
end

# Trees are looked at as they come, so that nothing here is compiled for each type of tree.
function trace(walk::Walk, @nospecialize(x))
    x isa Broadcasted && return trace_call(walk, x.f, x.args)
    x isa GArray && return parameter!(walk, eltype(x))
    x isa Element && return parameter!(walk, typeof(x))
    x isa WholeComplex &&
        return Complex(parameter!(walk, typeof(x.re)), parameter!(walk, typeof(x.im)))
    x isa NumberRef && return parameter!(walk, eltype(x))
    is_constant(typeof(x)) ? (x isa Base.RefValue ? x[] : x) : refuse_leaf(x)
end
refuse_leaf(@nospecialize(x)) = throw(ArgumentError(string("a value of type ", typeof(x),
    " is in a dotted expression of GArrays, which takes GArrays and numbers that they could hold",
    x isa AbstractArray ? "; GArray(a) copies it to a device" : "")))

function trace_call(walk::Walk, @nospecialize(f), @nospecialize(arguments))
    caught = trace_captured(walk, f)
    values = Any[trace(walk, x) for x in arguments]
    call_traced_function(caught, f, values)
end

is_of_julia(F) = is_of_julia_module(parentmodule(F))
function is_of_julia_module(part)
    owner = Base.moduleroot(part)
    owner === Base || owner === Core || owner === GPUArr
end

# A function of the user's own may be defined anew, and variables of modules that it reads may
# change: they are read but once, when it is traced.
function look_at_users(walk::Walk, @nospecialize(f))
    walk.is_users = true
    find_globals(walk.globals, f, Any[])
    for (part, name, value) in walk.globals
        isbits(value) || throw(ArgumentError(string(function_name(f), " uses the global variable `",
            name, "`, a ", typeof(value),
                ", which may change: declare it const, or give numbers of ",
            "it as arguments")))
    end
end

# Variables that methods of a function use, and those of functions that it uses, but for constants.
function find_globals(found::Vector{Global}, @nospecialize(f), seen::Vector{Any})
    any(g -> g === f, seen) && return
    push!(seen, f)
    sources = [Base.uncompressed_ast(m).code for m in methods(f) if isdefined(m, :source)]
    for code in sources, used in globals_of(code)
        isdefined(used.mod, used.name) && !is_of_julia_module(used.mod) || continue
        value = getfield(used.mod, used.name)
        if !isconst(used.mod, used.name)
            push!(found, (used.mod, used.name, value))
        elseif value isa Function && !is_of_julia(typeof(value))
            find_globals(found, value, seen)
        end
    end
end
globals_of(part::GlobalRef) = [part]
globals_of(part::Expr) = globals_of(part.args)
globals_of(parts::Vector) = GlobalRef[found for part in parts for found in globals_of(part)]
globals_of(@nospecialize(part)) = nameof(typeof(part)) in (:ReturnNode, :GotoIfNot) ?
    globals_of(Any[getfield(part, k) for k in 1:nfields(part) if isdefined(part, k)]) : GlobalRef[]

# The function with stand-ins in place of the numbers that it has caught.
function trace_captured(walk::Walk, @nospecialize(f))
    F = typeof(f)
    f isa Type && return f
    is_of_julia(F) || look_at_users(walk, f)
    is_constant(F) && return f
    may_hold_numbers(F) || refuse_captured(f)
    fields = Any[]
    for k in 1:nfields(f)
        value = getfield(f, k)
        value isa Core.Box && throw(ArgumentError(string(function_name(f), " uses the variable `",
            fieldname(F, k), "` from around it, which is assigned to more than once")))
        is_constant(typeof(value)) || value isa Element || may_hold_numbers(typeof(value)) ||
            refuse_captured(f)
        push!(fields, value isa Element ? parameter!(walk, typeof(value)) :
            trace_captured(walk, value))
    end
    wrapper = Base.unwrap_unionall(Base.typename(F).wrapper)
    parameters = map(wrapper.parameters, F.parameters) do declared, given
        k = findfirst(T -> T === declared, fieldtypes(wrapper))
        k === nothing ? given : typeof(fields[k])
    end
    try
        new = isempty(parameters) ? F : Base.typename(F).wrapper{parameters...}
        ccall(:jl_new_structv, Any, (Any, Ptr{Any}, UInt32), new, fields, length(fields))
    catch
        refuse_captured(f)
    end
end
refuse_captured(@nospecialize(f)) = throw(ArgumentError(string(function_name(f), " uses ",
    join(fieldnames(typeof(f)), ", "), " from around it, of types ",
    join(fieldtypes(typeof(f)), ", "), ": a kernel can have numbers only, in fields whose types ",
    "are parameters; give the rest as arguments")))

function_name(@nospecialize(f)) =
    startswith(string(nameof(typeof(f))), "#") && occursin('#', string(f)) ?
    "an anonymous function" : string('`', f, '`')

function call_traced_function(@nospecialize(caught), @nospecialize(f), values::Vector{Any})
    (f === ifelse && length(values) == 3) && return select(values...)
    problem = try
        return Base.invokelatest(caught, values...)
    catch thrown
        thrown
    end
    throw(ArgumentError(string("a kernel of ", function_name(f), "(",
        join(map(meaning, values), ", "), "): ", explained(problem))))
end

explained(problem) = sprint(showerror, problem)
explained(problem::ArgumentError) = problem.msg
explained(problem::MethodError) = string("no CUDA function is known for ",
    function_name(problem.f), "(", join(map(meaning, problem.args), ", "),
    "), and it has no method for the GPUArr.ElementFloat or GPUArr.ElementInteger that stands for ",
    "an element while the kernel is made; an ElementwiseKernel could compute it")
explained(problem::StackOverflowError) =
    "no CUDA function is known for it; an ElementwiseKernel could compute it"
function explained(problem::TypeError)
    problem.expected === Bool && problem.got isa StandinBool || return sprint(showerror, problem)
    "its course depends on the value of an element (if, ? :, &&, ||, while, ifelse), which is " *
    "not known while the kernel is made: GPUArr.select(condition, a, b), max, min, clamp, & and " *
    "| do without"
end

# The statement that sets the output from a traced value, as a conversion that never throws.
function stored(@nospecialize(T), @nospecialize(value))
    value isa T && return string("z = ", literal(value), ';')
    value isa Number || throw(ArgumentError(
        "a dotted expression gives a $(typeof(value)) for an element, not a number"))
    value isa StandinNumber || return stored(T, convert(T, value))
    S = meaning(value)
    S <: Complex && !(T <: Complex) && throw(ArgumentError(
        "results of type $S do not fit elements of type $T: take real.(...) or abs.(...)"))
    S <: AbstractFloat && T <: Integer && throw(ArgumentError(
        "results of type $S do not fit elements of type $T: say how, by round, trunc, floor or " *
        "ceil.($T, ...)"))
    T <: Complex || return string("z = (", kernel_type(T), ")(", value.name, ");")
    part = kernel_type(real(T))
    string("z = ", kernel_type(T), "((", part, ")(", part_name(real(value)), "), (", part, ")(",
        part_name(imag(value)), "));")
end
part_name(x::Traced) = x.name
part_name(x::Real) = literal(x)
