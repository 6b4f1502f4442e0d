#include "expr/parse/callable.hpp"

#include <map>

#include "core/meant.hpp"
#include "core/once.hpp"
#include "ops/functions/functions.hpp"

namespace gpuarr::expr {
namespace {

// NumPy's other names.
constexpr std::pair<const char*, const char*> aliases[] = {{"absolute", "abs"},
                                                           {"acos", "arccos"},
                                                           {"acosh", "arccosh"},
                                                           {"asin", "arcsin"},
                                                           {"asinh", "arcsinh"},
                                                           {"atan", "arctan"},
                                                           {"atan2", "arctan2"},
                                                           {"atanh", "arctanh"},
                                                           {"pow", "power"},
                                                           {"mod", "remainder"},
                                                           {"true_divide", "divide"},
                                                           {"conjugate", "conj"},
                                                           {"degrees", "rad2deg"},
                                                           {"radians", "deg2rad"},
                                                           {"bitwise_not", "invert"},
                                                           {"bitwise_invert", "invert"},
                                                           {"bitwise_left_shift", "left_shift"},
                                                           {"bitwise_right_shift", "right_shift"},
                                                           {"amax", "max"},
                                                           {"amin", "min"}};

// Inputs of functions that may be left out, as in C++ and Python.
size_t required_inputs(Op function, size_t count) {
  if (function == Op::clip || function == Op::round) return 1;
  return function == Op::isclose ? 2 : count;
}

Callable of_function(Op function) {
  const FunctionRow& row = row_of(function);
  Callable out = {row.name, Calls::function, {}, 0, 0};
  for (size_t k = 0; k < input_count(row); ++k) out.parameters.push_back(input_name(row, k));
  out.required = required_inputs(function, out.parameters.size());
  out.positional = out.parameters.size();
  out.function = function;
  return out;
}

Callable of_reducer(Reducer reducer) {
  Callable out = {name_of(reducer), Calls::reduction, {}, 1, 2};
  if (reducer == Reducer::var || reducer == Reducer::std)
    out.parameters = {"x", "axis", "keepdims", "ddof"};
  else
    out.parameters = {"x", "axis", "keepdims"};
  out.reducer = reducer;
  return out;
}

Callable of_scanner(Scanner scanner) {
  Callable out = {name_of(scanner), Calls::scan, {"x", "axis", "exclusive"}, 1, 2};
  out.scanner = scanner;
  return out;
}

class Callables {
 public:
  Callables() {
    for (int f = 0; f < function_count; ++f) add(of_function(static_cast<Op>(f)));
    for (int r = 0; r < reducer_count; ++r) {
      const auto reducer = static_cast<Reducer>(r);
      const bool is_norm = reducer >= Reducer::norm_1 && reducer <= Reducer::norm_inf;
      if (reducer != Reducer::dot && !is_norm) add(of_reducer(reducer));
    }
    for (int s = 0; s < scanner_count; ++s) add(of_scanner(static_cast<Scanner>(s)));
    add({"indices", Calls::indices, {"x", "axis"}, 1, 2});
    add({"norm", Calls::norm, {"x", "ord", "axis", "keepdims"}, 1, 3});
    add({"matmul", Calls::matmul, {"x", "y"}, 2, 2});
    add({"astype", Calls::astype, {"x", "dtype"}, 2, 2});
    add({"transpose", Calls::transpose, {"x", "axes"}, 1, 2});
    add({"reshape", Calls::reshape, {"x", "shape"}, 2, 2});
    add({"flip", Calls::flip, {"x", "axis"}, 1, 2});
    for (const auto& [alias, name] : aliases) all_.emplace(alias, all_.at(name));
  }

  const Callable* find(std::string_view name) const {
    const auto found = all_.find(name);
    return found != all_.end() ? &found->second : nullptr;
  }

  std::vector<std::string_view> names() const {
    std::vector<std::string_view> out;
    for (const auto& [name, callable] : all_) out.emplace_back(name);
    return out;
  }

 private:
  void add(Callable callable) {
    const std::string name = callable.name;
    all_.emplace(name, std::move(callable));
  }

  std::map<std::string, Callable, std::less<>> all_;
};

const Callables& callables() {
  static Undying<Callables> all;
  return *all;
}

}  // namespace

bool Callable::has_two_results() const {
  return calls == Calls::function && output_count(row_of(function)) == 2;
}

const Callable* find_callable(std::string_view name) { return callables().find(name); }

std::string callable_meant(std::string_view name) { return meant(name, callables().names()); }

}  // namespace gpuarr::expr
