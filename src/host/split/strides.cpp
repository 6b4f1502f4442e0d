#include "host/split/strides.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace gpuarr::host {
namespace {

using Kind = Statement::Kind;

class StrideFinder {
 public:
  StrideFinder(const Parsed& parsed, TokenRange body) : parsed_(parsed), body_(body) {}

  void run(Statement& s, bool in_loop = false) {
    if (s.kind == Kind::choice) return;
    for (Statement& child : s.children) {
      if (child.kind == Kind::loop && !child.has_barrier) add(child, in_loop);
      if (!child.stride) run(child, in_loop || child.kind == Kind::loop);
      s.has_barrier |= child.has_barrier;
    }
  }

 private:
  void add(Statement& loop, bool in_loop) const {
    const bool steps_last = loop.loop == Statement::Loop::while_loop;
    const auto step = steps_last ? last_statement(loop) : loop.step;
    const auto stride = read(step);
    if (!stride || !is_limit(loop.condition, *stride) || leaves(loop.children[0])) return;
    if (steps_last && parsed_.has(loop.range, "continue")) return;
    const bool declares = parsed_.has(loop.init, name(*stride));
    // Then nobody may ask for it later, nor begin again where it is left.
    if (!declares && (in_loop || is_named({loop.range.last, body_.last}, *stride))) return;
    if (steps_last) loop.children[0].children.pop_back();
    loop.step = step;
    loop.stride = stride;
    loop.has_barrier = true;
  }

  std::string_view name(const Statement::Stride& stride) const {
    return parsed_.tokens[stride.counter].text;
  }

  // Of a body in braces, without its semicolon.
  static TokenRange last_statement(const Statement& loop) {
    const Statement& block = loop.children[0];
    if (block.kind != Kind::block || block.children.empty()) return {};
    const Statement& last = block.children.back();
    if (last.kind != Kind::simple) return {};
    return {last.range.first, last.range.last - 1};
  }

  // i += gridDim.x * blockDim.x
  std::optional<Statement::Stride> read(TokenRange step) const {
    if (step.last < step.first + 4 || !parsed_.is_word(step.first) ||
        !parsed_.is(step.first + 1, "+") || !parsed_.is(step.first + 2, "="))
      return std::nullopt;
    const Statement::Stride out = {step.first, {step.first + 3, step.last}};
    for (size_t k = out.by.first; k < out.by.last; ++k) {
      if (parsed_.is(k, ",")) return std::nullopt;
      if (parsed_.is_word(k) && is_size(k)) return out;
    }
    return std::nullopt;
  }

  // gridDim, blockDim, or a variable that is made of one of them.
  bool is_size(size_t word) const {
    if (parsed_.is_any(word, "gridDim", "blockDim")) return true;
    for (size_t k = body_.first; k < word; ++k) {
      if (!parsed_.is(k, parsed_.tokens[word].text) || !parsed_.is(k + 1, "=")) continue;
      for (size_t at = k + 2; at < word && !parsed_.is(at, ";"); ++at)
        if (parsed_.is_any(at, "gridDim", "blockDim")) return true;
    }
    return false;
  }

  // i < n: a thread for which it is false once is done.
  bool is_limit(TokenRange condition, const Statement::Stride& stride) const {
    return condition.last > condition.first + 2 && parsed_.is(condition.first, name(stride)) &&
           parsed_.is(condition.first + 1, "<") && !parsed_.is(condition.first + 2, "<") &&
           !is_named({condition.first + 2, condition.last}, stride) &&
           !parsed_.has_any(condition, "&", "|", "?", ",");
  }

  bool is_named(TokenRange range, const Statement::Stride& stride) const {
    return parsed_.has(range, name(stride));
  }

  // Whether a thread may leave the loop from the middle of its body.
  bool leaves(const Statement& s, bool has_own_break = false) const {
    if (s.kind == Kind::jump)
      return parsed_.is(s.range.first, "return") ||
             (parsed_.is(s.range.first, "break") && !has_own_break);
    const bool own = has_own_break || s.kind == Kind::loop || s.kind == Kind::choice;
    return std::ranges::any_of(s.children,
                               [&](const Statement& child) { return leaves(child, own); });
  }

  const Parsed& parsed_;
  const TokenRange body_;
};

}  // namespace

void find_strides(const Parsed& parsed, Statement& body) {
  StrideFinder(parsed, body.range).run(body);
}

}  // namespace gpuarr::host
