# Layer norm with weight and bias, as it is written down, and as one kernel: each column is read
# once, and written once.
using GPUArr, Printf, Statistics

const ROWS, COLUMNS = 500, 768          # of C; here the vectors that are normalised are columns

# The same of plain arrays, if they are not lazy.
function layer_norm(x, weight, bias)
    centered = x .- mean(x; dims = 1)
    centered ./ sqrt.(mean(abs2, centered; dims = 1) .+ 1.0f-5) .* weight .+ bias
end

x = Float32[((i * COLUMNS + j)^2 % 1009 - 504) / 100 for j in 0:COLUMNS-1, i in 0:ROWS-1]
weight = Float32[1 + j % 5 / 4 for j in 0:COLUMNS-1]
bias = Float32[j % 3 for j in 0:COLUMNS-1]

# What is made of a lazy value is lazy; explain tells how it would be computed.
norm = layer_norm(GPUArr.Lazy(GArray(x)), GArray(weight), GArray(bias))
occursin("\n1 kernels", GPUArr.explain(norm)) || error(GPUArr.explain(norm))
maximum(abs, Array(norm) .- layer_norm(Float64.(x), weight, bias)) <= 1e-4 ||
    error("layer norm is $norm")

@printf("ok: layer norm of %d rows of %d in one kernel on %s\n", ROWS, COLUMNS,
    GPUArr.name(Device()))
