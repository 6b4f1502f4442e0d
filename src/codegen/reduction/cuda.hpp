// Writes what a reduction does with the functions of reduction_functions.hpp as CUDA C++: blocks of
// 256 threads take packs of elements, join what they made of them in the order of the threads, and
// the last of the blocks that share a result joins theirs. See README.md beside this.
#pragma once

#include <span>
#include <string>

#include "codegen/reduction/reduction.hpp"
#include "core/text.hpp"

namespace gpuarr {

class CudaReduction {
 public:
  CudaReduction(const ReductionText& pieces, const ReductionPlan& plan,
                std::span<const Operand> operands)
      : pieces_(pieces), p_(plan), operands_(operands) {}

  std::string write();

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    out_ += format_text(format, fmt::make_format_args(args...));
  }

  // What both forms share.
  void declare_constants();
  void declare_loads();
  std::string loads() const;
  std::string map(const std::string& k) const;
  void open_kernel();
  void write_gather();

  // Rows.
  void write_rows();
  void declare_row_take();
  void declare_item();
  void find_item();
  void declare_fold();
  void write_few_items();
  void write_warps();
  void write_blocks();

  // Columns.
  void write_columns();
  void declare_column_take();
  void declare_line();
  void declare_finish();
  void finish_pack();
  void find_columns();

  const Operand& operand(int k) const { return operands_[static_cast<size_t>(k)]; }
  const char* type(int k) const { return row(operand(k).dtype).cxx; }
  bool is(int k, Role role) const { return operand(k).role == role; }
  bool is_rows() const { return p_.form == ReductionForm::rows; }
  // Whether a block goes through memory without coming back to it.
  bool streams() const { return is_rows() && p_.lanes == 256 && p_.pack > 1; }
  int inner() const { return is_rows() ? p_.inner_reduced() : p_.inner_kept(); }
  bool moves(int k) const { return p_.how(k) != Access::repeated; }  // along the inner axis

  const ReductionText& pieces_;
  const ReductionPlan& p_;
  std::span<const Operand> operands_;
  std::string out_;
};

}  // namespace gpuarr
