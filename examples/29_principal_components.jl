# Principal components of a picture: each of its rows is a point, and a few singular vectors say
# nearly all of them.
using GPUArr, LinearAlgebra, Printf, Statistics

const KEPT = 12

# An 8-bit PGM file, whose header has one line for each item here.
function read_picture(path)
    open(path) do file
        readline(file) == "P5" || error("$path is no picture")
        width, height = parse.(Int, split(readline(file)))
        readline(file) == "255" || error("$path has not 8 bits for each pixel")
        permutedims(reshape(Float32.(read(file)), width, height))
    end
end

picture = GArray(read_picture(joinpath(@__DIR__, "mandelbrot.pgm")))
height, width = size(picture)

# The mean row is taken away; what is left is U * Diagonal(S) * V', with the greatest values first.
middle = mean(picture; dims = 1)
U, S, V = svd(picture .- middle)
restored = (U[:, 1:KEPT] .* transpose(S[1:KEPT])) * V[:, 1:KEPT]' .+ middle

# The squares of the values that were left out are the squares of all errors.
squares = Float64.(Array(S)) .^ 2
left_out, errors = sum(squares[KEPT+1:end]), sum(abs2, @lazy Float64.(restored) .- picture)
isapprox(errors, left_out; rtol = 1e-4) && left_out < 0.05 * sum(squares) ||
    error("the squared error is $errors; the values left out say $left_out")
@printf("%d of %d components: %.2f %% of the variance, %.1f grey levels off, %d of %d numbers\n",
    KEPT, height, 100 * (1 - left_out / sum(squares)), sqrt(errors / length(picture)),
    KEPT * (height + width + 1) + width, length(picture))
@printf("ok: principal components of a picture, on %s\n", GPUArr.name(Device()))
