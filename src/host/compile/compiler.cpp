#include "host/compile/compiler.hpp"

#include "device/standard.hpp"
#include "host/compile/steps.hpp"
#include "host/glue/glue.hpp"

namespace gpuarr::host {

std::string compile_source(const Source& source) {
  const Toolchain toolchain = find_toolchain();
  return in_scratch([&](const std::string& directory) {
    return run_compiler(toolchain, at_least_17(source.options), source.text + division_text(),
                        directory, source.reads);
  });
}

}  // namespace gpuarr::host
