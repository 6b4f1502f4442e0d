# What is translated before the first function of a user's: it has what functions often have. What
# the translator calls of Julia for the first time takes several times as long, so that the kernels
# of a program would be slow to make as long as each has something new.
function rehearsed(v, n)
    total, rest = zero(v), n
    for k in 1:n
        k % 3 == 0 && continue
        total += v^k / k
        abs(total) > 3 && break
    end
    while rest > 1
        rest = div(rest, 2)
    end
    low, high = (total, 2v)
    rest > 0 ? min(low, high) : -exp(low)
end
rehearse() = text_with_callees(Unit(false), Tuple{typeof(rehearsed),Float32,Int})
