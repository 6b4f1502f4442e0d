# What a repeated lazy expression of ten nodes (two arrays, two numbers, six operations) costs
# beside the same dots, which are one kernel as well, both in one process, by turns. Prints one
# line.
using GPUArr
using Statistics: median

const COUNT = 1000

dots!(z, x, y) = z .= 2 .* ((x .- y) .* (x .+ y)) .+ x .+ 1
lazies!(z, x, y) = z .= @lazy 2 .* ((x .- y) .* (x .+ y)) .+ x .+ 1

# Nanoseconds of one of many calls; the device is done when the clock stops.
function nanoseconds(f!, z, x, y, times)
    start = time_ns()
    for _ in 1:times
        f!(z, x, y)
    end
    synchronize(device(z))
    (time_ns() - start) / times
end

function main()
    on = Device(get(ENV, "GPUARR_TEST_DEVICE", "host"))
    x, y = (GArray(rand(Float32, COUNT); device = on) for _ in 1:2)
    z = similar(x)
    foreach(f! -> nanoseconds(f!, z, x, y, 1000), (dots!, lazies!))
    rounds = [map(f! -> nanoseconds(f!, z, x, y, 100), (dots!, lazies!)) for _ in 1:401]
    of_dots, of_lazies = median(first.(rounds)), median(last.(rounds))
    println("Julia: dots ", round(Int, of_dots), " ns, lazy ", round(Int, of_lazies),
        " ns, overhead ", round(Int, of_lazies - of_dots), " ns")
end

main()
