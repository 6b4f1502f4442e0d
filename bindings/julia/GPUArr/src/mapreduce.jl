# mapreduce of Julia functions: one reduction kernel.

const Reducible = Union{GArray,Lazy,Tree}

# Values that change nothing, for reductions of no elements.
identity_of(op, T) = nothing
identity_of(::Union{typeof(+),typeof(Base.add_sum)}, ::Type{T}) where {T<:Number} = zero(T)
identity_of(::Union{typeof(*),typeof(Base.mul_prod)}, ::Type{T}) where {T<:Number} = one(T)
identity_of(::typeof(|), ::Type{T}) where {T<:Integer} = zero(T)
identity_of(::typeof(&), ::Type{T}) where {T<:Integer} = ~zero(T)
identity_of(::typeof(xor), ::Type{T}) where {T<:Integer} = zero(T)

# Type that a reduction of elements of type E comes to, as Julia's inference has it.
function reduced_type(op, ::Type{E}, ::Type{I}) where {E,I}
    R = Base.promote_op(op, I, E)
    S = Base.promote_op(op, R, R)
    isconcretetype(S) && (S <: Element || is_partial_type(S)) ? S :
        refuse_reduced(op, Any[I, E], R, S)
end

# 16-bit floats are accumulated in 32.
accumulator(::Type{T}) where {T} = T
accumulator(::Type{<:Union{Float16,BFloat16}}) = Float32

# What a reduction does with the reduced value: keep it, or divide it by the number of elements.
keep(T) = T <: Element ? "z = ($(kernel_type(T)))a;" : stored_value(T, from_name(T, "a"))
average(T) = "z = ($(kernel_type(T)))(a / ($(kernel_type(real(accumulator(T)))))" *
    "(_in_ind.size() / _out_ind.size()));"

# A function of CUDA C++ around the statements that were traced.
traced_function(name, type, parameters, statements, last_statement) =
    string("__device__ inline ", type, ' ', name, '(', join(parameters, ", "), ") {\n",
        join([statements; last_statement], '\n'), "\n}\n")

# The functions map and reduce, behind those that they call.
function reduction_preamble(walk::Walk, @nospecialize(op), @nospecialize(tree), @nospecialize(A))
    type = partial_name(A)
    last_statement = returned_partial(walk, A, trace(walk, tree))
    axes = [string("int64 axis", d) for d in unique(walk.axes)]
    map_function = traced_function("julia_map", type, [walk.parameters; axes],
        CURRENT[].statements, last_statement)
    empty!(CURRENT[].statements)
    is_constant(typeof(op)) || throw(ArgumentError(string(function_name(op),
        " reduces, so it cannot use variables from around it")))
    value = call_function(walk, op, nothing, Any[from_name(A, "a"), from_name(A, "b")])
    last_statement = returned_partial(walk, A, value)
    reduce_function = traced_function("julia_combine", type, [type * " a", type * " b"],
        CURRENT[].statements, last_statement)
    functions = string(partial_definition(A), map_function, reduce_function)
    Typed.interpreted(Typed.unit_text, CURRENT[].unit, functions)::String * functions
end

# What the kernels of a reduction and of a scan are made of.
struct ReductionText
    inputs::String
    output::String
    preamble::String
    map::String
    post::String
    start::Union{String,Nothing}
    partial::String
end
whole_text(text::ReductionText) = string(text.inputs, " -> ", text.output, '\n', text.preamble,
    text.post, text.start)

# The first value is a parameter behind those of the elements, or several.
function reduction_text(walk::Walk, @nospecialize(op), @nospecialize(tree), @nospecialize(R),
                        @nospecialize(start), @nospecialize(post))
    A = accumulator(R)
    preamble = reduction_preamble(walk, op, tree, A)::String
    names = [[last(split(parameter)) for parameter in walk.parameters];
             [string("_in_ind.get()[", d - 1, "] + 1") for d in unique(walk.axes)]]
    first_value = start === nothing ? nothing :
        Typed.whole(CURRENT[].unit, value_of_parts(walk, start)).text
    check_parameters(walk, R)
    ReductionText(join(walk.parameters, ", "), output_list(R), preamble,
        string("julia_map(", join(names, ", "), ')'), post(R), first_value, partial_name(A))
end

function prepare_reduction!(slot::Slot, @nospecialize(op), @nospecialize(tree), @nospecialize(R),
                            @nospecialize(start), @nospecialize(post))
    world, outer = Base.get_world_counter(), begin_trace()
    try
        walk = Walk()
        write_reduction(slot, walk, reduction_text(walk, op, tree, R, start, post), world)
    finally
        end_trace(outer)
    end
end
function write_reduction(slot::Slot, walk::Walk, text::ReductionText, world::UInt)
    fill_slot!(slot, whole_text(text), walk, world, release_reduction) do
        out = Ref{Ptr{Lib.gpuarr_reduction}}(C_NULL)
        with_options(name = "mapreduce", preamble = text.preamble,
                     reduce_type = text.partial) do options
            check(Lib.gpuarr_reduction_create(out, text.inputs, text.output, text.map,
                "julia_combine(a, b)", text.post, text.start === nothing ? C_NULL : text.start,
                options))
        end
        out[]
    end
end
release_reduction(pointer) = Lib.gpuarr_reduction_release(Ptr{Lib.gpuarr_reduction}(pointer))

# Runs the reduction into arrays, or into one for a number that the library makes.
function run_reduction(outputs, op::O, tree::Broadcasted{GStyle{N}}, ::Type{R}, start::I, post::P,
                       dims) where {O,N,R,I,P}
    slot = slot_of(Tuple{O,typeof(tree),R,I,P})
    isready(slot) || prepare_reduction!(slot, op, tree, R, start, post)
    axes = axis_list(dims, N)
    leaves, borrowed = leaf_arguments(tree, Val(N))
    status, results = GC.@preserve tree call_reduction(slot, outputs,
        (leaves..., part_arguments(start)...), axes...)
    foreach(Lib.gpuarr_array_release, borrowed)
    check(status)
    results
end
# Apart from what is compiled for each expression.
@noinline function call_reduction(slot::Slot, outputs::NTuple{K,Ptr{Lib.gpuarr_array}},
                                  arguments::NTuple{M,Argument}, axes, count, keepdims) where {K,M}
    inputs, out = Ref(arguments), Ref(outputs)
    status = GC.@preserve inputs out Lib.gpuarr_reduction_call(
        Ptr{Lib.gpuarr_reduction}(slot.pointer),
        Ptr{Ptr{Lib.gpuarr_array}}(Base.unsafe_convert(Ptr{typeof(outputs)}, out)), Int32(K),
        Ptr{Lib.gpuarr_arg}(Base.unsafe_convert(Ptr{typeof(arguments)}, inputs)), Int32(M), axes,
        count, keepdims, C_NULL)
    status, out[]
end

reduced_size(::Colon, sizes) = ()
reduced_size(dims, sizes) = ntuple(d -> d in dims ? 1 : sizes[d], length(sizes))

const NullArray = Ptr{Lib.gpuarr_array}(C_NULL)

function reduce_tree(op, tree, ::Type{R}, start, post, dims) where {R}
    axis_list(dims, length(axes(tree)))
    sizes = map(length, axes(tree))
    start === nothing && check_elements(sizes, dims)
    dims isa Colon && R <: Element &&
        return numbers(owned(R, (), run_reduction((NullArray,), op, tree, R, start, post, :)[1]))
    z = allocate(R, reduced_size(dims, sizes), tree_device(tree))
    GC.@preserve z run_reduction(outputs_of(z), op, tree, R, start, post, dims)
    dims isa Colon ? numbers(z) : z
end
check_elements(sizes::Dims, dims) = 0 in sizes && !(0 in reduced_size(dims, sizes)) &&
    throw(ArgumentError(
        "reducing over an empty collection is not allowed; init = value says what that gives"))

as_tree(f, x::Union{Reducible,BlockedArray}...) = instantiate(broadcasted(f, x...))

struct NoStart end

mapped_type(tree) = (T = element_type_of(tree); isconcretetype(T) ? T : traced_type(tree))

any_lazy() = false
any_lazy(x, more...) = x isa Lazy || any_lazy(more...)

function mapreduced(f, op, start, dims, x::Union{Reducible,BlockedArray}...)
    any_lazy(x...) && return mapreduced_lazily(f, op, start, dims, x...)
    tree = as_tree(f, x...)
    E = mapped_type(tree)
    if start isa NoStart
        R = reduced_type(op, E, E)
        value = identity_of(op, accumulator(R))
        reduce_tree(op, tree, R, value, keep, dims)
    else
        R = reduced_type(op, E, typeof(start))
        reduce_tree(op, tree, R, as_start(accumulator(R), start), keep, dims)
    end
end

"""
    mapreduce(f, op, x, ...; dims = :, init)

Reduce elements, or what `f` makes of those of several arrays, by one kernel; `sum`, `prod`,
`maximum`, `minimum`, `any`, `all`, `count` and `Statistics.mean` come to this. `f` and `op`
become CUDA C++; `op` must be associative and commutative. With `dims = :` the result is a value,
which is waited for.

Results are numbers, or immutable structs, tuples and named tuples of numbers of up to 64 bytes:

    mapreduce(v -> (v, v), ((a, b), (c, d)) -> (min(a, c), max(b, d)), x)

`op` combines any two partial results, so elements, `f` of elements and `init` must be such, too.
"""
Base.mapreduce(f, op, x::Reducible; dims = :, init = NoStart()) = mapreduced(f, op, init, dims, x)
function Base.mapreduce(f, op, x::Reducible, others::Reducible...; dims = :, init = NoStart())
    all(y -> axes(y) == axes(x), others) || throw(DimensionMismatch(
        "mapreduce: the sizes $(map(y -> map(length, axes(y)), (x, others...))) do not match"))
    mapreduced(f, op, init, dims, x, others...)
end
