# Prices of options by Black and Scholes: calls and puts of a whole market by one kernel.
using GPUArr, Printf
using GPUArr: erfc

const COUNT = 100_000
const RATE, VOLATILITY = 0.03, 0.25

# The normal distribution's share below x; functions of one's own are fine in lazy expressions.
below(x) = erfc(-x / sqrt(2)) / 2

function prices(spot, strike, years)
    spread = VOLATILITY .* sqrt.(years)
    value = strike .* exp.(-RATE .* years)                  # of the strike, today
    d1 = (log.(spot ./ strike) .+ (RATE + VOLATILITY^2 / 2) .* years) ./ spread
    d2 = d1 .- spread
    (spot .* below.(d1) .- value .* below.(d2), value .* below.(-d2) .- spot .* below.(-d1))
end

spot = [50.0 + k % 101 for k in 0:COUNT-1]
strike = [60.0 + k % 89 for k in 0:COUNT-1]
years = [0.1 + (k % 37) / 12 for k in 0:COUNT-1]

lazies = prices(map(x -> GPUArr.Lazy(GArray(x)), (spot, strike, years))...)
occursin("\n1 kernels", GPUArr.explain(lazies...)) || error(GPUArr.explain(lazies...))
calls, puts = map(Array, GPUArr.evaluate(lazies...))        # together: what they share once

wanted_calls, wanted_puts = prices(spot, strike, years)
isapprox(calls, wanted_calls; rtol = 1e-10) || error("the calls are $calls, not $wanted_calls")
isapprox(puts, wanted_puts; rtol = 1e-10) || error("the puts are $puts, not $wanted_puts")
@printf("the first: call %.4f, put %.4f\n", calls[1], puts[1])
@printf("ok: prices of %d calls and puts in one kernel on %s\n", COUNT, GPUArr.name(Device()))
