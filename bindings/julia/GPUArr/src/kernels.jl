# What the kernels that are written as text share: build options, parameter lists, arguments.

# Calls f with the library's options, or C_NULL if none is set.
function with_options(f; name = nothing, preamble = nothing, loop_prep = nothing,
                      after_loop = nothing, reduce_type = nothing, commutative = true, check = 0,
                      options = String[], kernels = String[])
    out = Ref{Ptr{Lib.gpuarr_kernel_options}}(C_NULL)
    GPUArr.check(Lib.gpuarr_kernel_options_create(out))
    try
        for (set, text) in ((Lib.gpuarr_kernel_options_set_name, name),
                            (Lib.gpuarr_kernel_options_set_preamble, preamble),
                            (Lib.gpuarr_kernel_options_set_loop_prep, loop_prep),
                            (Lib.gpuarr_kernel_options_set_after_loop, after_loop),
                            (Lib.gpuarr_kernel_options_set_reduce_type, reduce_type))
            text === nothing || GPUArr.check(set(out[], text))
        end
        foreach(option -> GPUArr.check(Lib.gpuarr_kernel_options_add(out[], option)), options)
        foreach(kernel -> GPUArr.check(Lib.gpuarr_kernel_options_add_kernel(out[], kernel)),
            kernels)
        commutative || GPUArr.check(Lib.gpuarr_kernel_options_set_commutative(out[], 0))
        check == 0 || GPUArr.check(Lib.gpuarr_kernel_options_set_check(out[], check))
        f(out[])
    finally
        Lib.gpuarr_kernel_options_release(out[])
    end
end

# Which parameters of a list are raw; the library reads the list itself.
raw_parameters(list::AbstractString) =
    [occursin(r"\braw\b", part) for part in split(list, ',') if !isempty(strip(part))]

# An array with axes of size 1 behind its own, so that it broadcasts as in Julia; to be released.
function expanded(x::GArray, ndim::Int)
    pointer = Lib.gpuarr_array_retain(x)
    for _ in ndims(x)+1:ndim
        out = Ref{Ptr{Lib.gpuarr_array}}(C_NULL)
        status = Lib.gpuarr_array_expand(out, pointer, -1)
        Lib.gpuarr_array_release(pointer)
        check(status)
        pointer = out[]
    end
    pointer
end

largest(numbers) = reduce(max, numbers; init = 0)

# Arguments of a kernel that broadcast as Julia does, by the first dimensions: f(arguments) is
# called while they hold.
function with_arguments(f, values, raw, outputs)
    arrays = Int[ndims(x) for (x, is_raw) in zip(values, raw) if x isa GArray && !is_raw]
    ndim = largest([arrays; Int[ndims(x) for x in outputs]])
    borrowed = Ptr{Lib.gpuarr_array}[]
    arguments = Argument[]
    try
        for (x, is_raw) in zip(values, raw)
            if x isa GArray && !is_raw && 0 < ndims(x) < ndim
                push!(borrowed, expanded(x, ndim))
                push!(arguments, Argument(last(borrowed), 0, 0, 0, 0))
            else
                push!(arguments, argument(x))
            end
        end
        GC.@preserve values outputs f(Ptr{Lib.gpuarr_arg}(pointer(arguments)), arguments)
    finally
        foreach(Lib.gpuarr_array_release, borrowed)
    end
end

argument(x) = throw(ArgumentError(string("a kernel takes GArrays and numbers, not ", typeof(x),
    x isa AbstractArray ? ": GArray(a) copies it to a device" : "")))

as_tuple(::Nothing) = ()
as_tuple(x::GArray) = (x,)
as_tuple(x) = Tuple(x)

function check_count(what, name, given, wanted)
    given == wanted || throw(ArgumentError("$name: $given $what given for $wanted parameters"))
end
