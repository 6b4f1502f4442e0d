// Puts together what stands before raw kernels.
#include "codegen/raw.hpp"

#include "codegen/prelude_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

namespace part = prelude_parts;

struct Part {
  std::string_view name;
  std::string_view text;
};

std::string joined(std::initializer_list<Part> parts) {
  std::string result;
  for (const Part& part : parts) {
    result += text("#line 1 \"gpuarr/{}.cuh\"\n", part.name);
    result += part.text;
  }
  return result;
}

// Always the same, whatever the text: words may hide in the files that it includes.
std::string host_prelude() {
  return "#define GPUARR_HOST 1\n" + joined({{"constants", part::constants},
                                             {"annotations_host", part::annotations_host},
                                             {"math", part::math},
                                             {"math_host", part::math_host},
                                             {"intrinsics_host", part::intrinsics_host},
                                             {"vectors_host", part::vectors_host},
                                             {"atomics_host", part::atomics_host},
                                             {"views", part::views},
                                             {"loop_host", part::loop_host}});
}

}  // namespace

RawEnvironment raw_environment(Target target, std::string_view user_text) {
  (void)user_text;
  RawEnvironment result;
  if (target == Target::host) result.prelude = host_prelude();
  return result;
}

}  // namespace gpuarr
