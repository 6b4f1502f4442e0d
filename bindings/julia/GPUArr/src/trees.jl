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
    elseif T <: GArray && !(eltype(T) <: Element)
        for (k, (E, _)) in enumerate(fields_of(eltype(T)))
            A = GArray{E,ndims(T)}
            visit(:array, A, :(field_array($path, $k)::$A))
        end
    elseif T <: Union{Viewed,BlockedArray}
        visit(:array, T, path)
    elseif T <: Element
        visit(:number, T, path)
    elseif T <: WholeComplex
        visit(:number, real(T), :(real($path)))
        visit(:number, real(T), :(imag($path)))
    elseif T <: NumberRef && !(T <: GArray)
        visit(:number, eltype(T), :($path[]))
    elseif T <: Base.RefValue && isbitstype(eltype(T))
        visit_parts(visit, eltype(T), :($path[]))
    elseif is_bits_range(T)
        visit_parts(visit, T, path)
    elseif T <: RowRange
        visit_parts(visit, fieldtype(T, 1), :($path.parent))
    end
end

is_bits_range(T) = T <: AbstractRange && isbitstype(T)
const RowRange = Union{LinearAlgebra.Adjoint{<:Real,<:AbstractRange},
    LinearAlgebra.Transpose{<:Real,<:AbstractRange}}

const is_mutable = isdefined(Base, :ismutabletype) ? Base.ismutabletype : (F -> F.mutable)

# Whether values of a type may hold numbers that are to be arguments: closures do, structs, tuples.
may_hold_numbers(F) = isconcretetype(F) && isstructtype(F) && !is_mutable(F) && fieldcount(F) > 0 &&
    !(F <: Union{AbstractArray,AbstractString})

# Numbers that a function has caught are arguments too: their values are no part of its type.
visit_captured(visit, F, path) =
    F <: AbstractArray || visit_parts(visit, F, path)
function visit_parts(visit, F, path)
    F <: Element && return visit(:number, F, path)
    (is_constant(F) || !isstructtype(F) || is_mutable(F)) && return
    for k in 1:fieldcount(F)
        visit_parts(visit, fieldtype(F, k), :(getfield($path, $k)))
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

# The statements of the kernel that is being written, and the functions that they call; the
# lock lets one be at a time.
struct Trace
    statements::Vector{String}
    unit::Typed.Unit
end
Trace() = Trace(String[], Typed.Unit(false))
const CURRENT = Ref(Trace())

# What is no number: a struct, a tuple.
struct TracedValue
    value::Typed.Value
end
meaning(x::TracedValue) = x.value.type

# What tracing a tree gives besides statements: parameters, whether a function is the user's own,
# and variables that such functions read.
mutable struct Walk
    parameters::Vector{String}
    is_users::Bool
    globals::Vector{Global}
    axes::Vector{Int}          # dimensions whose indices it needs
end
Walk(parameters, is_users, globals) = Walk(parameters, is_users, globals, Int[])
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
    x isa GArray && return eltype(x) <: Element ? parameter!(walk, eltype(x)) :
        TracedValue(struct_value(walk, eltype(x)))
    x isa Union{Lazy,BlockedArray} && return parameter!(walk, eltype(x))
    x isa Element && return parameter!(walk, typeof(x))
    x isa WholeComplex &&
        return Complex(parameter!(walk, typeof(x.re)), parameter!(walk, typeof(x.im)))
    x isa NumberRef && return parameter!(walk, eltype(x))
    x isa Base.RefValue && isbits(x[]) && !is_constant(typeof(x)) &&
        return TracedValue(value_of_parts(walk, x[]))
    is_bits_range(typeof(x)) && return trace_range(walk, x, 1)
    x isa RowRange && return trace_range(walk, x.parent, 2)
    is_constant(typeof(x)) ? (x isa Base.RefValue ? x[] : x) : refuse_leaf(x)
end
refuse_leaf(@nospecialize(x)) = throw(ArgumentError(string("a value of type ", typeof(x),
    " is in a dotted expression of GArrays, which takes GArrays and numbers that they could hold",
    x isa AbstractArray ? "; GArray(a) copies it to a device" : "")))

function trace_call(walk::Walk, @nospecialize(f), @nospecialize(arguments))
    first = length(walk.parameters) + 1
    self = captured_value(walk, f)
    values = Any[trace(walk, x) for x in arguments]
    call_function(walk, f, self, values, first)
end

# The statement that sets the output from a traced value, as a conversion that never throws.
function stored(@nospecialize(T), @nospecialize(value))
    value isa T && return string("z = ", literal(value), ';')
    value isa TracedValue && return stored_value(T, value)
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
