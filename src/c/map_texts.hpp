// An expression's text that is computed for each block.
#pragma once

#include <string_view>
#include <vector>

#include "expr/text_call.hpp"
#include "kernel/binding.hpp"

namespace gpuarr {

/// As gpuarr_eval_all takes them, checked.
class MapText {
 public:
  MapText(const char* text, const char* const* names, int32_t count, int32_t outputs);

  void run(std::span<const Argument> values, std::span<const Array* const> outputs,
           Stream* stream) const;

 private:
  std::string_view text_;
  std::vector<std::string_view> names_;
};

}  // namespace gpuarr
