#include "expr/parse/parser.hpp"

#include <algorithm>

#include "expr/parse/lexer.hpp"
#include "expr/parse/open.hpp"
#include "expr/parse/operators.hpp"
#include "expr/parse/place.hpp"
#include "expr/parse/writer.hpp"

namespace gpuarr::expr {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), lexer_(text) {}

  Parsed parse() {
    advance();
    std::vector<int32_t> results;
    while (token_.kind != TokenKind::end) {
      if (token_.kind == TokenKind::separator) {
        advance();
        continue;
      }
      if (!results.empty())
        refuse(results[0],
               "this is computed for nothing; give it a name, as in d = x - y, or put "
               "it into the last statement behind a comma");
      results = statement();
    }
    if (results.empty())
      refuse(static_cast<int32_t>(text_.size()), "{}",
             writer_.size() == 0 ? "there is no expression"
                                 : "behind the names that are given, write what to compute");
    Parsed out = std::move(writer_.parsed());
    out.text = text_;
    out.results = std::move(results);
    return out;
  }

 private:
  int32_t place() const { return static_cast<int32_t>(token_.text.data() - text_.data()); }

  template <class... Args>
  [[noreturn]] void refuse(int32_t where, fmt::format_string<Args...> format, Args&&... args) {
    fail_at(text_, static_cast<size_t>(where), GPUARR_ERR_SYNTAX, format,
            std::forward<Args>(args)...);
  }

  // What fails in it gets its place.
  template <class Body>
  auto at(int32_t where, Body&& body) {
    try {
      return body();
    } catch (const Error& error) {
      fail_at(text_, static_cast<size_t>(where), error.status(), "{}", error.message());
    }
  }

  // Within brackets the end of a line ends nothing.
  void advance() {
    do token_ = lexer_.next();
    while (brackets_ > 0 && token_.kind == TokenKind::separator && token_.text == "\n");
  }

  bool at_end() const {
    return token_.kind == TokenKind::end || token_.kind == TokenKind::separator;
  }

  // Returns where each of its values begins, if they have no names.
  std::vector<int32_t> statement() {
    first_ = writer_.size();
    targets_.clear();
    begin_values();
    for (;;) {
      if (wants_operand_) {
        if (at_end() && open_.empty() && starts_.size() > 1) break;  // behind a last comma
        operand();
      } else {
        if (at_end() && brackets_ == 0) break;
        behind_operand();
      }
    }
    if (wants_operand_)
      starts_.pop_back();
    else
      close_operators();
    return end_statement();
  }

  void begin_values() {
    starts_ = {place()};
    wants_operand_ = true;
  }

  // One expression may be several values: a tuple, or the results of divmod.
  std::vector<int32_t> end_statement() {
    const int32_t begin = starts_[0];
    const bool is_one = starts_.size() == 1 && !wants_operand_;
    if (const int32_t count = is_one ? writer_.open_tuple() : -1; count >= 0) {
      if (count == 0) refuse(begin, "() has no value");
      starts_.assign(static_cast<size_t>(count), begin);
    } else if (is_one &&
               (targets_.empty() ? writer_.ends_in_two_results() : targets_.size() == 2)) {
      writer_.unpack(begin);
      starts_.assign(2, begin);
    }
    if (targets_.empty()) return starts_;
    if (starts_.size() != targets_.size())
      refuse(begin, "{} {} given to {} {}", starts_.size(),
             starts_.size() == 1 ? "value is" : "values are", targets_.size(),
             targets_.size() == 1 ? "name" : "names");
    writer_.store(targets_, begin);
    return {};
  }

  // What was read so far were names to give values to.
  void equals_sign() {
    if (!open_.empty())
      refuse(place(), "= stands within {}; == compares",
             brackets_ > 0 ? "brackets" : "an expression");
    if (!targets_.empty()) refuse(place(), "a second = in one statement; give one name in each");
    targets_ = writer_.take_names(first_);
    if (targets_.empty()) refuse(place(), "what stands before = is no name; == compares");
    advance();
    begin_values();
  }

  void operand() {
    if (token_.kind == TokenKind::name) return word();
    if (token_.kind == TokenKind::sign) return sign_for_operand();
    if (token_.kind != TokenKind::number) fail_missing_operand();
    writer_.add_constant(lexer_.number_of(token_), place());
    end_operand();
  }

  void end_operand() {
    advance();
    wants_operand_ = false;
  }

  [[noreturn]] void fail_missing_operand() {
    if (brackets_ > 0 && token_.kind == TokenKind::end) fail_open();
    if (!hint_for(token_.text).empty()) fail_hint();
    refuse(place(), "a value is missing before {}", at_end() ? "the end" : token_.text);
  }

  [[noreturn]] void fail_open() {
    const auto bracket =
        std::find_if(open_.rbegin(), open_.rend(), [](const Open& o) { return o.is_bracket(); });
    const int32_t where = bracket_place(*bracket);
    refuse(where, "{} is not closed", text_.substr(static_cast<size_t>(where), 1));
  }

  [[noreturn]] void fail_hint() {
    refuse(place(), "{} is not taken here; {}", token_.text, hint_for(token_.text));
  }

  void word() {
    const std::string_view word = token_.text;
    const int32_t where = place();
    if (word == "True" || word == "False") {
      Scalar value = {DType::boolean};
      value.bytes[0] = word == "True" ? 1 : 0;
      writer_.add_constant(value, where);
    } else if (word == "None") {
      writer_.add(Code::none, 0, 0, where);
    } else if (is_keyword(word)) {
      if (!hint_for(word).empty()) fail_hint();
      refuse(where, "{} is a keyword of Python that has no meaning here", word);
    } else {
      return name(word, where);
    }
    end_operand();
  }

  // Of a value, of a function that is called, or of a parameter.
  void name(std::string_view word, int32_t where) {
    advance();
    if (token_.is("(")) return open_call(word, where);
    if (token_.is("=") && !open_.empty() && open_.back().holds == Holds::call) {
      Open& open = open_.back();
      open.keyword = at(where, [&] { return parameter_named(callable_of(open), word); });
      open.keywords = true;
      return advance();
    }
    writer_.add_name(word, where);
    wants_operand_ = false;
  }

  void sign_for_operand() {
    for (const Operator& known : unary_operators)
      if (token_.is(known.sign)) return open_operator(Holds::unary, known);
    if (token_.is("(")) return open_bracket({Holds::group, place()});
    if (token_.is("[")) refuse(place(), "there are no lists here; a tuple is (0, 1)");
    if (open_.empty() || !open_.back().is_bracket()) fail_missing_operand();
    const Open& open = open_.back();
    if (token_.is("...") && open.holds == Holds::index) {
      writer_.add(Code::ellipsis, 0, 0, place());
      return end_operand();
    }
    if (token_.is(":")) return colon(true);
    if (token_.is(",") && open.colons > 0) return comma(true);
    // () and x[1:] and what ends with a comma.
    const bool may_be_empty = open.holds != Holds::index || open.count > 0 || open.colons > 0;
    if (token_.is(open.closing()) && may_be_empty && open.keyword == no_keyword) return close(true);
    fail_missing_operand();
  }

  void open_operator(Holds holds, const Operator& op) {
    open_.push_back({holds, place(), op.binding, op.function});
    advance();
    wants_operand_ = true;
  }

  void behind_operand() {
    if (token_.kind == TokenKind::end) fail_open();
    if (token_.kind == TokenKind::sign) {
      for (const Operator& known : binary_operators)
        if (token_.is(known.sign)) return binary(known);
      if (token_.is("[")) return open_bracket({Holds::index, place()});
      if (token_.is(".")) return attribute();
      if (token_.is(",")) return comma(false);
      if (token_.is(":")) return colon(false);
      if (token_.is(")") || token_.is("]")) return close(false);
      if (token_.is("=")) return equals_sign();
      if (token_.is("(")) refuse(place(), "a value is not called; write * to multiply");
      if (token_.text.ends_with("=") && token_.text != ":=")
        refuse(place(), "{} is not taken here; write x = x {} y", token_.text,
               token_.text.substr(0, token_.text.size() - 1));
    }
    if (!hint_for(token_.text).empty()) fail_hint();
    if (token_.text == ";") refuse(place(), "; stands within brackets; close them before it");
    refuse(place(), "an operator is missing before {}", token_.text);
  }

  void binary(const Operator& op) {
    const auto goes_first = [&](const Open& before) {
      return !before.is_bracket() &&
             (before.binding > op.binding ||
              (before.binding == op.binding && op.binding != power_binding));
    };
    while (!open_.empty() && goes_first(open_.back())) {
      if (op.binding == comparison_binding && open_.back().binding == comparison_binding)
        refuse(place(),
               "comparisons are not chained; write (a < b) & (b < c), with parentheses, "
               "since & binds more tightly");
      close_operator();
    }
    open_operator(Holds::binary, op);
  }

  void close_operator() {
    const Open& op = open_.back();
    const int32_t operands = op.holds == Holds::unary ? 1 : 2;
    if (op.function)
      at(op.place, [&] { writer_.add_operator(*op.function, operands, op.place); });
    else
      call_matmul(op.place);
    open_.pop_back();
  }

  void call_matmul(int32_t where) {
    const int32_t number = writer_.add_call(*find_callable("matmul"));
    writer_.call(number).parameters = {0, 1};
    writer_.add(Code::call, number, 2, where);
  }

  void close_operators() {
    while (!open_.empty() && !open_.back().is_bracket()) close_operator();
  }

  void attribute() {
    const int32_t where = place();
    advance();
    if (token_.kind != TokenKind::name) refuse(where, "a name is missing behind the point");
    const std::string_view name = token_.text;
    if (name != "T")
      refuse(place(), "there is no attribute {}; {}", name,
             find_callable(name) != nullptr ? formatted("call {}(x)", name) : "only .T");
    writer_.add(Code::transpose, 0, 1, where);
    advance();
  }

  void open_bracket(const Open& open) {
    open_.push_back(open);
    ++brackets_;
    advance();
    wants_operand_ = true;
  }

  void open_call(std::string_view name, int32_t where) {
    const Callable* callable = find_callable(name);
    if (callable == nullptr)
      fail_at(text_, static_cast<size_t>(where), GPUARR_ERR_ARGUMENT, "there is no function {}{}",
              name, callable_meant(name));
    open_bracket({Holds::call, where, 0, {}, writer_.add_call(*callable)});
  }

  const Callable& callable_of(const Open& open) { return *writer_.call(open.what).callable; }

  int32_t bracket_place(const Open& open) const {
    const auto where = static_cast<size_t>(open.place);
    return open.holds == Holds::call ? static_cast<int32_t>(text_.find('(', where)) : open.place;
  }

  void comma(bool is_empty) {
    if (!is_empty) close_operators();
    if (!open_.empty()) end_item(open_.back(), is_empty);
    advance();
    if (open_.empty()) starts_.push_back(place());
    wants_operand_ = true;
  }

  // An argument, an index or a value of a tuple ends.
  void end_item(Open& open, bool is_empty) {
    if (open.holds == Holds::call)
      at(open.place, [&] {
        add_argument(writer_.call(open.what), static_cast<size_t>(open.count), open.keyword,
                     open.keywords);
      });
    open.keyword = no_keyword;
    if (open.colons > 0) end_slice(open, is_empty);
    ++open.count;
  }

  void colon(bool is_empty) {
    if (!is_empty) close_operators();
    if (open_.empty() || open_.back().holds != Holds::index)
      refuse(place(), ": stands among indices only, as in x[1:-1]");
    if (++open_.back().colons > 2) refuse(place(), "a slice is start:stop:step");
    if (is_empty) writer_.add(Code::none, 0, 0, place());
    advance();
    wants_operand_ = true;
  }

  void end_slice(Open& open, bool is_empty) {
    const int32_t missing = (is_empty ? 1 : 0) + (open.colons == 1 ? 1 : 0);
    for (int32_t k = 0; k < missing; ++k) writer_.add(Code::none, 0, 0, place());
    writer_.add(Code::slice, 0, 3, open.place);
    open.colons = 0;
  }

  void close(bool is_empty) {
    if (!is_empty) close_operators();
    if (open_.empty()) refuse(place(), "{} closes nothing", token_.text);
    Open open = open_.back();
    if (!token_.is(open.closing()))
      refuse(place(), "{} does not close {}", token_.text,
             text_.substr(static_cast<size_t>(bracket_place(open)), 1));
    if (!is_empty || open.colons > 0) end_item(open, is_empty);
    open_.pop_back();
    --brackets_;
    if (open.holds == Holds::index) {
      writer_.add(Code::index, 0, open.count + 1, open.place);
    } else if (open.holds == Holds::call) {
      const auto count = static_cast<size_t>(open.count);
      at(open.place, [&] { check_arguments(writer_.call(open.what), count); });
      writer_.add(Code::call, open.what, open.count, open.place);
    } else if (is_empty || open.count != 1) {
      writer_.add(Code::tuple, 0, open.count, open.place);
    }
    end_operand();
  }

  std::string_view text_;
  Lexer lexer_;
  Token token_;
  Writer writer_;
  std::vector<Open> open_;
  int32_t brackets_ = 0;  // of what is open
  bool wants_operand_ = true;

  // Of the statement.
  size_t first_ = 0;              // its first instruction
  std::vector<int32_t> starts_;   // of its values
  std::vector<int32_t> targets_;  // names that it gives them to
};

}  // namespace

Parsed parse(std::string_view text) { return Parser(text).parse(); }

}  // namespace gpuarr::expr
