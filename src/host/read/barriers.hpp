// Which kernels wait for other threads of their block, or can tell them apart, as far as names
// tell.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "host/read/parsed.hpp"

namespace gpuarr::host {

/// How the threads of a block have to run, as gpuarr_kernel::threads has it: 0 one after another,
/// 1 as fibers that meet at barriers, 2 as fibers that also meet as warps.
///
/// A function is known by its name alone, and by whatever its text mentions: what comes out may be
/// more than is needed, which costs time, and is never less. Methods are told apart as far as a
/// mention is one of a member, or stands in a class.
class BarrierUse {
 public:
  explicit BarrierUse(const Parsed& parsed);

  int of(TokenRange range) const;  // outside of classes
  int of(std::string_view expression) const;

  /// Whether it may ask which thread of its block, along x, it is, or which block: not if all that
  /// it asks for is its index in the launch (see global_index.hpp).
  bool knows_its_block(TokenRange range) const;
  bool knows_its_block(std::string_view expression) const;

 private:
  struct Need {
    int threads = 0;
    bool block = false;
  };
  struct Name {
    Need need;
    std::vector<const Name*> mentions;
  };
  using Names = std::unordered_map<std::string_view, Name>;
  struct Text {  // that belongs to a name
    Name* name;
    TokenRange range;
    bool in_class;
  };

  void add_function(const Declaration& declaration);
  void add_other(const Declaration& declaration);
  void add(Names& names, std::string_view name, TokenRange range, bool in_class = false);
  void settle();
  template <class F>
  void each_mention(TokenRange range, bool in_class, F&& f) const;
  Need need_of(size_t at) const;  // a word itself
  Need need_of(TokenRange range) const;
  Need need_of(std::string_view expression) const;

  // Whether that made it more.
  static bool add(Need& to, const Need& more);

  const Parsed& parsed_;
  std::vector<bool> in_global_index_;  // by token
  Names names_;                        // of functions, types and variables
  Names methods_;                      // known in their classes, and behind `.`
  std::vector<Text> texts_;
};

}  // namespace gpuarr::host
