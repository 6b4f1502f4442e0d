// Random numbers, as `gpuarr op` has them: a generator for each command, made of --seed.
#include "cli/base/error.hpp"
#include "cli/base/objects.hpp"
#include "cli/op/op.hpp"

namespace cli {
namespace {

Generator generator(const OpCall& call) {
  Generator made;
  check(gpuarr_generator_create(made.out(), call.device, call.draw.seed, 0));
  return made;
}

gpuarr_dtype dtype_or(const OpCall& call, gpuarr_dtype otherwise) {
  return call.draw.dtype != 0 ? call.draw.dtype : otherwise;
}

int32_t ndim(const OpCall& call) { return static_cast<int32_t>(call.draw.shape.size()); }

// Of a dtype that --dtype gives.
template <auto function>
void draw_one(OpCall& call) {
  check(function(&call.outputs[0], generator(call).get(), call.inputs[0],
                 dtype_or(call, GPUARR_F32), ndim(call), call.draw.shape.data(), call.stream));
}

template <auto function>
void draw_two(OpCall& call) {
  check(function(&call.outputs[0], generator(call).get(), call.inputs[0], call.inputs[1],
                 dtype_or(call, GPUARR_F32), ndim(call), call.draw.shape.data(), call.stream));
}

void run_integers(OpCall& call) {
  check(gpuarr_random_integers(&call.outputs[0], generator(call).get(), call.inputs[0],
                               call.inputs[1], dtype_or(call, GPUARR_I64), ndim(call),
                               call.draw.shape.data(), call.stream));
}

void run_poisson(OpCall& call) {
  check(gpuarr_random_poisson(&call.outputs[0], generator(call).get(), call.inputs[0], ndim(call),
                              call.draw.shape.data(), call.stream));
}

void run_binomial(OpCall& call) {
  check(gpuarr_random_binomial(&call.outputs[0], generator(call).get(), call.inputs[0],
                               call.inputs[1], ndim(call), call.draw.shape.data(), call.stream));
}

void run_bernoulli(OpCall& call) {
  check(gpuarr_random_bernoulli(&call.outputs[0], generator(call).get(), call.inputs[0], ndim(call),
                                call.draw.shape.data(), call.stream));
}

void run_permutation(OpCall& call) {
  check(gpuarr_random_permutation(&call.outputs[0], generator(call).get(), call.whole(0),
                                  call.stream));
}

void run_shuffle(OpCall& call) {
  check(gpuarr_random_shuffle(&call.outputs[0], generator(call).get(), call.array(0), call.axis(0),
                              call.stream));
}

// Without REPLACE numbers may be chosen again.
void run_choice(OpCall& call) {
  const gpuarr_array* weights = call.inputs.size() > 2 ? call.array(2) : nullptr;
  check(gpuarr_random_choice(&call.outputs[0], generator(call).get(), call.whole(0), weights,
                             static_cast<int32_t>(call.whole_or(1, 1)), ndim(call),
                             call.draw.shape.data(), call.stream));
}

constexpr Op random_table[] = {
    {"random_uniform", "LOW HIGH", 1, "uniform numbers of an interval",
     draw_two<gpuarr_random_uniform>, true},
    {"random_normal", "MEAN STD", 1, "normal numbers", draw_two<gpuarr_random_normal>, true},
    {"random_lognormal", "MEAN STD", 1, "log-normal numbers", draw_two<gpuarr_random_lognormal>,
     true},
    {"random_exponential", "SCALE", 1, "exponential numbers", draw_one<gpuarr_random_exponential>,
     true},
    {"random_gamma", "SHAPE SCALE", 1, "gamma-distributed numbers", draw_two<gpuarr_random_gamma>,
     true},
    {"random_integers", "LOW HIGH", 1, "integers from LOW to below HIGH", run_integers, true},
    {"random_poisson", "MEAN", 1, "Poisson-distributed numbers", run_poisson, true},
    {"random_binomial", "TRIALS P", 1, "binomial numbers", run_binomial, true},
    {"random_bernoulli", "P", 1, "bools that are true with probability P", run_bernoulli, true},
    {"random_permutation", "N", 1, "a random permutation of the numbers below N", run_permutation},
    {"random_choice", "N [REPLACE] [P]", 1, "samples of the numbers below N, weighted by P",
     run_choice, true},
    {"random_shuffle", "X", 1, "slices along an axis, shuffled", run_shuffle},
};

}  // namespace

std::span<const Op> random_ops() { return random_table; }

}  // namespace cli
