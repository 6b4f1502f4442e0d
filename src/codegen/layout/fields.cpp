#include "codegen/layout/fields.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/text.hpp"

namespace gpuarr {
namespace {

int view_words(const Operand& o) { return 2 + 2 * std::max(1, o.layout->ndim()); }

}  // namespace

const char* const divisor_text =
    R"(struct _divisor { unsigned _by, _multiplier, _shift, _unused; };
static __device__ __forceinline__ unsigned operator/(unsigned _n, const _divisor& _d) {
  return (unsigned)(((unsigned long long)_n * _d._multiplier) >> _d._shift);
}
)";

std::string view_type(const Operand& o) {
  return formatted("gpuarr_view<{}{}, {}, {}>", o.role == Role::raw_input ? "const " : "",
                   facts_of(o.dtype).cxx, o.layout->ndim(), is_contiguous(*o.layout, Order::c));
}

void MeasureFields::view(int k) {
  bytes += static_cast<size_t>(field_bytes * view_words(operands[static_cast<size_t>(k)]));
}
size_t MeasureFields::total() const {
  return (bytes + scalar_bytes - 1) / scalar_bytes * scalar_bytes;
}

void WriteFields::scalar(int k) {
  const Operand& o = operands[static_cast<size_t>(k)];
  if (scalar_offsets != nullptr)
    (*scalar_offsets)[static_cast<size_t>(k)] = static_cast<int>(next - begin);
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

void WriteFields::divisor(const char* name, int, int64_t value, bool fast) {
  divisor(name, value, fast);
}

void WriteFields::view(int k) {
  const Operand& o = operands[static_cast<size_t>(k)];
  put(&o.data, field_bytes);
  number("size", size_of(o.layout->shape));
  int slots = std::max(1, o.layout->ndim());
  for (int a = 0; a < slots; ++a) number("shape", a, a < o.layout->ndim() ? o.layout->shape[a] : 1);
  for (int a = 0; a < slots; ++a)
    number("strides", a, a < o.layout->ndim() ? o.layout->strides[a] : 1);
}

// Names begin with _, so that no macro of the user's replaces them. A scalar has a slot of 16
// bytes, whatever its type.
void DeclareFields::scalar(int k) {
  text += formatted("  struct alignas(16) {{ {} _v; }} _v{};\n",
                    facts_of(operands[static_cast<size_t>(k)].dtype).cxx, k);
}
void DeclareFields::number(const char* name, int64_t) {
  text += formatted("  long long _{};\n", name);
}
void DeclareFields::number(const char* name, int axis, int64_t) {
  text += formatted("  long long _{}{};\n", name, axis);
}
void DeclareFields::divisor(const char* name, int64_t, bool fast) {
  text += formatted("  {} _{};\n", fast ? "_divisor" : "long long", name);
}
void DeclareFields::divisor(const char* name, int axis, int64_t, bool fast) {
  text += formatted("  {} _{}{};\n", fast ? "_divisor" : "long long", name, axis);
}
void DeclareFields::pointer(int k, const void*) {
  const Operand& o = operands[static_cast<size_t>(k)];
  text +=
      formatted("  {}{}* _p{};\n", o.role == Role::input ? "const " : "", facts_of(o.dtype).cxx, k);
}
void DeclareFields::address(const char* name, const char* type, const void*) {
  text += formatted("  {}* _{};\n", type, name);
}
void DeclareFields::stride(int k, int axis, int64_t) {
  text += formatted("  long long _s{}_{};\n", k, axis);
}
void DeclareFields::view(int k) {
  text += formatted("  {} _r{};\n", view_type(operands[static_cast<size_t>(k)]), k);
}

}  // namespace gpuarr
