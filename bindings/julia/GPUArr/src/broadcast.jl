# Dotted expressions: each is one elementwise kernel.

"""
    GPUArr.GStyle{N}

The broadcasting style of `GArray`s.
"""
struct GStyle{N} <: Broadcast.AbstractArrayStyle{N} end
GStyle(::Val{N}) where {N} = GStyle{N}()
GStyle{M}(::Val{N}) where {M,N} = GStyle{N}()
Broadcast.BroadcastStyle(::Type{<:GArray{T,N}}) where {T,N} = GStyle{N}()

const Tree = Broadcasted{<:GStyle}

function prepare!(slot::Slot, @nospecialize(T), @nospecialize(tree), tells_lines::Bool = true)
    world, outer = Base.get_world_counter(), begin_trace()
    try
        CURRENT[].unit.tells_lines = tells_lines
        walk = Walk()
        last_statement = stored(T, trace(walk, tree))::String
        check_parameters(walk, T)
        write_elementwise(slot, walk, output_list(T), last_statement, world)
    finally
        end_trace(outer)
    end
end

function write_elementwise(slot::Slot, walk::Walk, output::String, last_statement::String,
                           world::UInt)
    inputs = join(walk.parameters, ", ")
    axes = [string("const int64 axis", d, " = _ind.get()[", d - 1, "] + 1;")
            for d in unique(walk.axes)]
    body = join([axes; CURRENT[].statements; last_statement], '\n')
    preamble = Typed.interpreted(Typed.unit_text, CURRENT[].unit, body)::String
    text = string(inputs, " -> ", output, '\n', preamble, body)
    fill_slot!(slot, text, walk, world, release_elementwise) do
        out = Ref{Ptr{Lib.gpuarr_elementwise}}(C_NULL)
        with_options(name = "broadcast", preamble = preamble) do options
            check(Lib.gpuarr_elementwise_create(out, inputs, output, body, options))
        end
        out[]
    end
end
release_elementwise(pointer) = Lib.gpuarr_elementwise_release(Ptr{Lib.gpuarr_elementwise}(pointer))

# Element type of a result that Julia's inference does not know, as of ifelse.((...), x, 0).
function traced_type(@nospecialize(tree))
    outer = begin_trace()
    try
        meaning(trace(Walk(), tree))
    finally
        end_trace(outer)
    end
end

element_type_of(tree::Broadcasted) = Broadcast.combine_eltypes(tree.f, tree.args)

@inline function run!(z::GArray{T,N}, tree::B) where {T,N,B}
    slot = slot_of(Tuple{T,B})
    isready(slot) || prepare!(slot, T, tree)
    arguments, borrowed = leaf_arguments(tree, Val(N))
    outputs = outputs_of(z)
    inputs, list = Ref(arguments), Ref(outputs)
    status = GC.@preserve z tree inputs list Lib.gpuarr_elementwise_call(
        Ptr{Lib.gpuarr_elementwise}(slot.pointer),
        Ptr{Ptr{Lib.gpuarr_array}}(Base.unsafe_convert(Ptr{typeof(outputs)}, list)),
        Int32(length(outputs)),
        Ptr{Lib.gpuarr_arg}(Base.unsafe_convert(Ptr{typeof(arguments)}, inputs)),
        Int32(length(arguments)), Int64(Lib.GPUARR_NO_SIZE), C_NULL)
    foreach(Lib.gpuarr_array_release, borrowed)
    check(status)
    z
end

function computed(tree::Broadcasted{GStyle{N}}) where {N}
    T = element_type_of(tree)
    S = isconcretetype(T) && (T <: Element || is_struct_type(T)) ? T : traced_type(tree)
    run!(allocate(S, map(length, axes(tree)), tree_device(tree)), tree)
end

Base.copy(tree::Tree) = computed(tree)
Base.copy(tree::Broadcasted{GStyle{0}}) = numbers(computed(tree))
Base.similar(tree::Tree, ::Type{T}) where {T} =
    allocate(T, map(length, axes(tree)), tree_device(tree))

Base.copyto!(z::GArray, tree::Tree) = run!(z, tree)
Base.copyto!(z::GArray, tree::Broadcasted{GStyle{0}}) = run!(z, tree)
Base.copyto!(z::GArray, tree::Broadcasted{Nothing}) = run!(z, tree)
function Base.copyto!(z::GArray, tree::Broadcasted{<:Broadcast.AbstractArrayStyle{0}})
    tree.f === identity && tree.args isa Tuple{Number} ? fill!(z, tree.args[1]) : run!(z, tree)
end
Base.copyto!(a::AbstractArray, tree::Tree) = copyto!(a, copy(tree))

Base.map(f, x::GArray, others::GArray...) = f.(x, same_size(x, others...)...)
function Base.map!(f, z::GArray, x::GArray, others::GArray...)
    z .= f.(x, same_size(x, others...)...)
end
same_size(x) = ()
function same_size(x, others...)
    all(y -> size(y) == size(x), others) || throw(DimensionMismatch(
        "arrays of sizes $(map(size, (x, others...))) do not match element by element"))
    others
end
