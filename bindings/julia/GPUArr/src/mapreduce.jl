# mapreduce of Julia functions: one reduction kernel.

const Reducible = Union{GArray,Lazy,Tree}

# Values that change nothing, for reductions of no elements.
identity_of(op, T) = nothing
identity_of(::Union{typeof(+),typeof(Base.add_sum)}, T) = zero(T)
identity_of(::Union{typeof(*),typeof(Base.mul_prod)}, T) = one(T)
identity_of(::typeof(|), ::Type{T}) where {T<:Integer} = zero(T)
identity_of(::typeof(&), ::Type{T}) where {T<:Integer} = ~zero(T)
identity_of(::typeof(xor), ::Type{T}) where {T<:Integer} = zero(T)

# Type that a reduction of elements of type E comes to, as Julia's inference has it.
function reduced_type(op, ::Type{E}, ::Type{I}) where {E,I}
    R = Base.promote_op(op, I, E)
    S = Base.promote_op(op, R, R)
    isconcretetype(S) && S <: Element ? S : throw(ArgumentError(
        "a reduction by $(function_name(op)) of elements of type $E gives $S, which kernels do " *
        "not have"))
end

# 16-bit floats are accumulated in 32.
accumulator(::Type{T}) where {T} = T
accumulator(::Type{<:Union{Float16,BFloat16}}) = Float32

# What a reduction does with the reduced value: keep it, or divide it by the number of elements.
keep(T) = "z = ($(kernel_type(T)))a;"
average(T) = "z = ($(kernel_type(T)))(a / ($(kernel_type(real(accumulator(T)))))" *
    "(_in_ind.size() / _out_ind.size()));"

# A function of CUDA C++ around the statements that were traced.
function traced_function(name, type, parameters, statements, last_statement)
    string("__device__ inline ", type, ' ', name, '(', join(parameters, ", "), ") {\n",
        type, " z;\n", join(statements, '\n'), '\n', last_statement, "\nreturn z;\n}\n")
end

# The functions map and reduce, behind those that they call.
function reduction_preamble(walk::Walk, @nospecialize(op), @nospecialize(tree), @nospecialize(A))
    type = kernel_type(A)
    last_statement = stored(A, trace(walk, tree))
    axes = [string("int64 axis", d) for d in unique(walk.axes)]
    map_function = traced_function("julia_map", type, [walk.parameters; axes],
        CURRENT[].statements, last_statement)
    empty!(CURRENT[].statements)
    is_constant(typeof(op)) || throw(ArgumentError(string(function_name(op),
        " reduces, so it cannot use variables from around it")))
    value = call_function(walk, op, nothing, Any[variable_of(A, "a"), variable_of(A, "b")])
    last_statement = stored(A, value)
    reduce_function = traced_function("julia_combine", type, [type * " a", type * " b"],
        CURRENT[].statements, last_statement)
    functions = map_function * reduce_function
    Typed.interpreted(Typed.unit_text, CURRENT[].unit, functions)::String * functions
end

function prepare_reduction!(slot::Slot, @nospecialize(op), @nospecialize(tree), @nospecialize(R),
                            has_start::Bool, @nospecialize(post))
    world, outer, A = Base.get_world_counter(), begin_trace(), accumulator(R)
    try
        walk = Walk()
        preamble = reduction_preamble(walk, op, tree, A)::String
        write_reduction(slot, walk, preamble, kernel_type(A), kernel_type(R), has_start,
            post(R), world)
    finally
        end_trace(outer)
    end
end

function write_reduction(slot::Slot, walk::Walk, preamble::String, partial::String, result::String,
                         has_start::Bool, post::String, world::UInt)
    names = join([[last(split(parameter)) for parameter in walk.parameters];
                  [string("_in_ind.get()[", d - 1, "] + 1") for d in unique(walk.axes)]], ", ")
    has_start && push!(walk.parameters, partial * " start")
    inputs, output = join(walk.parameters, ", "), result * " z"
    text = string(inputs, " -> ", output, '\n', preamble, post)
    fill_slot!(slot, text, walk, world, release_reduction) do
        out = Ref{Ptr{Lib.gpuarr_reduction}}(C_NULL)
        with_options(name = "mapreduce", preamble = preamble, reduce_type = partial) do options
            check(Lib.gpuarr_reduction_create(out, inputs, output, "julia_map($names)",
                "julia_combine(a, b)", post, has_start ? "start" : C_NULL, options))
        end
        out[]
    end
end
release_reduction(pointer) = Lib.gpuarr_reduction_release(Ptr{Lib.gpuarr_reduction}(pointer))

# Runs the reduction into `output`, or into a number that the library makes an array for.
function run_reduction(output, op::O, tree::Broadcasted{GStyle{N}}, ::Type{R}, start::I, post::P,
                       dims) where {O,N,R,I,P}
    slot = slot_of(Tuple{O,typeof(tree),R,I,P})
    isready(slot) || prepare_reduction!(slot, op, tree, R, start !== nothing, post)
    axes, count, keepdims = axis_list(dims, N)
    leaves, borrowed = leaf_arguments(tree, Val(N))
    arguments = start === nothing ? leaves : (leaves..., argument(start))
    inputs, out = Ref(arguments), Ref(output)
    status = GC.@preserve tree inputs Lib.gpuarr_reduction_call(
        Ptr{Lib.gpuarr_reduction}(slot.pointer), out, Int32(1),
        Ptr{Lib.gpuarr_arg}(Base.unsafe_convert(Ptr{typeof(arguments)}, inputs)),
        Int32(length(arguments)), axes, count, keepdims, C_NULL)
    foreach(Lib.gpuarr_array_release, borrowed)
    check(status)
    out[]
end

reduced_size(dims, sizes) = ntuple(d -> d in dims ? 1 : sizes[d], length(sizes))

const NullArray = Ptr{Lib.gpuarr_array}(C_NULL)

reduce_tree(op, tree, ::Type{R}, start, post, ::Colon) where {R} =
    numbers(owned(R, (), run_reduction(NullArray, op, tree, R, start, post, :)))
function reduce_tree(op, tree, ::Type{R}, start, post, dims) where {R}
    axis_list(dims, length(axes(tree)))
    z = allocate(R, reduced_size(dims, map(length, axes(tree))), tree_device(tree))
    GC.@preserve z run_reduction(handle(z), op, tree, R, start, post, dims)
    z
end

as_tree(f, x::Reducible...) = instantiate(broadcasted(f, x...))

struct NoStart end

mapped_type(tree) = (T = element_type_of(tree); isconcretetype(T) ? T : traced_type(tree))

any_lazy() = false
any_lazy(x, more...) = x isa Lazy || any_lazy(more...)

function mapreduced(f, op, start, dims, x::Reducible...)
    any_lazy(x...) && return mapreduced_lazily(f, op, start, dims, x...)
    tree = as_tree(f, x...)
    E = mapped_type(tree)
    if start isa NoStart
        R = reduced_type(op, E, E)
        value = identity_of(op, accumulator(R))
        reduce_tree(op, tree, R, value, keep, dims)
    else
        R = reduced_type(op, E, typeof(start))
        reduce_tree(op, tree, R, convert(accumulator(R), start), keep, dims)
    end
end

"""
    mapreduce(f, op, x, ...; dims = :, init)

Reduce elements, or what `f` makes of those of several arrays, by one kernel; `sum`, `prod`,
`maximum`, `minimum`, `any`, `all`, `count` and `Statistics.mean` come to this. `f` and `op`
become CUDA C++; `op` must be associative and commutative. With `dims = :` the result is a number,
which is waited for.
"""
Base.mapreduce(f, op, x::Reducible; dims = :, init = NoStart()) = mapreduced(f, op, init, dims, x)
function Base.mapreduce(f, op, x::Reducible, others::Reducible...; dims = :, init = NoStart())
    all(y -> axes(y) == axes(x), others) || throw(DimensionMismatch(
        "mapreduce: the sizes $(map(y -> map(length, axes(y)), (x, others...))) do not match"))
    mapreduced(f, op, init, dims, x, others...)
end
