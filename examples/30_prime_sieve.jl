# The sieve of Eratosthenes with a mask: all multiples of a prime are struck out by one fill of a
# view, and what is left is found by a compaction. No kernel is written.
using GPUArr, Printf

const N = 1000000

# The primes below n. To strike out, primes up to the root of n are enough, which are found the same
# way.
function primes_below(n)
    mask = GPUArr.ones(Bool, n - 1)
    mask[1:1] .= false
    n > 4 && for p in Array(primes_below(isqrt(n - 1) + 1))
        mask[p^2:p:end] .= false
    end
    findall(mask)
end

function plain_sieve(n)
    mask = trues(n - 1)
    mask[1] = false
    for p in 2:isqrt(n - 1), k in p^2:p:n-1
        mask[p] && (mask[k] = false)
    end
    findall(mask)
end

primes = Array(primes_below(N))
primes == plain_sieve(N) || error("a plain loop gives other primes")
@printf("ok: %d primes below %d, the last one %d, on %s\n", length(primes), N, primes[end],
    GPUArr.name(Device()))
