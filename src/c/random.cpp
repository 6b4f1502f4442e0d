// gpuarr/random.h: check, convert, call.
#include "gpuarr/random.h"

#include <array>

#include "backends.hpp"
#include "c/guard.hpp"
#include "c/kernel_handles.hpp"
#include "c/random_handles.hpp"
#include "ops/random/order.hpp"

using namespace gpuarr;

namespace {

Generator& generator_of(gpuarr_generator* generator) { return *deref(generator, "generator"); }

// What is to be filled, from arguments that every draw has. Arrays that are made are handed out.
struct DrawOut {
  gpuarr_array** out;
  gpuarr_dtype dtype;
  int32_t ndim;
  const int64_t* shape;
  gpuarr_dtype always = 0;  // of distributions that give one dtype, where an array is made

  RandomTarget target() const {
    if (out == nullptr) fail(GPUARR_ERR_ARGUMENT, "out is NULL; give the address of a variable");
    if (const Array* given = deref_or_null(*out, "*out")) {
      check_like(*given);
      return {given, given->dtype, given->layout.shape};
    }
    const DType made = dtype_of(always != 0 ? always : dtype);
    return {nullptr, made, checked_shape(ndim, shape, size_of(made))};
  }
  // What is asked for, besides an array that is there, must be what that is.
  void check_like(const Array& given) const {
    if (dtype != 0 && dtype_of(dtype) != given.dtype)
      fail(GPUARR_ERR_DTYPE, "dtype is {}, but *out is {}; give 0, or an array of that dtype",
           name(dtype_of(dtype)), name(given.dtype));
    if (ndim == 0 && shape == nullptr) return;
    const Dims asked = checked_shape(ndim, shape, given.itemsize());
    if (!(asked == given.layout.shape))
      fail(GPUARR_ERR_SHAPE,
           "shape is {}, but *out has {}; give ndim 0 and NULL, or an array of that shape",
           to_string(asked), to_string(given.layout.shape));
  }
  void take(Array made) const {
    if (*out == nullptr) *out = wrap(std::move(made));
  }
};

// A parameter of a distribution, an array or a scalar.
struct DrawValue {
  const gpuarr_arg& arg;
  const char* name;
};

// All of a C function that draws from a distribution.
[[gnu::always_inline]] inline gpuarr_status run(const char* function, Distribution distribution,
                                                const DrawOut& out, gpuarr_generator* generator,
                                                std::initializer_list<DrawValue> values,
                                                gpuarr_stream* stream) {
  return guard(function, [&] {
    std::array<Scalar, 2> scalars;
    std::array<Argument, 2> arguments{};
    size_t count = 0;
    for (const auto& [arg, name] : values) {
      if (arg.array != nullptr && arg.flags == 0)
        arguments[count].array = &deref(arg.array, name);
      else
        arguments[count].scalar = &(scalars[count] = Scalar::from(arg, name));
      ++count;
    }
    const RandomTarget target = out.target();
    out.take(draw(distribution, generator_of(generator), target, {arguments.data(), count},
                  stream_or_null(stream)));
  });
}

}  // namespace

gpuarr_status gpuarr_generator_create(gpuarr_generator** out, gpuarr_device* device, uint64_t seed,
                                      uint64_t stream) {
  return guard_output(__func__, out, [&] {
    Device& on = device != nullptr ? deref(device, "device") : open_device(nullptr);
    return gpuarr_generator::make(std::make_shared<Generator>(on, seed, stream));
  });
}

gpuarr_status gpuarr_random_seed(uint64_t* out) {
  return guard_output(__func__, out, [&] { return system_seed(); });
}

gpuarr_generator* gpuarr_generator_retain(gpuarr_generator* generator) { return retain(generator); }

void gpuarr_generator_release(gpuarr_generator* generator) { release(generator); }

uint64_t gpuarr_generator_seed(const gpuarr_generator* generator) {
  return is_live(generator) ? generator->impl->seed() : 0;
}

uint64_t gpuarr_generator_stream(const gpuarr_generator* generator) {
  return is_live(generator) ? generator->impl->stream() : 0;
}

uint64_t gpuarr_generator_position(const gpuarr_generator* generator) {
  return is_live(generator) ? generator->impl->position() : 0;
}

gpuarr_status gpuarr_generator_set_position(gpuarr_generator* generator, uint64_t position) {
  return guard(__func__, [&] { generator_of(generator).set_position(position); });
}

gpuarr_status gpuarr_generator_advance(gpuarr_generator* generator, uint64_t steps) {
  return guard(__func__, [&] { generator_of(generator).take(steps); });
}

gpuarr_status gpuarr_random_uniform(gpuarr_array** out, gpuarr_generator* generator, gpuarr_arg low,
                                    gpuarr_arg high, gpuarr_dtype dtype, int32_t ndim,
                                    const int64_t* shape, gpuarr_stream* stream) {
  return run(__func__, Distribution::uniform, {out, dtype, ndim, shape}, generator,
             {{low, "low"}, {high, "high"}}, stream);
}

gpuarr_status gpuarr_random_normal(gpuarr_array** out, gpuarr_generator* generator, gpuarr_arg mean,
                                   gpuarr_arg std, gpuarr_dtype dtype, int32_t ndim,
                                   const int64_t* shape, gpuarr_stream* stream) {
  return run(__func__, Distribution::normal, {out, dtype, ndim, shape}, generator,
             {{mean, "mean"}, {std, "std"}}, stream);
}

gpuarr_status gpuarr_random_lognormal(gpuarr_array** out, gpuarr_generator* generator,
                                      gpuarr_arg mean, gpuarr_arg std, gpuarr_dtype dtype,
                                      int32_t ndim, const int64_t* shape, gpuarr_stream* stream) {
  return run(__func__, Distribution::lognormal, {out, dtype, ndim, shape}, generator,
             {{mean, "mean"}, {std, "std"}}, stream);
}

gpuarr_status gpuarr_random_exponential(gpuarr_array** out, gpuarr_generator* generator,
                                        gpuarr_arg scale, gpuarr_dtype dtype, int32_t ndim,
                                        const int64_t* shape, gpuarr_stream* stream) {
  return run(__func__, Distribution::exponential, {out, dtype, ndim, shape}, generator,
             {{scale, "scale"}}, stream);
}

gpuarr_status gpuarr_random_gamma(gpuarr_array** out, gpuarr_generator* generator, gpuarr_arg k,
                                  gpuarr_arg scale, gpuarr_dtype dtype, int32_t ndim,
                                  const int64_t* shape, gpuarr_stream* stream) {
  return run(__func__, Distribution::gamma, {out, dtype, ndim, shape}, generator,
             {{k, "k"}, {scale, "scale"}}, stream);
}

gpuarr_status gpuarr_random_poisson(gpuarr_array** out, gpuarr_generator* generator, gpuarr_arg lam,
                                    int32_t ndim, const int64_t* shape, gpuarr_stream* stream) {
  return run(__func__, Distribution::poisson, {out, 0, ndim, shape, GPUARR_I64}, generator,
             {{lam, "lam"}}, stream);
}

gpuarr_status gpuarr_random_binomial(gpuarr_array** out, gpuarr_generator* generator,
                                     gpuarr_arg trials, gpuarr_arg p, int32_t ndim,
                                     const int64_t* shape, gpuarr_stream* stream) {
  return run(__func__, Distribution::binomial, {out, 0, ndim, shape, GPUARR_I64}, generator,
             {{trials, "trials"}, {p, "p"}}, stream);
}

gpuarr_status gpuarr_random_bernoulli(gpuarr_array** out, gpuarr_generator* generator, gpuarr_arg p,
                                      int32_t ndim, const int64_t* shape, gpuarr_stream* stream) {
  return run(__func__, Distribution::bernoulli, {out, 0, ndim, shape, GPUARR_BOOL}, generator,
             {{p, "p"}}, stream);
}

gpuarr_status gpuarr_random_integers(gpuarr_array** out, gpuarr_generator* generator,
                                     gpuarr_arg low, gpuarr_arg high, gpuarr_dtype dtype,
                                     int32_t ndim, const int64_t* shape, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    const DrawOut to{out, dtype, ndim, shape};
    const RandomTarget target = to.target();
    const Scalar from = Scalar::from(low, "low");
    const Scalar end = Scalar::from(high, "high");
    to.take(draw_integers(generator_of(generator), target, from, end, stream_or_null(stream)));
  });
}

gpuarr_status gpuarr_random_permutation(gpuarr_array** out, gpuarr_generator* generator, int64_t n,
                                        gpuarr_stream* stream) {
  return guard(__func__, [&] {
    const int64_t length = n;
    const DrawOut to{out, GPUARR_I64, 1, &length};
    to.take(draw_order(generator_of(generator), to.target(), n, stream_or_null(stream)));
  });
}

gpuarr_status gpuarr_random_shuffle(gpuarr_array** out, gpuarr_generator* generator,
                                    const gpuarr_array* x, int32_t axis, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    if (out == nullptr) fail(GPUARR_ERR_ARGUMENT, "out is NULL; give the address of a variable");
    const Array* given = deref_or_null(*out, "*out");
    Array made =
        shuffle(generator_of(generator), deref(x, "x"), axis, given, stream_or_null(stream));
    if (given == nullptr) *out = wrap(std::move(made));
  });
}

gpuarr_status gpuarr_random_choice(gpuarr_array** out, gpuarr_generator* generator, int64_t n,
                                   const gpuarr_array* p, int32_t replace, int32_t ndim,
                                   const int64_t* shape, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    const bool again = checked_flag(replace, "replace");
    const DrawOut to{out, 0, ndim, shape, GPUARR_I64};
    const RandomTarget target = to.target();
    to.take(choose(generator_of(generator), target, n, deref_or_null(p, "p"), again,
                   stream_or_null(stream)));
  });
}
