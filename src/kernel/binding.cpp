#include "kernel/binding.hpp"

#include <algorithm>
#include <cstdlib>

#include "core/error.hpp"
#include "kernel/copy.hpp"
#include "kernel/overlap.hpp"

namespace gpuarr {

Binding::Binding(const Signature& signature, std::span<const Argument> inputs,
                 std::span<const Array* const> outputs)
    : signature_(signature),
      inputs_(static_cast<int>(signature.inputs.size())),
      count_(signature.inputs.size() + signature.outputs.size()) {
  for (int k = 0; k < inputs_; ++k) arrays_[as_index(k)] = inputs[as_index(k)].array;
  for (size_t k = 0; k < outputs.size(); ++k) arrays_[as_index(inputs_) + k] = outputs[k];
  take_types(inputs, outputs);
  take_devices();
}

Binding::Binding(const Signature& signature, std::span<const Argument> inputs,
                 std::span<const Array* const> outputs, int64_t size)
    : Binding(signature, inputs, outputs) {
  take_shape(size);
  out_shape_ = shape_;
  take_layouts();
}

const Parameter& Binding::parameter(int k) const {
  return is_output(k) ? signature_.outputs[as_index(k - inputs_)] : signature_.inputs[as_index(k)];
}

std::string Binding::label(int k) const {
  return formatted("{} {} (\"{}\")", is_output(k) ? "output" : "input",
                   is_output(k) ? k - inputs_ : k, parameter(k).name);
}

// Given outputs bind placeholders first, then inputs that are arrays, then scalars.
void Binding::take_types(std::span<const Argument> inputs, std::span<const Array* const> outputs) {
  int count = static_cast<int>(count_);
  for (int k = inputs_; k < count; ++k)
    if (outputs[as_index(k - inputs_)] != nullptr)
      bind_letter(k, outputs[as_index(k - inputs_)]->dtype);
  for (int k = 0; k < inputs_; ++k)
    if (inputs[as_index(k)].array != nullptr) bind_letter(k, inputs[as_index(k)].array->dtype);
  for (int k = 0; k < inputs_; ++k)
    if (inputs[as_index(k)].array == nullptr) bind_letter(k, inputs[as_index(k)].scalar->dtype);
  for (int k = 0; k < count; ++k) {
    const Parameter& p = parameter(k);
    Operand& o = operands_[as_index(k)];
    o = {is_output(k) ? Role::output : Role::input, type_of(p), nullptr, nullptr, nullptr};
    if (const Array* a = arrays_[as_index(k)]; a != nullptr && a->dtype != o.dtype)
      fail(GPUARR_ERR_DTYPE,
           "{} is {}, but its type {} {}; arrays are not converted: use gpuarr_array_astype",
           label(k), name(a->dtype), reason_for_type(p), name(o.dtype));
    if (p.raw) o.role = is_output(k) ? Role::raw_output : Role::raw_input;
    if (is_output(k) || arrays_[as_index(k)] != nullptr) continue;
    o.role = Role::scalar;
    o.value = values_[as_index(k)].data();
    inputs[as_index(k)].scalar->convert_to(o.dtype, values_[as_index(k)].data(), p.name.c_str());
  }
}

void Binding::bind_letter(int k, DType dtype) {
  char letter = parameter(k).letter;
  if (letter == 0) return;
  for (size_t l = 0; l < lettered_; ++l)
    if (letters_[l].first == letter) return;  // take_types compares
  bound_by_[lettered_] = static_cast<uint8_t>(k);
  letters_[lettered_++] = {letter, dtype};
}

std::string Binding::reason_for_type(const Parameter& p) const {
  if (p.dtype) return "in the parameter list is";
  size_t l = 0;
  while (letters_[l].first != p.letter) ++l;
  return formatted("is the placeholder {}, which {} says is", p.letter, label(bound_by_[l]));
}

std::vector<Array> Binding::arrays() const {
  std::vector<Array> out;
  for (size_t k = 0; k < count_; ++k)
    if (arrays_[k] != nullptr) out.push_back(*arrays_[k]);
  return out;
}

DType Binding::type_of(const Parameter& p) const {
  if (p.dtype) return *p.dtype;
  for (auto [letter, dtype] : letters())
    if (letter == p.letter) return dtype;
  fail(GPUARR_ERR_TYPE,
       "nothing determines the placeholder {} of \"{}\"; give that output, or name its type",
       p.letter, p.name);
}

void Binding::take_devices() {
  int first = -1;
  for (int k = 0; k < static_cast<int>(count_); ++k) {
    const Array* a = arrays_[as_index(k)];
    if (a == nullptr) continue;
    if (first < 0) {
      first = k;
      device_ = &a->device();
    } else if (&a->device() != device_) {
      fail(GPUARR_ERR_DEVICE, "{} is on {}, but {} is on {}; copy one to the other's device",
           label(k), a->device().facts().name, label(first), device_->facts().name);
    }
  }
}

Stream& Binding::stream(Stream* given) const {
  Stream& stream = given != nullptr ? *given : current_stream(*device_);
  if (device_ != nullptr && &stream.device() != device_)
    fail(GPUARR_ERR_DEVICE, "stream is of {}, but the arrays are on {}",
         stream.device().facts().name, device_->facts().name);
  return stream;
}

bool Binding::join_shapes(int count) {
  bool has_array = false;
  for (int k = 0; k < count; ++k) {
    if (array(k) == nullptr || parameter(k).raw) continue;
    const Dims& own = loop_layout(k).shape;
    if (!has_array)
      shape_ = own;
    else if (!broadcast_into(shape_, own))
      fail(GPUARR_ERR_BROADCAST, "{} has {}shape {}, which does not broadcast with {}", label(k),
           cores_ != nullptr ? "outer " : "", to_string(own), to_string(shape_));
    has_array = true;
  }
  return has_array;
}

// The loop's shape: all arrays that are not raw, broadcast together, or `size`.
void Binding::take_shape(int64_t size) {
  const bool has_loop_array = join_shapes(static_cast<int>(count_));
  if (has_loop_array && size != no_size)
    fail(GPUARR_ERR_ARGUMENT,
         "size is {}, but the loop's size is that of the arrays; give GPUARR_NO_SIZE", size);
  if (!has_loop_array) {
    if (size < 0)
      fail(GPUARR_ERR_ARGUMENT, "size is {}; it must be given if all arrays are raw",
           size == no_size ? "GPUARR_NO_SIZE" : formatted("{}", size));
    shape_ = Dims{size};
  }
  check_size(shape_);
}

// Broadcast together, small arrays can ask for any number of elements.
void check_size(const Dims& shape, const char* whose) {
  constexpr int64_t most = int64_t{1} << 58;  // 16 bytes each can still be counted
  int64_t count = 1;
  for (int64_t extent : shape)
    if (__builtin_mul_overflow(count, std::max<int64_t>(extent, 1), &count) || count > most)
      fail(GPUARR_ERR_SHAPE, "{} shape {} has more than {} elements", whose, to_string(shape),
           most);
}

void Binding::take_layouts() {
  for (int k = 0; k < static_cast<int>(count_); ++k) {
    const Array* a = arrays_[as_index(k)];
    if (a == nullptr) continue;
    operands_[as_index(k)].data = a->data;
    operands_[as_index(k)].layout = &a->layout;
    if (!is_output(k)) continue;
    if (a->read_only) [[unlikely]]
      fail_read_only(label(k));
    if (parameter(k).raw) continue;
    check_shape(k);
    require_own_elements(k);
  }
}

void Binding::require_own_elements(int k) const {
  const Layout& layout = array(k)->layout;
  if (overlaps_itself(layout))
    fail(GPUARR_ERR_OVERLAP,
         "{} has elements that share memory (shape {}, strides {}); write to an array whose "
         "elements do not",
         label(k), to_string(layout.shape), to_string(layout.strides));
}

void Binding::check_shape(int k) const {
  const Dims& wanted = is_along(k) ? shape_ : out_shape_;
  const Dims& own = array(k)->layout.shape;
  if (own == wanted || (rows_ && !is_along(k) && own == results_shape(!axes_.keepdims))) return;
  fail(GPUARR_ERR_SHAPE, "{} has shape {}, but the {} shape is {}", label(k), to_string(own),
       reduces_ && !is_along(k) ? "results'" : "loop's", to_string(wanted));
}

void Binding::make_outputs(Stream& stream) {
  size_t missing = 0;
  for (size_t k = as_index(inputs_); k < count_; ++k) missing += arrays_[k] == nullptr;
  if (missing == 0) return;
  made_.reserve(missing);  // arrays_ points into it
  Dims strides;
  int last = -1;  // output that they were made for
  for (int k = inputs_; k < static_cast<int>(count_); ++k) {
    if (arrays_[as_index(k)] != nullptr) continue;
    Operand& o = operands_[as_index(k)];
    if (cores_ != nullptr) {
      const Layout layout = layout_of_new(k);
      made_.emplace_back(k, Array::with_strides(stream, o.dtype, layout.shape, layout.strides));
    } else {
      if (last < 0 || is_along(last) != is_along(k)) strides = strides_of_new(is_along(k));
      last = k;
      made_.emplace_back(
          k, Array::with_strides(stream, o.dtype, is_along(k) ? shape_ : out_shape_, strides));
    }
    take_array(k, made_.back().second);
  }
}

// Axes in the order in which the inputs have them in memory: the first input that tells two axes
// apart decides.
Dims Binding::strides_of_new(bool along) const {
  auto inside = [&](int a, int b) {
    for (int k = 0; k < static_cast<int>(count_); ++k) {
      if (arrays_[as_index(k)] == nullptr || parameter(k).raw) continue;
      const Layout& l = loop_layout(k);
      int shift = shape_.size() - l.ndim();
      if (a < shift || b < shift || l.shape[a - shift] == 1 || l.shape[b - shift] == 1) continue;
      int64_t sa = std::abs(l.strides[a - shift]);
      int64_t sb = std::abs(l.strides[b - shift]);
      if (sa != sb && sa != 0 && sb != 0) return sa < sb;
    }
    return a > b;
  };
  std::array<int, max_ndim> axes;  // outermost first
  for (int a = 0; a < shape_.size(); ++a) {
    int to = a;
    for (; to > 0 && inside(axes[as_index(to - 1)], a); --to)
      axes[as_index(to)] = axes[as_index(to - 1)];
    axes[as_index(to)] = a;
  }
  Dims strides = Dims::filled(shape_.size(), 1);
  int64_t step = 1;
  for (int k = shape_.size() - 1; k >= 0; --k) {
    strides[axes[as_index(k)]] = step;
    if (along || !axes_.reduced[as_index(axes[as_index(k)])])
      step *= std::max<int64_t>(1, shape_[axes[as_index(k)]]);
  }
  if (along || axes_.keepdims) return strides;
  Dims kept;
  for (int axis = 0; axis < shape_.size(); ++axis)
    if (!axes_.reduced[as_index(axis)]) kept.push_back(strides[axis]);
  return kept;
}

MadeOutputs Binding::take_made() {
  for (auto& [k, array] : made_) k -= inputs_;
  return std::move(made_);
}

bool Binding::separate(Stream& stream, bool may_copy) {
  bool copied = false;
  int count = static_cast<int>(count_);
  for (int out = inputs_; out < count; ++out) {
    if (parameter(out).raw) continue;
    for (int other = 0; other < count; ++other) {
      if (other == out || arrays_[as_index(other)] == nullptr || parameter(other).raw) continue;
      if (!may_overlap(*arrays_[as_index(out)], *arrays_[as_index(other)])) continue;
      if (is_output(other))
        fail(GPUARR_ERR_OVERLAP, "{} and {} share memory; give each output its own", label(out),
             label(other));
      if (may_share(out, other)) continue;
      if (!may_copy)
        fail(GPUARR_ERR_OVERLAP,
             "{} overlaps {} at another address or stride; copy the input first", label(out),
             label(other));
      copy_input(other, stream);
      copied = true;
    }
  }
  return copied;
}

void Binding::copy_input(int k, Stream& stream) {
  copies_.reserve(as_index(inputs_));  // arrays_ points into it
  const Array& source = *arrays_[as_index(k)];
  copies_.push_back(
      Array::with_strides(stream, source.dtype, source.layout.shape, strides_like(source.layout)));
  convert(copies_.back(), source, stream);
  take_array(k, copies_.back());
}

void Binding::take_array(int k, const Array& array) {
  arrays_[as_index(k)] = &array;
  operands_[as_index(k)].data = array.data;
  if (cores_ != nullptr) split(k);
  operands_[as_index(k)].layout = &loop_layout(k);
}

bool Binding::may_share(int output, int other) const {
  if (cores_ == nullptr)
    return (!reduces_ || is_along(output)) && same_place(*array(output), *array(other), shape_);
  return in_place_ && cores_->cores[as_index(output)].empty() &&
         cores_->cores[as_index(other)].empty() && array(output)->data == array(other)->data &&
         array(output)->itemsize() == array(other)->itemsize() &&
         same_steps(loop_layout(output), loop_layout(other), shape_);
}

void Binding::mark_used(Stream& stream) const {
  for (size_t k = 0; k < count_; ++k)
    if (arrays_[k] != nullptr) arrays_[k]->buffer->used_in(stream);
}

}  // namespace gpuarr
