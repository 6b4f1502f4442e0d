// What writes a kernel's text about the operands of a variant.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/layout/variant.hpp"
#include "codegen/prelude/prelude.hpp"
#include "core/text.hpp"

namespace gpuarr {

/// What the user's text calls an operand.
struct OperandName {
  std::string name;
  int starts_as = -1;   // an output that starts as this input's element: one variable for both
  bool hidden = false;  // that input
};

struct KernelWriter {
  const OperandVariants& operands;
  std::span<const OperandName> names;
  std::vector<int> inputs;
  std::vector<int> outputs;
  std::vector<int> arrays;  // both, in order
  std::string text;

  explicit KernelWriter(const OperandVariants& operands, std::span<const OperandName> names = {});

  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    text += format_text(format, fmt::make_format_args(args...));
  }

  /// HEAD {
  /// BODY}
  void function(std::string_view head, std::string_view body);
  void structure(std::string_view name, std::string_view members);

  /// The text; where a function's first line is too long, its parameters have one of their own.
  std::string take();

  const OperandVariant& operand(int k) const { return operands[k]; }
  bool is(int k, Role role) const { return operand(k).role == role; }
  const char* type(int k) const { return facts_of(operand(k).dtype).cxx; }
  std::string element_type(int k) const;  // "const float32" of an input
};

/// A struct of the text that says where an element of some arrays is, with the numbers that it has
/// and that the body reads; and what goes from one such place to another.
struct PlaceText {
  const char* type;
  const char* step;  // function that goes along an axis
  std::span<const int> arrays;
  std::string letters;  // of numbers: _i is _i_start first, and _i_stride further along an axis

  void declare(KernelWriter& out) const;
  /// Declares `step`; arrays that `stays` says do not move.
  void declare_step(KernelWriter& out, const char* index, const char* offset,
                    const std::function<bool(int)>& stays = {}) const;
  /// "{_p._data0, _p._i_start}"
  std::string start() const;
  /// Statements that take indices along the axes out of `rest`, the first one fastest, and go
  /// there.
  std::string steps(const std::string& place, const std::string& rest, std::span<const int> axes,
                    const std::function<std::string(int axis)>& extent) const;
};

/// What a kernel wants of the prelude for its operands and the user's texts.
PreludeNeeds needs_of(const OperandVariants& operands, std::span<const UserText* const> texts);

/// Statements of the text: "const TYPE NAME = VALUE;", "TYPE NAME;", "TYPE& NAME = VALUE;",
/// "TO = VALUE;", "return VALUE;", "FUNCTION(ARGUMENTS);", and some in braces.
std::string constant(std::string_view type, std::string_view name, std::string_view value);
std::string variable(std::string_view type, std::string_view name);
std::string reference(std::string_view type, std::string_view name, std::string_view value);
std::string assignment(std::string_view to, std::string_view value);
std::string returned(std::string_view value);
std::string called(std::string_view function, std::string_view arguments = "");
std::string braced(std::string_view statements);

/// Axes from the last down to the first.
std::vector<int> axes_down(int last, int first = 0);

/// Before a function of the text.
constexpr const char* in_kernel = "\nstatic __device__ __forceinline__";

/// A .cuh file as it stands in a source; messages name it by its path below src/codegen.
std::string kernel_file(std::string_view path, std::string_view text);

}  // namespace gpuarr
