#include "kernel/raw/raw_arguments.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/error.hpp"
#include "gpuarr/array.h"

namespace gpuarr {
namespace {

using ArgumentKind = RawArgument::Kind;
using DeclaredParameter = RawSignature::Parameter;
using TypeKind = ParameterType::Kind;

constexpr int64_t pointer_bytes = 8;

// A gpuarr_view: pointer, size, shape, strides; see codegen/prelude/views.cuh.
int64_t view_bytes(int ndim) { return 16 + 16 * std::max(ndim, 1); }

int64_t bytes_of(const RawArgument& a) {
  switch (a.kind) {
    case ArgumentKind::scalar:
      return size_of(a.dtype);
    case ArgumentKind::bytes:
      return a.bytes;
    case ArgumentKind::view:
      return view_bytes(a.array->ndim());
    default:
      return pointer_bytes;
  }
}

std::string describe(const RawArgument& a) {
  switch (a.kind) {
    case ArgumentKind::array:
      return formatted("an array of {}", name(a.array->dtype));
    case ArgumentKind::view:
      return formatted("a view of {} with {} axes", name(a.array->dtype), a.array->ndim());
    case ArgumentKind::scalar:
      return formatted("{} {} ({} byte{})", name(a.dtype)[0] == 'i' ? "an" : "a", name(a.dtype),
                       size_of(a.dtype), size_of(a.dtype) == 1 ? "" : "s");
    case ArgumentKind::bytes:
      return formatted("{} bytes", a.bytes);
    case ArgumentKind::pointer:
      break;
  }
  return "a pointer";
}

std::string describe(const DeclaredParameter& p) {
  if (p.type.spelling.empty()) return formatted("{} bytes", p.bytes);
  return p.bytes > 0
             ? formatted("{} ({} byte{})", p.type.spelling, p.bytes, p.bytes == 1 ? "" : "s")
             : p.type.spelling;
}

std::string advice(const DeclaredParameter& p) {
  const ParameterType& t = p.type;
  if (t.kind == TypeKind::value) return formatted("gpuarr_arg_{}", facts_of(*t.dtype).short_name);
  if (t.kind == TypeKind::view) return "gpuarr_arg_view of an array that fits";
  if (t.kind == TypeKind::pointer)
    return t.dtype ? formatted("an array of {}", name(*t.dtype)) : "an array or gpuarr_arg_pointer";
  if (p.bytes == pointer_bytes) return "an array, gpuarr_arg_pointer, or what has this size";
  return formatted("gpuarr_arg_bytes with {} bytes", p.bytes);
}

[[noreturn]] void fail_argument(gpuarr_status status, const RawSignature& signature, size_t k,
                                const RawArgument& a) {
  const DeclaredParameter& p = signature.parameters[k];
  fail(status, "args[{}] is {}, but that parameter of {} is {}; give {}", k, describe(a),
       signature.to_text(), describe(p), advice(p));
}

bool has_top_bit(const RawArgument& a) {
  const auto* bytes = static_cast<const unsigned char*>(a.data);  // the last one is the highest
  return (bytes[size_of(a.dtype) - 1] & 0x80) != 0;
}

// Integers of one size may stand for each other, as far as both hold the value.
bool fits_value(DType parameter, const RawArgument& a) {
  if (a.dtype == parameter) return true;
  if (!is_integer(parameter) || !is_integer(a.dtype)) return false;
  if (size_of(parameter) != size_of(a.dtype)) return false;
  return !has_top_bit(a);  // of a signed one the sign, of an unsigned one too large for a signed
}

bool fits_elements(DType parameter, DType array) {
  return parameter == array ||
         (is_integer(parameter) && is_integer(array) && size_of(parameter) == size_of(array));
}

bool fits_view(const ParameterType& t, const RawArgument& a) {
  return a.array->ndim() == t.ndim && (!t.dtype || fits_elements(*t.dtype, a.array->dtype)) &&
         (!t.contiguous || is_contiguous(a.array->layout, Order::c));
}

bool fits_type(const ParameterType& t, const RawArgument& a) {
  switch (t.kind) {
    case TypeKind::unknown:
      return true;
    case TypeKind::value:
      return a.kind == ArgumentKind::bytes ||
             (a.kind == ArgumentKind::scalar && fits_value(*t.dtype, a));
    case TypeKind::pointer:
      if (a.kind == ArgumentKind::array) return !t.dtype || fits_elements(*t.dtype, a.array->dtype);
      return a.kind == ArgumentKind::pointer || a.kind == ArgumentKind::bytes;
    case TypeKind::view:
      return a.kind == ArgumentKind::bytes || (a.kind == ArgumentKind::view && fits_view(t, a));
  }
  return false;
}

// Nothing else says that a kernel leaves the elements alone.
void check_writable(const RawSignature& signature, size_t k) {
  if (signature.known && signature.parameters[k].type.is_const) return;
  fail(GPUARR_ERR_ARGUMENT,
       "args[{}] is read-only, and that parameter of {} is not declared const; declare it so, or "
       "give a copy of the array",
       k, signature.to_text());
}

// As gpuarr_view lies in memory: the address, how many elements, the shape, the strides.
void write_view(std::byte* to, const Array& array) {
  std::memcpy(to, &array.data, sizeof array.data);
  const int64_t size = array.size();
  std::memcpy(to + sizeof array.data, &size, sizeof size);
  to += sizeof array.data + sizeof size;
  const size_t bytes = sizeof(int64_t) * static_cast<size_t>(array.ndim());
  std::memcpy(to, array.layout.shape.data(), bytes);
  std::memcpy(to + bytes, array.layout.strides.data(), bytes);
}

void write(std::byte* to, const RawArgument& a) {
  if (a.kind == ArgumentKind::array) {
    std::memcpy(to, &a.array->data, sizeof a.array->data);
  } else if (a.kind == ArgumentKind::view) {
    write_view(to, *a.array);
  } else {
    std::memcpy(to, a.data, static_cast<size_t>(bytes_of(a)));
  }
}

void check_count(const RawSignature& signature, size_t given) {
  const size_t expected = signature.parameters.size();
  if (!signature.known || given == expected) return;
  fail(GPUARR_ERR_ARGUMENT, "arg_count is {}, but {} has {} parameter{}", given,
       signature.to_text(), expected, expected == 1 ? "" : "s");
}

int64_t aligned(int64_t offset, int64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

// A struct's alignment is not known: some power of two that its size is a multiple of.
int64_t alignment_of(const RawArgument& a, size_t k, int64_t end) {
  if (a.kind == ArgumentKind::scalar) return facts_of(a.dtype).alignment;
  if (a.kind != ArgumentKind::bytes) return pointer_bytes;
  int64_t most = 1;
  while (most < 16 && a.bytes % (2 * most) == 0) most *= 2;
  if (aligned(end, most) != end)
    fail(GPUARR_ERR_UNSUPPORTED,
         "args[{}] is {} bytes, and this driver does not tell where they lie behind the {} bytes "
         "before; put structs first, or use a driver of CUDA 12.4 or newer",
         k, a.bytes, end);
  return most;
}

// Where the driver does not tell the places, as C++ lays them out: by size and alignment.
struct Placing {
  std::span<const RawArgument> arguments;
  int64_t end = 0;  // of those placed so far

  int64_t place(size_t k) {
    const RawArgument& a = arguments[k];
    const int64_t begin = aligned(end, alignment_of(a, k, end));
    end = begin + bytes_of(a);
    if (end > static_cast<int64_t>(most_raw_bytes))
      fail(GPUARR_ERR_ARGUMENT, "the arguments take more than the {} bytes that a kernel can get",
           most_raw_bytes);
    return begin;
  }
};

size_t pack_unplaced(const RawSignature& signature, std::span<const RawArgument> arguments,
                     std::byte* out) {
  Placing placing{arguments};
  for (size_t k = 0; k < arguments.size(); ++k) {
    if (signature.known && !fits_type(signature.parameters[k].type, arguments[k]))
      fail_argument(GPUARR_ERR_DTYPE, signature, k, arguments[k]);
    write(out + placing.place(k), arguments[k]);
  }
  return static_cast<size_t>(placing.end);
}

}  // namespace

size_t pack_arguments(const RawSignature& signature, std::span<const RawArgument> arguments,
                      std::byte* out) {
  check_count(signature, arguments.size());
  for (size_t k = 0; k < arguments.size(); ++k)
    if (arguments[k].array != nullptr && arguments[k].array->read_only) [[unlikely]]
      check_writable(signature, k);
  if (!signature.sizes_known) return pack_unplaced(signature, arguments, out);
  for (size_t k = 0; k < arguments.size(); ++k) {
    const RawArgument& a = arguments[k];
    const DeclaredParameter& p = signature.parameters[k];
    if (bytes_of(a) != p.bytes) fail_argument(GPUARR_ERR_ARGUMENT, signature, k, a);
    if (!fits_type(p.type, a)) fail_argument(GPUARR_ERR_DTYPE, signature, k, a);
    write(out + p.offset, a);
  }
  return signature.bytes;
}

int64_t offset_of(const RawSignature& signature, std::span<const RawArgument> arguments, size_t k) {
  if (signature.sizes_known) return signature.parameters[k].offset;
  Placing placing{arguments};
  for (size_t before = 0; before < k; ++before) placing.place(before);
  return placing.place(k);
}

std::string RawSignature::to_text() const {
  if (!known) return kernel + "(...)";
  std::string out = kernel + "(";
  for (size_t k = 0; k < parameters.size(); ++k) {
    const DeclaredParameter& p = parameters[k];
    out += k > 0 ? ", " : "";
    out += p.type.spelling.empty() ? formatted("{} bytes", p.bytes) : p.type.spelling;
    if (!p.name.empty()) out += " " + p.name;
  }
  return out + ")";
}

}  // namespace gpuarr
