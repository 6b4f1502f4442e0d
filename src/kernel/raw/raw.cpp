#include "kernel/raw/raw.hpp"

#include <algorithm>

#include "core/demangle.hpp"
#include "core/error.hpp"
#include "core/text_limits.hpp"
#include "gpuarr/raw.h"
#include "kernel/text/closed_text.hpp"

namespace gpuarr {
namespace {

// CUDA's limits, which the CPU device keeps too: what runs there is to run on a GPU.
constexpr std::array<int64_t, 3> most_blocks = {2147483647, 65535, 65535};
constexpr std::array<int64_t, 3> most_threads = {1024, 1024, 64};

constexpr size_t usual_bytes = 1024;  // of all arguments; more take memory from the heap

std::string to_text(const std::array<int64_t, 3>& v) {
  return formatted("({}, {}, {})", v[0], v[1], v[2]);
}

bool within(const std::array<int64_t, 3>& v, int64_t least, const std::array<int64_t, 3>& most) {
  return v[0] >= least && v[1] >= least && v[2] >= least && v[0] <= most[0] && v[1] <= most[1] &&
         v[2] <= most[2];
}

Dim3 dim3_of(const std::array<int64_t, 3>& v) {
  return {static_cast<uint32_t>(v[0]), static_cast<uint32_t>(v[1]), static_cast<uint32_t>(v[2])};
}

// What checks need to know of the arguments.
std::vector<ArraySpan> spans_of(const RawSignature& signature,
                                std::span<const RawArgument> arguments, RawLaunch& launch) {
  std::vector<ArraySpan> spans;
  for (size_t k = 0; k < arguments.size(); ++k) {
    using Kind = RawArgument::Kind;
    launch.pointers |= arguments[k].kind == Kind::bytes || arguments[k].kind == Kind::pointer;
    if (arguments[k].array == nullptr) continue;
    spans.push_back(span_of(static_cast<int>(k), *arguments[k].array));
    if (k < signature.parameters.size()) spans.back().name = signature.parameters[k].name;
  }
  return spans;
}

// What a value that replaces this one is held against.
DType scalar_dtype(const RawSignature& signature, size_t k, const RawArgument& argument) {
  if (!signature.known) return argument.dtype;
  const ParameterType& type = signature.parameters[k].type;
  return type.kind == ParameterType::Kind::value ? *type.dtype : argument.dtype;
}

// Room for a launch's arguments.
class Packed {
 public:
  Packed(const RawSignature& signature, std::span<const RawArgument> arguments) {
    const size_t room = signature.sizes_known ? signature.bytes : most_raw_bytes;
    if (room > usual_bytes) heap_.resize(room);
    size_ = pack_arguments(signature, arguments, data());
  }
  std::byte* data() { return heap_.empty() ? stack_ : heap_.data(); }
  size_t size() const { return size_; }

 private:
  alignas(16) std::byte stack_[usual_bytes];
  std::vector<std::byte> heap_;
  size_t size_ = 0;
};

}  // namespace

ArraySpan span_of(int argument, const Array& array) {
  ArraySpan span{
      argument, array.dtype, array.data, array.data, array.data, to_string(array.layout.shape), ""};
  if (array.data == nullptr) return span;
  const Reach elements = reach(array.layout);
  span.begin = static_cast<const char*>(array.data) + elements.low * array.itemsize();
  span.end = static_cast<const char*>(array.data) + (elements.high + 1) * array.itemsize();
  return span;
}

RawKernel::RawKernel(std::shared_ptr<UserModule> module, std::string name, const char* params)
    : module_(std::move(module)), name_(std::move(name)) {
  if (params != nullptr) {
    check_source(params, "params");
    check_closed_text(params, "params");
    declared_ = parse_declared(params);
  }
  module_->ask_for(name_);
}

RawKernel::~RawKernel() {
  for (Bound* b = first_.load(); b != nullptr;) delete std::exchange(b, b->next);
}

// What is declared, else what the symbol tells, else what the text does; its names in any case.
std::optional<std::vector<NamedType>> RawKernel::parameter_types(const RawFacts& facts) const {
  if (declared_) return declared_;
  std::optional<std::vector<NamedType>> in_text;
  if (!module_->source().empty()) in_text = parse_source(module_->source(), name_);
  auto types = parse_demangled(demangled(facts.symbol));
  if (!types) return in_text;
  if (in_text && in_text->size() == types->size())
    for (size_t k = 0; k < types->size(); ++k) (*types)[k].name = (*in_text)[k].name;
  return types;
}

// Sizes and places are the driver's, if it has them.
RawSignature RawKernel::make_signature(const RawFacts& facts) const {
  const auto types = parameter_types(facts);
  RawSignature out;
  out.kernel = name_;
  out.sizes_known = facts.parameters.has_value();
  out.known = out.sizes_known || types.has_value();
  const size_t count = out.sizes_known ? facts.parameters->size() : types ? types->size() : 0;
  if (declared_ && declared_->size() != count)
    fail(GPUARR_ERR_ARGUMENT, "params declares {} parameter{}, but kernel \"{}\" has {}",
         declared_->size(), declared_->size() == 1 ? "" : "s", name_, count);
  for (size_t k = 0; k < count; ++k) {
    RawSignature::Parameter p;
    if (out.sizes_known) {
      const RawParameter& known = (*facts.parameters)[k];
      p.offset = known.offset;
      p.bytes = known.bytes;
      if (!known.type.empty()) p.type = parse_type(known.type);
      out.bytes = std::max(out.bytes, static_cast<size_t>(known.offset + known.bytes));
    }
    if (types && types->size() == count) {
      if (declared_ || p.type.spelling.empty()) p.type = (*types)[k].type;
      p.name = (*types)[k].name;
    }
    out.parameters.push_back(std::move(p));
  }
  return out;
}

RawKernel::Bound& RawKernel::bind(Device& device) {
  auto function = module_->function(device, name_);
  RawSignature signature = make_signature(function->facts());
  std::lock_guard lock(mutex_);
  for (Bound* b = first_.load(); b != nullptr; b = b->next)
    if (b->device == &device) return *b;  // another thread was faster
  auto* made = new Bound{&device, std::move(function), std::move(signature), 0, first_.load()};
  first_.store(made, std::memory_order_release);
  return *made;
}

void RawKernel::set_attribute(int32_t attribute, int64_t value) {
  const auto check = [&](int64_t least, int64_t most) {
    if (value < least || value > most)
      fail(GPUARR_ERR_ARGUMENT, "value is {}; this attribute takes {} to {}", value, least, most);
  };
  switch (attribute) {
    case GPUARR_ATTRIBUTE_COOPERATIVE:
      check(0, 1);
      cooperative_ = value != 0;
      return;
    case GPUARR_ATTRIBUTE_CLUSTER_X:
    case GPUARR_ATTRIBUTE_CLUSTER_Y:
    case GPUARR_ATTRIBUTE_CLUSTER_Z:
      check(0, 64);
      cluster_[static_cast<size_t>(attribute - GPUARR_ATTRIBUTE_CLUSTER_X)] =
          static_cast<uint32_t>(value);
      return;
    case GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES:
      check(0, INT32_MAX);
      break;
    case GPUARR_ATTRIBUTE_SHARED_CARVEOUT:
      check(-1, 100);
      break;
    case GPUARR_ATTRIBUTE_NON_PORTABLE_CLUSTER:
      check(0, 1);
      break;
    case GPUARR_ATTRIBUTE_CLUSTER_POLICY:
      check(0, 2);
      break;
    default:
      fail(GPUARR_ERR_ARGUMENT, "attribute is {}, which is no GPUARR_ATTRIBUTE_... that can be set",
           attribute);
  }
  std::lock_guard lock(mutex_);
  std::erase_if(attributes_, [&](const auto& a) { return a.first == attribute; });
  attributes_.emplace_back(attribute, value);
  ++version_;
}

// Noted as done only when all of it is, so that a launch that cannot have them fails each time.
void RawKernel::apply_attributes(Bound& b) {
  std::lock_guard lock(mutex_);
  for (const auto& [attribute, value] : attributes_) b.function->set_attribute(attribute, value);
  b.attributes = version_.load();
}

int64_t RawKernel::attribute(Device& device, int32_t attribute) {
  if (attribute < GPUARR_ATTRIBUTE_MAX_THREADS || attribute > GPUARR_ATTRIBUTE_CLUSTER_Z)
    fail(GPUARR_ERR_ARGUMENT, "attribute is {}; give a GPUARR_ATTRIBUTE_... constant", attribute);
  Bound& b = bound(device);
  if (attribute == GPUARR_ATTRIBUTE_COOPERATIVE) return cooperative_ ? 1 : 0;
  if (attribute >= GPUARR_ATTRIBUTE_CLUSTER_X)
    return cluster_[static_cast<size_t>(attribute - GPUARR_ATTRIBUTE_CLUSTER_X)];
  return b.function->attribute(attribute);
}

RawLaunch RawKernel::checked_launch(Bound& b, const RawShape& shape) const {
  const RawFacts& facts = b.function->facts();
  if (!within(shape.grid, 0, most_blocks))
    fail(GPUARR_ERR_ARGUMENT, "grid is {}; its numbers are 0 or more, and at most {}",
         to_text(shape.grid), to_text(most_blocks));
  if (!within(shape.block, 1, most_threads))
    fail(GPUARR_ERR_ARGUMENT, "block is {}; its numbers are 1 or more, and at most {}",
         to_text(shape.block), to_text(most_threads));
  RawLaunch out;
  out.grid = dim3_of(shape.grid);
  out.block = dim3_of(shape.block);
  if (out.block.count() > facts.max_threads)
    fail(GPUARR_ERR_ARGUMENT,
         "block is {}, {} threads; kernel \"{}\" can have {} in a block on {} at most",
         to_text(shape.block), out.block.count(), name_, facts.max_threads, b.device->facts().name);
  check_shared(b, shape.shared_bytes);
  out.shared_bytes = shape.shared_bytes;
  out.cluster = {cluster_[0], cluster_[1], cluster_[2]};
  if (out.cluster.x + out.cluster.y + out.cluster.z > 0)
    out.cluster = {std::max(out.cluster.x, 1U), std::max(out.cluster.y, 1U),
                   std::max(out.cluster.z, 1U)};
  out.cooperative = cooperative_;
  out.checks = module_->checks();
  if (out.cooperative) check_cooperative(b, out);
  return out;
}

void RawKernel::check_shared(const Bound& b, int64_t bytes) const {
  const int64_t most = b.function->facts().max_dynamic_shared_bytes;
  if (bytes < 0 || bytes > most)
    fail(GPUARR_ERR_ARGUMENT,
         "shared_bytes is {}; kernel \"{}\" can have 0 to {} of dynamic shared memory on {}", bytes,
         name_, most, b.device->facts().name);
}

void RawKernel::check_cooperative(Bound& b, const RawLaunch& launch) const {
  const auto threads = static_cast<int>(launch.block.count());
  const int64_t most = int64_t{b.function->resident_blocks(threads, launch.shared_bytes)} *
                       b.device->facts().processors;
  if (launch.grid.count() > most)
    fail(GPUARR_ERR_ARGUMENT,
         "grid has {} blocks; of kernel \"{}\" with {} threads in a block and {} bytes of dynamic "
         "shared memory {} runs {} at the same time, and a cooperative launch can have no more",
         launch.grid.count(), name_, threads, launch.shared_bytes, b.device->facts().name, most);
}

void RawKernel::check_arrays(const Bound& b, std::span<const RawArgument> arguments) const {
  for (size_t k = 0; k < arguments.size(); ++k)
    if (const Array* a = arguments[k].array; a != nullptr && &a->device() != b.device)
      fail(GPUARR_ERR_DEVICE, "args[{}] is an array on {}, but the launch is on {}; copy it there",
           k, a->device().facts().name, b.device->facts().name);
}

void RawKernel::launch(const RawShape& shape, std::span<const RawArgument> arguments,
                       Stream& stream) {
  Bound& b = bound(stream.device());
  check_arrays(b, arguments);
  RawLaunch launch = checked_launch(b, shape);
  Packed packed(b.signature, arguments);
  if (launch.grid.count() == 0) return;
  std::vector<ArraySpan> spans;
  if (launch.checks != 0) launch.arrays = spans = spans_of(b.signature, arguments, launch);
  for (const RawArgument& a : arguments)
    if (a.array != nullptr) a.array->buffer->used_in(stream);
  launch_noted(
      stream, [&] { return label_of(b); },
      [&] { b.function->launch(launch, packed.data(), packed.size(), stream); });
}

void RawKernel::launch_1d(int64_t n, std::span<const RawArgument> arguments, Stream& stream) {
  if (n < 0) fail(GPUARR_ERR_ARGUMENT, "n is {}; give a number of elements", n);
  Bound& b = bound(stream.device());
  const int64_t block = b.function->best_block(0);
  const int64_t blocks = n / block + (n % block != 0 ? 1 : 0);
  if (blocks > most_blocks[0])
    fail(GPUARR_ERR_ARGUMENT, "n is {}; a grid of blocks of {} threads reaches {}", n, block,
         most_blocks[0] * block);
  launch({{blocks, 1, 1}, {block, 1, 1}, 0}, arguments, stream);
}

PreparedCall RawKernel::prepare(const RawShape& shape, std::span<const RawArgument> arguments,
                                Device& device) {
  Bound& b = bound(device);
  check_arrays(b, arguments);
  PreparedRaw raw;
  raw.launch = checked_launch(b, shape);
  Packed packed(b.signature, arguments);
  std::vector<Array> arrays;
  std::vector<PreparedCall::ScalarSlot> scalars;
  for (size_t k = 0; k < arguments.size(); ++k) {
    if (arguments[k].array != nullptr) arrays.push_back(*arguments[k].array);
    if (arguments[k].kind != RawArgument::Kind::scalar) continue;
    scalars.push_back({static_cast<int>(k), static_cast<int>(offset_of(b.signature, arguments, k)),
                       scalar_dtype(b.signature, k, arguments[k])});
  }
  if (raw.launch.checks != 0) raw.spans = spans_of(b.signature, arguments, raw.launch);
  if (raw.launch.grid.count() > 0) raw.function = b.function;
  return {device,
          std::move(raw),
          {packed.data(), packed.data() + packed.size()},
          std::move(arrays),
          std::move(scalars),
          label_of(b)};
}

// What a kernel of a user's own reads and writes, nobody knows.
LaunchLabel RawKernel::label_of(const Bound& b) const {
  const std::string whole = b.signature.to_text();  // "name(types)"
  const std::string types = whole.substr(name_.size() + 1, whole.size() - name_.size() - 2);
  return {name_, types, std::nullopt, std::nullopt};
}

int RawKernel::resident_blocks(Device& device, int threads, int64_t shared_bytes) {
  Bound& b = bound(device);
  const int most = b.function->facts().max_threads;
  if (threads < 1 || threads > most)
    fail(GPUARR_ERR_ARGUMENT, "threads is {}; kernel \"{}\" can have 1 to {} in a block on {}",
         threads, name_, most, device.facts().name);
  check_shared(b, shared_bytes);
  return b.function->resident_blocks(threads, shared_bytes);
}

int RawKernel::best_block(Device& device, int64_t shared_bytes) {
  Bound& b = bound(device);
  check_shared(b, shared_bytes);
  return b.function->best_block(shared_bytes);
}

}  // namespace gpuarr
