#include "ops/functions/functions.hpp"

#include <algorithm>
#include <atomic>
#include <memory>

#include "core/error.hpp"
#include "core/once.hpp"
#include "ops/preambles_text.hpp"

namespace gpuarr {
namespace {

// Short names, which need no memory of their own: scalars are named in every call.
std::string name_at(const char* names, size_t index) {
  for (; index > 0; ++names) index -= *names == ' ' ? 1 : 0;
  const char* end = names;
  while (*end != '\0' && *end != ' ') ++end;
  return {names, end};
}

const char* expression_of(const Expressions& by_kind, DType dtype) {
  if (dtype == mixed_integers) return by_kind.whole;
  switch (facts_of(dtype).kind) {
    case DTypeKind::boolean:
      return by_kind.boolean;
    case DTypeKind::real:
      return by_kind.real;
    case DTypeKind::complex:
      return by_kind.complex;
    default:
      return by_kind.whole;
  }
}

[[noreturn]] void fail_refused(const FunctionRow& row, DType dtype) {
  const Expressions& e = row.first;
  std::string takes;
  for (auto [expression, kind] : {std::pair{e.boolean, "bool"},
                                  {e.whole, "integers"},
                                  {e.real, "floats"},
                                  {e.complex, "complex numbers"}})
    if (expression != nullptr) takes += (takes.empty() ? "" : ", ") + std::string(kind);
  fail(GPUARR_ERR_DTYPE, "{} is not defined for {}; it takes {}", row.name, name(dtype), takes);
}

DType computed_as(const FunctionRow& row, DType dtype) {
  return row.exact_16 || dtype == mixed_integers ? dtype : computed_in(dtype);
}

bool is_native_half(const FunctionRow& row, DType dtype) {
  return row.native_half && dtype == DType::f16;
}

std::string types_text(const FunctionRow& r, DType dtype) {
  if (dtype == mixed_integers) return std::string(preamble_parts::mixed);
  if (is_native_half(r, dtype)) return "";  // its preamble has them
  const DType computed = computed_as(r, dtype);
  const bool long_integers = size_of(computed) == 8;
  return formatted("typedef {} C;\ntypedef {} V;\ntypedef unsigned {} U;\n", facts_of(computed).cxx,
                   facts_of(part_of_complex(computed)).cxx, long_integers ? "long long" : "int");
}

constexpr const char* input_letters = "XYZWS";
constexpr const char* output_letters = "OQ";

// "static inline float first(const C x, const C y) { return x + y; }"
std::string function_of(const FunctionRow& r, const char* called, const char* result,
                        const char* expression) {
  std::string out = formatted("static inline {} {}(", result, called);
  for (size_t k = 0; k < input_count(r); ++k)
    out += formatted("{}const {} {}", k > 0 ? ", " : "",
                     std::string(1, is_promoted(r, k) ? 'C' : input_letters[k]), input_name(r, k));
  return out + formatted(") {{ return {}; }}\n", expression);
}

std::string call_of(const FunctionRow& r, const char* called, DType dtype) {
  std::string out = formatted("{}(", called);
  for (size_t k = 0; k < input_count(r); ++k) {
    std::string input = input_name(r, k);
    if (is_promoted(r, k) && dtype != DType::boolean) input = formatted("(C)number_of({})", input);
    out += (k > 0 ? ", " : "") + input;
  }
  return out + ")";
}

std::unique_ptr<Elementwise> make_kernel(Op function, const FunctionVariant& variant) {
  const FunctionText made = function_text(function, variant);
  return std::make_unique<Elementwise>(made.in_params, made.out_params, made.body, made.options);
}

// Functions by name: those that callers name in each call are found at the first look.
class NameTable {
 public:
  NameTable() {
    slots_.fill(-1);
    for (int f = 0; f < function_count; ++f) {
      size_t at = place_of(row_of(static_cast<Op>(f)).name);
      while (slots_[at] >= 0) at = (at + 1) % slots_.size();
      slots_[at] = static_cast<int16_t>(f);
    }
  }

  std::optional<Op> find(std::string_view name) const {
    for (size_t at = place_of(name); slots_[at] >= 0; at = (at + 1) % slots_.size())
      if (row_of(static_cast<Op>(slots_[at])).name == name) return static_cast<Op>(slots_[at]);
    return std::nullopt;
  }

 private:
  static_assert(function_count < 512);

  static size_t place_of(std::string_view name) {
    uint64_t begin = 0;
    for (size_t k = 0; k < std::min<size_t>(8, name.size()); ++k)
      begin = begin << 8 | static_cast<unsigned char>(name[k]);
    return ((begin + name.size()) * 0x9e3779b97f4a7c15U) >> 54;
  }

  std::array<int16_t, 1024> slots_;
};

}  // namespace

const FunctionRow& function_at(int64_t index) {
  if (index < 0 || index >= function_count)
    fail(GPUARR_ERR_ARGUMENT, "index is {}; give one from 0 to {}", index, function_count - 1);
  return row_of(static_cast<Op>(index));
}

std::string input_name(const FunctionRow& row, size_t index) { return name_at(row.inputs, index); }
std::string output_name(const FunctionRow& row, size_t index) {
  return name_at(row.outputs, index);
}

std::optional<Op> find_function(std::string_view name) {
  static const NameTable table;
  return table.find(name);
}

DType result_dtype(Gives gives, DType computed) {
  switch (gives) {
    case Gives::truth:
      return DType::boolean;
    case Gives::integer:
      return DType::i32;
    case Gives::part:
      return part_of_complex(computed);
    case Gives::complex:
      return computed == DType::f64 ? DType::c128 : DType::c64;
    case Gives::same:
      break;
  }
  return computed;
}

void check_function(Op function, DType computed) {
  const FunctionRow& r = row_of(function);
  if (expression_of(r.first, computed) == nullptr) fail_refused(r, computed);
}

FunctionText function_text(Op function, const FunctionVariant& variant) {
  check_function(function, variant.dtype);
  const FunctionRow& r = row_of(function);
  const DType dtype = variant.dtype;
  FunctionText made;
  for (size_t k = 0; k < input_count(r); ++k)
    made.in_params +=
        formatted("{}{} {}", k > 0 ? ", " : "", std::string(1, input_letters[k]), input_name(r, k));
  if (variant.masked) made.in_params += ", bool where";
  made.options.name = r.name;
  const bool is_half = r.half != nullptr && dtype == DType::f16;
  std::string preamble = types_text(r, dtype).append(preamble_parts::truth);
  if (r.half == nullptr || is_half) preamble += r.preamble;
  for (size_t k = 0; k < output_count(r); ++k) {
    const Gives gives = k == 0 ? r.gives : r.gives_second;
    const DType result = result_dtype(gives, dtype);
    const char* called = k == 0 ? "first" : "second";
    const DType computed = result_dtype(gives, computed_as(r, dtype));
    preamble += function_of(r, called, is_native_half(r, dtype) ? "C" : facts_of(computed).cxx,
                            is_half ? r.half : expression_of(k == 0 ? r.first : r.second, dtype));
    const std::string out = output_name(r, k);
    const std::string letter(1, output_letters[k]);
    made.out_params +=
        formatted("{}{} {}", k > 0 ? ", " : "", variant.converts[k] ? letter : name(result), out);
    // Rounded to the result's type first, as if it had been stored there.
    std::string value = formatted("({}){}", facts_of(result).cxx, call_of(r, called, dtype));
    if (variant.converts[k]) value = formatted("({}){}", letter, value);
    made.values[k] = value;
    made.body += variant.masked ? formatted("{0} = is_true(where) ? {1} : {0};\n", out, value)
                                : formatted("{} = {};\n", out, value);
  }
  made.options.preamble = std::move(preamble);
  return made;
}

Elementwise& function_kernel(Op function, const FunctionVariant& variant) {
  static std::atomic<Elementwise*> kernels[all_function_count][GPUARR_C128 + 1][8];
  const int which =
      (variant.converts[0] ? 1 : 0) + (variant.converts[1] ? 2 : 0) + (variant.masked ? 4 : 0);
  std::atomic<Elementwise*>& slot =
      kernels[static_cast<size_t>(function)][static_cast<size_t>(variant.dtype)]
             [static_cast<size_t>(which)];
  return made_once(slot, [&] { return make_kernel(function, variant); });
}

}  // namespace gpuarr
