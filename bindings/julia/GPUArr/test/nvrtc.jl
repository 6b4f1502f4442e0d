# What NVRTC makes of the texts, where there is one: of kernels, and of the functions of dotted
# expressions and of reductions with a kernel around them.
function compiles(text, target)
    code = RawModule(text)
    GC.@preserve code Lib.gpuarr_module_check(code.pointer, target)
end
const Lib = GPUArr.Lib
around(text, name, arguments) = string(occursin("complex", text) || occursin("float16", text) ?
    "#include <gpuarr.cuh>\n" : "", text, "extern \"C\" __global__ void caller() { ", name, "(",
    arguments, "); }\n")

x, m = GArray(Float32[1, 2]), GPUArr.zeros(Float32, 4, 4)
bodies = GArray([Body(1, (1, 1))])
texts = Dict(
    "saxpy" => GPUArr.source(saxpy!, 2.0f0, x, x),
    "heat" => GPUArr.source(heat!, m, m, 0.1f0),
    "heat of other strides" => GPUArr.source(heat!, view(m, 1:2:4, :), m, 0.1f0),
    "product" => GPUArr.source(product!, m, m, m),
    "total" => GPUArr.source(total!, x, x),
    "move" => GPUArr.source(move!, bodies, (1.0f0, 2.0f0)),
    "histogram" => GPUArr.source(histogram!, GArray([1]), GArray([1])),
    "warps" => GPUArr.source(warp_sums!, GPUArr.zeros(2), GPUArr.zeros(2)),
    "merge" => GPUArr.source(GPUArr.merge_runs!, m, m, 4, isless, abs))
for (name, f, types, arguments) in (("escape", escape, (ComplexF32,), "complex64(1, 2)"),
        ("factors", factor_sum, (Int32,), "7"), ("series", series, (Float32, Int), "1.0f, 3"),
        ("whole", whole, (Int64, Int64), "1ll, 2ll"), ("bytes", whole, (Int8, Int8), "1, 2"),
        ("unsigned", whole, (UInt16, UInt16), "1, 2"), ("divided", divided, (Int32, Int32), "1, 2"),
        ("compared", compared, (UInt64, Float32), "1ull, 2.0f"),
        ("floats", floats, (Float32, Float32), "1.0f, 2.0f"),
        ("more floats", more_floats, (Float64, Float64), "1.0, 2.0"),
        ("modulo", modulo, (Float64, Float64), "1.0, 2.0"),
        ("halves", half, (Float16, Float16), "(float16)1, (float16)2"),
        ("conversions", to_whole, (Float64,), "1.5"), ("narrowed", narrowed, (Int32,), "3"),
        ("shifts", shifted, (Int32, Int), "1, 2ll"), ("functions", functions, (Float32,), "1.0f"),
        ("complex", complex_parts, (ComplexF32, ComplexF32), "complex64(1, 2), complex64(3, 4)"))
    text = GPUArr.source(f, types...)
    called = [m[1] for m in eachmatch(r"inline [^\n]*?(\w+)\([^\n]*\) \{\n", text)]
    texts[name] = around(text, last(called), arguments)
end
# Of values that are combined, as mapreduce and accumulate have it.
function combining(f, op, x)
    outer, R = GPUArr.begin_trace(), typeof(f(Array(x)[1]))
    text = try
        GPUArr.reduction_text(GPUArr.Walk(), op, GPUArr.as_tree(f, x), R, nothing, GPUArr.keep)
    finally
        GPUArr.end_trace(outer)
    end
    string("#include <gpuarr.cuh>\n", text.preamble, "extern \"C\" __global__ void caller() { ",
        "julia_combine(julia_partial(), julia_partial()); }\n")
end
texts["extremes"] = combining(y -> (y, y), both, x)
texts["boxes"] = combining(identity, merged, GArray(boxes))
texts["statistics"] = combining(Stats, pooled, x)
texts["half floats"] = combining(identity, larger, GArray([Pair16(1, 2)]))

if compiles("__global__ void nothing() {}", "sm_90") == Lib.GPUARR_OK
    for (name, text) in texts
        status = compiles(text, "sm_90")
        status == Lib.GPUARR_OK || println(stderr, name, ":\n", text, "\n",
            unsafe_string(Lib.gpuarr_last_error()))
        @test status == Lib.GPUARR_OK
    end
end
