// The text of regions, which are loops over threads, and of the variables that live across them.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "host/split/plan.hpp"

namespace gpuarr::host {

/// Writes to the end of `out`. The plan and `out` have to live as long.
class RegionWriter {
 public:
  RegionWriter(const SplitPlan& plan, std::string& out)
      : plan_(plan), names_(plan.names), parsed_(plan.parsed), out_(out) {}

  /// Gives each thread its own of the parameters that are stored.
  void write_parameters();

  /// Statements without a barrier that follow one another.
  void write(const std::vector<const Statement*>& statements);

  /// A part of a loop's head, in a region of its own.
  void write_init(TokenRange init);
  void write_expression(TokenRange expression);

  /// Threads for which it does not hold have `level` as their state.
  void write_condition(TokenRange condition, int level);

  /// A loop with a stride: in each pass a region.
  void write_strides(const Statement& loop);

  /// An expression outside of regions, where all variables are uniform.
  std::string scalar(TokenRange range) const;
  void declare_scalar(size_t v);

  /// The directive that says which line of the user's text comes next.
  std::string mark(size_t token) const;

  /// A block of C++, at whose end there is again as much stored as where it began.
  size_t open_block();
  void close_block(size_t opened);

 private:
  using Declared = KernelNames::Declared;

  void begin(const std::vector<TokenRange>& ranges, std::string_view loop = {});
  void end();
  void write_inside(const Statement& s);
  void write_declaration(const Declared& declared);
  void write_stored(size_t v);
  bool does_work(const Statement& s) const;
  bool is_local(const Declared& declared) const;

  void declare(const Declared& declared);
  void add_storage(size_t v, const std::string& type);
  std::string bind(const std::vector<TokenRange>& region) const;
  void want(TokenRange range, const std::vector<TokenRange>& region, std::set<size_t>& out) const;
  std::string binding(size_t v) const;
  std::string reference(size_t v) const;
  std::string repeated(const Variable& v) const;
  bool is_row(TokenRange value) const;

  std::string as_written(const Variable& v, std::string_view name) const;
  std::string copy(TokenRange range) const;
  std::string leave(int level) const;

  const SplitPlan& plan_;
  const KernelNames& names_;
  const Parsed& parsed_;
  std::string& out_;
  std::vector<std::string> bytes_ = {"0"};  // constants: what is stored up to each array
  int region_ = 0;
  size_t begin_ = 0;  // of the region's text
};

}  // namespace gpuarr::host
