x = GArray(elements(Float32, 1000))
z = similar(x)
stream, start, stop = Stream(), Event(), Event()

@testset "streams and events" begin
    GPUArr.record(start, stream)
    GPUArr.with_stream(stream) do
        z .= x .+ 1
    end
    GPUArr.record(stop, stream)
    synchronize(stop)
    @test GPUArr.isdone(stop) && GPUArr.isdone(stream) && GPUArr.elapsed(start, stop) >= 0
    @test Array(z) == Array(x) .+ 1
    add = ElementwiseKernel("T x, T y", "T z", "z = x + y")
    ready = Event(timing = false)
    add(x, 2; out = z, stream = stream)
    GPUArr.record(ready, stream)
    other = Stream(priority = -1)
    GPUArr.wait_for(other, ready)
    add(z, 1; out = z, stream = other)
    synchronize(other)
    @test Array(z) ≈ Array(x) .+ 3
    synchronize(stream)
    synchronize()
    @test_throws ErrorException GPUArr.with_stream(() -> error("out"), stream)
    @test GPUArr.devices()[1] == Device("host") && !isempty(GPUArr.description(Device()))
    @test mentions(message_of(() -> Device("toaster")), "toaster", "GPUARR_ERR_NO_DEVICE")
end

@testset "graphs" begin
    z .= x
    graph = Graph(stream) do
        z .= z .* 2 .+ 1
        z .= z .- 3
    end
    synchronize(stream)
    @test Array(z) == Array(x)
    graph(stream = stream)
    graph(stream = stream)
    synchronize(stream)
    @test Array(z) ≈ (Array(x) .* 2 .- 2) .* 2 .- 2
    @test mentions(message_of(() -> Graph(() -> sum(z), stream)), "GPUARR_ERR_UNSUPPORTED")
end

@testset "benchmarks" begin
    times = GPUArr.benchmark(() -> (z .= x); name = "copying", warmups = 1, repeats = 5)
    @test length(times.cpu) == length(times.device) == 5 && all(>(0), times.cpu)
    @test mentions(repr(times), "copying")
    # What a callback throws comes out of the call that ran it.
    @test mentions(message_of(() -> GPUArr.benchmark(() -> error("thrown inside")), ErrorException),
        "thrown inside")
end
