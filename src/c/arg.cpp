// gpuarr/arg.h: arguments by value.
#include "gpuarr/arg.h"

#include <cstddef>
#include <cstring>

#include "core/half.hpp"

static_assert(sizeof(gpuarr_arg) == 32 && offsetof(gpuarr_arg, value) == 16,
              "the layout is frozen");

namespace {

template <class... Parts>
gpuarr_arg scalar(gpuarr_dtype dtype, Parts... parts) {
  gpuarr_arg arg{};
  arg.dtype = dtype;
  unsigned char* to = arg.value;
  ((std::memcpy(to, &parts, sizeof parts), to += sizeof parts), ...);
  return arg;
}

}  // namespace

gpuarr_arg gpuarr_arg_array(const gpuarr_array* array) {
  gpuarr_arg arg{};
  arg.array = array;
  return arg;
}

gpuarr_arg gpuarr_arg_view(const gpuarr_array* array) {
  gpuarr_arg arg = gpuarr_arg_array(array);
  arg.flags = GPUARR_ARG_VIEW;
  return arg;
}

gpuarr_arg gpuarr_arg_bytes(const void* data, int64_t bytes) {
  gpuarr_arg arg = scalar(0, data, bytes);
  arg.flags = GPUARR_ARG_BYTES;
  return arg;
}

gpuarr_arg gpuarr_arg_pointer(const void* pointer) {
  gpuarr_arg arg = scalar(0, pointer);
  arg.flags = GPUARR_ARG_POINTER;
  return arg;
}

gpuarr_arg gpuarr_arg_bool(int32_t value) {
  return scalar(GPUARR_BOOL, static_cast<uint8_t>(value != 0 ? 1 : 0));
}

gpuarr_arg gpuarr_arg_i8(int8_t value) { return scalar(GPUARR_I8, value); }
gpuarr_arg gpuarr_arg_i16(int16_t value) { return scalar(GPUARR_I16, value); }
gpuarr_arg gpuarr_arg_i32(int32_t value) { return scalar(GPUARR_I32, value); }
gpuarr_arg gpuarr_arg_i64(int64_t value) { return scalar(GPUARR_I64, value); }
gpuarr_arg gpuarr_arg_u8(uint8_t value) { return scalar(GPUARR_U8, value); }
gpuarr_arg gpuarr_arg_u16(uint16_t value) { return scalar(GPUARR_U16, value); }
gpuarr_arg gpuarr_arg_u32(uint32_t value) { return scalar(GPUARR_U32, value); }
gpuarr_arg gpuarr_arg_u64(uint64_t value) { return scalar(GPUARR_U64, value); }
gpuarr_arg gpuarr_arg_f16(float value) { return scalar(GPUARR_F16, gpuarr::Float16(value).bits); }
gpuarr_arg gpuarr_arg_bf16(float value) {
  return scalar(GPUARR_BF16, gpuarr::BFloat16(value).bits);
}
gpuarr_arg gpuarr_arg_f32(float value) { return scalar(GPUARR_F32, value); }
gpuarr_arg gpuarr_arg_f64(double value) { return scalar(GPUARR_F64, value); }

gpuarr_arg gpuarr_arg_c64(float real, float imaginary) {
  return scalar(GPUARR_C64, real, imaginary);
}

gpuarr_arg gpuarr_arg_c128(double real, double imaginary) {
  return scalar(GPUARR_C128, real, imaginary);
}
