# @kernel: functions of Julia that run once for each thread.

# The first argument of a kernel's body, which the function's launching method has not.
struct InThread end

"""
    @kernel function name(arguments...) ... end

A function of Julia as a kernel: its body runs once for each thread, with each `GArray` that is
given as an array of 1-based indices, and numbers, tuples and immutable structs by value.

    @kernel function heat!(u, v, c)
        i, j = global_index(2)
        if 1 < i < size(u, 1) && 1 < j < size(u, 2)
            v[i, j] = u[i, j] + c * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1] - 4u[i, j])
        end
    end
    heat!(u, v, 0.1f0; elements = size(u))

launches it on at least as many threads along each dimension; or on `grid` blocks of `block`
threads, numbers or tuples of up to three; `stream` is where. Threads beyond the last element are
the kernel's to stop. See [`global_index`](@ref), [`@shared`](@ref), [`sync_threads`](@ref),
`@atomic`, [`GPUArr.shuffle`](@ref), [`GPUArr.print_values`](@ref); and [`GPUArr.source`](@ref) for
the CUDA C++ that it becomes. Indices are checked under `GPUARR_CHECK=memory` only.
"""
macro kernel(definition)
    esc(kernel_code(__module__, definition))
end

function kernel_code(part::Module, definition)
    definition isa Expr && definition.head in (:function, :(=)) && length(definition.args) == 2 ||
        throw(ArgumentError("@kernel stands before a function with a name and a body"))
    head, body = definition.args
    call = head
    while call isa Expr && call.head in (:where, :(::))
        call = call.args[1]
    end
    call isa Expr && call.head === :call && call.args[1] isa Symbol || throw(ArgumentError(
        "@kernel: the function is called by a plain name: $head"))
    any(is_parameters, call.args) && throw(ArgumentError(
        "@kernel: $(call.args[1]) has keyword arguments; its launch has some: grid, elements ..."))
    name, parameters = call.args[1], call.args[2:end]
    insert!(call.args, 2, Expr(:(::), InThread))
    Expr(:block, Expr(:function, head, Expr(:block, inner_macros(body), nothing)),
        launching_code(part, name, parameters), name)
end

# The method that launches: it has as many arguments as the body, since Julia calls a function of
# keywords and any number of arguments by a list of boxes, which takes 0.5 us.
function launching_code(part::Module, name::Symbol, parameters)
    given = any(p -> p isa Expr && p.head in (:..., :kw), parameters) ? [:(arguments...)] :
        map(own_name, parameters)
    has_launch(part, name, given) && return nothing
    :(function $name($(given...); elements = nothing, grid = nothing, block = nothing,
                     shared::$Integer = 0, stream::$AnyStream = nothing)
        $launch($name, ($(given...),), elements, grid, block, shared, stream)
    end)
end
own_name(p::Symbol) = p in (:elements, :grid, :block, :shared, :stream, :_) ? gensym() : p
own_name(p::Expr) = p.head === :(::) && length(p.args) == 2 ? own_name(p.args[1]) : gensym()

function has_launch(part::Module, name::Symbol, given)
    isdefined(part, name) && getfield(part, name) isa Function || return false
    is_any_number = given == [:(arguments...)]
    any(methods(getfield(part, name))) do m
        m.isva == is_any_number && m.nargs == length(given) + 1 && !is_body(m)
    end
end

# Julia has an @atomic of its own from 1.7.
inner_macros(e) = e
function inner_macros(e::Expr)
    e.head === :macrocall && e.args[1] === Symbol("@atomic") &&
        return atomic_code(inner_macros(last(e.args)))
    Expr(e.head, map(inner_macros, e.args)...)
end

# The types that a kernel's body sees. Unit: columns without gaps.
seen_type(::Type{GArray{T,N}}, unit::Bool) where {T,N} = KernelArray{T,N,unit}
seen_type(T::Type, unit::Bool) = T
seen_type_of(@nospecialize(x), unit::Bool) = x isa Type ? Type{x} : seen_type(typeof(x), unit)

has_unit(x) = true
has_unit(x::GArray{T,0}) where {T} = true
has_unit(x::GArray{T}) where {T} = x.dims[1] < 2 ||
    unsafe_load(Lib.gpuarr_array_strides(handle(x))) == words_of(T)

# What is passed, without what types alone tell.
@inline passed() = ()
@inline passed(x, more...) = is_told(x) ? passed(more...) : (kept_argument(x), passed(more...)...)
is_told(x::T) where {T} = Base.issingletontype(T)
is_told(x::Type) = true
kept_argument(x::Element) = x
kept_argument(x::GArray) = x
kept_argument(x) = refuse_argument(x)
function kept_argument(x::T) where {T<:Union{Tuple,NamedTuple,Function,Number}}
    isbitstype(T) ? Ref(x) : refuse_argument(x)
end
@noinline refuse_argument(x) = isbits(x) && sizeof(x) > 0 ? Ref(x) : throw(ArgumentError(string(
    "a kernel takes GArrays, numbers, tuples and immutable structs of numbers, not ", typeof(x),
    x isa AbstractArray ? ": GArray(a) copies it to a device" :
    x isa Union{Tuple,NamedTuple} && any(part -> part isa GArray, x) ?
    ": give each array as an argument of its own" : "")))
launched(x::Element) = argument(x)
launched(x::GArray) = Argument(handle(x), Int32(0), Lib.GPUARR_ARG_VIEW, UInt64(0), UInt64(0))
launched(x::Base.RefValue{T}) where {T} = Argument(C_NULL, Int32(0), Lib.GPUARR_ARG_BYTES,
    UInt64(UInt(Base.unsafe_convert(Ptr{T}, x))), UInt64(sizeof(T)))

struct Launched end

function prepare_kernel!(slot::Slot, @nospecialize(f), @nospecialize(arguments), unit::Bool)
    world, outer = Base.get_world_counter(), begin_trace()
    try
        types = Any[]
        for x in arguments
            is_told(x) || kept_argument(x)
            push!(types, seen_type_of(x, unit))
        end
        text, name = kernel_text_of(f, types, arguments)
        walk = Walk()
        walk.is_users = true
        fill_slot!(slot, text, walk, world, release_raw) do
            out = Ref{Ptr{Lib.gpuarr_raw}}(C_NULL)
            check(Lib.gpuarr_raw_create(out, text, name, C_NULL, C_NULL))
            out[]
        end
    finally
        end_trace(outer)
    end
end
release_raw(pointer) = Lib.gpuarr_raw_release(Ptr{Lib.gpuarr_raw}(pointer))

function kernel_text_of(@nospecialize(f), types, @nospecialize(arguments))
    signature = Tuple{typeof(f),InThread,types...}
    any(match -> is_body(Typed.method_of(match)), Typed.matches_of(signature)) ||
        throw(MethodError(f, arguments))
    try
        return Typed.interpreted(Typed.kernel_text, signature)
    catch problem
        problem isa Typed.Refusal || rethrow()
        throw(ArgumentError(string("the kernel ", f, "(", join(map(typeof, arguments), ", "), "): ",
            sprint(showerror, problem))))
    end
end

@inline all_unit() = true
@inline all_unit(x, more...) = has_unit(x) && all_unit(more...)

@inline function launch(f::F, arguments::A, elements, grid, block, shared,
                        stream) where {F,A<:Tuple}
    (elements === nothing) == (grid !== nothing && block !== nothing) || throw(ArgumentError(
        "$f: a launch takes either grid and block, or elements"))
    unit = all_unit(arguments...)
    slot = unit ? slot_of(Tuple{Launched,F,Val{true},A}) : slot_of(Tuple{Launched,F,Val{false},A})
    isready(slot) || prepare_kernel!(slot, f, arguments, unit)
    kept = passed(arguments...)
    GC.@preserve arguments kept stream launch_slot(slot, map(launched, kept), elements, grid, block,
        shared, stream)
    nothing
end

@inline function launch_slot(slot::Slot, arguments::NTuple{K,Argument}, elements, grid, block,
                             shared, stream) where {K}
    list = Ref(arguments)
    GC.@preserve list begin
        values = Ptr{Lib.gpuarr_arg}(Base.unsafe_convert(Ptr{NTuple{K,Argument}}, list))
        kernel = Ptr{Lib.gpuarr_raw}(slot.pointer)
        if elements isa Integer || elements isa Tuple{Integer}
            check(Lib.gpuarr_raw_launch_1d(kernel, Int64(first(elements)), values, K,
                stream_pointer(stream)))
        else
            blocks, threads = elements === nothing ? (triple(grid), triple(block)) :
                spread_blocks(triple(elements))
            check(Lib.gpuarr_raw_launch(kernel, blocks, threads, shared, values, K,
                stream_pointer(stream)))
        end
    end
end
triple(n::Integer) = Ref((Int64(n), Int64(1), Int64(1)))
triple(n::Tuple) = Ref((Int64(n[1]), Int64(length(n) > 1 ? n[2] : 1),
    Int64(length(n) > 2 ? n[3] : 1)))
# 256 threads to a block, 32 of them along the first dimension.
function spread_blocks(elements)
    n = elements[]
    threads = n[3] > 1 ? (32, 4, 2) : (32, 8, 1)
    Ref(map((n, k) -> Int64(cld(n, k)), n, threads)), Ref(map(Int64, threads))
end

"""
    GPUArr.source(f, arguments...)

The CUDA C++ text that a [`@kernel`](@ref) becomes for these arguments, or a function for elements
of these types: `GPUArr.source(heat!, u, v, 0.1f0)`, `GPUArr.source(f, Float32)`.
"""
function source(@nospecialize(f), @nospecialize(arguments...))
    outer = begin_trace()
    try
        if is_kernel(f)
            unit = all(has_unit, arguments)
            return kernel_text_of(f, Any[seen_type_of(x, unit) for x in arguments], arguments)[1]
        end
        types = Any[x isa Type ? x : typeof(x) for x in arguments]
        return Typed.interpreted(Typed.text_with_callees, CURRENT[].unit,
            Tuple{typeof(f),types...})
    catch problem
        problem isa Typed.Refusal || rethrow()
        throw(ArgumentError(sprint(showerror, problem)))
    finally
        end_trace(outer)
    end
end
is_kernel(f) = any(is_body, methods(f))
function is_body(m::Method)
    types = Base.unwrap_unionall(m.sig).parameters
    length(types) > 1 && types[2] === InThread
end
