#include "gpuarr/raw.h"

#include "c/guard.hpp"
#include "c/raw_arguments.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_raw_create(gpuarr_raw** out, const char* source, const char* name,
                                const char* params, const gpuarr_kernel_options* options) {
  return guard_output(__func__, out, [&] {
    auto module = UserModule::from_source(checked_source(source, "source"), "source", "",
                                          options_of(options));
    return gpuarr_raw::make(
        std::make_shared<RawKernel>(std::move(module), checked_name(name, "name"), params));
  });
}

gpuarr_raw* gpuarr_raw_retain(gpuarr_raw* kernel) { return retain(kernel); }

void gpuarr_raw_release(gpuarr_raw* kernel) { release(kernel); }

gpuarr_status gpuarr_raw_launch(gpuarr_raw* kernel, const int64_t* grid, const int64_t* block,
                                int64_t shared_bytes, const gpuarr_arg* args, int32_t arg_count,
                                gpuarr_stream* stream) {
  return guard(__func__, [&] {
    RawKernel& k = *deref(kernel, "kernel");
    const RawArguments arguments(args, arg_count);
    k.launch(raw_shape(grid, block, shared_bytes), arguments.span(), arguments.stream(stream));
  });
}

gpuarr_status gpuarr_raw_launch_1d(gpuarr_raw* kernel, int64_t n, const gpuarr_arg* args,
                                   int32_t arg_count, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    RawKernel& k = *deref(kernel, "kernel");
    const RawArguments arguments(args, arg_count);
    k.launch_1d(n, arguments.span(), arguments.stream(stream));
  });
}

gpuarr_status gpuarr_raw_prepare(gpuarr_call** out, gpuarr_raw* kernel, const int64_t* grid,
                                 const int64_t* block, int64_t shared_bytes, const gpuarr_arg* args,
                                 int32_t arg_count, gpuarr_device* device) {
  return guard_output(__func__, out, [&] {
    auto& k = deref(kernel, "kernel");
    const RawArguments arguments(args, arg_count);
    return gpuarr_call::make(k->prepare(raw_shape(grid, block, shared_bytes), arguments.span(),
                                        arguments.device(device)));
  });
}

gpuarr_status gpuarr_raw_signature(const char** out, gpuarr_raw* kernel, gpuarr_device* device) {
  return guard_output(__func__, out, [&] {
    return keep_text<struct RawSignatureText>(
        deref(kernel, "kernel")->signature(device_of(device)));
  });
}

gpuarr_status gpuarr_raw_attribute(int64_t* out, gpuarr_raw* kernel, gpuarr_attribute attribute,
                                   gpuarr_device* device) {
  return guard_output(__func__, out, [&] {
    return deref(kernel, "kernel")->attribute(device_of(device), attribute);
  });
}

gpuarr_status gpuarr_raw_set_attribute(gpuarr_raw* kernel, gpuarr_attribute attribute,
                                       int64_t value) {
  return guard(__func__, [&] { deref(kernel, "kernel")->set_attribute(attribute, value); });
}

gpuarr_status gpuarr_raw_occupancy(int32_t* out, gpuarr_raw* kernel, int32_t threads,
                                   int64_t shared_bytes, gpuarr_device* device) {
  return guard_output(__func__, out, [&] {
    return deref(kernel, "kernel")->resident_blocks(device_of(device), threads, shared_bytes);
  });
}

gpuarr_status gpuarr_raw_best_block(int32_t* out, gpuarr_raw* kernel, int64_t shared_bytes,
                                    gpuarr_device* device) {
  return guard_output(__func__, out, [&] {
    return deref(kernel, "kernel")->best_block(device_of(device), shared_bytes);
  });
}
