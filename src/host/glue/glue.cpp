#include "host/glue/glue.hpp"

#include <string_view>
#include <vector>

#include "core/text.hpp"
#include "gpuarr/kernel.h"
#include "host/glue/fiber_switch.hpp"
#include "host/glue_text.hpp"

namespace gpuarr::host {
namespace {

struct Part {
  std::string_view name;
  std::string_view text;
};

}  // namespace

std::vector<std::string> glue_flags() {
  if (!stacks_are_limited) return {};
  return {"-fsplit-stack", "-DGPUARR_LIMIT_STACKS"};
}

std::string division_text() {
  return formatted("\n#line 1 \"gpuarr/host/divide.cuh\"\n{}", glue_parts::divide);
}

std::string glue_text(int checks) {
  namespace part = glue_parts;
  std::vector<Part> parts = {
      {"abi", part::abi},         {"fiber", part::fiber},   {"builtins", part::builtins},
      {"sync", part::sync},       {"warp", part::warp},     {"stack", part::stack},
      {"runtime", part::runtime}, {"launch", part::launch}, {"split", part::split}};
  if (checks != 0) {
    parts.push_back({"check_abi", part::check_abi});
    parts.push_back({"check", part::check});
  }
  std::string result;
  if ((checks & GPUARR_CHECK_SYNC) != 0) result = "#define GPUARR_CHECK_SYNC 1\n";
  for (const Part& p : parts) {
    result += formatted("#line 1 \"gpuarr/host/{}.cuh\"\n", p.name);
    result += p.text;
  }
  return result;
}

}  // namespace gpuarr::host
