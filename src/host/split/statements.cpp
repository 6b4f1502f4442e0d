#include "host/split/statements.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace gpuarr::host {
namespace {

using Kind = Statement::Kind;

// Words whose statements are not looked into, and that change what others mean.
constexpr std::string_view refused[] = {"goto",     "try",       "catch",    "struct",
                                        "class",    "union",     "enum",     "co_await",
                                        "co_yield", "co_return", "__label__"};

class StatementReader {
 public:
  StatementReader(const Parsed& parsed, const std::function<bool(size_t)>& waits)
      : parsed_(parsed), waits_(waits) {}

  Statement run(TokenRange body) {
    check_words(body);
    Statement out;
    out.kind = Kind::block;
    out.range = body;
    for (size_t at = body.first; at < body.last;) out.children.push_back(take(at, body.last));
    out.has_barrier = any_barrier(out);
    return out;
  }

 private:
  bool is(size_t at, std::string_view what) const { return parsed_.is(at, what); }

  void check_words(TokenRange body) const {
    for (size_t k = body.first; k < body.last; ++k) {
      if (!parsed_.is_word(k)) continue;
      const std::string_view word = parsed_.tokens[k].text;
      if (is_one_of(word, refused)) refuse("a word in it");
      if (word != "__syncthreads" && waits_(k)) refuse("something else waits");
    }
  }

  static bool any_barrier(const Statement& s) {
    return std::ranges::any_of(s.children, &Statement::has_barrier);
  }

  size_t closing(size_t at, size_t end) const {
    const size_t out = parsed_.match[at];
    if (out <= at || out >= end) refuse("a bracket without a partner");
    return out;
  }
  void expect(size_t at, std::string_view what) const {
    if (!is(at, what)) refuse("a statement that is not understood");
  }
  // The semicolon that ends what begins at `at`.
  size_t semicolon(size_t at, size_t end) const {
    for (; at < end; ++at) {
      if (is(at, ";")) return at;
      if (parsed_.is_any(at, "(", "[", "{")) at = closing(at, end);
    }
    refuse("a statement without an end");
  }

  // Moves `at` behind the statement.
  Statement take(size_t& at, size_t end) {
    if (++depth_ > 100) refuse("statements in statements in statements");
    Statement out;
    const size_t first = at;
    if (at >= end) refuse("a statement without an end");
    if (is(at, "{"))
      take_block(out, at, end);
    else if (is(at, "if"))
      take_branch(out, at, end);
    else if (is(at, "for"))
      take_for(out, at, end);
    else if (is(at, "while"))
      take_while(out, at, end);
    else if (is(at, "do"))
      take_do(out, at, end);
    else if (is(at, "switch"))
      take_choice(out, at, end);
    else
      take_simple(out, at, end);
    out.range = {first, at};
    if (out.kind != Kind::barrier) out.has_barrier = any_barrier(out);
    --depth_;
    return out;
  }

  void take_block(Statement& out, size_t& at, size_t end) {
    out.kind = Kind::block;
    const size_t close = closing(at, end);
    for (++at; at < close;) out.children.push_back(take(at, close));
    ++at;
  }

  // Those behind the word that stands there.
  TokenRange take_parentheses(size_t& at, size_t end) {
    expect(++at, "(");
    const TokenRange out = {at + 1, closing(at, end)};
    at = out.last + 1;
    return out;
  }

  void take_branch(Statement& out, size_t& at, size_t end) {
    out.kind = Kind::branch;
    out.is_constexpr = is(at + 1, "constexpr");
    if (out.is_constexpr) ++at;
    out.condition = take_parentheses(at, end);
    out.children.push_back(take(at, end));
    if (!is(at, "else") || at >= end) return;
    ++at;
    out.children.push_back(take(at, end));
  }

  void take_body(Statement& out, size_t& at, size_t end) {
    out.kind = Kind::loop;
    out.children.push_back(take(at, end));
  }

  void take_for(Statement& out, size_t& at, size_t end) {
    const TokenRange head = take_parentheses(at, end);
    size_t first = head.last, second = head.last;
    for (size_t k = head.first; k < head.last; ++k) {
      if (is(k, ";")) (first == head.last ? first : second) = k;
      if (parsed_.is_any(k, "(", "[", "{")) k = closing(k, head.last);
    }
    out.init = {head.first, first};
    if (second < head.last) {
      out.condition = {first + 1, second};
      out.step = {second + 1, head.last};
    }
    take_body(out, at, end);
    if (second == head.last && any_barrier(out)) refuse("a loop over a range");
  }

  void take_while(Statement& out, size_t& at, size_t end) {
    out.loop = Statement::Loop::while_loop;
    out.condition = take_parentheses(at, end);
    take_body(out, at, end);
  }

  void take_do(Statement& out, size_t& at, size_t end) {
    out.loop = Statement::Loop::do_loop;
    ++at;
    take_body(out, at, end);
    expect(at, "while");
    out.condition = take_parentheses(at, end);
    expect(at, ";");
    ++at;
  }

  void take_choice(Statement& out, size_t& at, size_t end) {
    out.kind = Kind::choice;
    out.condition = take_parentheses(at, end);
    out.children.push_back(take(at, end));
    if (any_barrier(out)) refuse("a barrier in a switch");
  }

  void take_simple(Statement& out, size_t& at, size_t end) {
    if (is(at, "case") || is(at, "default")) {
      while (at < end && !is(at, ":")) ++at;
      ++at;
      out.kind = Kind::block;
      out.children.push_back(take(at, end));
      return;
    }
    if (is(at, "}") || is(at, "else") || is(at + 1, ":")) refuse("a label");
    const size_t last = semicolon(at, end);
    const bool jump = parsed_.is_any(at, "return", "break", "continue");
    if (jump && last != at + 1) refuse("a return with a value");
    if (jump) out.kind = Kind::jump;
    if (is(at, "__syncthreads") && is(at + 1, "(") && is(at + 2, ")") && last == at + 3) {
      out.kind = Kind::barrier;
      out.has_barrier = true;
    } else if (parsed_.has({at, last}, "__syncthreads")) {
      refuse("a barrier in an expression");
    }
    for (size_t k = at; k < last; ++k)
      if (is(k, "(") && is(k + 1, "{") && parsed_.has({k, closing(k, end)}, ";"))
        refuse("statements in an expression");
    at = last + 1;
  }

  const Parsed& parsed_;
  const std::function<bool(size_t)>& waits_;
  int depth_ = 0;
};

}  // namespace

void refuse(const char* reason) { fail(GPUARR_ERR_UNSUPPORTED, "{}", reason); }

Statement read_statements(const Parsed& parsed, TokenRange body,
                          const std::function<bool(size_t)>& waits) {
  return StatementReader(parsed, waits).run(body);
}

}  // namespace gpuarr::host
