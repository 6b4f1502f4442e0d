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
    @test mentions(message, "GPUARR_ERR_OUT_OF_MEMORY", "limit") && length(kept) > 30
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

# Memory may be short on a thread that Julia does not know, which must not come in: the callback
# says that there is nothing to release.
on_a_thread(user::Ptr{UInt})::Int = 100 + GPUArr.reclaim(Ptr{GPUArr.Lib.gpuarr_device}(0), 1, user)
if Base.JLOptions().compile_enabled == 1
    @testset "another thread's need" begin
        thread, answer = Ref(Culong(0)), Ref(0)
        @test ccall(:pthread_create, Cint, (Ptr{Culong}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{UInt}), thread,
            C_NULL, @cfunction(on_a_thread, Int, (Ptr{UInt},)), GPUArr.WATCH) == 0
        @test ccall(:pthread_join, Cint, (Culong, Ptr{Int}), thread[], answer) == 0
        @test answer[] == 100
    end
end

# Each thread finds what the others have dropped; that the collector is off for all while one of
# them compiles is waited for.
if Threads.nthreads() > 1
    @testset "threads" begin
        GPUArr.limit_memory(GPUArr.memory_statistics(on).total + 64 * MIB, on)
        Threads.@threads for _ in 1:4
            make_and_drop(1000)
        end
        GPUArr.limit_memory(0, on)
        results = Vector{Bool}(undef, 8)
        x = GArray(collect(1.0f0:100))
        Threads.@threads for k in 1:8
            results[k] = all(sum(x .* k .+ j) == 5050k + 100j for j in 1:50)
        end
        @test all(results)
        unsafe_free!(x)  # a thread keeps the last task that it ran, and that what it used
    end
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
