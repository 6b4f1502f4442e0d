# Elementwise kernels of the user's own text.

"""
    ElementwiseKernel(in_params, out_params, body; name, preamble, loop_prep, after_loop, options)

A kernel that runs a body of CUDA C++ for every element, such as

    squared = ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y);")
    z = squared(x, y)

A parameter is `TYPE NAME`; a type of one letter is whatever the arrays have. `"raw T x"` is the
whole array: `x(i, j)` is the element at 0-based indices; `x[k]` and `i` count in C order, the
last index fastest. `name` is shown in messages and profiles, `preamble` stands before the kernel,
`options` are the compiler's. The text is compiled when it is first called with a combination of
types and layouts.

    kernel(inputs...; out = nothing, size = nothing, stream = nothing)

runs it. Inputs are `GArray`s and numbers, which must be of their parameter's type or fit it; they
broadcast as in Julia. What is missing in `out`, an array or a tuple of arrays, is made: one array
is returned, or a tuple of them. `size` is the number of elements where all arrays are raw. Any
task may call it.
"""
mutable struct ElementwiseKernel
    pointer::Ptr{Lib.gpuarr_elementwise}
    name::String
    raw_inputs::Vector{Bool}
    outputs::Int
    function ElementwiseKernel(in_params::AbstractString, out_params::AbstractString,
                               body::AbstractString; name::AbstractString = "elementwise", kw...)
        out = Ref{Ptr{Lib.gpuarr_elementwise}}(C_NULL)
        with_options(; name = name, kw...) do options
            check(Lib.gpuarr_elementwise_create(out, in_params, out_params, body, options))
        end
        finalizer(release!, new(out[], name, raw_parameters(in_params),
            length(raw_parameters(out_params))))
    end
end
release!(kernel::ElementwiseKernel) = Lib.gpuarr_elementwise_release(kernel.pointer)

# An output that is missing is made by the library, in the memory order of the inputs.
function (kernel::ElementwiseKernel)(inputs...; out = nothing, size = nothing,
                                     stream::AnyStream = nothing)
    check_count("inputs", kernel.name, length(inputs), length(kernel.raw_inputs))
    given = as_tuple(out)
    isempty(given) || check_count("outputs", kernel.name, length(given), kernel.outputs)
    outputs = isempty(given) ? Base.fill(Ptr{Lib.gpuarr_array}(C_NULL), kernel.outputs) :
        Ptr{Lib.gpuarr_array}[handle(x) for x in given]
    with_arguments(inputs, kernel.raw_inputs, given) do arguments, _
        GC.@preserve kernel stream check(Lib.gpuarr_elementwise_call(kernel.pointer, outputs,
            length(outputs), arguments, length(inputs),
            size === nothing ? Lib.GPUARR_NO_SIZE : Int64(size), stream_pointer(stream)))
    end
    results(out, outputs)
end

results(out, pointers) = out
results(::Nothing, pointers) = length(pointers) == 1 ? owned(pointers[1]) :
    Tuple(owned(pointer) for pointer in pointers)
