# From dotted expressions to lazy ones. The functions of a tree are called once, with numbers that
# stand for elements in place of arrays; so whatever a function is made of becomes nodes. Where that
# cannot be, as they branch on elements, the tree becomes one node: the kernel that it would be
# alone.

"""
    GPUArr.LazyStyle{N}

The broadcasting style of lazy expressions.
"""
struct LazyStyle{N} <: Broadcast.AbstractArrayStyle{N} end
LazyStyle(::Val{N}) where {N} = LazyStyle{N}()
LazyStyle{M}(::Val{N}) where {M,N} = LazyStyle{N}()
Broadcast.BroadcastStyle(::Type{<:Lazy{T,N}}) where {T,N} = LazyStyle{N}()
Broadcast.BroadcastStyle(::LazyStyle{M}, ::GStyle{N}) where {M,N} = LazyStyle{max(M, N)}()

const LazyTree = Broadcasted{<:LazyStyle}

# The code that calls the functions of a tree of type T, which is at `path`. Its leaves become nodes
# before, an array that is there twice only one; `leaves` is the code for that.
function call_of(T, path, leaves)
    if T <: Broadcasted
        parts = [call_of(A, :($path.args[$k]), leaves)
                 for (k, A) in enumerate(T.parameters[4].parameters)]
        :(call_with_nodes($path.f, $(parts...)))
    elseif T <: Viewed
        earlier = [leaf.args[1] for leaf in leaves]
        push!(leaves, :($(gensym()) = ($path, leaf_pointer(made, $path, $(earlier...)))))
        :(number_of($(eltype(T)), $(last(leaves).args[1])[2], made))
    elseif is_bits_range(T) || T <: RowRange
        :(number_of($(eltype(T)), leaf_pointer(made, GArray($path)), made))
    elseif T <: NumberRef || (T <: Base.RefValue && (is_constant(T) || isbitstype(eltype(T))))
        :($path[])
    elseif T <: Number || is_constant(T)
        path
    else
        :(refuse_leaf($path))
    end
end
@generated function number_of_tree(tree, made)
    leaves = []
    number = call_of(tree, :tree, leaves)
    Expr(:block, leaves..., number)
end

@inline call_with_nodes(f::F, x...) where {F} = f(x...)
call_with_nodes(::typeof(ifelse), condition, x, y) = select(condition, x, y)

@inline leaf_pointer(made, x::Viewed, (y, node), more...) =
    x === y ? node : leaf_pointer(made, x, more...)
leaf_pointer(made, x::Lazy) = handle(x)
function leaf_pointer(made, x::GArray)
    push!(made, node_of(x))
    last(made)
end

no_nodes() = sizehint!(Ptr{Lib.gpuarr_expr}[], 24)

# The lazy expression of an instantiated tree. What its nodes were made of is released. Errors that
# a function throws of its own are the user's; the others come of stand-ins.
lazy_of(tree::Broadcasted) = made_lazy(tree)
function lazy_of(tree::Broadcasted{<:Any,<:Any,typeof(identity),<:Tuple{Lazy}})  # y .= x
    x = tree.args[1]
    size(x) == map(length, axes(tree)) ? x : made_lazy(tree)
end
function made_lazy(tree::Broadcasted)
    made, dims = no_nodes(), map(length, axes(tree))
    slot = slot_of(Tuple{KernelNode,typeof(tree)})
    try
        isready(slot) || try
            return GC.@preserve tree root_of(number_of_tree(tree, made), dims, tree_device(tree),
                made)
        catch problem
            problem isa Union{TypeError,MethodError,StackOverflowError} || rethrow()
        end
        return kernel_root(slot, without_ranges(tree), dims, made)
    finally
        foreach(Lib.gpuarr_expr_release, made)
    end
end
struct KernelNode end

# The text tells no lines of the user's, which could not stand among others in one kernel.
function kernel_root(slot::Slot, tree::Broadcasted, dims, made)
    T = mapped_type(tree)
    T <: Element || refuse_root(T)
    isready(slot) || prepare!(slot, T, tree, false)
    operands = leaf_nodes(tree, made)
    list = Ref(operands)
    node = GC.@preserve tree list node!(made) do out
        Lib.gpuarr_expr_elementwise(out, Int32(1), Ptr{Lib.gpuarr_elementwise}(slot.pointer),
            Ptr{Ptr{Lib.gpuarr_expr}}(Base.unsafe_convert(Ptr{typeof(operands)}, list)),
            Int32(length(operands)))
    end
    fitting_root(T, node, dims, tree_device(tree))
end
without_ranges(x) = x
without_ranges(x::Union{AbstractRange,RowRange}) = GArray(x)
without_ranges(tree::Broadcasted{S}) where {S} =
    Broadcasted{S}(tree.f, map(without_ranges, tree.args), tree.axes)

# The nodes of a tree's arguments, of an array that is there twice only one.
@generated function leaf_nodes(tree, made)
    code, arrays, nodes = [], [], []
    visit_leaves(tree, :tree) do kind, T, path
        node = gensym()
        if kind === :array
            array = gensym()
            push!(code, :($array = $path), :($node = leaf_pointer(made, $array, $(arrays...))))
            push!(arrays, :(($array, $node)))
        else
            push!(code, :($node = scalar_node(made, $path)))
        end
        push!(nodes, node)
    end
    Expr(:block, code..., Expr(:tuple, nodes...))
end

refuse_root(T) =
    throw(ArgumentError("a lazy expression gives a $T for an element, not a number"))
root_of(x, dims, device, made) = refuse_root(typeof(x))
root_of(x::Complex{<:NodeInteger}, dims, device, made) = root_of(float(x), dims, device, made)
function root_of(x::NodeNumber, dims, device, made)
    is_known(x) && return root_of(known(x), dims, device, made)
    fitting_root(meaning(x), pointer_of(made, x), dims, device)
end
function root_of(x::Element, dims, device, made)
    one_element = fill(x, (); device = device)
    fitting_root(typeof(x), leaf_pointer(made, one_element), dims, device)
end

# With all of its dimensions, also where the function leaves out an argument that has them.
function fitting_root(T, pointer, dims, device)
    same = Lib.gpuarr_expr_ndim(pointer) == length(dims)
    extents = Lib.gpuarr_expr_shape(pointer)
    for k in 1:length(dims)
        same = same && unsafe_load(extents, k) == dims[end-k+1]
    end
    same && return Lazy(T, dims, Lib.gpuarr_expr_retain(pointer), device)
    out = ExprPlace(C_NULL)
    check(Lib.gpuarr_expr_broadcast(out, pointer, length(dims), Int64[reverse(dims)...]))
    Lazy(T, dims, out[], device)
end

Base.copy(tree::LazyTree) = lazy_of(tree)
Base.copy(tree::Broadcasted{LazyStyle{0}}) = lazy_of(tree)
Base.similar(tree::LazyTree, ::Type{T}) where {T} =
    allocate(T, map(length, axes(tree)), tree_device(tree))

# y .= expression. Values become elements of y as those of other dotted expressions do: whole
# numbers wrap around.
Base.copyto!(z::GArray, tree::LazyTree) = assign_lazy!(z, lazy_of(tree))
Base.copyto!(z::GArray, tree::Broadcasted{LazyStyle{0}}) = assign_lazy!(z, lazy_of(tree))
assign_lazy!(z::GArray, x::Lazy) = evaluate_into!((z,), (to_fit(z, x),))[1]
Base.copyto!(a::AbstractArray, tree::LazyTree) = copyto!(a, GArray(lazy_of(tree)))
to_fit(z::GArray{T}, x::Lazy{T}) where {T} = size(z) == size(x) ? x : repeated(x, z)
to_fit(z::GArray{T}, x::Lazy) where {T} = to_fit(z, wrapped.(T, x))
wrapped(::Type{T}, x) where {T} = convert(T, x)
wrapped(::Type{T}, x::NodeInteger) where {T<:Integer} = cast(T, x)
repeated(x::Lazy, z::GArray) = lazy_of(instantiate(Broadcasted{LazyStyle{ndims(z)}}(identity, (x,),
    axes(z))))

Base.copyto!(z::GArray, x::Lazy) = size(z) == size(x) ? assign_lazy!(z, x) : copyto!(z, GArray(x))
Base.copyto!(a::AbstractArray, x::Lazy) = copyto!(a, GArray(x))
Base.copyto!(a::Array, x::Lazy) = copyto!(a, GArray(x))

Base.map(f, x::Lazy, others::Viewed...) = f.(x, same_size(x, others...)...)
Base.map(f, x::GArray, y::Lazy, others::Viewed...) = f.(x, same_size(x, y, others...)...)
