#include "c/text_arguments.hpp"

#include <algorithm>
#include <cstring>

#include "core/error.hpp"
#include "expr/parse/lexer.hpp"

namespace gpuarr {

std::string_view checked_expression(const char* text) {
  if (text == nullptr) fail(GPUARR_ERR_ARGUMENT, "text is NULL; give an expression");
  return {text, strnlen(text, expr::most_expression_bytes + 1)};
}

std::string_view checked_name(const char* name, int32_t k, std::span<const expr::Variable> before) {
  if (name == nullptr) fail(GPUARR_ERR_ARGUMENT, "names[{}] is NULL; give a name", k);
  if (!expr::is_name(name))
    fail(GPUARR_ERR_ARGUMENT, "names[{}] is \"{}\"; a name has letters, digits and _", k, name);
  const std::string_view checked = name;
  const auto same = std::ranges::find(before, checked, &expr::Variable::name);
  if (same != before.end())
    fail(GPUARR_ERR_ARGUMENT, "names[{}] and names[{}] are both \"{}\"; give each its own",
         same - before.begin(), k, name);
  return checked;
}

}  // namespace gpuarr
