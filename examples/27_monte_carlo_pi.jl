# Pi by Monte Carlo, with an error bar: how many points of a square fall into a quarter of a circle.
# The random numbers are the same on every device, and so is the answer, to the last digit.
using GPUArr, Printf, Random, Statistics

const ROUNDS, POINTS = 16, 2^20

# Coordinates have 24 bits: as Float64 their squares and the sum of these are exact.
function estimate!(points, generator)
    rand!(generator, points)
    x, y = view(points, :, 1), view(points, :, 2)
    4 * count(@lazy Float64.(x) .^ 2 .+ Float64.(y) .^ 2 .< 1) / POINTS
end

generator = GPUArr.Generator(20261122)
points = GArray{Float32}(undef, POINTS, 2)
found = [estimate!(points, generator) for _ in 1:ROUNDS]

# The rounds are independent: their scatter says how far their mean may be off.
average, bar = mean(found), std(found) / sqrt(ROUNDS)
@printf("pi is %.6f +- %.6f, by %d points\n", average, bar, ROUNDS * POINTS)
abs(average - pi) <= 4 * bar <= 0.004 || error("pi is $average, an error of $bar is too much")
@printf("ok: pi within %.1f standard errors on %s\n", abs(average - pi) / bar,
    GPUArr.name(Device()))
