// Identifiers in the user's texts.
#pragma once

#include <cctype>
#include <string_view>

namespace gpuarr {

inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Calls f(word, what follows) for each identifier or keyword. Comments and strings count too: a
/// name found there costs speed at most.
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

}  // namespace gpuarr
