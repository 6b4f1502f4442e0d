# Functions and kernels that are called for each block.

"""
    GPUArr.PerBlock(f)

An argument of [`map_blocks!`](@ref) that is `f(block)` for each [`GPUArr.Block`](@ref), such as
`GPUArr.PerBlock(length)`, or `GPUArr.PerBlock(b -> first(b.ranges[1]))` for where a block starts.
"""
struct PerBlock{F}
    f::F
end

const AnyBlocked = Union{BlockedArray,Halo,ArrayView{<:Union{BlockedArray,Halo}}}
array_of(x::BlockedArray) = x
array_of(x::Union{Halo,ArrayView}) = array_of(x.x)
has_halo(x) = false
has_halo(::Union{Halo,ArrayView{<:Halo}}) = true

# What C hands back to call_block.
mutable struct BlockCall
    f::Any                           # called with a block, outputs, inputs
    outputs::Any
    inputs::Any
    flipped::Bool                    # whether arrays come with their dimensions in reverse
    with_halo::Bool                  # whether inputs come with ghost cells
    problem::Any
end

function call_block(block::Ptr{Lib.gpuarr_block}, outputs::Ptr{Ptr{Lib.gpuarr_array}},
                    inputs::Ptr{Ptr{Lib.gpuarr_array}}, call)::Int32
    try
        Base.invokelatest(run_block, call.f, call.outputs, call.inputs, block, outputs, inputs,
            call.flipped, call.with_halo)
        return Lib.GPUARR_OK
    catch problem
        call.problem = problem
        problem isa GPUArrError && return problem.status
        Lib.gpuarr_set_last_error(sprint(showerror, problem))
        return Lib.GPUARR_ERR_ARGUMENT
    end
end

function run_block(f::F, outputs::O, inputs::I, block, output_list, input_list, flipped::Bool,
                   with_halo::Bool) where {F,O<:Tuple,I<:Tuple}
    info = block_info(block, outputs[1], flipped)
    zs = block_arrays(output_list, 1, flipped, outputs...)
    xs = block_arrays(input_list, 1, flipped, inputs...)
    try
        f(info, zs, map((x, a) -> for_call(x, a, info, with_halo), inputs, xs))
    finally                          # they are the call's, so that no collector need find them
        foreach(free_array, zs)
        foreach(free_array, xs)
    end
end
free_array(x) = nothing
free_array(x::GArray) = unsafe_free!(x)

function block_info(block, x::BlockedArray{T,N}, flipped::Bool) where {T,N}
    axis(d) = Int32(flipped ? N - d : d - 1)
    Block{N}(Lib.gpuarr_block_place(block),
        ntuple(d -> Int(Lib.gpuarr_block_location(block, axis(d))) + 1, Val(N)),
        ntuple(d -> Int(Lib.gpuarr_block_start(block, axis(d)))+1:Int(
            Lib.gpuarr_block_stop(block, axis(d))), Val(N)))
end

# The arrays of blocked arguments, in the places of all.
block_arrays(list, k, flipped) = ()
block_arrays(list, k, flipped, x, more...) = (x, block_arrays(list, k, flipped, more...)...)
block_arrays(list, k, flipped, x::AnyBlocked, more...) =
    (borrowed(array_of(x), unsafe_load(list, k), flipped),
     block_arrays(list, k + 1, flipped, more...)...)
function borrowed(::BlockedArray{T,N}, pointer, flipped::Bool) where {T,N}
    out = no_array()
    flipped && N > 1 ? check(Lib.gpuarr_array_transpose(out, pointer, 0, C_NULL)) :
        (out[] = Lib.gpuarr_array_retain(pointer))
    shape = Lib.gpuarr_array_shape(out[])
    owned(T, ntuple(d -> Int(unsafe_load(shape, d)), Val(N)), out[])
end

# What the function gets for an argument.
for_call(x, a, block, with_halo) = x
for_call(x::PerBlock, a, block, with_halo) = x.f(block)
for_call(x::Halo, a, block, with_halo) = a
for_call(x::ArrayView{<:Union{BlockedArray,Halo}}, a, block, with_halo) =
    ArrayView(for_call(x.x, a, block, with_halo))
for_call(x::BlockedArray, a, block, with_halo) =
    with_halo && any(g -> g[1] + g[2] > 0, x.handle.ghosts) ? without_halo(x, a, block) : a
function without_halo(x::BlockedArray{T,N}, a, block::Block{M}) where {T,N,M}
    counts = grid(x)
    view(a, ntuple(Val(N)) do d
        low, high, at_ends = x.handle.ghosts[d]
        at = counts[d] == 1 ? 1 : block.location[d]
        (at > 1 || at_ends ? low + 1 : 1):size(a, d)-(at < counts[d] || at_ends ? high : 0)
    end...)
end

as_outputs(z::BlockedArray) = (z,)
as_outputs(zs) = Tuple(zs)

# Calls f(block, outputs, inputs) for each block. Where numbers of dimensions differ, C gets all
# with their axes in reverse, since it matches them from the last.
function each_block(f, outputs, inputs; flags = Int32(0), overlap::Bool = false)
    zs = as_outputs(outputs)
    all(z -> z isa BlockedArray, zs) && !isempty(zs) || throw(ArgumentError(
        "outputs are blocked arrays, not $(map(typeof, zs))"))
    blocked_inputs = [x for x in inputs if x isa AnyBlocked]
    arrays = [[z for z in zs]; map(array_of, blocked_inputs)]
    flipped = !all(x -> ndims(x) == ndims(zs[1]), arrays)
    pointers = [flipped ? axes_reversed(x) : handle(x) for x in arrays]
    lists = pointers[1:length(zs)], pointers[length(zs)+1:end]
    with_halo = overlap || any(has_halo, blocked_inputs)
    call = BlockCall(f, zs, overlap ? map(as_halo, inputs) : inputs, flipped, with_halo, nothing)
    entry = @cfunction(call_block, Int32, (Ptr{Lib.gpuarr_block}, Ptr{Ptr{Lib.gpuarr_array}},
        Ptr{Ptr{Lib.gpuarr_array}}, Any))
    status = GC.@preserve arrays call overlap ?
        Lib.gpuarr_map_overlap(entry, pointer_from_objref(call), lists[1], length(lists[1]),
            lists[2], length(lists[2])) :
        Lib.gpuarr_map_blocks(entry, pointer_from_objref(call), lists[1], length(lists[1]),
            lists[2], length(lists[2]), flags | (with_halo ? Lib.GPUARR_MAP_HALO : Int32(0)))
    call.problem === nothing || throw(call.problem)
    check(zs[1].team, status)
    outputs
end
as_halo(x) = x
as_halo(x::BlockedArray) = Halo(x)
as_halo(x::ArrayView{<:BlockedArray}) = ArrayView(Halo(x.x))

# What is called for each block: a function of the program's, or a kernel.
block_function(f) = is_kernel(f) ? launching(f) : (block, zs, xs) -> f(block, zs..., xs...)
launching(f) = (block, zs, xs) -> launch(f, (zs..., xs...), size(block), nothing, nothing, 0,
    nothing)
block_function(kernel::ElementwiseKernel) = (block, zs, xs) -> kernel(xs...; out = zs)
block_function(kernel::ReductionKernel, dims) =
    (block, zs, xs) -> kernel(xs...; dims = dims, out = zs)
block_function(kernel::RawKernel, threads) = threads === nothing ?
    ((block, zs, xs) -> kernel(xs...; elements = length(block))) :
    ((block, zs, xs) -> kernel(xs...; block = threads,
        grid = map(cld, threads_wanted(size(block)), Tuple(three(threads)))))
threads_wanted(n::Tuple) = (n..., 1, 1)[1], (n..., 1, 1)[2], prod(n[3:end])

"""
    map_blocks!(f, outputs, inputs...; position = false)
    map_blocks!(kernel, outputs, inputs...)

Call a function, or a kernel, once for each block of an array, or of several in a tuple, on the
place that has it. `f` gets a [`GPUArr.Block`](@ref), then the blocks of outputs and inputs as
`GArray`s, which are the call's, and are gone after it:

    map_blocks!(z, x, 2) do block, z, x, factor
        z .= factor .* x .+ block.ranges[1]
    end

Inputs are blocked arrays, which give the block at the same location, [`GPUArr.Halo`](@ref) of them,
[`GPUArr.PerBlock`](@ref), and anything else, which is passed on. Along each dimension an input has
as many blocks as the output, or one, which goes with all of them; the sizes of blocks that go
together are equal or 1 (with `position`, anything). Blocks are on the output's places, but those
that go with several are sent where they are missing; otherwise [`redistribute!`](@ref) first.

`f` may give any work to the current stream, and must make no collective call. What it throws is
thrown here, and ends the team. A kernel is an [`ElementwiseKernel`](@ref), a
[`ReductionKernel`](@ref) (with `dims`), both block by block; or a [`@kernel`](@ref) function, which
gets outputs and inputs in this order, and as many threads along each dimension as the output's
block has elements. Returns `outputs`.

    map_blocks!(kernel::RawKernel, over, args...; block = nothing)

gives a raw kernel all of its arguments in its own order, [`ArrayView`](@ref)s of blocked arrays
too; it is launched for each block of `over`, with a thread for each element, or with as many blocks
of `block` threads as cover it, x along the first dimension.
"""
map_blocks!(f, outputs, inputs...; position::Bool = false) =
    each_block(block_function(f), outputs, inputs;
        flags = position ? Lib.GPUARR_MAP_POSITION : Int32(0))
map_blocks!(kernel::ReductionKernel, outputs, inputs...; dims = :) =
    each_block(block_function(kernel, dims), outputs, inputs; flags = Lib.GPUARR_MAP_POSITION)
map_blocks!(kernel::RawKernel, over, args...; block = nothing) =
    each_block(block_function(kernel, block), over, args)

"""
    map_overlap!(f, outputs, inputs...)
    map_overlap!(kernel, outputs, inputs...)

[`update_halo!`](@ref) of the inputs, then [`map_blocks!`](@ref) with their ghost cells: stencils.
Element `(1, 1)` of an output belongs to element `(low + 1, low + 1)` of an input, except at an end
without ghost cells.
"""
map_overlap!(f, outputs, inputs...) =
    each_block(block_function(f), outputs, inputs; overlap = true)
map_overlap!(kernel::RawKernel, over, args...; block = nothing) =
    each_block(block_function(kernel, block), over, args; overlap = true)
