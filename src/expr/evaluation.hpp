// One evaluation of a program: what is stored on the way, and where results go.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "expr/again.hpp"
#include "expr/program.hpp"

namespace gpuarr::expr {

/// What the leaves are, by item: arrays and scalars, which are there while it is evaluated.
using Leaves = std::pmr::vector<Argument>;
Leaves leaves_of(const Numbered& numbered,
                 std::pmr::memory_resource* memory = std::pmr::get_default_resource());

/// Whether a result can go into an array that was given for it.
bool suits(const Array& array, const Node& node);
[[noreturn]] void fail_unsuited(const Array& array, const Node& node, const std::string& label);

class Evaluation {
 public:
  /// `given` has null where an array is to be made. Small things are kept where the leaves are.
  Evaluation(const Numbered& numbered, const Program& program, Leaves leaves,
             std::span<const Array* const> given, Stream& stream);

  /// Runs all steps. Gives the results that were to be made.
  /// What is launched is noted, if that is wanted.
  std::vector<std::optional<Array>> run(Launches* launches = nullptr);

  /// The steps made ready instead, with memory for what is stored on the way. All results are
  /// given, and no kernel reads an array that another writes.
  std::vector<PreparedCall> prepare();

 private:
  struct Operands;

  void run(const Step& step, Launches* launches);
  void note(const Step& step, const Operands& operands, std::optional<Repeat> repeat,
            Launches& launches);
  Operands operands_of(const Step& step);
  void check_prepared() const;
  bool goes_into(const Array& given, int k) const;
  Layout layout_for(const Step& maker, int k) const;
  void refuse_copy() const;
  const Array* laid_out(const Array* stored, const Step& step, std::pmr::vector<Array>& copies);
  void make_stored(const Step& step);
  std::vector<std::optional<Array>> take();
  const Array* array_of(int k);
  Argument argument(const Input& input, std::pmr::vector<Scalar>& scalars);
  void take_target(size_t r);
  void keep_source(int k);
  bool keeps_axes(const Step& step, int k) const;
  const Array* target(const Step& step, int k, std::pmr::vector<Array>& views) const;
  Array as_node(const Step& step, int k, Array made) const;

  const Node& node(int k) const { return numbered_.node(k); }

  const Numbered& numbered_;
  const Program& program_;
  const Leaves leaves_;
  std::span<const Array* const> given_;
  Stream& stream_;
  bool prepares_ = false;  // what is copied now would be old when the kernels are launched
  std::pmr::vector<std::unique_ptr<Array>> stored_;
  std::pmr::vector<const Array*> targets_;  // by item: where it is to go
};

}  // namespace gpuarr::expr
