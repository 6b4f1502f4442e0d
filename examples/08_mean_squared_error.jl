# A reduction: the mean of (x - y)^2 over all elements, in one pass over memory.
using GPUArr, Printf
using Statistics: mean

const COUNT = 1_000_003

x = Float32[sin(i) for i in 0:COUNT-1]
y = Float32[cos(0.5 * i) for i in 0:COUNT-1]
wanted = sum(abs2(Float64(a) - b) / COUNT for (a, b) in zip(x, y))

# map turns an element of each input into a value, reduce combines two of those, and post makes
# the output of what is left; n is the number of elements. Partial results have the output's type,
# here float64, so that a million float32 values lose nothing on the way.
kernel = ReductionKernel("T x, T y", "float64 mse",                     # in, out
    "(x - y) * (x - y)", "a + b", "mse = a / n")                        # map, reduce, post

# Reduced along all dimensions, the result is a number.
mse = kernel(GArray(x), GArray(y))
isapprox(mse, wanted; rtol = 1e-6) || error("it is $mse; a plain loop gives $wanted")

# The same in Julia's own words, also one pass: nothing is computed until the number is asked for.
again = @lazy mean(abs2.(Float64.(GArray(x)) .- GArray(y)))
occursin("\n1 kernels", GPUArr.explain(again)) || error(GPUArr.explain(again))
isapprox(Float64(again), wanted; rtol = 1e-6) || error("it is $again; a plain loop gives $wanted")

@printf("ok: the mean squared error of %d numbers is %.6f on %s\n", COUNT, mse,
    GPUArr.name(Device()))
