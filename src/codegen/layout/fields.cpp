#include "codegen/layout/fields.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/text.hpp"

namespace gpuarr {
namespace {

int view_words(const OperandVariant& o) { return 2 + 2 * std::max<int>(1, o.ndim); }

}  // namespace

std::string view_type(const OperandVariant& o) {
  return formatted("gpuarr_view<{}{}, {}, {}>", o.role == Role::raw_input ? "const " : "",
                   facts_of(o.dtype).cxx, o.ndim, o.contiguous);
}

void MeasureFields::view(int k) {
  bytes += static_cast<size_t>(field_bytes * view_words(operands[k]));
}
size_t MeasureFields::total() const {
  return (bytes + scalar_bytes - 1) / scalar_bytes * scalar_bytes;
}

void WriteFields::scalar(int k) {
  const Operand& o = operands[static_cast<size_t>(k)];
  note(k);
  std::memcpy(next, o.value, static_cast<size_t>(size_of(o.dtype)));
  next += scalar_bytes;
}

// Division of n < 2^31 by d as (n * multiplier) >> shift, exact for a multiplier of 32 bits:
// Granlund and Montgomery, "Division by invariant integers using multiplication", 1994, with
// N = 31.
void WriteFields::divisor(const char*, int64_t value, bool fast) {
  if (!fast) return put(&value, field_bytes);
  auto d = static_cast<uint32_t>(value);
  int log = d > 1 ? std::bit_width(d - 1) : 0;
  auto multiplier = uint32_t{1} << 31;
  if (!std::has_single_bit(d))
    multiplier = static_cast<uint32_t>(((uint64_t{1} << (31 + log)) + d - 1) / d);
  const uint32_t fields[4] = {d, multiplier, static_cast<uint32_t>(31 + log), 0};
  put(fields, sizeof fields);
}

void WriteFields::divisors(const char* name, std::span<const int64_t> values, bool fast) {
  for (int64_t value : values) divisor(name, value, fast);
}

void WriteFields::view(int k) {
  note(k);
  const Layout& layout = *operands[static_cast<size_t>(k)].layout;
  put(&operands[static_cast<size_t>(k)].data, field_bytes);
  number("size", size_of(layout.shape));
  for (const Dims* list : {&layout.shape, &layout.strides})
    if (layout.ndim() == 0)
      number("", 1);
    else
      numbers("", {list->data(), static_cast<size_t>(layout.ndim())});
}

// Names begin with _, so that no macro of the user's replaces them. A scalar has a slot of 16
// bytes, whatever its type.
void DeclareFields::scalar(int k) {
  text += formatted("  struct alignas(16) {{ {} _value; }} _scalar{};\n",
                    facts_of(operands[k].dtype).cxx, k);
}
void DeclareFields::number(const char* name, int64_t) {
  text += formatted("  long long _{};\n", name);
}
void DeclareFields::numbers(const char* name, std::span<const int64_t> values) {
  if (!values.empty()) text += formatted("  long long _{}[{}];\n", name, values.size());
}
void DeclareFields::divisor(const char* name, int64_t, bool fast) {
  text += formatted("  {} _{};\n", fast ? "gpuarr_kernel::_divisor" : "long long", name);
}
void DeclareFields::divisors(const char* name, std::span<const int64_t> values, bool fast) {
  if (!values.empty()) divisor(formatted("{}[{}]", name, values.size()).c_str(), 0, fast);
}
void DeclareFields::pointer(int k, const void*) {
  const OperandVariant& o = operands[k];
  text += formatted("  {}{}* _data{};\n", o.role == Role::input ? "const " : "",
                    facts_of(o.dtype).cxx, k);
}
void DeclareFields::address(const char* name, const char* type, const void*) {
  text += formatted("  {}* _{};\n", type, name);
}
void DeclareFields::strides(int k, std::span<const int64_t> values) {
  numbers(formatted("stride{}", k).c_str(), values);
}
void DeclareFields::core(int k, std::span<const int64_t> values) {
  numbers(formatted("core{}", k).c_str(), values);
}
void DeclareFields::view(int k) { text += formatted("  {} _view{};\n", view_type(operands[k]), k); }

}  // namespace gpuarr
