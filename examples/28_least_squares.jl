# A fit by least squares: a straight line and an oscillation through noisy measurements, with an
# error bar for each of its numbers.
using GPUArr, LinearAlgebra, Printf

const POINTS, DEVIATION = 400, 0.3
const TRUTH, NAMES = [1.5, -0.8, 2.0, 0.6], ("offset", "slope ", "sine  ", "cosine")

# Numbers of no apparent order with mean 0 and deviation 1: sums of twelve uniform ones.
function noise(count)
    state = UInt32(1)
    next() = (state = state * 0x0019660d + 0x3c6ef35f; state / 2^32)
    [sum(next() for _ in 1:12) - 6 for _ in 1:count]
end

t = 10 * (0:POINTS-1) / POINTS
A = GArray([ones(POINTS) t sin.(3 .* t) cos.(3 .* t)])
b = A * GArray(TRUTH) .+ GArray(DEVIATION * noise(POINTS))

# The inverse of A'A, times the variance of the residuals, has the variances of the fit on its
# diagonal. With A = Q R it is inv(R) inv(R)'.
x = A \ b
rest = b - A * x
spread = norm(rest) / sqrt(POINTS - length(TRUTH))
bars = spread .* sqrt.(Array(sum(abs2, inv(qr(A).R); dims = 2)))
for (name, found, bar, truth) in zip(NAMES, Array(x), bars, TRUTH)
    @printf("%s: %8.4f +- %.4f, true %g\n", name, found, bar, truth)
    abs(found - truth) <= 4 * bar || error("$name is $found, not $truth")
end
abs(spread - DEVIATION) <= 0.05 && rank(A) == 4 || error("the noise is $spread, not $DEVIATION")

# What is left is orthogonal to the columns of the model.
norm(A' * rest, Inf) <= 1e-9 || error("residuals times columns are $(A' * rest)")
@printf("ok: a fit to %d points, on %s\n", POINTS, GPUArr.name(Device()))
