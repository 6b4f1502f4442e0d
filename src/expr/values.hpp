// Statements that compute nodes, and the parameters of the kernel that they are in.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "expr/functions.hpp"
#include "expr/text.hpp"

namespace gpuarr::expr {

class Values {
 public:
  explicit Values(const Numbered& numbered)
      : numbered_(numbered), names_(numbered.items.size()), reciprocals_(numbered.items.size()) {}

  /// An array that the kernel reads; or one that has an element for each result, or for all.
  void read(int k);
  void read_beside(int k);

  /// What the texts call a node's value from now on.
  void call(int k, const std::string& name) { names_[as_index(k)] = name; }
  const std::string& name(int k) const { return names_[as_index(k)]; }
  /// A quotient's divisor is one for a row, whose reciprocal the texts call by a name.
  void divide_by(int k, const std::string& reciprocal) { reciprocals_[as_index(k)] = reciprocal; }
  /// A name that is new.
  std::string fresh() { return formatted("v{}", values_++); }

  /// A scalar's parameter, as the operation that takes it wants it.
  std::string scalar(int k, DType dtype, Input::Kind kind = Input::scalar);

  /// "const float v0 = f0::value(x0, s1);" for each, in order.
  std::string statements(std::span<const int> items);

  /// "f0::value(x0, s1)", which the texts call by a new name from now on.
  std::string named(int k);

  /// A function that computes the last of `items`, or what is known of `k` if there are none; gives
  /// the call of it. What it takes are the values that it uses and does not compute.
  std::string function(int k, std::span<const int> items);

  Functions functions;
  std::string made;  // functions of function()
  std::vector<Input> inputs;
  std::string in_params;

 private:
  const Node& node(int k) const { return numbered_.node(k); }
  void add_input(const Input& input, const std::string& name, const char* as = "");
  std::string value_of(int k);
  std::string called(const Node& own, std::span<const DType> operands);
  void use(DType dtype, const std::string& name);

  const Numbered& numbered_;
  std::vector<std::string> names_;
  std::vector<std::string> reciprocals_;
  int values_ = 0;
  int functions_made_ = 0;
  std::vector<std::pair<DType, std::string>> used_;
};

}  // namespace gpuarr::expr
