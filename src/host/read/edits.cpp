#include "host/read/edits.hpp"

#include <algorithm>

namespace gpuarr::host {

void Edits::blank(size_t first, size_t last) {
  std::string what(text_.substr(first, last - first));
  std::ranges::replace_if(
      what, [](char c) { return c != '\n'; }, ' ');
  edits_.push_back({first, last - first, std::move(what)});
}

std::string Edits::apply() {
  std::ranges::stable_sort(edits_, {}, &Edit::at);
  std::string out;
  size_t at = 0;
  for (const Edit& edit : edits_) {
    if (edit.at > at) out += text_.substr(at, edit.at - at);
    out += edit.what;
    at = std::max(at, edit.at + edit.length);
  }
  out += text_.substr(std::min(at, text_.size()));
  return out;
}

}  // namespace gpuarr::host
