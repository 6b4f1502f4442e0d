// The stages of a row kernel in its source: what each reads, and the user's texts as statements
// with the names that they see. A writer says where elements are.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "codegen/layout/writer.hpp"
#include "codegen/row/row.hpp"

namespace gpuarr {

/// What stage `stage` reads of each element, and computes for it.
struct RowStage {
  std::vector<const UserText*> texts;  // with the keeps of earlier stages that run again
  std::vector<int> again;              // those stages
  std::vector<int> inputs;             // operands
  std::vector<int> loaded;             // kept values of earlier stages
  std::vector<int> set;                // kept values of its own
  std::vector<int> stored;             // those that later stages load

  bool reads(std::string_view name) const;
};

/// Expressions for what element `_k` is to a text.
struct RowElements {
  std::function<std::string(int operand)> input;
  std::function<std::string(int kept)> kept;
  std::function<std::string(char letter)> number;  // 'i' or 'j'
  bool in_place;                                   // kept values are set where they stay
};

class RowWriterBase {
 public:
  RowWriterBase(const RowText& text, const RowVariant& variant, std::span<const OperandName> names)
      : text_(text), p_(variant), out_(variant.operands, names), traits_(traits_of(text, names)) {}

 protected:
  int passes() const { return static_cast<int>(text_.passes.size()); }
  const RowPass& pass(int stage) const { return text_.passes[static_cast<size_t>(stage)]; }
  const std::string& name(int k) const { return out_.names[static_cast<size_t>(k)].name; }
  const KeptValue& kept(int j) const { return text_.kept[static_cast<size_t>(j)]; }
  static const char* cxx(DType dtype) { return facts_of(dtype).cxx; }
  bool is_one(int k) const { return p_.how(k) == Access::repeated; }  // for a row
  bool is_read(int k) const { return traits_.last[static_cast<size_t>(k)] >= 0; }
  bool stays(int j) const { return p_.kept[static_cast<size_t>(j)] != kept_not; }
  int place_of(int j) const { return p_.kept[static_cast<size_t>(j)]; }
  RowStage stage(int number) const;

  /// The text; where a member's first line is too long, its parameters have one of their own.
  std::string take();

  /// struct _place and what goes to a row; struct _row, what is known of one, and its beginning.
  void write_places(const char* index);
  void write_row(const std::string& more_members);
  /// "float32" or "gpuarr_kernel::_folds<float32, float64>"
  std::string partial_type(int pass) const;
  /// _reduce0, _identity0 ... and _reduce, _finish of a pass; `head` stands before each.
  void write_operators(int pass, const std::string& head);
  void write_finish_row();

  /// The statements before what a stage makes of an element: names, and its keep.
  std::string element(const RowStage& stage, int number, const RowElements& elements) const;
  /// "{map of the first fold, {of the second}}", of variables that `maps` declares.
  std::string maps(int pass) const;
  std::string counted(int pass) const;

  const RowText& text_;
  const RowVariant& p_;
  KernelWriter out_;
  RowTraits traits_;

 private:
  /// A pass's keep again; where `place` is given, it sets values where they stay.
  std::string run_keep(int stage, const std::function<std::string(int)>& place) const;
  static std::string known(const RowResult& result, int number);
  std::string results_before(int stage, const std::function<bool(std::string_view)>& reads) const;
  std::string row_names(int stage, std::span<const UserText* const> texts) const;
  void write_reduce(const RowFold& fold, size_t number, const std::string& head);
  void write_finish(int pass, const std::string& head);
};

}  // namespace gpuarr
