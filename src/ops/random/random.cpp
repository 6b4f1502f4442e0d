#include "ops/random/random.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>

#include "backends.hpp"
#include "core/error.hpp"
#include "core/once.hpp"
#include "kernel/cache/cache.hpp"
#include "kernel/elementwise.hpp"
#include "kernel/launch/profile.hpp"
#include "ops/base/copy.hpp"

namespace gpuarr {
namespace {

bool all_scalars(std::span<const Argument> arguments) {
  return std::ranges::all_of(arguments, [](const Argument& a) { return a.array == nullptr; });
}

// Elementwise kernels for whatever is not contiguous or has arrays as arguments.
std::unique_ptr<Elementwise> make_kernel(Distribution distribution, DType dtype, bool of_scalars,
                                         int part_axes = -1) {
  const RandomKernelText made = random_kernel_text(distribution, of_scalars, part_axes);
  KernelOptions options;
  options.name = facts_of(distribution).name;
  options.preamble = random_preamble(random_text(distribution, dtype), dtype);
  options.loop_prep = made.loop_prep;
  options.contract = false;
  return std::make_unique<Elementwise>(made.in_params, formatted("{} out", name(dtype)), made.body,
                                       options);
}

Elementwise& kernel_for(Distribution distribution, DType dtype, bool of_scalars) {
  static std::atomic<Elementwise*> kernels[2][distribution_count][GPUARR_C128 + 1];
  auto& slot =
      kernels[of_scalars ? 1 : 0][static_cast<size_t>(distribution)][static_cast<size_t>(dtype)];
  return made_once(slot, [&] { return make_kernel(distribution, dtype, of_scalars); });
}

// The same for parts of so many axes.
Elementwise& part_kernel_for(Distribution distribution, DType dtype, int axes) {
  static std::atomic<Elementwise*> kernels[distribution_count][GPUARR_C128 + 1][max_ndim + 1];
  auto& slot = kernels[static_cast<size_t>(distribution)][static_cast<size_t>(dtype)]
                      [static_cast<size_t>(axes)];
  return made_once(slot, [&] { return make_kernel(distribution, dtype, true, axes); });
}

const std::shared_ptr<Function>& fill_function(Distribution distribution, DType dtype,
                                               Device& device) {
  static auto* const table = new FunctionTable;
  return find_or_make(*table, Key(device.index(), RandomVariant{distribution, dtype}), [&] {
    const Target& target = target_of(device);
    const RandomText made = random_text(distribution, dtype);
    Source source{made.name, random_fill_source(target, made, dtype), {target.no_contraction}};
    source.types = formatted("{} out", name(dtype));
    return cached_module(device, source)->function(made.name + "_kernel");
  });
}

uint64_t argument_bits(const Scalar& value, bool whole) {
  if (whole) return static_cast<uint64_t>(value.real());
  return std::bit_cast<uint64_t>(static_cast<double>(value.real()));
}

// Rounds spare a block's start; but every processor should have several blocks.
int64_t rounds_of(int64_t steps, const Device& device) {
  const int64_t blocks = steps / random_steps_of_a_block(target_of(device), 1);
  return std::clamp<int64_t>(blocks / (int64_t{device.facts().processors} * 16), 1, 8);
}

void run_fill(Distribution distribution, const Array& out, RandomParameters& parameters,
              int per_step, Stream& stream) {
  const auto& function = fill_function(distribution, out.dtype, stream.device());
  const int64_t steps = ceil_div(parameters.count, per_step);
  parameters.rounds = rounds_of(steps, stream.device());
  const int64_t of_a_block = random_steps_of_a_block(target_of(stream.device()), parameters.rounds);
  const LaunchShape shape{ceil_div(steps, of_a_block), random_threads, 0};
  out.buffer->used_in(stream);
  launch_noted(
      stream,
      [&] {
        return LaunchLabel{facts_of(distribution).name, formatted("{} out", name(out.dtype)), 0,
                           out.size() * out.itemsize()};
      },
      [&] { function->launch(shape, &parameters, sizeof parameters, stream); });
}

void run_elementwise(Elementwise& kernel, const Array& out, const RandomParameters& at,
                     std::span<const Argument> arguments, Stream& stream,
                     const PartOfDraw* where = nullptr) {
  std::array<Scalar, 4 + max_ndim> numbers{Scalar::of(at.seed), Scalar::of(at.stream),
                                           Scalar::of(at.position)};
  size_t count = 3;
  if (where != nullptr) {
    numbers[count++] = Scalar::of(where->first);
    for (int64_t step : where->steps) numbers[count++] = Scalar::of(step);
  }
  std::array<Argument, 7 + max_ndim> inputs{};
  std::ranges::copy(arguments, inputs.begin());
  for (size_t k = 0; k < count; ++k) inputs[arguments.size() + k] = {nullptr, &numbers[k]};
  const Array* output = &out;
  kernel.call({inputs.data(), arguments.size() + count}, {&output, 1}, no_size, &stream);
}

const char* complaint(Allowed allowed, double value) {
  switch (allowed) {
    case Allowed::any:
      return nullptr;
    case Allowed::finite:
      return std::isfinite(value) ? nullptr : "a finite number";
    case Allowed::not_negative:
      return std::isfinite(value) && value >= 0 ? nullptr : "a finite number, 0 or more";
    case Allowed::positive:
      return std::isfinite(value) && value > 0 ? nullptr : "a finite number above 0";
    case Allowed::probability:
      return value >= 0 && value <= 1 ? nullptr : "a probability, from 0 to 1";
    case Allowed::whole_number:
      return value >= 0 && value <= 0x1p53 && value == std::floor(value)
                 ? nullptr
                 : "a whole number, from 0 to 2^53";
    case Allowed::mean_of_counts:
      return value >= 0 && value <= 0x1.fffffep62 ? nullptr : "a number from 0 to 9.22e18";
  }
  return nullptr;
}

void check_real(DType dtype, const char* argument) {
  if (is_complex(dtype))
    fail(GPUARR_ERR_DTYPE, "{} is {}; give real numbers", argument, name(dtype));
}

void check_argument(const RandomArgument& wanted, const Argument& given) {
  check_real(given.array != nullptr ? given.array->dtype : given.scalar->dtype, wanted.name);
  if (given.array != nullptr) return;
  double value = 0;
  given.scalar->convert_to(DType::f64, &value, wanted.name);
  if (const char* should = complaint(wanted.allowed, value))
    fail(GPUARR_ERR_ARGUMENT, "{} is {}; give {}", wanted.name, value, should);
}

// What a pair of arguments must keep to.
void check_uniform(const Argument& low, const Argument& high, DType dtype) {
  if (low.array != nullptr || high.array != nullptr) return;
  const auto from = static_cast<double>(low.scalar->real());
  const auto to = static_cast<double>(high.scalar->real());
  if (from > to)
    fail(GPUARR_ERR_ARGUMENT, "low is {} and high is {}; give a high that is not below low", from,
         to);
  unsigned char unused[16];
  low.scalar->convert_to(dtype, unused, "low");
  high.scalar->convert_to(dtype, unused, "high");
  Scalar::of(to - from).convert_to(dtype == DType::f64 ? dtype : DType::f32, unused, "high - low");
}

void check_draw(Distribution distribution, DType dtype, std::span<const Argument> arguments) {
  check_dtype(distribution, dtype);
  for (size_t k = 0; k < arguments.size(); ++k)
    check_argument(facts_of(distribution).arguments[k], arguments[k]);
  if (distribution == Distribution::uniform) check_uniform(arguments[0], arguments[1], dtype);
}

bool is_standard(std::span<const Argument> normal) {
  return normal[0].scalar->real() == 0 && normal[1].scalar->real() == 1;
}

RandomParameters parameters_of(const Generator& generator, uint64_t position) {
  RandomParameters p{};
  p.seed = generator.seed();
  p.stream = generator.stream();
  p.position = position;
  return p;
}

// The numbers of a draw that begins at the position, in C order of the array.
void fill_at(Distribution distribution, RandomParameters p, const Array& out,
             std::span<const Argument> arguments, Stream& stream) {
  const RandomText made = random_text(distribution, out.dtype);
  const bool whole = facts_of(distribution).makes == Numbers::whole;
  const bool of_scalars = all_scalars(arguments);
  const bool direct = !made.by_steps && of_scalars && is_contiguous(out.layout, Order::c);
  if (!direct)
    return run_elementwise(kernel_for(distribution, out.dtype, of_scalars), out, p, arguments,
                           stream);
  p.count = out.size();
  p.out = out.data;
  if (distribution == Distribution::normal && is_standard(arguments) && out.dtype != DType::f64)
    distribution = Distribution::standard_normal;
  p.arguments[2] = std::bit_cast<uint64_t>(1.0);
  for (size_t k = 0; k < arguments.size(); ++k)
    p.arguments[k] = argument_bits(*arguments[k].scalar, whole);
  set_keys(p);
  const size_t pack = std::min<size_t>(16, static_cast<size_t>(made.per_step * out.itemsize()));
  p.packed = reinterpret_cast<uintptr_t>(out.data) % pack == 0 ? 1 : 0;
  run_fill(distribution, out, p, made.per_step, stream);
}

uint64_t steps_of(Distribution distribution, DType dtype, int64_t count) {
  return static_cast<uint64_t>(ceil_div(count, random_text(distribution, dtype).per_step));
}

void draw_all(Distribution distribution, Generator& generator, const Array& out,
              std::span<const Argument> arguments, Stream& stream) {
  if (out.size() == 0) return;
  const uint64_t position = generator.take(steps_of(distribution, out.dtype, out.size()));
  fill_at(distribution, parameters_of(generator, position), out, arguments, stream);
}

// A part, with axes that lie as one in itself and in the whole joined. It has one at least.
struct JoinedPart {
  Array array;
  PartOfDraw where;

  bool is_run() const {
    return array.ndim() == 1 && array.layout.strides[0] == 1 && where.steps[0] == 1;
  }
};

JoinedPart joined(const Array& part, const PartOfDraw& where) {
  Layout layout{{1}, {1}};
  Dims steps{1};
  for (int axis = part.ndim() - 1; axis >= 0; --axis) {
    const int64_t extent = part.layout.shape[axis];
    const int64_t stride = part.layout.strides[axis];
    if (extent == 1) continue;
    const bool is_first = layout.shape[0] == 1;
    if (is_first || (stride == layout.strides[0] * layout.shape[0] &&
                     where.steps[axis] == steps[0] * layout.shape[0])) {
      if (is_first) layout.strides[0] = stride;
      if (is_first) steps[0] = where.steps[axis];
      layout.shape[0] *= extent;
    } else {
      layout.shape.insert(0, extent);
      layout.strides.insert(0, stride);
      steps.insert(0, where.steps[axis]);
    }
  }
  return {part.view(layout), {where.first, steps}};
}

// Of a run all whole steps are filled as if they were a draw: those before are few.
void fill_run(Distribution distribution, RandomParameters p, const Array& run,
              const PartOfDraw& where, std::span<const Argument> arguments, Stream& stream) {
  const int per_step = random_text(distribution, run.dtype).per_step;
  const int64_t before = std::min((per_step - where.first % per_step) % per_step, run.size());
  const auto part = [&](int64_t from, int64_t count) { return run.view({{count}, {1}}, from); };
  if (before > 0)
    run_elementwise(part_kernel_for(distribution, run.dtype, 1), part(0, before), p, arguments,
                    stream, &where);
  p.position += static_cast<uint64_t>((where.first + before) / per_step);
  if (before < run.size())
    fill_at(distribution, p, part(before, run.size() - before), arguments, stream);
}

}  // namespace

PreparedTarget prepare_target(const RandomTarget& target, const Generator& generator,
                              Stream* given) {
  Device& device = target.given != nullptr ? target.given->device()
                   : given != nullptr      ? given->device()
                                           : generator.device();
  Stream& stream = given != nullptr ? *given : current_stream(device);
  if (&stream.device() != &device)
    fail(GPUARR_ERR_DEVICE, "stream is of {}, but out is on {}; give a stream of that device",
         stream.device().facts().name, device.facts().name);
  if (target.given == nullptr) return {Array::empty(stream, target.dtype, target.shape), stream};
  check_writable(*target.given, "out");
  return {*target.given, stream};
}

Array draw(Distribution distribution, Generator& generator, const RandomTarget& target,
           std::span<const Argument> arguments, Stream* given) {
  check_draw(distribution, target.dtype, arguments);
  PreparedTarget p = prepare_target(target, generator, given);
  for (const Argument& a : arguments)
    if (a.array != nullptr) broadcast_to(a.array->layout, p.array.layout.shape);  // or fail
  draw_all(distribution, generator, p.array, arguments, p.stream);
  return std::move(p.array);
}

ScalarDraw::ScalarDraw(Distribution distribution, DType dtype, std::span<const Scalar> arguments)
    : distribution_(distribution), dtype_(dtype), count_(arguments.size()) {
  std::ranges::copy(arguments, values_.begin());
  check_draw(distribution, dtype, {this->arguments().data(), count_});
}

ScalarDraw::Arguments ScalarDraw::arguments() const {
  Arguments out{};
  for (size_t k = 0; k < count_; ++k) out[k] = {nullptr, &values_[k]};
  return out;
}

ScalarDraw ScalarDraw::integers(DType dtype, const Scalar& low, const Scalar& high) {
  check_dtype(Distribution::integers_64, dtype);
  check_real(low.dtype, "low");
  check_real(high.dtype, "high");
  const long double from = low.real();
  const long double last = high.real() - 1;
  unsigned char unused[16];
  low.convert_to(dtype, unused, "low");
  if (!(last >= from) || last != std::floor(last) || std::isinf(last))
    fail(GPUARR_ERR_ARGUMENT, "low is {} and high is {}; give whole numbers, high above low",
         low.to_text(), high.to_text());
  const Scalar greatest = last < 0         ? Scalar::of(static_cast<int64_t>(last))
                          : last < 0x1p64L ? Scalar::of(static_cast<uint64_t>(last))
                                           : Scalar::of(static_cast<double>(last));
  greatest.convert_to(dtype, unused, "high - 1");
  const auto length_less_1 = static_cast<uint64_t>(last - from);
  const bool short_range = length_less_1 <= UINT32_MAX;
  const uint64_t length = length_less_1 + 1;
  const uint64_t least = length == 0   ? 0
                         : short_range ? (uint64_t{1} << 32) % length
                                       : (0 - length) % length;
  const auto start =
      from < 0 ? static_cast<uint64_t>(static_cast<int64_t>(from)) : static_cast<uint64_t>(from);
  ScalarDraw draw;
  draw.distribution_ = short_range ? Distribution::integers_32 : Distribution::integers_64;
  draw.dtype_ = dtype;
  draw.count_ = 3;
  draw.values_ = {Scalar::of(start), Scalar::of(length_less_1), Scalar::of(least)};
  return draw;
}

uint64_t ScalarDraw::steps(int64_t count) const { return steps_of(distribution_, dtype_, count); }

void ScalarDraw::fill(const Array& out, Generator& generator, Stream& stream) const {
  draw_all(distribution_, generator, out, {arguments().data(), count_}, stream);
}

void ScalarDraw::fill(const Array& part, const PartOfDraw& where, const Generator& generator,
                      uint64_t position, Stream& stream) const {
  if (part.size() == 0) return;
  const RandomParameters p = parameters_of(generator, position);
  const Arguments list = arguments();
  const std::span<const Argument> given{list.data(), count_};
  const JoinedPart j = joined(part, where);
  if (j.is_run()) return fill_run(distribution_, p, j.array, j.where, given, stream);
  run_elementwise(part_kernel_for(distribution_, dtype_, j.array.ndim()), j.array, p, given, stream,
                  &j.where);
}

Array draw_integers(Generator& generator, const RandomTarget& target, const Scalar& low,
                    const Scalar& high, Stream* given) {
  const ScalarDraw draw = ScalarDraw::integers(target.dtype, low, high);
  PreparedTarget p = prepare_target(target, generator, given);
  draw.fill(p.array, generator, p.stream);
  return std::move(p.array);
}

}  // namespace gpuarr
