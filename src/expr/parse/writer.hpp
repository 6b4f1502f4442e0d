// Writes the postfix program of an expression.
#pragma once

#include <map>
#include <span>
#include <string_view>

#include "expr/parse/parsed.hpp"

namespace gpuarr::expr {

class Writer {
 public:
  void add(Code code, int32_t what, int32_t count, int32_t place);
  void add_constant(const Scalar& value, int32_t place);
  void add_name(std::string_view name, int32_t place) {
    add(Code::name, number_of(name), 0, place);
  }
  /// An operator of what was written last; of numbers alone, which it computes, their result. Its
  /// errors have no place yet.
  void add_operator(Op function, int32_t count, int32_t place);
  int32_t add_call(const Callable& callable);
  Call& call(int32_t number) { return out_.calls[static_cast<size_t>(number)]; }

  /// The last value is two results of a function, which are taken apart.
  void unpack(int32_t place);
  /// Values go to names; the last one to the last name.
  void store(std::span<const int32_t> names, int32_t place);

  /// The numbers of the names that are all that was written since `first`; what was written is
  /// taken back. Nothing if it is not names alone.
  std::vector<int32_t> take_names(size_t first);
  /// If what was written last is a tuple, its values remain: their number, else -1.
  int32_t open_tuple();
  bool ends_in_two_results() const;

  size_t size() const { return out_.code.size(); }
  Parsed& parsed() { return out_; }

 private:
  int32_t number_of(std::string_view name);
  void deepen(int32_t by);

  Parsed out_;
  std::map<std::string, int32_t, std::less<>> numbers_;  // of names
  int32_t depth_ = 0;
};

}  // namespace gpuarr::expr
