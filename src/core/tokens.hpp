// C++ text, cut into tokens.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpuarr {

struct Token {
  enum class Kind { identifier, number, string, character, punctuation, directive };
  Kind kind = Kind::punctuation;
  std::string_view text;  // of the source itself, so that its place there can be told
  int line = 1;           // where it begins

  bool is(std::string_view what) const { return text == what; }
};

/// Keywords are identifiers; strings and characters have their prefix and quotes; a directive is
/// all of its line and those that a backslash joins to it. "::", "->" and "..." are one token, all
/// other punctuation is one for each character, so that ">>" may close two lists. Any bytes will
/// do: what is not closed ends with the text, or a quoted one with its line.
std::vector<Token> tokenize(std::string_view text);

/// A name or template expression, as one that means the same is written too: "a<float,4>" for
/// "::a< float, 4 >".
std::string squeezed(std::string_view expression);

bool is_one_of(std::string_view word, std::span<const std::string_view> words);

}  // namespace gpuarr
