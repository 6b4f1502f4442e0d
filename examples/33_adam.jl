# Steps of the optimiser Adam: parameters and both moments in place, by one kernel a step, which
# reads four arrays and writes three.
using GPUArr, Printf

const COUNT, STEPS = 10000, 200
const RATE, KEEP, KEEP_SQUARES, EPSILON = 0.05f0, 0.9f0, 0.999f0, 1.0f-8

# In the block m and v are what they have become; all is read before one of them is written.
function step!(p, m, v, gradient, step)
    rate, spread = RATE / (1 - KEEP^step), 1 / (1 - KEEP_SQUARES^step)
    @fused begin
        m .= KEEP .* m .+ (1 - KEEP) .* gradient
        v .= KEEP_SQUARES .* v .+ (1 - KEEP_SQUARES) .* gradient .^ 2
        p .-= rate .* m ./ (sqrt.(v .* spread) .+ EPSILON)
    end
end

# The same of one number, by plain arithmetic.
function minimised(target::Float64)
    p = m = v = 0.0
    for step in 1:STEPS
        gradient = p - target
        m = KEEP * m + (1 - KEEP) * gradient
        v = KEEP_SQUARES * v + (1 - KEEP_SQUARES) * gradient^2
        p -= RATE / (1 - KEEP^step) * m / (sqrt(v / (1 - KEEP_SQUARES^step)) + EPSILON)
    end
    p
end

# What is to become least is the sum of (p - target)^2 / 2.
target = Float32[sin(k) for k in 0:COUNT-1]
on_device = GArray(target)
p, m, v = (GPUArr.zeros(Float32, COUNT) for _ in 1:3)
for step in 1:STEPS
    step!(p, m, v, p .- on_device, step)
end
found = Array(p)
maximum(abs, found .- minimised.(Float64.(target))) <= 1e-3 || error("the parameters are $found")
maximum(abs, found .- target) <= 0.05 || error("the parameters are $found")

gradient = p .- on_device
report = GPUArr.profile(() -> step!(p, m, v, gradient, STEPS); json = true)
occursin(r"\"launches\": *1\b", report) || error(report)
@printf("ok: %d steps of Adam with %d parameters, one kernel each, on %s\n", STEPS, COUNT,
    GPUArr.name(device(p)))
