// Random numbers, as `gpuarr op` has them: a generator for each command, made of --seed.
#include "cli/base/objects.hpp"
#include "cli/op/calls.hpp"

namespace cli {
namespace {

// Made of --seed, for one call.
struct OwnGenerator {
  Generator made;
  operator gpuarr_generator*() const { return made.get(); }
};

OwnGenerator generator(OpCall& call) {
  OwnGenerator own;
  check(gpuarr_generator_create(own.made.out(), call.device, call.draw.seed, 0));
  return own;
}

template <size_t k>
gpuarr_arg number(OpCall& call) {
  return call.inputs[k];
}

// That --dtype gives.
template <gpuarr_dtype otherwise>
gpuarr_dtype dtype_or(OpCall& call) {
  return call.draw.dtype != 0 ? call.draw.dtype : otherwise;
}

int32_t ndim(OpCall& call) { return static_cast<int32_t>(call.draw.shape.size()); }

const int64_t* shape(OpCall& call) { return call.draw.shape.data(); }

// Of two numbers and a shape.
template <auto function, gpuarr_dtype otherwise>
constexpr auto draws_by_two =
    calls<function, output<0>, generator, number<0>, number<1>, dtype_or<otherwise>, ndim, shape>;

constexpr Op random_table[] = {
    {"random_uniform", "LOW HIGH", 1, "uniform numbers of an interval",
     draws_by_two<gpuarr_random_uniform, GPUARR_F32>, true},
    {"random_normal", "MEAN STD", 1, "normal numbers",
     draws_by_two<gpuarr_random_normal, GPUARR_F32>, true},
    {"random_lognormal", "MEAN STD", 1, "log-normal numbers",
     draws_by_two<gpuarr_random_lognormal, GPUARR_F32>, true},
    {"random_exponential", "SCALE", 1, "exponential numbers",
     calls<gpuarr_random_exponential, output<0>, generator, number<0>, dtype_or<GPUARR_F32>, ndim,
           shape>,
     true},
    {"random_gamma", "SHAPE SCALE", 1, "gamma-distributed numbers",
     draws_by_two<gpuarr_random_gamma, GPUARR_F32>, true},
    {"random_integers", "LOW HIGH", 1, "integers from LOW to below HIGH",
     draws_by_two<gpuarr_random_integers, GPUARR_I64>, true},
    {"random_poisson", "MEAN", 1, "Poisson-distributed numbers",
     calls<gpuarr_random_poisson, output<0>, generator, number<0>, ndim, shape>, true},
    {"random_binomial", "TRIALS P", 1, "binomial numbers",
     calls<gpuarr_random_binomial, output<0>, generator, number<0>, number<1>, ndim, shape>, true},
    {"random_bernoulli", "P", 1, "bools that are true with probability P",
     calls<gpuarr_random_bernoulli, output<0>, generator, number<0>, ndim, shape>, true},
    {"random_permutation", "N", 1, "a random permutation of the numbers below N",
     calls<gpuarr_random_permutation, output<0>, generator, whole_at<0>>},
    // Without REPLACE numbers may be chosen again.
    {"random_choice", "N [REPLACE] [P]", 1, "samples of the numbers below N, weighted by P",
     calls<gpuarr_random_choice, output<0>, generator, whole_at<0>, array_or_null<2>, flag_or<1, 1>,
           ndim, shape>,
     true},
    {"random_shuffle", "X", 1, "slices along an axis, shuffled",
     calls<gpuarr_random_shuffle, output<0>, generator, array_at<0>, axis_or<0>>},
};

}  // namespace

std::span<const Op> random_ops() { return random_table; }

}  // namespace cli
