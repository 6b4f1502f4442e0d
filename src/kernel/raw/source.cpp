#include "kernel/raw/source.hpp"

#include <utility>

#include "codegen/raw/raw.hpp"
#include "gpuarr/kernel.h"

namespace gpuarr {

RawSource raw_source(const Target& target, std::string text, std::vector<std::string> options,
                     int checks) {
  RawSource source;
  source.text = std::move(text);
  source.options = std::move(options);
  source.checks = checks;
  if ((checks & GPUARR_CHECK_MEMORY) != 0) source.options.emplace_back("-DGPUARR_CHECK_MEMORY=1");
  RawEnvironment environment = target.raw(source.text);
  source.prelude = std::move(environment.prelude);
  for (RawHeader& header : environment.headers)
    source.headers.push_back({std::move(header.name), std::move(header.text)});
  return source;
}

}  // namespace gpuarr
