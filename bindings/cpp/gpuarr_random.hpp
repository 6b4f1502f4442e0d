/** @file gpuarr_random.hpp  libgpuarr for C++17: random numbers, the same bits on every device.
 *
 *      gpuarr::Generator random(7);
 *      gpuarr::Array noise = random.normal({1000, 3}), rolls = random.integers({10}, 1, 7);
 *
 *  Parameters of a distribution may be numbers, or arrays that broadcast to the result.
 */
#ifndef GPUARR_RANDOM_HPP
#define GPUARR_RANDOM_HPP

#include "gpuarr_made.hpp"

namespace gpuarr {
inline namespace wrapper {

/// An unpredictable seed, from the system.
inline uint64_t random_seed() { return get<uint64_t>(gpuarr_random_seed); }

/// A random number generator: the same bits on every device for a seed, a stream and a position.
struct Generator : Handle<gpuarr_generator, gpuarr_generator_retain, gpuarr_generator_release> {
  explicit Generator(uint64_t seed, uint64_t stream = 0, Device device = {}) {
    check(gpuarr_generator_create(out(), device, seed, stream));
  }
  uint64_t seed() const noexcept { return gpuarr_generator_seed(*this); }
  uint64_t stream() const noexcept { return gpuarr_generator_stream(*this); }
  /// Where the next draw begins, in steps of 128 bits; sets it; skips some.
  uint64_t position() const noexcept { return gpuarr_generator_position(*this); }
  void set_position(uint64_t at) const { check(gpuarr_generator_set_position(*this, at)); }
  void advance(uint64_t steps) const { check(gpuarr_generator_advance(*this, steps)); }

  Array uniform(const Shape& s, Arg low = 0.0, Arg high = 1.0, gpuarr_dtype t = GPUARR_F32) const {
    return draw(gpuarr_random_uniform, s, low, high, t);
  }
  Array normal(const Shape& s, Arg center = 0.0, Arg std = 1.0, gpuarr_dtype t = GPUARR_F32) const {
    return draw(gpuarr_random_normal, s, center, std, t);
  }
  /// The exponentials of what normal() draws at the same position.
  Array lognormal(const Shape& s, Arg c = 0.0, Arg std = 1.0, gpuarr_dtype t = GPUARR_F32) const {
    return draw(gpuarr_random_lognormal, s, c, std, t);
  }
  Array exponential(const Shape& s, Arg scale = 1.0, gpuarr_dtype t = GPUARR_F32) const {
    return draw(gpuarr_random_exponential, s, scale, t);
  }
  Array gamma(const Shape& s, Arg k, Arg scale = 1.0, gpuarr_dtype t = GPUARR_F32) const {
    return draw(gpuarr_random_gamma, s, k, scale, t);
  }
  /// Of int64: counts of events; successes in trials.
  Array poisson(const Shape& s, Arg lambda = 1.0) const {
    return draw(gpuarr_random_poisson, s, lambda);
  }
  Array binomial(const Shape& s, Arg trials, Arg p = 0.5) const {
    return draw(gpuarr_random_binomial, s, trials, p);
  }
  Array bernoulli(const Shape& s, Arg p = 0.5) const { return draw(gpuarr_random_bernoulli, s, p); }
  Array integers(const Shape& s, Arg low, Arg high, gpuarr_dtype t = GPUARR_I64) const {
    return draw(gpuarr_random_integers, s, low, high, t);
  }
  /// Samples of the numbers below n, weighted if weights are given; a permutation of them; an array
  /// shuffled along an axis, for example its rows.
  Array choice(int64_t n, const Shape& s, bool replace = true, const Array& weights = {}) const {
    return draw(gpuarr_random_choice, s, n, weights, replace);
  }
  Array permutation(int64_t n) const { return made(gpuarr_random_permutation, *this, n); }
  Array shuffle(const Array& x, int axis = 0) const {
    return made(gpuarr_random_shuffle, *this, x, axis);
  }
  /// Draws by a C function; into() draws into a given array.
  template <class F, class... A> Array draw(F function, const Shape& s, const A&... a) const {
    return made(function, *this, a..., len(s), s.data());
  }
};

}  // namespace wrapper
}  // namespace gpuarr
#endif
