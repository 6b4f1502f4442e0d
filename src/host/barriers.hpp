// Which kernels wait for other threads of their block, as far as names tell.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "host/parsed.hpp"

namespace gpuarr::host {

/// How the threads of a block have to run, as gpuarr_kernel::threads has it: 0 one after another,
/// 1 as fibers that meet at barriers, 2 as fibers that also meet as warps.
///
/// A function is known by its name alone, and by whatever its text mentions: what comes out may be
/// more than is needed, which costs time, and is never less.
class BarrierUse {
 public:
  explicit BarrierUse(const Parsed& parsed);

  int of(TokenRange range) const;
  int of(std::string_view expression) const;

 private:
  struct Name {
    int threads = 0;
    std::vector<std::string_view> mentions;
  };
  int of_word(std::string_view word) const;
  void add(std::string_view name, TokenRange range);
  void add_others(const Declaration& declaration);
  void settle();

  const Parsed& parsed_;
  std::unordered_map<std::string_view, Name> names_;
};

}  // namespace gpuarr::host
