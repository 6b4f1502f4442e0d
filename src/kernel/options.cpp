#include "kernel/options.hpp"

#include "core/error.hpp"
#include "kernel/signature.hpp"

namespace gpuarr {

void KernelOptions::set_name(const char* value) {
  if (!is_identifier(value) || is_keyword(value))
    fail(GPUARR_ERR_ARGUMENT, "name is \"{}\"; a kernel's name is a C identifier and no keyword",
         value);
  name = value;
}

}  // namespace gpuarr
