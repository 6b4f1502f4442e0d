#include "expr/parse/writer.hpp"

#include <algorithm>

#include "expr/parse/fold.hpp"

namespace gpuarr::expr {

void Writer::deepen(int32_t by) {
  depth_ += by;
  out_.depth = std::max(out_.depth, static_cast<size_t>(depth_));
}

void Writer::add(Code code, int32_t what, int32_t count, int32_t place) {
  out_.code.push_back({code, what, count, place});
  deepen(1 - count);
}

void Writer::add_constant(const Scalar& value, int32_t place) {
  out_.constants.push_back(value);
  add(Code::constant, static_cast<int32_t>(out_.constants.size() - 1), 0, place);
}

void Writer::add_operator(Op function, int32_t count, int32_t place) {
  const auto last = static_cast<size_t>(count);
  const auto operands = std::span(out_.code).last(last);
  const auto is_constant = [](const Instruction& i) { return i.code == Code::constant; };
  if (std::ranges::all_of(operands, is_constant))
    if (const auto value = fold(function, std::span<const Scalar>(out_.constants).last(last))) {
      const int32_t begin = operands[0].place;
      out_.code.resize(out_.code.size() - last);
      out_.constants.resize(out_.constants.size() - last);
      deepen(-count);
      return add_constant(*value, begin);
    }
  add(Code::function, static_cast<int32_t>(function), count, place);
}

int32_t Writer::add_call(const Callable& callable) {
  out_.calls.push_back({&callable});
  return static_cast<int32_t>(out_.calls.size() - 1);
}

void Writer::unpack(int32_t place) {
  out_.code.push_back({Code::unpack, 0, 1, place});
  deepen(1);
}

void Writer::store(std::span<const int32_t> names, int32_t place) {
  for (size_t k = names.size(); k > 0; --k)
    out_.code.push_back({Code::store, names[k - 1], 1, place});
  deepen(-static_cast<int32_t>(names.size()));
}

std::vector<int32_t> Writer::take_names(size_t first) {
  std::vector<int32_t> names;
  for (const Instruction& i : std::span(out_.code).subspan(first)) {
    if (i.code != Code::name) return {};
    names.push_back(i.what);
  }
  out_.code.resize(first);
  deepen(-static_cast<int32_t>(names.size()));
  return names;
}

int32_t Writer::open_tuple() {
  const Instruction last = out_.code.back();
  if (last.code != Code::tuple) return -1;
  out_.code.pop_back();
  deepen(last.count - 1);
  return last.count;
}

bool Writer::ends_in_two_results() const {
  const Instruction& last = out_.code.back();
  return last.code == Code::call &&
         out_.calls[static_cast<size_t>(last.what)].callable->has_two_results();
}

int32_t Writer::number_of(std::string_view name) {
  const auto known = numbers_.find(name);
  if (known != numbers_.end()) return known->second;
  const auto number = static_cast<int32_t>(out_.names.size());
  out_.names.emplace_back(name);
  numbers_.emplace(name, number);
  return number;
}

}  // namespace gpuarr::expr
