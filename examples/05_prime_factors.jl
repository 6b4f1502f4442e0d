# A body with a loop: the sum of the prime factors of every number from 2 to a million.
using GPUArr, Printf

const FIRST, LAST = 2, 1_000_000

# A function for the body to use goes into the preamble.
const PREAMBLE = """
    __device__ int sum_of_prime_factors(int number) {
      int sum = 0;
      for (int divisor = 2; divisor * divisor <= number; ++divisor)
        for (; number % divisor == 0; number /= divisor) sum += divisor;
      return number > 1 ? sum + number : sum;
    }
    """

# The same with a sieve: smallest[m] is the smallest prime factor of m.
function check_with_sieve(sums)
    smallest = zeros(Int32, LAST)
    for p in 2:LAST
        smallest[p] == 0 || continue
        for m in p:p:LAST
            smallest[m] == 0 && (smallest[m] = p)
        end
    end
    for number in FIRST:LAST
        sum, rest = 0, number
        while rest > 1
            sum += smallest[rest]
            rest ÷= smallest[rest]
        end
        sums[number-FIRST+1] == sum ||
            error("the sum of $number is $(sums[number-FIRST+1]); a sieve gives $sum")
    end
end

kernel = ElementwiseKernel("", "int32 sum", "sum = sum_of_prime_factors((int)i + 2);";
    name = "prime_factors", preamble = PREAMBLE)

# No array says how many elements there are, so the call does; i is the element's index, from 0.
sums = Array(kernel(size = LAST - FIRST + 1))
check_with_sieve(sums)
@printf("ok: sums of prime factors of 2 ... 1000000 on %s: %d %d %d ... %d %d %d\n",
    GPUArr.name(Device()), sums[1:3]..., sums[end-2:end]...)
