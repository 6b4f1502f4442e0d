// Words in the texts of kernels.
#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace gpuarr {

inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Calls f(word, what follows) for each identifier or keyword of a user's text. Comments and
/// strings count too: a name found there costs speed at most.
template <class F>
void each_word(std::string_view text, F&& f) {
  for (size_t i = 0; i < text.size();) {
    size_t begin = i;
    while (i < text.size() && is_word(text[i])) ++i;
    if (i > begin)
      f(text.substr(begin, i - begin), text.substr(i));
    else
      ++i;
  }
}

/// The text with `by` in each place of a word.
inline std::string replaced(std::string text, std::string_view word, std::string_view by) {
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
    text.replace(at, word.size(), by);
  return text;
}

}  // namespace gpuarr
