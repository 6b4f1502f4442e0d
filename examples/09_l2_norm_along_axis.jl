# Reductions along one dimension: the Euclidean norm of every row and of every column of a matrix.
using GPUArr, Printf

const ROWS, COLUMNS = 1000, 257

function check(norms, wanted)
    size(norms) == size(wanted) && isapprox(Array(norms), wanted; rtol = 1e-5) ||
        error("the norms are $norms; a plain loop gives $wanted")
end

matrix = Float32[(7 * i + 3 * j) % 23 - 11 for i in 0:ROWS-1, j in 0:COLUMNS-1]
of_columns = sqrt.(sum(abs2, matrix; dims = 1))
of_rows = sqrt.(sum(abs2, matrix; dims = 2))

norm = ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)")
x = GArray(matrix)
check(norm(x; dims = 1), of_columns)
check(norm(x; dims = 2), of_rows)

# A view is as good as an array, and as fast: the transpose's first dimension is the matrix' second.
check(norm(transpose(x); dims = 1), permutedims(of_rows))

# The same in Julia's own words, also one pass over the matrix.
in_julia = @lazy sqrt.(sum(abs2, x; dims = 2))
occursin("\n1 kernels", GPUArr.explain(in_julia)) || error(GPUArr.explain(in_julia))
check(in_julia, of_rows)

@printf("ok: norms of %d rows and %d columns on %s\n", ROWS, COLUMNS, GPUArr.name(Device()))
