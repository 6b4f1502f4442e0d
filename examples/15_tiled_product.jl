# A kernel from a file, 15_tiled_product.cu: a matrix product in tiles of shared memory.
using GPUArr, Printf

const ROWS, INNER, COLUMNS, TILE = 200, 300, 250, 16

a = Float32[(7 * i + 3 * k) % 11 - 5 for i in 0:ROWS-1, k in 0:INNER-1]
b = Float32[(k + 5 * j) % 13 - 6 for k in 0:INNER-1, j in 0:COLUMNS-1]

product = RawKernel(RawModule(path = joinpath(@__DIR__, "15_tiled_product.cu")), "tiled_product")

# The kernel reads rows, and Julia's matrices lie in columns: to it they are the transposes a' and
# b', and (a * b)' = b' * a' is what it is asked for.
c = GArray{Float32}(undef, ROWS, COLUMNS)

# A block for each tile of the result, a thread for each of its elements; x is the kernel's column.
product(GArray(b), GArray(a), c, Int32(COLUMNS), Int32(INNER), Int32(ROWS);
    grid = (cld(ROWS, TILE), cld(COLUMNS, TILE)), block = (TILE, TILE))

Array(c) == a * b || error("a plain loop gives something else")        # small integers: exact
@printf("ok: a product of (%d, %d) and (%d, %d) in tiles of %d x %d on %s\n", ROWS, INNER, INNER,
    COLUMNS, TILE, TILE, GPUArr.name(Device()))
