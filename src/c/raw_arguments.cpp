#include "c/raw_arguments.hpp"

#include <cstring>

#include "backends.hpp"

namespace gpuarr {
namespace {

// Each writes to a blank argument: one that is returned is stored by its fields and then loaded as
// a whole, which processors wait for.
void set_scalar(RawArgument& out, const gpuarr_arg& arg, size_t k) {
  if (arg.dtype == 0)
    fail(GPUARR_ERR_ARGUMENT,
         "args[{}] is neither an array nor a scalar; an array must not be NULL (give "
         "gpuarr_arg_pointer(NULL) for that), and a scalar has a dtype",
         k);
  if (!is_dtype(arg.dtype))
    fail(GPUARR_ERR_DTYPE, "args[{}] has dtype {}; give a GPUARR_... dtype", k, arg.dtype);
  out.dtype = static_cast<DType>(arg.dtype);
  out.data = arg.value;
}

// Address and length, as gpuarr_arg_bytes wrote them.
void set_bytes(RawArgument& out, const gpuarr_arg& arg, size_t k) {
  out.kind = RawArgument::Kind::bytes;
  std::memcpy(&out.data, arg.value, 8);
  std::memcpy(&out.bytes, arg.value + 8, 8);
  if (out.bytes < 1)
    fail(GPUARR_ERR_ARGUMENT, "args[{}] has {} bytes; give at least one", k, out.bytes);
  if (out.data == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "args[{}] is {} bytes at NULL; give their address", k, out.bytes);
}

void set_argument(RawArgument& out, const gpuarr_arg& arg, size_t k) {
  switch (arg.flags) {
    case 0:
    case GPUARR_ARG_VIEW:
      if (arg.array == nullptr) return set_scalar(out, arg, k);
      out.kind = arg.flags == 0 ? RawArgument::Kind::array : RawArgument::Kind::view;
      if (tracking()) check_handle(arg.array, formatted("args[{}]", k).c_str());
      out.array = &arg.array->impl;
      return;
    case GPUARR_ARG_BYTES:
      return set_bytes(out, arg, k);
    case GPUARR_ARG_POINTER:
      out.kind = RawArgument::Kind::pointer;
      out.data = arg.value;
      return;
    default:
      fail(GPUARR_ERR_ARGUMENT, "args[{}] has flags {}; make it with a gpuarr_arg_... function", k,
           arg.flags);
  }
}

}  // namespace

RawArguments::RawArguments(const gpuarr_arg* args, int32_t count) {
  if (count < 0) fail(GPUARR_ERR_ARGUMENT, "arg_count is {}; give a number of arguments", count);
  if (count > 0 && args == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "args is NULL; give {} of them", count);
  count_ = static_cast<size_t>(count);
  if (count_ > most_raw_bytes)  // each has one at least: whatever the list is, it is not so long
    fail(GPUARR_ERR_ARGUMENT,
         "arg_count is {}, but no kernel takes more than {} bytes of arguments", count,
         most_raw_bytes);
  if (count_ > few_.size()) more_.resize(count_);
  RawArgument* out = more_.empty() ? few_.data() : more_.data();
  for (size_t k = 0; k < count_; ++k) set_argument(out[k], args[k], k);
}

const Array* RawArguments::first_array() const {
  for (const RawArgument& a : span())
    if (a.array != nullptr) return a.array;
  return nullptr;
}

Stream& RawArguments::stream(gpuarr_stream* given) const {
  if (given != nullptr) return *deref(given, "stream");
  return current_stream(device(nullptr));
}

Device& RawArguments::device(gpuarr_device* given) const {
  if (given != nullptr) return deref(given, "device");
  const Array* array = first_array();
  return array != nullptr ? array->device() : open_device(nullptr);
}

RawShape raw_shape(const int64_t* grid, const int64_t* block, int64_t shared_bytes) {
  if (grid == nullptr) fail(GPUARR_ERR_ARGUMENT, "grid is NULL; give three numbers of blocks");
  if (block == nullptr) fail(GPUARR_ERR_ARGUMENT, "block is NULL; give three numbers of threads");
  return {{grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}, shared_bytes};
}

Device& device_of(gpuarr_device* device) {
  return device != nullptr ? deref(device, "device") : open_device(nullptr);
}

}  // namespace gpuarr
