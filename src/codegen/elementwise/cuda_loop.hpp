// Writes the loop of an elementwise kernel as CUDA C++. One function of the text, _run, has the
// user's body; it works on _u packs of _w elements each. Forms differ in how they find the packs:
// cuda_rows.cpp and cuda_tiled.cpp.
#pragma once

#include <span>
#include <string>

#include "codegen/elementwise/elementwise.hpp"
#include "core/text.hpp"

namespace gpuarr {

class CudaLoop {
 public:
  CudaLoop(const ElementwiseText& pieces, const Plan& plan, std::span<const Operand> operands,
           std::span<const OperandName> names)
      : pieces_(pieces), p_(plan), operands_(operands), names_(names) {}

  std::string write();

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    out_ += format_text(format, fmt::make_format_args(args...));
  }

  // What all forms share.
  void declare_helpers();
  void declare_row();
  void write_run();
  void load(int k);
  void store(int k);
  void open_kernel();
  void point_to_start();
  void step_along(int axis, bool last);
  void take_index(const char* index, const std::string& by);

  // Rows and strided: packs are numbered, and each is found from its number.
  void write_locate();
  void find_pack();
  void write_kernel();

  // Tiled.
  void write_tiled();
  void declare_tiles();
  void find_tile();
  void fill_tiles();
  void run_tile();
  std::string all_in() const;

  const Operand& operand(int k) const { return operands_[static_cast<size_t>(k)]; }
  const OperandName& name(int k) const { return names_[static_cast<size_t>(k)]; }
  const char* type(int k) const { return facts_of(operand(k).dtype).cxx; }
  const char* qualifier(int k) const { return operand(k).role == Role::input ? "const " : ""; }
  bool loops(int k) const { return in_loop(operand(k).role); }
  bool moves(int k) const {  // steps along the inner axis
    return loops(k) && p_.how(k) != Access::single && p_.how(k) != Access::repeated;
  }
  // The variable starts as packs of an input that may be misaligned.
  bool spans(int k) const {
    if (!loops(k) || name(k).hidden) return false;
    int from = name(k).starts_as >= 0 ? name(k).starts_as : k;
    return p_.how(from) == Access::shifted && operand(from).role == Role::input;
  }
  // A field that is divided by, as a number.
  std::string number(const std::string& field) const {
    return "_p._" + field + (p_.wide ? "" : "._by");
  }
  std::string extent(int axis) const { return number(formatted("extent{}", axis)); }
  std::string index_step() const { return formatted("_p._i_stride{}", p_.nest.ndim - 1); }

  const ElementwiseText& pieces_;
  const Plan& p_;
  std::span<const Operand> operands_;
  std::span<const OperandName> names_;
  std::string out_;
};

}  // namespace gpuarr
