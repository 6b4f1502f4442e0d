// Words in the texts of kernels.
#pragma once

#include <cctype>
#include <string_view>

namespace gpuarr {

inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Where a comment or a quoted text that begins at `at` ends; `at` itself if none does. `word` ends
/// there: it may be the prefix of a raw string, or the number that a ' divides.
size_t after_quiet(std::string_view text, size_t at, std::string_view word);

/// Calls f(word, what follows) for each identifier, keyword or number of a text, but for those in
/// comments and quotes.
template <class F>
void each_word(std::string_view text, F&& f) {
  for (size_t i = 0; i < text.size();) {
    const size_t begin = i;
    while (i < text.size() && is_word(text[i])) ++i;
    const std::string_view word = text.substr(begin, i - begin);
    if (!word.empty()) f(word, text.substr(i));
    if (i == text.size()) return;
    const size_t next = after_quiet(text, i, word);
    i = next > i ? next : i + 1;
  }
}

}  // namespace gpuarr
