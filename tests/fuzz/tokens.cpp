// C++ as the library cuts it, and what is said of its brackets.
#include "core/tokens.hpp"

#include <string>
#include <vector>

#include "core/printable.hpp"
#include "core/text_limits.hpp"
#include "kernel/text/brackets.hpp"
#include "kernel/text/options.hpp"
#include "targets.hpp"

void fuzz::tokens(std::string_view input) {
  using namespace gpuarr;
  const char* end = input.data();
  for (const Token& token : tokenize(input)) {
    require(!token.text.empty() && token.text.data() >= end, "tokens follow each other");
    end = token.text.data() + token.text.size();
  }
  require(end <= input.data() + input.size(), "tokens lie in their text");
  const std::string once = squeezed(input);
  find_too_deep(tokenize(input));
  if (const auto fault = find_unbalanced(input))
    require(fault->at < input.size(), "a fault lies in its text");
  const std::string shown = printable(input);
  require(shown.find('\x1b') == std::string::npos, "no terminal is steered");
  require(printable(shown) == shown, "what can be shown stays as it is");
  std::vector<std::string> options = {std::string(input)};
  take_defines(options);
}
