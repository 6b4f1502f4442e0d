// Elementwise functions: the tables of them, and how one is run.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kernel/elementwise.hpp"
#include "ops/promotion.hpp"

namespace gpuarr {

enum class Op : int32_t {  // the rows of the tables, in their order
  // functions_arithmetic.cpp
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  remainder,
  fmod,
  divmod,
  power,
  float_power,
  negative,
  positive,
  abs,
  sign,
  square,
  reciprocal,
  maximum,
  minimum,
  fmax,
  fmin,
  clip,
  rint,
  round,
  floor,
  ceil,
  trunc,
  gcd,
  lcm,
  real,
  imag,
  conj,
  angle,
  complex,
  // functions_logic.cpp
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  isclose,
  logical_and,
  logical_or,
  logical_xor,
  logical_not,
  bitwise_and,
  bitwise_or,
  bitwise_xor,
  invert,
  left_shift,
  right_shift,
  isnan,
  isinf,
  isfinite,
  signbit,
  where,
  // functions_math.cpp
  exp,
  exp2,
  expm1,
  log,
  log2,
  log10,
  log1p,
  logaddexp,
  logaddexp2,
  sin,
  cos,
  tan,
  arcsin,
  arccos,
  arctan,
  sinh,
  cosh,
  tanh,
  arcsinh,
  arccosh,
  arctanh,
  hypot,
  arctan2,
  deg2rad,
  rad2deg,
  sqrt,
  cbrt,
  rsqrt,
  erf,
  erfc,
  gamma,
  lgamma,
  sinc,
  copysign,
  nextafter,
  heaviside,
  ldexp,
  frexp,
  modf,
  // What round becomes, with places before or after the point, and what a power
  round_before,
  round_after,
  cube,
};
constexpr int function_count = static_cast<int>(Op::round_before);  // that have a name
constexpr int all_function_count = static_cast<int>(Op::cube) + 1;

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
/// type of a complex number's parts, else C; U, unsigned, to which integers overflow; and R, the
/// result's type.
struct Expressions {
  const char* boolean;
  const char* whole;
  const char* real;
  const char* complex;
};

struct FunctionRow {
  Op function;
  const char* name;
  const char* inputs;  // their names
  const char* about;   // one line
  Promotes promotes;
  Gives gives;
  Expressions first;
  std::string_view preamble = {};  // of preambles/
  bool exact_16 = false;           // 16-bit floats are not computed with as float32
  bool compares = false;           // integers of any signs, exactly
  const char* outputs = "out";
  Expressions second = {};  // of a second output
  Gives gives_second = Gives::same;
  // Which inputs are promoted and converted; the others keep their dtypes.
  size_t first_promoted = 0;
  size_t promoted_count = 8;
};

/// Whether the rows are those from `first` to before `end`.
constexpr bool in_order(std::span<const FunctionRow> rows, Op first, Op end) {
  for (size_t k = 0; k < rows.size(); ++k)
    if (static_cast<size_t>(rows[k].function) != static_cast<size_t>(first) + k) return false;
  return static_cast<size_t>(first) + rows.size() == static_cast<size_t>(end);
}

// By family: each has its own file, but for round_rows, which stand with the arithmetic.
extern const FunctionRow* const arithmetic_rows;
extern const FunctionRow* const logic_rows;
extern const FunctionRow* const math_rows;
extern const FunctionRow* const round_rows;

constexpr size_t most_function_inputs = 5;

inline const FunctionRow& row_of(Op function) {
  const auto index = [&](Op first) { return static_cast<int>(function) - static_cast<int>(first); };
  if (function < Op::equal) return arithmetic_rows[index(Op::add)];
  if (function < Op::exp) return logic_rows[index(Op::equal)];
  if (function < Op::round_before) return math_rows[index(Op::exp)];
  return round_rows[index(Op::round_before)];
}
const FunctionRow& function_at(int64_t index);  // of those that have a name; checks it
size_t input_count(const FunctionRow& row);
size_t output_count(const FunctionRow& row);
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
  std::string value;  // what the first output is set to
  KernelOptions options;
};
FunctionText function_text(Op function, const FunctionVariant& variant);

Elementwise& function_kernel(Op function, const FunctionVariant& variant);

/// The dtype that the function computes in with these inputs.
DType computed_dtype(const FunctionRow& row, std::span<const Argument> inputs);
DType result_dtype(Gives gives, DType computed);

/// Runs a function. `outputs` has null where an array is to be made; those are returned. `where`,
/// a bool array or null, needs all outputs. A null stream is the current one of the arrays' device.
Elementwise::MadeOutputs apply(Op function, std::span<const Argument> inputs,
                               std::span<const Array* const> outputs, const Array* where,
                               Stream* stream);

}  // namespace gpuarr
