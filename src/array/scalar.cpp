// One element with its dtype.
#include "array/scalar.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/error.hpp"
#include "core/half.hpp"

namespace gpuarr {
namespace {

static_assert(std::numeric_limits<long double>::digits >= 64, "a long double holds an int64");

template <class T>
T load(const unsigned char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

template <class T>
void store(void* out, T value) {
  std::memcpy(out, &value, sizeof value);
}

long double load_bool(const unsigned char* bytes) { return *bytes != 0 ? 1 : 0; }

// Null if the value was stored, else why the type cannot hold it.
template <class T>
const char* store_whole(long double value, void* out, bool /*to_infinity*/) {
  if (value != std::trunc(value)) return "it is not a whole number";
  if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max())
    return "it is out of range";
  store(out, static_cast<T>(value));
  return nullptr;
}

const char* store_bool(long double value, void* out, bool /*to_infinity*/) {
  if (value != 0 && value != 1) return "a bool is 0 or 1";
  store(out, static_cast<uint8_t>(value));
  return nullptr;
}

// Rounds once, but for integers beyond 2^53 that become 16-bit floats.
template <class T>
const char* store_float(long double value, void* out, bool to_infinity) {
  T rounded{};
  if constexpr (std::is_floating_point_v<T>)
    rounded = static_cast<T>(value);
  else
    rounded = T(static_cast<double>(value));
  using Wider = std::conditional_t<std::is_floating_point_v<T>, T, float>;
  if (!to_infinity && std::isfinite(value) && !std::isfinite(static_cast<Wider>(rounded)))
    return "it is out of range";
  store(out, rounded);
  return nullptr;
}

// How a type that is not complex is read and written.
struct RealType {
  long double (*load)(const unsigned char* bytes);
  const char* (*store)(long double value, void* out, bool to_infinity);
};

template <class T>
long double load_real(const unsigned char* bytes) {
  if constexpr (std::is_arithmetic_v<T>)
    return load<T>(bytes);
  else
    return static_cast<float>(load<T>(bytes));
}

template <class T>
constexpr RealType whole = {load_real<T>, store_whole<T>};
template <class T>
constexpr RealType floating = {load_real<T>, store_float<T>};

constexpr RealType real_types[] = {  // in the order of DType
    {load_bool, store_bool}, whole<int8_t>,   whole<int16_t>,  whole<int32_t>,  whole<int64_t>,
    whole<uint8_t>,          whole<uint16_t>, whole<uint32_t>, whole<uint64_t>, floating<Float16>,
    floating<BFloat16>,      floating<float>, floating<double>};

const RealType& real_type(DType dtype) {
  return real_types[static_cast<size_t>(dtype) - static_cast<size_t>(DType::boolean)];
}

// The type of a complex number's parts; a real type is its own.
DType part_of(DType dtype) {
  if (dtype == DType::c64) return DType::f32;
  return dtype == DType::c128 ? DType::f64 : dtype;
}

template <class T>
Scalar make(DType dtype, T value) {
  Scalar out;
  out.dtype = dtype;
  store(out.bytes, value);
  return out;
}

}  // namespace

Scalar Scalar::from(const gpuarr_arg& arg, const char* argument) {
  if (arg.flags != 0)
    fail(GPUARR_ERR_ARGUMENT, "{}.flags is {}; it must be 0, except for raw kernels and map_blocks",
         argument, arg.flags);
  if (arg.array != nullptr)
    fail(GPUARR_ERR_ARGUMENT, "{} is an array; give a scalar, as from gpuarr_arg_f64", argument);
  Scalar out;
  if (!is_dtype(arg.dtype)) dtype_of(arg.dtype, formatted("{}.dtype", argument).c_str());
  out.dtype = static_cast<DType>(arg.dtype);
  std::memcpy(out.bytes, arg.value, static_cast<size_t>(size_of(out.dtype)));
  if (out.dtype == DType::boolean) out.bytes[0] = out.bytes[0] != 0 ? 1 : 0;
  return out;
}

Scalar Scalar::of(double value) { return make(DType::f64, value); }
Scalar Scalar::of(int64_t value) { return make(DType::i64, value); }
Scalar Scalar::of(uint64_t value) { return make(DType::u64, value); }

void Scalar::convert_to(DType target, void* out, const char* argument, bool to_infinity) const {
  if (target == dtype) {  // keeps the bits of a NaN
    std::memcpy(out, bytes, static_cast<size_t>(size_of(dtype)));
    return;
  }
  char converted[16];  // a failure leaves `out` as it was
  const char* obstacle = real_type(part_of(target)).store(real(), converted, to_infinity);
  if (is_complex(target)) {
    int size = size_of(part_of(target));
    if (obstacle == nullptr)
      obstacle = real_type(part_of(target)).store(imaginary(), converted + size, to_infinity);
  } else if (obstacle == nullptr && imaginary() != 0) {
    obstacle = "its imaginary part is not 0";
  }
  if (obstacle != nullptr)
    fail(GPUARR_ERR_DTYPE, "{} is {}, which {} cannot hold: {}", argument, to_text(), name(target),
         obstacle);
  std::memcpy(out, converted, static_cast<size_t>(size_of(target)));
}

bool Scalar::is_whole() const {
  DTypeKind kind = facts_of(dtype).kind;
  return kind == DTypeKind::boolean || kind == DTypeKind::integer || kind == DTypeKind::natural;
}

long double Scalar::real() const { return real_type(part_of(dtype)).load(bytes); }

long double Scalar::imaginary() const {
  return is_complex(dtype) ? real_type(part_of(dtype)).load(bytes + size_of(part_of(dtype))) : 0;
}

std::string Scalar::to_text() const {
  if (dtype == DType::u64) return formatted("{}", load<uint64_t>(bytes));
  if (is_whole()) return formatted("{}", static_cast<int64_t>(real()));
  auto number = [&](long double part) {
    return size_of(part_of(dtype)) < 8 ? formatted("{}", static_cast<float>(part))
                                       : formatted("{}", static_cast<double>(part));
  };
  if (!is_complex(dtype)) return number(real());
  return number(real()) + (std::signbit(imaginary()) ? "-" : "+") + number(std::fabs(imaginary())) +
         "i";
}

}  // namespace gpuarr
