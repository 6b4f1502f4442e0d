# Reductions and elementwise functions together: softmax of each column, which turns its scores into
# probabilities, exp(x) / sum(exp(x)), as one kernel.
using GPUArr, Printf

const ROWS, CLASSES = 100, 1000

# exp(1000) is too large for any float, so each column's largest score is taken off first, which
# changes no quotient. What is lazy is computed where an array is wanted: each column is read once,
# and the steps between are not in memory.
function softmax(x)
    e = @lazy exp.(x .- maximum(x; dims = 1))
    e ./ sum(e; dims = 1)
end

# A column of scores is what a row is in C.
scores = Float32[1000 + 5 * sin(i + 0.1 * j) for j in 0:CLASSES-1, i in 0:ROWS-1]
probabilities = softmax(GArray(scores))
occursin("\n1 kernels", GPUArr.explain(probabilities)) || error(GPUArr.explain(probabilities))

exponentials = exp.(scores .- 1000.0)
isapprox(Array(probabilities), exponentials ./ sum(exponentials; dims = 1); rtol = 1e-5) ||
    error("they are $probabilities")
all(isapprox.(Array(sum(probabilities; dims = 1)), 1; rtol = 1e-5)) || error("the sums are not 1")

@printf("ok: softmax of %d rows of %d scores on %s\n", ROWS, CLASSES, GPUArr.name(Device()))
