# Functions of the user's own in dotted expressions and reductions: they become functions of the
# kernel by their typed code. Where that cannot be, they are traced, as Base's functions are.

typed(x::TracedValue) = x.value
typed(x::Traced) = Typed.expression(meaning(x), x.name; atom = true)
typed(z::Complex{<:TracedFloat}) = Typed.in_parts(meaning(z), Any[typed(z.re), typed(z.im)])
typed(z::Complex{<:TracedInteger}) = Typed.in_parts(meaning(z), Any[typed(z.re), typed(z.im)])
typed(@nospecialize(x)) = Typed.literal(CURRENT[].unit, x)

# A value that has a name in the kernel.
from_name(@nospecialize(T), name::String) = T <: Element && isconcretetype(T) ?
    variable_of(T, name) : TracedValue(Typed.expression(T, name; atom = true))

# Structs as arguments: each number in them is one.
function value_of_parts(walk::Walk, @nospecialize(x))
    T = typeof(x)
    T <: Element && return typed(parameter!(walk, T))
    is_constant(T) && return Typed.literal(CURRENT[].unit, x)
    Typed.in_parts(T, Any[value_of_parts(walk, getfield(x, k)) for k in 1:nfields(x)])
end

# What a function has caught, as its own value; nothing if that is not all numbers.
function captured_value(walk::Walk, @nospecialize(f))
    F = typeof(f)
    (f isa Type || is_constant(F)) && return Typed.literal(CURRENT[].unit, f)
    may_hold_numbers(F) || refuse_captured(f)
    check_captured(f, f)
    value_of_parts(walk, f)
end
function check_captured(@nospecialize(f), @nospecialize(part))
    for k in 1:nfields(part)
        value = getfield(part, k)
        value isa Core.Box && throw(ArgumentError(string(function_name(f), " uses the variable `",
            fieldname(typeof(part), k), "` from around it, which is assigned to more than once")))
        is_constant(typeof(value)) || value isa Element || (may_hold_numbers(typeof(value)) ?
            check_captured(f, value) : refuse_captured(f))
    end
end

# The result of f; `first` is the first parameter that is one of its captured numbers.
function call_function(walk::Walk, @nospecialize(f), self, values::Vector{Any},
                       first::Int = length(walk.parameters) + 1)
    (f === ifelse && length(values) == 3 && all(v -> v isa Union{Number,StandinNumber}, values)) &&
        return select(values...)
    is_users = f isa Type ? !is_of_julia_module(parentmodule(f)) : !is_of_julia(typeof(f))
    if is_users || any(v -> v isa TracedValue, values)
        problem = typed_call(walk, f, self, values)
        problem isa Typed.Refusal || return something(problem)
        # What is traced needs no types, and numbers in global variables are part of its text.
        problem.is_untyped && !any(v -> v isa TracedValue, values) ||
            refuse_typed(f, values, problem)
        return try_traced(walk, f, values, first, problem)
    end
    try_traced(walk, f, values, first, nothing)
end

function typed_call(walk::Walk, @nospecialize(f), self, values::Vector{Any})
    unit, statements = CURRENT[].unit, CURRENT[].statements
    walk.is_users = true
    arguments = Any[typed(v) for v in values]
    F = f isa Type ? Type{f} : typeof(f)
    try
        made = Typed.interpreted(Typed.call_text, unit, F, self, arguments)
        Typed.is_ghost(made.type) && return Some(made.type.instance)
        name = string("t", length(statements) + 1)
        push!(statements, string("const ", Typed.type_name(unit, made.type), ' ', name, " = ",
            made.text, ';'))
        return Some{Any}(from_name(made.type, name))
    catch problem
        problem isa Typed.Refusal || rethrow()
        return problem
    end
end
refuse_typed(@nospecialize(f), values, problem::Typed.Refusal) = throw(ArgumentError(string(
    "a kernel of ", function_name(f), "(", join(map(meaning, values), ", "), "): ",
    sprint(showerror, problem))))

# By stand-ins. What Base cannot do with these, the typed code of its function may.
function try_traced(walk::Walk, @nospecialize(f), values::Vector{Any}, first::Int, refused)
    kept = length(CURRENT[].statements)
    caught = trace_captured(Walk(walk.parameters[1:first-1], false, Global[]), walk, f)
    problem = try
        result = as_one_value(Base.invokelatest(caught, values...))
        result isa AbstractArray && refused !== nothing || return result
    catch thrown
        thrown
    end
    resize!(CURRENT[].statements, kept)
    refused === nothing || refuse_typed(f, values, refused)
    if problem isa Union{MethodError,TypeError,StackOverflowError}
        result = typed_call(walk, f, Typed.literal(CURRENT[].unit, f), values)
        result isa Typed.Refusal || return something(result)
        problem isa TypeError && refuse_typed(f, values, result)
    end
    throw(ArgumentError(string("a kernel of ", function_name(f), "(",
        join(map(meaning, values), ", "), "): ", explained(problem))))
end

as_one_value(x) = x
function as_one_value(x::Tuple)
    parts = map(as_one_value, x)
    all(part -> part isa Union{Traced,Complex{<:Traced},TracedValue} || isbits(part), parts) ||
        return x
    TracedValue(Typed.in_parts(Tuple{map(meaning, parts)...}, Any[typed(part) for part in parts]))
end

# Element k of a range along the dimension d, as Julia computes it; one of a single element repeats.
function trace_range(walk::Walk, @nospecialize(range), d::Int)
    r = value_of_parts(walk, range)
    push!(walk.axes, d)
    k = TracedInteger{Int}("axis$d")
    last = call_function(walk, length, nothing, Any[TracedValue(r)])
    call_function(walk, Base.unsafe_getindex, nothing, Any[TracedValue(r), min(k, last)])
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
# `names` counts the parameters that they are.
function trace_captured(names::Walk, walk::Walk, @nospecialize(f))
    F = typeof(f)
    f isa Type && return f
    is_of_julia(F) || look_at_users(walk, f)
    is_constant(F) && return f
    may_hold_numbers(F) || refuse_captured(f)
    fields = Any[]
    for k in 1:nfields(f)
        value = getfield(f, k)
        push!(fields, value isa Element ? parameter!(names, typeof(value)) :
            trace_captured(names, walk, value))
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

