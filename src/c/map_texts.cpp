#include "c/map_texts.hpp"

#include "c/text_arguments.hpp"
#include "core/error.hpp"

namespace gpuarr {

MapText::MapText(const char* text, const char* const* names, int32_t count, int32_t outputs)
    : text_(checked_expression(text)) {
  if (count > 0 && names == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "names is NULL, but count is {}; give as many", count);
  std::vector<expr::Variable> before;
  for (int32_t k = 0; k < count; ++k) {
    before.push_back({checked_name(names[k], k, before)});
    names_.push_back(before.back().name);
  }
  const size_t results = expr::count_results(text_);
  if (static_cast<size_t>(outputs) != results)
    fail(GPUARR_ERR_ARGUMENT, "output_count is {}, but text has {} {}", outputs, results,
         results == 1 ? "result" : "results");
}

void MapText::run(std::span<const Argument> values, std::span<const Array* const> outputs,
                  Stream* stream) const {
  std::vector<expr::Variable> variables;
  for (size_t k = 0; k < values.size(); ++k) {
    variables.push_back({names_[k], values[k].array});
    if (values[k].scalar != nullptr) variables.back().scalar = *values[k].scalar;
  }
  expr::TextCall(text_, variables).run(outputs, stream);
}

}  // namespace gpuarr
