// Changes to a text, noted while it is looked at and made together.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpuarr::host {

class Edits {
 public:
  explicit Edits(std::string_view text) : text_(text) {}

  void insert(size_t at, std::string what) { edits_.push_back({at, 0, std::move(what)}); }
  /// Line ends stay, so that lines keep their numbers.
  void blank(size_t first, size_t last);

  /// Those for one place come in the order in which they were noted.
  std::string apply();

 private:
  struct Edit {
    size_t at, length;
    std::string what;
  };
  std::string_view text_;
  std::vector<Edit> edits_;
};

}  // namespace gpuarr::host
