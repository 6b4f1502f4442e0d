# Lloyd's algorithm: points go to the nearest center, centers to the middle of their points. A point
# is a column.
using GPUArr, Printf

const POINTS, CLUSTERS, ROUNDS = 20000, 4, 15
const TRUTH = Float32[0 6 -2 4; 0 1 5 7]
const FIRST = Float32[1 5 0 5; 1 0 5 5]

# Points around the true centers, the same ones on every device.
function make_points()
    generator = GPUArr.Generator(7)
    labels = rand(generator, Int32(1):Int32(CLUSTERS), POINTS)
    GArray(TRUTH)[:, labels] .+ randn(generator, Float32, 2, POINTS)
end

# The squares of the distances are never stored. The product of the points with a matrix that is
# true where a point belongs to a cluster adds them up by cluster.
function moved(centers, points)
    each = reshape(points, 2, 1, POINTS)
    distances = dropdims(sum(abs2, @lazy(each .- centers); dims = 1); dims = 1)
    members = GArray(distances .== minimum(distances; dims = 1))
    (points * members') ./ sum(members; dims = 2)'
end

# The same by plain loops.
function moved_by_loops(centers, points)
    sums, counts = zeros(2, CLUSTERS), zeros(CLUSTERS)
    for p in eachcol(points)
        c = argmin([sum(abs2, p - center) for center in eachcol(centers)])
        sums[:, c] += p
        counts[c] += 1
    end
    sums ./ counts'
end

repeated(f, x, points) = foldl((x, _) -> f(x, points), 1:ROUNDS; init = x)
points = make_points()
found = Array(repeated(moved, GArray(FIRST), points))
wanted = repeated(moved_by_loops, FIRST, Array(points))
maximum(abs, found - wanted) <= 2e-3 || error("the centers are $found; plain loops give $wanted")
maximum(abs, found - TRUTH) <= 0.1 || error("the centers are $found, not near $TRUTH")
for c in 1:CLUSTERS
    @printf("center %d: %.2f %.2f\n", c - 1, found[:, c]...)
end
@printf("ok: %d clusters of %d points on %s\n", CLUSTERS, POINTS, GPUArr.name(Device()))
