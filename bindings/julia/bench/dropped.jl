# A million arrays of 1 MiB, each dropped at once, with a limit of 1 GiB: how long it takes, and how
# much was held at most. usage: dropped.jl [COUNT]
using GPUArr

function make_and_drop(count)
    for _ in 1:count
        GArray{UInt8}(undef, 2^20)
    end
end

on = Device(get(ENV, "GPUARR_TEST_DEVICE", "host"))
GPUArr.limit_memory(2^30, on)
count = isempty(ARGS) ? 1_000_000 : parse(Int, ARGS[1])
make_and_drop(10)
seconds = @elapsed make_and_drop(count)
numbers = GPUArr.memory_statistics(on)
println("Julia: ", count, " arrays of 1 MiB made and dropped in ", round(seconds; digits = 2),
    " s; at most ", numbers.peak ÷ 2^20, " MiB were used, ", numbers.total ÷ 2^20, " MiB held of ",
    numbers.limit ÷ 2^20)
