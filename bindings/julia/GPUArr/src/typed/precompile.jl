# What the translator does with an ordinary function, once while the package is precompiled, so that
# inference of the translator's own methods is part of the package. (Native code is so from 1.9.)

struct Sample
    x::Float32
    n::Int
end
sample_part(s::Sample, t) = s.x * t[1] + abs2(complex(s.x, t[2])) + s.n
function sample(x, n, c)
    total, last = zero(x), Sample(x, n)
    for k in 1:n
        if k > 3 && total < 10 || x > 2
            total += x^2 + sqrt(c)
        elseif total == 4
            continue
        else
            break
        end
    end
    a, b = total, x
    while a > 1 && !(b < 2)
        a, b = b, a + b
    end
    x > 100 && throw(DomainError(x))
    clamp(a, 0, 1) + sample_part(last, (x, total)) + sin(max(a, b)) + (n % 3 + mod(n, 7))
end
function sample_kernel(x, y, c)
    i, j = global_index(2)
    if 1 < i < size(x, 1) && 1 < j < size(x, 2)
        y[i, j] = x[i, j] + c * (x[i-1, j] + x[i+1, j] - 4 * x[i, j])
    end
    return
end
function warm_up()
    for T in (Float32, Float64)
        unit = Unit(false)
        unit_text(unit, translate!(unit, Tuple{typeof(sample),T,Int,T}, NOWHERE).name)
    end
end
ccall(:jl_generating_output, Cint, ()) == 1 && warm_up()
