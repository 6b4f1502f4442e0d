// Elementwise functions: the table of them (catalogue/), and how one is run.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kernel/elementwise.hpp"
#include "ops/functions/op.hpp"
#include "ops/functions/promotion.hpp"

namespace gpuarr {

/// What comes out of what is computed.
enum class Gives : uint8_t {
  same,     // the dtype that is computed in
  truth,    // bool
  part,     // the type of a complex number's parts
  complex,  // the complex number of such parts
  integer,  // int32
};

/// Expressions of the inputs' names, by the kind of what is computed in; null where the function
/// does not take that. They see C, the type that is computed in (float32 for 16-bit floats); V, the
/// type of a complex number's parts, else C; and U, unsigned, to which integers overflow.
struct Expressions {
  const char* boolean = nullptr;
  const char* whole = nullptr;
  const char* real = nullptr;
  const char* complex = nullptr;
};

constexpr uint8_t count_names(std::string_view names) {
  return static_cast<uint8_t>(1 + std::ranges::count(names, ' '));
}

struct FunctionRow {
  const char* name;
  const char* inputs = "x";  // their names
  const char* about;         // one line
  Promotes promotes = Promotes::same;
  Gives gives = Gives::same;
  Expressions first;
  const char* half = nullptr;      // of float16, where that is another; only it needs the preamble
  std::string_view preamble = {};  // of preambles/
  bool exact_16 = false;           // 16-bit floats are not computed with as float32
  bool native_half = false;        // GPUs compute with float16 as it is
  bool compares = false;           // integers of any signs, exactly
  const char* outputs = "out";
  Expressions second = {};  // of a second output
  Gives gives_second = Gives::same;
  // Which inputs are promoted and converted; the others keep their dtypes.
  size_t first_promoted = 0;
  size_t promoted_count = 8;
  // Not counted in calls, which have no time for it.
  uint8_t input_count = count_names(inputs);
  uint8_t output_count = count_names(outputs);
};

extern const std::array<FunctionRow, all_function_count> function_rows;
constexpr size_t most_function_inputs = 5;

inline const FunctionRow& row_of(Op function) {
  return function_rows[static_cast<size_t>(function)];
}
const FunctionRow& function_at(int64_t index);  // of those that have a name; checks it
inline size_t input_count(const FunctionRow& row) { return row.input_count; }
inline size_t output_count(const FunctionRow& row) { return row.output_count; }
std::string input_name(const FunctionRow& row, size_t index);
std::string output_name(const FunctionRow& row, size_t index);
std::optional<Op> find_function(std::string_view name);

inline bool is_promoted(const FunctionRow& row, size_t input) {
  return input >= row.first_promoted && input < row.first_promoted + row.promoted_count;
}

/// In place of a dtype, where integers are compared that no type has in common.
constexpr DType mixed_integers{};

/// How the kernel of a function is to be.
struct FunctionVariant {
  DType dtype;                        // that is computed in
  std::array<bool, 2> converts = {};  // into given outputs of another dtype than the result's
  bool masked = false;                // with one more input, a bool that chooses elements
};

/// The kernel's texts. Fails if the function does not take the dtype.
struct FunctionText {
  std::string in_params;
  std::string out_params;
  std::string body;
  std::array<std::string, 2> values;  // what the outputs are set to
  KernelOptions options;
};
FunctionText function_text(Op function, const FunctionVariant& variant);
void check_function(Op function, DType computed);  // fails likewise

Elementwise& function_kernel(Op function, const FunctionVariant& variant);

DType result_dtype(Gives gives, DType computed);

/// What a function's dtypes depend on: of an array its dtype, of a scalar the scalar; neither,
/// where a bound of clip is left out.
struct Typed {
  DType dtype{};
  const Scalar* scalar = nullptr;

  bool is_none() const { return dtype == DType{}; }
};
inline Typed typed_of(const Argument& a) {
  if (a.array != nullptr) return {a.array->dtype, nullptr};
  return a.scalar != nullptr ? Typed{a.scalar->dtype, a.scalar} : Typed{};
}

/// What computes a function of such inputs: maybe another one, of some of the inputs.
struct Resolved {
  static constexpr uint8_t made = 255;  // in place of an input's number: the scalar below

  Op function;
  DType dtype;  // that is computed in
  size_t count;
  std::array<uint8_t, most_function_inputs> inputs;  // their numbers among those given
  Scalar scalar;
};

/// Fails where the function does not take these inputs.
Resolved resolve(Op function, std::span<const Typed> inputs);

/// Runs what resolve() found of its inputs.
MadeOutputs run_function(Op function, DType computed, std::span<const Argument> inputs,
                         std::span<const Array* const> outputs, const Array* where, Stream* stream);

/// Runs a function. `outputs` has null where an array is to be made; those are returned. `where`,
/// a bool array or null, needs all outputs. A null stream is the current one of the arrays' device.
MadeOutputs apply(Op function, std::span<const Argument> inputs,
                  std::span<const Array* const> outputs, const Array* where, Stream* stream);

}  // namespace gpuarr
