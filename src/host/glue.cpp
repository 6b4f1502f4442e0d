#include "host/glue.hpp"

#include "core/text.hpp"
#include "host/fiber_switch.hpp"
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

std::string glue_text() {
  namespace part = glue_parts;
  std::string result;
  for (const Part& p :
       {Part{"abi", part::abi}, Part{"fiber", part::fiber}, Part{"builtins", part::builtins},
        Part{"sync", part::sync}, Part{"warp", part::warp}, Part{"stack", part::stack},
        Part{"runtime", part::runtime}, Part{"launch", part::launch}, Part{"split", part::split}}) {
    result += text("#line 1 \"gpuarr/host/{}.cuh\"\n", p.name);
    result += p.text;
  }
  return result;
}

}  // namespace gpuarr::host
