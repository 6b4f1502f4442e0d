# @lazy and @fused: what is inside of them stays lazy until all of it is computed together.

"""
    GPUArr.lazy.(expression)

The dotted expression as a lazy one: [`@lazy`](@ref) without the reductions.
"""
function lazy end
Broadcast.broadcasted(::typeof(lazy), x::Viewed) = Lazy(x)
Broadcast.broadcasted(::typeof(lazy), x) = x
Broadcast.broadcasted(::typeof(lazy), tree::Broadcasted) = Broadcast.materialize(tree)
Broadcast.broadcasted(::typeof(lazy), tree::Union{Tree,LazyTree}) = lazy_of(instantiate(tree))

# What f(x...) is inside of @lazy: numbers that are yet to be computed are numbers to it, and arrays
# are added, and multiplied by numbers, without a dot.
const LazyNumber = Union{Number,Lazy{<:Any,0}}
@inline lazily(f::F, x...; kw...) where {F} =
    isempty(kw) && all_numbers(x...) && any_lazy(x...) ? lazy.(f.(x...)) : f(x...; kw...)
all_numbers() = true
all_numbers(x, more...) = x isa LazyNumber && all_numbers(more...)
lazily(f::Union{typeof(+),typeof(-)}, x::Viewed, y::Viewed) =
    ndims(x) == ndims(y) == 0 ? lazy.(f.(x, y)) :
    (Base.promote_shape(x, y); lazy.(f.(x, y)))
lazily(f::typeof(-), x::Viewed) = lazy.(f.(x))
lazily(f::Union{typeof(*),typeof(/)}, x::Viewed, y::LazyNumber) = lazy.(f.(x, y))
lazily(f::typeof(*), x::LazyNumber, y::Viewed) = lazy.(f.(x, y))
lazily(f::typeof(*), x::Lazy{<:Any,0}, y::Lazy{<:Any,0}) = lazy.(f.(x, y))
lazily(f::Union{typeof(permutedims),typeof(adjoint)}, x::GArray, order...) = f(Lazy(x), order...)

is_dotted(e) = false
is_dotted(e::Expr) =
    e.head === :. ? e.args[2] isa Expr && e.args[2].head === :tuple :
    e.head === :call ? is_dotted_operator(e.args[1]) :
    e.head === :comparison ? all(is_dotted_operator, e.args[2:2:end]) :
    e.head in (Symbol(".&&"), Symbol(".||"))
is_dotted_operator(f) = f isa Symbol && occursin(r"^\.[^.]", string(f))

# What has a scope or a meaning of its own stays as it is: functions, x[...], types, fields.
const OPAQUE = (:quote, :inert, :->, :function, :ref, :., :curly, :(::), :generator, :comprehension,
    :typed_comprehension, :global, :local, :const, :meta, :.=)

# The code of an expression that computes no array.
lazy_code(e) = e
function lazy_code(e::Expr)
    is_dotted(e) && return Expr(:., lazy, Expr(:tuple, dotted_code(e)))
    (e.head in OPAQUE || is_definition(e)) && return e
    e.head in (:(=), :kw) && return Expr(e.head, e.args[1], lazy_code(e.args[2]))
    e.head === Symbol("'") && return Expr(:call, lazily, adjoint, lazy_code(e.args[1]))
    e.head === :call || return Expr(e.head, map(lazy_code, e.args)...)
    keywords = filter(is_parameters, e.args)
    Expr(:call, lazily, map(lazy_code, [keywords; filter(!is_parameters, e.args)])...)
end
is_parameters(e) = e isa Expr && e.head === :parameters
is_definition(e::Expr) = e.head === :(=) && e.args[1] isa Expr && e.args[1].head in (:call, :where)

# Dots inside of dots are one expression.
dotted_code(e) = is_dotted(e) ? Expr(e.head, map(dotted_code, e.args)...) :
    e isa Expr && e.head === :tuple ? Expr(:tuple, map(dotted_code, e.args)...) : lazy_code(e)

"""
    @lazy expression

An expression that is not computed but handed on, as a [`GPUArr.Lazy`](@ref), or as a tuple of them:

    softmax(x) = (e = @lazy exp.(x .- maximum(x; dims = 1)); e ./ sum(e; dims = 1))
    y = GArray(softmax(x))      # one kernel, which reads x once

Inside of it dots, reductions, also those without `dims`, transposing, and sums and differences of
arrays are lazy, whether they have to do with arrays or with other lazy expressions; functions of
one's own are called with what they are given. Outside of it a reduction without `dims` is a number:
`sum(abs2, @lazy(x .- y))`, by one kernel.
"""
macro lazy(expression)
    :(as_lazy($(esc(lazy_code(macroexpand(__module__, expression))))))
end
as_lazy(x) = x
as_lazy(x::Viewed) = Lazy(x)
as_lazy(x::Tuple) = map(as_lazy, x)

# A block's code while it is read: what names mean by now, the arrays that are assigned to with the
# values that they get, and the names that are set.
struct FusedBlock
    code::Vector{Any}
    names::Dict{Symbol,Symbol}
    updates::Dict{Symbol,Symbol}
    assigned::Vector{Symbol}
end

renamed(e, names) = e
renamed(e::Symbol, names) = get(names, e, e)
renamed(e::Expr, names) = Expr(e.head, (k == 1 && e.head in (:kw, :(=)) ? part :
    renamed(part, names) for (k, part) in enumerate(e.args))...)

is_assignment(e) = e isa Expr && !is_dotted(e) && e.head !== :(==) && endswith(string(e.head), '=')

# a += b is a = a + b, and a .+= b is a .= a .+ b.
function plain_assignment(e::Expr)
    e.head in (:(=), :.=) && return e
    operator = Symbol(chop(string(e.head)))
    Expr(startswith(string(operator), '.') ? :.= : :(=), e.args[1],
        Expr(:call, operator, e.args...))
end

function read_statement!(block::FusedBlock, e)
    is_assignment(e) && !is_definition(e) || throw(ArgumentError(
        "@fused: a statement is no assignment: $e"))
    head, left, right = plain_assignment(e).head, plain_assignment(e).args...
    names = left isa Expr && left.head === :tuple && head === :(=) ? left.args : Any[left]
    for name in names
        name isa Symbol || throw(ArgumentError("@fused: a name is wanted on the left of $e"))
        (head === :.= ? name in block.assigned : haskey(block.updates, name)) &&
            throw(ArgumentError("@fused: $name is assigned by = and by .="))
    end
    value = lazy_code(renamed(right, block.names))
    if head === :.=
        haskey(block.updates, left) ||
            push!(block.code, :($(block.updates[left] = gensym(left)) = $left))
        value = :($updated($(block.updates[left]), $value))
    end
    inner = map(gensym, names)
    push!(block.code, Expr(:(=), left isa Symbol ? inner[1] : Expr(:tuple, inner...), value))
    for (name, new) in zip(names, inner)
        block.names[name] = new
        head === :.= || name in block.assigned || push!(block.assigned, name)
    end
end
updated(z::GArray, x) = to_fit(z, Lazy(x))
updated(z::GArray{T}, x::Number) where {T} =
    repeated(Lazy(fill(convert(T, x), (); device = device(z))), z)

# The code of a block that ends with finish(arrays, their values, what is wanted).
function fused_code(part, e, finish)
    e = macroexpand(part, e)
    statements = e isa Expr && e.head === :block ? filter(s -> !(s isa LineNumberNode), e.args) :
        Any[e]
    isempty(statements) && throw(ArgumentError("@fused: the block is empty"))
    has_value = !is_assignment(last(statements))
    block = FusedBlock([], Dict(), Dict(), [])
    foreach(s -> read_statement!(block, s), statements[1:end-has_value])
    wanted = has_value ? last(statements) : Expr(:tuple, block.assigned...)
    many = wanted isa Expr && wanted.head === :tuple
    values = map(many ? wanted.args : Any[wanted]) do e
        e isa Symbol && haskey(block.updates, e) ? block.updates[e] :
            lazy_code(renamed(e, block.names))
    end
    left = collect(keys(block.updates))
    lists = ([block.updates[name] for name in left], [block.names[name] for name in left], values)
    code = Expr(:let, Expr(:block), Expr(:block, block.code...,
        Expr(:call, finish, (Expr(:tuple, list...) for list in lists)...)))
    code, many, has_value ? Symbol[] : block.assigned
end

"""
    @fused begin ... end

Results that are computed together, what they have in common once: each line assigns to a name, its
value is lazy as by [`@lazy`](@ref), and all are computed at the end.

    @fused begin                    # one kernel; m and s are set
        m = mean(x; dims = 1)
        s = sum(abs2, x; dims = 1)
    end
    low, high = @fused begin        # or what the last line says, here numbers; d is not stored
        d = abs.(x .- y)
        (minimum(d), maximum(d))
    end
    @fused begin                    # arrays change when all of it was read
        v .= 0.9f0 .* v .+ g
        x .-= 0.01f0 .* v           # v means its new value
    end

Results are arrays, and numbers where nothing is left of the dimensions, for which the call waits.
An array that is assigned to by `.=`, or `.+=` and so on, keeps its type and size.
"""
macro fused(block)
    code, many, assigned = fused_code(__module__, block, fuse)
    code = many ? code : :($first($code))
    isempty(assigned) || (code = Expr(:(=), Expr(:tuple, assigned...), code))
    esc(code)
end

"""
    GPUArr.@explain expression

The kernels that a [`@fused`](@ref) block or a [`@lazy`](@ref) expression becomes, as
[`GPUArr.explain`](@ref) tells of them, without computing them.
"""
macro explain(block)
    esc(first(fused_code(__module__, block, explain_block)))
end
explain_block(arrays, values, wanted) = explain(values..., lazy_ones(map(as_lazy, wanted)...)...)

lazy_ones() = ()
lazy_ones(x, more...) = lazy_ones(more...)
lazy_ones(x::Lazy, more...) = (x, lazy_ones(more...)...)

function fuse(arrays, values, wanted)
    exprs = lazy_ones(wanted...)
    made = map(e -> allocate(eltype(e), e.dims, e.device), exprs)
    isempty(arrays) && isempty(made) || evaluate_into!((arrays..., made...), (values..., exprs...))
    in_place_of(wanted, made)
end
in_place_of(::Tuple{}, made) = ()
in_place_of(wanted::Tuple, made) = (wanted[1], in_place_of(Base.tail(wanted), made)...)
in_place_of(wanted::Tuple{Lazy,Vararg{Any}}, made) =
    (finished(made[1]), in_place_of(Base.tail(wanted), Base.tail(made))...)
finished(x::GArray) = x
finished(x::GArray{T,0}) where {T} = numbers(x)
