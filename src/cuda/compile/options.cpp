// The options that NVRTC gets.
#include "cuda/compile/options.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "cuda/driver/locate.hpp"
#include "device/standard.hpp"

namespace gpuarr::cuda {
namespace {

using Strings = std::vector<std::string>;

// Whether the user gave an option himself, in one of the spellings that NVRTC takes.
bool is_given(const Strings& options, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(options, [&](std::string_view option) {
    size_t dashes = option.find_first_not_of('-');
    if (dashes == 0 || dashes == std::string_view::npos) return false;
    std::string_view word = option.substr(dashes, option.find_first_of("= ") - dashes);
    return std::ranges::find(names, word) != names.end();
  });
}

}  // namespace

bool has_include(const std::string& text) {
  for (size_t at = text.find('#'); at != std::string::npos; at = text.find('#', at + 1)) {
    size_t line = text.find_first_not_of(" \t", text.rfind('\n', at) + 1);
    if (text.compare(line, 2, "//") == 0) continue;  // told of, as the prelude does
    size_t word = text.find_first_not_of(" \t", at + 1);
    if (word != std::string::npos && text.compare(word, 7, "include") == 0) return true;
  }
  return false;
}

// Nothing here changes arithmetic. --modify-stack-limit=false: NVRTC would else lift the stack
// limit of the whole process while it compiles.
Strings options_for(const Nvrtc& nvrtc, const Source& source, const std::string& architecture,
                    const std::string& directory) {
  Strings options;
  auto add = [&](std::initializer_list<std::string_view> names, std::string option) {
    if (!is_given(source.options, names)) options.push_back(std::move(option));
  };
  add({"modify-stack-limit"}, "--modify-stack-limit=false");
  add({"device-as-default-execution-space", "default-device"},
      "--device-as-default-execution-space");
  if (nvrtc.major >= 13)
    add({"frandom-seed"}, "--frandom-seed=gpuarr");  // the same bytes each time
  add({"arch", "gpu-architecture"}, "--gpu-architecture=" + architecture);
  add({"std"}, "--std=c++17");
  bool includes = has_include(source.text) || is_given(source.options, {"include", "pre-include"});
  if (includes && !directory.empty()) options.push_back("--include-path=" + directory);
  for (const std::string& option : source.options) options.push_back(at_least_17(option));
  if (includes && source.embedded.empty())
    for (const std::string& found : find_headers(nvrtc.library.path))
      options.push_back("--include-path=" + found);
  return options;
}

}  // namespace gpuarr::cuda
