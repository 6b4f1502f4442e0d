//! A body with a loop: the sum of the prime factors of every number from 2 to a million.
use gpuarr::{args, Array, Device, Elementwise, Options, Result};

const FIRST: usize = 2;
const LAST: usize = 1000000;
const COUNT: usize = LAST - FIRST + 1;

/// A function for the body to use goes into the preamble.
const PREAMBLE: &str = "
__device__ int sum_of_prime_factors(int number) {
  int sum = 0;
  for (int divisor = 2; divisor * divisor <= number; ++divisor)
    for (; number % divisor == 0; number /= divisor) sum += divisor;
  return number > 1 ? sum + number : sum;
}";

/// The same with a sieve: smallest[m] is the smallest prime factor of m.
fn check_with_sieve(sums: &[i32]) {
    let mut smallest = vec![0; LAST + 1];
    for p in FIRST..=LAST {
        if smallest[p] == 0 {
            for m in (p..=LAST).step_by(p) {
                if smallest[m] == 0 {
                    smallest[m] = p;
                }
            }
        }
    }
    for number in FIRST..=LAST {
        let (mut sum, mut rest) = (0, number);
        while rest > 1 {
            sum += smallest[rest];
            rest /= smallest[rest];
        }
        assert_eq!(sums[number - FIRST] as usize, sum, "sum of {}", number);
    }
}

fn main() -> Result<()> {
    let options = Options::new().name("prime_factors").preamble(PREAMBLE);
    let body = "sum = sum_of_prime_factors((int)i + 2);";
    let kernel = Elementwise::with_options("", "int32 sum", body, &options)?;

    // No array says how many elements there are, so the call does; i is the element's index.
    let array: Array<i32> = kernel.size(COUNT).call(args![])?;

    let sums = array.to_vec()?;
    check_with_sieve(&sums);
    println!(
        "ok: sums of prime factors of 2 ... 1000000 on {}: {} {} {} ... {} {} {}",
        Device::default()?,
        sums[0],
        sums[1],
        sums[2],
        sums[COUNT - 3],
        sums[COUNT - 2],
        sums[COUNT - 1]
    );
    Ok(())
}
