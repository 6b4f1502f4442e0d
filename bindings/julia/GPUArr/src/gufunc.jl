# Gufuncs of the user's own text.

const GROUPS = (auto = Lib.GPUARR_GROUP_AUTO, thread = Lib.GPUARR_GROUP_THREAD,
    warp = Lib.GPUARR_GROUP_WARP, block = Lib.GPUARR_GROUP_BLOCK)

group_number(group::Integer) = Int32(group)
group_number(group::Symbol) = haskey(GROUPS, group) ? GROUPS[group] : throw(ArgumentError(
    "group = :$group; give :auto, :thread, :warp, :block or the threads of a block"))

"""
    GufuncKernel(signature, in_params, out_params, body; group = :auto, name, preamble, options)

A kernel that runs a body of CUDA C++ for each place of the outer dimensions, and sees a small array
of each operand there, its core, such as

    cross = GufuncKernel("(3),(3)->(3)", "T a, T b", "T c", \"""
        for (int j = 0; j < 3; ++j)
          c(j) = a((j + 1) % 3) * b((j + 2) % 3) - a((j + 2) % 3) * b((j + 1) % 3);
        \""")
    c = cross(a, b)     # of 3×1000 and 3, or of 3×10×100 and 3×10

The signature is NumPy's, and a core is an array's *first* dimensions, in the signature's order:
`"(m,k),(k,n)->(m,n)"` is for arrays of size `(m, k, ...)` and `(k, n, ...)`. What comes behind
them broadcasts as in Julia. `(3)` is a fixed size, and `n?` may be missing. Parameters are those of
an [`ElementwiseKernel`](@ref), without `raw`. In the body `x(i, j)` is an element of a core at
0-based indices, `x.shape()[0]` its first size, and `n` the size of that name; an operand with
core `()` is a variable. A body that names `group` may be run by several threads: `group.rank()` of
`group.size()`, `group.sync()`, `group.sum(x)`; `group` is then who does: `:thread`, `:warp`,
`:block`, the threads of a block, or what suits.

    kernel(inputs...; out = nothing, stream = nothing)

runs it, as an elementwise kernel. An output whose core has a size that no input tells must be
given.
"""
mutable struct GufuncKernel
    pointer::Ptr{Lib.gpuarr_gufunc}
    name::String
    inputs::Int
    outputs::Int
    function GufuncKernel(signature::AbstractString, in_params::AbstractString,
                          out_params::AbstractString, body::AbstractString; group = :auto,
                          name::AbstractString = "gufunc", kw...)
        out = Ref{Ptr{Lib.gpuarr_gufunc}}(C_NULL)
        number = group_number(group)
        with_options(; name = name, kw...) do options
            check(Lib.gpuarr_gufunc_create(out, signature, in_params, out_params, body, number,
                Lib.GPUARR_ORDER_F, options))
        end
        finalizer(release!, new(out[], name, length(raw_parameters(in_params)),
            length(raw_parameters(out_params))))
    end
end
release!(kernel::GufuncKernel) = Lib.gpuarr_gufunc_release(kernel.pointer)

# The library broadcasts what is behind the cores from the first dimension on, so nothing is turned.
function (kernel::GufuncKernel)(inputs...; out = nothing, stream::AnyStream = nothing)
    check_count("inputs", kernel.name, length(inputs), kernel.inputs)
    given = as_tuple(out)
    isempty(given) || check_count("outputs", kernel.name, length(given), kernel.outputs)
    outputs = isempty(given) ? Base.fill(Ptr{Lib.gpuarr_array}(C_NULL), kernel.outputs) :
        Ptr{Lib.gpuarr_array}[handle(x) for x in given]
    with_arguments(inputs, trues(kernel.inputs), ()) do arguments, _
        GC.@preserve kernel stream given check(Lib.gpuarr_gufunc_call(kernel.pointer, outputs,
            length(outputs), arguments, length(inputs), stream_pointer(stream)))
    end
    results(out, outputs)
end
