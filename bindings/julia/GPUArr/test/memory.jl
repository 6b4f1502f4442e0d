const MIB = 2^20
on = Device()

function make_and_drop(count)
    for k in 1:count
        GArray{UInt8}(undef, MIB)
    end
end

@noinline function drop_one_that_asks(asked)
    finalizer(_ -> (asked[] += 1; try GArray{UInt8}(undef, 2 * MIB) catch end), Ref(0))
    nothing
end

@testset "dropped arrays make room" begin
    GC.gc()
    GPUArr.trim_memory(on)
    held = GPUArr.memory_statistics(on).total
    limit = held + 64 * MIB
    GPUArr.limit_memory(limit, on)
    GPUArr.reset_peak(on)
    make_and_drop(1000)
    numbers = GPUArr.memory_statistics(on)
    @test numbers.peak <= limit && numbers.total <= limit == numbers.limit
    kept = GArray[]
    message = message_of(() -> while true
        push!(kept, GArray{UInt8}(undef, MIB))
    end)
    @test mentions(message, "GPUARR_ERR_OUT_OF_MEMORY", "limit") && length(kept) > 50
    # A finalizer that asks for memory itself while there is none gets the error, and nothing
    # breaks.
    asked = Ref(0)
    drop_one_that_asks(asked)
    GC.gc()
    @test asked[] == 1
    foreach(unsafe_free!, kept)
    make_and_drop(50)
    GPUArr.limit_memory(0, on)
end

@testset "without a limit the collector is asked all the same" begin
    allowance = GPUArr.ALLOWANCE[]
    GPUArr.ALLOWANCE[] = 32 * MIB
    GC.gc()
    GPUArr.reset_peak(on)
    before = GPUArr.memory_statistics(on).used
    make_and_drop(300)
    @test GPUArr.memory_statistics(on).peak - before <= 100 * MIB
    GPUArr.ALLOWANCE[] = allowance
end

@testset "an array dropped while its kernel runs" begin
    x, z = GPUArr.ones(Float32, 2^16), GPUArr.zeros(Float32, 2^16)
    for _ in 1:50
        t = x .+ 1
        z .+= t
        unsafe_free!(t)
    end
    @test Array(z) == fill(100.0f0, 2^16)
end
