#include "gpuarr/module.h"

#include "c/guard.hpp"
#include "c/raw_arguments.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_module_create(gpuarr_module** out, const char* source,
                                   const gpuarr_kernel_options* options) {
  return guard_output(__func__, out, [&] {
    return gpuarr_module::make(UserModule::from_source(checked_source(source, "source"), "source",
                                                       "", options_of(options)));
  });
}

gpuarr_status gpuarr_module_open(gpuarr_module** out, const char* path,
                                 const gpuarr_kernel_options* options) {
  return guard_output(__func__, out, [&] {
    return gpuarr_module::make(
        UserModule::from_file(checked_text(path, "path"), options_of(options)));
  });
}

gpuarr_status gpuarr_module_load(gpuarr_module** out, const void* image, int64_t bytes) {
  return guard_output(__func__, out, [&] {
    if (image == nullptr) fail(GPUARR_ERR_ARGUMENT, "image is NULL; give compiled code");
    if (bytes < 1) fail(GPUARR_ERR_ARGUMENT, "bytes is {}; give the length of image", bytes);
    return gpuarr_module::make(UserModule::from_image(
        std::string(static_cast<const char*>(image), static_cast<size_t>(bytes)), 0));
  });
}

gpuarr_module* gpuarr_module_retain(gpuarr_module* module) { return retain(module); }

void gpuarr_module_release(gpuarr_module* module) { release(module); }

gpuarr_status gpuarr_module_build(gpuarr_module* module, gpuarr_device* device) {
  return guard(__func__, [&] { deref(module, "module")->build(device_of(device)); });
}

gpuarr_status gpuarr_module_check(gpuarr_module* module, const char* target) {
  return guard(__func__, [&] { deref(module, "module")->check(checked_name(target, "target")); });
}

gpuarr_status gpuarr_module_kernel(gpuarr_raw** out, gpuarr_module* module, const char* name,
                                   const char* params) {
  return guard_output(__func__, out, [&] {
    return gpuarr_raw::make(
        std::make_shared<RawKernel>(deref(module, "module"), checked_name(name, "name"), params));
  });
}

gpuarr_status gpuarr_module_kernel_count(int32_t* out, gpuarr_module* module,
                                         gpuarr_device* device) {
  return guard_output(__func__, out, [&] {
    return static_cast<int32_t>(deref(module, "module")->kernels(device_of(device)).size());
  });
}

gpuarr_status gpuarr_module_kernel_name(const char** out, gpuarr_module* module, int32_t index,
                                        gpuarr_device* device) {
  return guard_output(__func__, out, [&] {
    const auto& kernels = deref(module, "module")->kernels(device_of(device));
    if (index < 0 || static_cast<size_t>(index) >= kernels.size())
      fail(GPUARR_ERR_ARGUMENT, "index is {}; the module has {} kernel{}, counted from 0", index,
           kernels.size(), kernels.size() == 1 ? "" : "s");
    return kernels[static_cast<size_t>(index)].c_str();
  });
}

gpuarr_status gpuarr_module_global(gpuarr_array** out, gpuarr_module* module, const char* name,
                                   gpuarr_dtype dtype, gpuarr_device* device) {
  return guard_output(__func__, out, [&] {
    const auto wanted = dtype != 0 ? std::optional(dtype_of(dtype)) : std::nullopt;
    return wrap(
        deref(module, "module")->global(device_of(device), checked_name(name, "name"), wanted));
  });
}

gpuarr_status gpuarr_module_listing(const char** out, gpuarr_module* module, gpuarr_listing listing,
                                    gpuarr_device* device) {
  return guard_output(__func__, out, [&] {
    if (listing != GPUARR_LISTING_PTX && listing != GPUARR_LISTING_ASSEMBLY)
      fail(GPUARR_ERR_ARGUMENT, "listing is {}; give a GPUARR_LISTING_... constant", listing);
    const Listing wanted = listing == GPUARR_LISTING_PTX ? Listing::ptx : Listing::assembly;
    return keep_text<struct ModuleListing>(
        deref(module, "module")->listing(device_of(device), wanted));
  });
}
