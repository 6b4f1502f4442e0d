# A reduction of your own over all places: the largest element and where it is, in one pass. Blocks
# are combined in their order, so that the result is the same for any number of places. The same
# program runs by itself, by `gpuarr run -n 4`, and by mpirun.
using GPUArr, Printf, Statistics

const ROWS, COLUMNS = 1000, 700

# i is an element's index in the whole array, in C's order: the last dimension fastest, from 0.
largest_difference = ReductionKernel("float64 x, float64 y", "float64 largest, int64 at",
    "found{(x - y) * (x - y), (long long)i}",
    "a.value > b.value || (a.value == b.value && a.at < b.at) ? a : b",
    "largest = sqrt(a.value); at = a.at;";
    preamble = "struct found { double value; long long at; };", reduce_type = "found")

team = team_world()
x = blocked(Float64, team, (ROWS, COLUMNS); chunk = (300, 700))
y = similar(x)
GPUArr.arange!(x)
fill!(y, 400000)

largest, at = largest_difference(x, y)    # numbers, on every place
(largest, at) == (400000, 0) || error("the largest difference is $largest, at $at")

# Ready-made ones have Julia's names; with dims every place has the result.
means = Array(mean(x; dims = 2))
wanted = mean(reshape(0.0:ROWS*COLUMNS-1, ROWS, COLUMNS); dims = 2)
isapprox(means, wanted; rtol = 1e-14) || error("a plain loop gives other means")
if first(GPUArr.local_places(team)) == 0
    @printf("largest difference %.0f, at element %d\n", largest, at)
end
