#include "expr/eval.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/meant.hpp"
#include "expr/eval_value.hpp"
#include "expr/parse/place.hpp"
#include "expr/parse/texts.hpp"
#include "expr/view.hpp"

namespace gpuarr::expr {
namespace {

// Runs a parsed text's instructions.
class Run {
 public:
  Run(const Parsed& parsed, std::span<const Variable> variables, std::span<const Expr> given)
      : parsed_(parsed),
        variables_(variables),
        given_(given),
        reads_(variables.size()),
        names_(parsed.names.size()) {
    stack_.reserve(parsed.depth);
  }

  TextNodes results() {
    for (const Instruction& i : parsed_.code) {
      place_ = i.place;
      step(i);
    }
    TextNodes out;
    for (size_t k = 0; k < stack_.size(); ++k) {
      place_ = parsed_.results[k];
      out.results.push_back(node_of(stack_[k], "the result"));
    }
    out.reads = std::move(reads_);
    return out;
  }

  size_t place() const { return static_cast<size_t>(place_); }

 private:
  static size_t as_size(int32_t number) { return static_cast<size_t>(number); }

  void step(const Instruction& i) {
    switch (i.code) {
      case Code::constant:
        return push(Value::of(parsed_.constants[as_size(i.what)]));
      case Code::name:
        return push(value_of(as_size(i.what)));
      case Code::none:
        return push(Value::of(Is::none));
      case Code::ellipsis:
        return push(Value::of(Is::ellipsis));
      case Code::function:
        return replace(i, function(i));
      case Code::call:
        return replace(i, call(i));
      case Code::tuple:
        return replace(i, tuple(i));
      case Code::slice:
        return replace(i, slice());
      case Code::index:
        return replace(i, index(i));
      case Code::transpose:
        return replace(i, Value::of(transpose_node(node_of(stack_.back(), "x"), {})));
      case Code::unpack:
        return unpack();
      case Code::store:
        names_[as_size(i.what)] = std::move(stack_.back());
        return stack_.pop_back();
    }
  }

  void push(Value value) { stack_.push_back(std::move(value)); }

  void replace(const Instruction& i, Value value) {
    if (!takes_any_numbers(i)) note_read(last(as_size(i.count)));
    stack_.resize(stack_.size() - as_size(i.count));
    push(std::move(value));
  }

  std::span<const Value> last(size_t count) const { return std::span(stack_).last(count); }

  // A function of arrays and numbers is the same whatever most numbers are worth.
  bool takes_any_numbers(const Instruction& i) const {
    Op function = static_cast<Op>(i.what);
    if (i.code == Code::call) {
      const Callable& callable = *parsed_.calls[as_size(i.what)].callable;
      if (callable.calls != Calls::function) return false;
      function = callable.function;
    } else if (i.code != Code::function) {
      return false;
    }
    return !reads_scalars(function) &&
           std::ranges::any_of(last(as_size(i.count)),
                               [](const Value& value) { return value.is == Is::node; });
  }

  void note_read(std::span<const Value> values) {
    for (const Value& value : values)
      if (value.variable >= 0) reads_[as_size(value.variable)] = 1;
  }

  // A name's node is made when it is first used, and is the same for all of its uses.
  const Value& value_of(size_t number) {
    Value& value = names_[number];
    if (value.is != Is::unset) return value;
    const std::string& name = parsed_.names[number];
    const auto known = std::ranges::find(variables_, name, &Variable::name);
    if (known == variables_.end())
      value = constant_named(name);
    else
      value = value_of_variable(static_cast<size_t>(known - variables_.begin()));
    if (value.is == Is::unset) fail_unknown(name);
    return value;
  }

  Value value_of_variable(size_t k) const {
    const Variable& variable = variables_[k];
    if (variable.array != nullptr)
      return Value::of(given_.empty() ? array_node(*variable.array) : given_[k]);
    Value out = Value::of(variable.scalar, static_cast<int32_t>(k));
    if (!given_.empty()) out.node = given_[k];
    return out;
  }

  [[noreturn]] void fail_unknown(const std::string& name) const {
    if (find_callable(name) != nullptr)
      fail(GPUARR_ERR_ARGUMENT, "{} is a function; call it, as {}(x)", name, name);
    std::vector<std::string_view> known = constant_names();
    for (const Variable& variable : variables_) known.push_back(variable.name);
    for (size_t k = 0; k < names_.size(); ++k)
      if (names_[k].is != Is::unset) known.emplace_back(parsed_.names[k]);
    fail(GPUARR_ERR_ARGUMENT, "{} has no value{}", name, meant(name, known));
  }

  Value function(const Instruction& i) const {
    const auto operands = last(as_size(i.count));
    const Value* list[] = {&operands[0], operands.size() > 1 ? &operands[1] : nullptr};
    return applied(static_cast<Op>(i.what), {list, operands.size()});
  }

  Value call(const Instruction& i) const {
    const Call& call = parsed_.calls[as_size(i.what)];
    const auto given = last(as_size(i.count));
    std::array<const Value*, most_parameters> by_parameter{};
    for (size_t k = 0; k < given.size(); ++k) by_parameter[call.parameters[k]] = &given[k];
    const size_t count = call.callable->parameters.size();
    return called(*call.callable, {{by_parameter.data(), count}, numbers_});
  }

  Value tuple(const Instruction& i) {
    Value out = Value::of(Is::tuple);
    out.first = numbers_.size();
    out.count = as_size(i.count);
    for (const Value& value : last(out.count))
      numbers_.push_back(integer_of(value, "a value of a tuple"));
    return out;
  }

  Value slice() const {
    const auto bounds = last(3);
    const auto bound = [&](size_t k, const char* what, int64_t otherwise) {
      return bounds[k].is == Is::none ? otherwise : integer_of(bounds[k], what);
    };
    Value out = Value::of(Is::slice);
    out.slice = {bound(0, "the start of a slice", left_out),
                 bound(1, "the end of a slice", left_out), bound(2, "the step of a slice", 1)};
    return out;
  }

  Value index(const Instruction& i) const {
    const auto values = last(as_size(i.count));
    if (values[0].is != Is::pair)
      return Value::of(indexed(node_of(values[0], "what is indexed"), values.subspan(1)));
    const int64_t which = values.size() == 2 ? integer_of(values[1], "the index") : 2;
    if (which < -2 || which > 1)
      fail(GPUARR_ERR_AXIS, "the two results of a function are [0] and [1]");
    return Value::of(which == 0 || which == -2 ? values[0].node : values[0].second);
  }

  void unpack() {
    Value both = std::move(stack_.back());
    if (both.is != Is::pair)
      fail(GPUARR_ERR_ARGUMENT, "two names are given to one value, {}", text_of(both));
    stack_.back() = Value::of(std::move(both.node));
    push(Value::of(std::move(both.second)));
  }

  const Parsed& parsed_;
  std::span<const Variable> variables_;
  std::span<const Expr> given_;  // stand-ins of the variables, or none
  std::vector<char> reads_;
  std::vector<Value> names_;
  std::vector<Value> stack_;
  std::vector<int64_t> numbers_;  // of tuples
  int32_t place_ = 0;             // of the instruction at work
};

}  // namespace

TextNodes nodes_of(const Parsed& parsed, std::span<const Variable> variables,
                   std::span<const Expr> given) {
  Run run(parsed, variables, given);
  try {
    return run.results();
  } catch (const Error& error) {
    throw Error(error.status(), message_at(parsed.text, run.place(), error.message()),
                error.native());
  }
}

std::vector<Expr> expressions_of(std::string_view text, std::span<const Variable> variables) {
  return nodes_of(*parsed(text), variables).results;
}

size_t count_results(std::string_view text) { return parsed(text)->results.size(); }

}  // namespace gpuarr::expr
