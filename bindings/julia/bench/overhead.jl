# What a repeated `z .= x .* y .+ s` costs beside the C call that it makes, both in one process, by
# turns. Prints one line.
using GPUArr
using GPUArr: Lib, Argument
using Statistics: median

const COUNT = 1000

function raw_calls(kernel, z, arguments, times)
    outputs = Ref(GPUArr.handle(z))
    GC.@preserve z arguments for _ in 1:times
        GPUArr.check(Lib.gpuarr_elementwise_call(kernel, outputs, 1,
            Ptr{Lib.gpuarr_arg}(pointer(arguments)), 3, Lib.GPUARR_NO_SIZE, C_NULL))
    end
end

function dotted_calls(z, x, y, s, times)
    for _ in 1:times
        z .= x .* y .+ s
    end
end

# Nanoseconds of one of many calls; the device is done when the clock stops.
function nanoseconds(f, device, times)
    start = time_ns()
    f(times)
    synchronize(device)
    (time_ns() - start) / times
end

function main()
    on = Device(get(ENV, "GPUARR_TEST_DEVICE", "host"))
    x, y = (GArray(rand(Float32, COUNT); device = on) for _ in 1:2)
    z, s = similar(x), 2.0f0
    kernel = ElementwiseKernel("float32 x, float32 y, float32 s", "float32 z",
        "const float t1 = x * y; z = t1 + s;"; name = "raw")
    arguments = [GPUArr.argument(v) for v in (x, y, s)]
    raw(times) = raw_calls(kernel.pointer, z, arguments, times)
    dotted(times) = dotted_calls(z, x, y, s, times)
    foreach(f -> f(1000), (raw, dotted))
    rounds = [(nanoseconds(raw, on, 2000), nanoseconds(dotted, on, 2000)) for _ in 1:41]
    of_raw, of_dotted = median(first.(rounds)), median(last.(rounds))
    println("Julia: raw ", round(Int, of_raw), " ns, idiomatic ", round(Int, of_dotted),
        " ns, overhead ", round(Int, of_dotted - of_raw), " ns")
end

main()
