#include "device/raw.hpp"

#include "core/error.hpp"

namespace gpuarr {

int64_t RawFunction::attribute(int32_t attribute) {
  fail(GPUARR_ERR_UNSUPPORTED, "attribute {} of kernel \"{}\" is not known", attribute,
       facts().name);
}

void RawFunction::set_attribute(int32_t attribute, int64_t /*value*/) {
  fail(GPUARR_ERR_UNSUPPORTED, "attribute {} of kernel \"{}\" cannot be set", attribute,
       facts().name);
}

RawGlobal RawModule::global(const std::string& name) {
  fail(GPUARR_ERR_UNSUPPORTED, "variable \"{}\": the device does not find variables of modules",
       name);
}

}  // namespace gpuarr
