#include "host/split/expression.hpp"

#include <algorithm>
#include <array>

namespace gpuarr::host {
namespace {

constexpr std::string_view built_in[] = {"blockIdx", "blockDim", "gridDim"};
constexpr std::string_view casts[] = {"static_cast", "const",   "true",
                                      "false",       "nullptr", "warpSize"};

// Of integers; those of floating-point numbers only where such may be.
constexpr std::string_view functions[] = {
    "min",    "max",  "abs",  "__umul24", "__mul24", "__clz",    "__ffs",   "__popc",
    "__brev", "umin", "umax", "__clzll",  "__ffsll", "__popcll", "__mulhi", "__umulhi"};
constexpr std::string_view real_functions[] = {
    "sqrtf",  "sqrt",  "fminf", "fmaxf",          "fmin",          "fmax", "fabsf",  "fabs",
    "floorf", "ceilf", "floor", "ceil",           "expf",          "exp",  "logf",   "log",
    "log2f",  "log2",  "exp2f", "exp2",           "powf",          "pow",  "rsqrtf", "sinf",
    "cosf",   "sin",   "cos",   "__int2float_rn", "__float2int_rn"};

bool touches(const Parsed& parsed, size_t at) {  // the token behind it
  return at + 1 < parsed.tokens.size() && parsed.end(at) == parsed.begin(at + 1);
}

bool is_twice(const Parsed& parsed, size_t at, std::string_view what) {
  return parsed.is(at, what) && parsed.is(at + 1, what) && touches(parsed, at);
}

// How many tokens an assignment's operator at `at` has; 0 if there is none.
size_t assignment(const Parsed& parsed, size_t at) {
  if (parsed.is(at, "=")) return parsed.is(at + 1, "=") && touches(parsed, at) ? 0 : 1;
  size_t length = 1;
  if (is_twice(parsed, at, "<") || is_twice(parsed, at, ">"))
    length = 2;
  else if (!std::ranges::any_of(
               std::to_array<std::string_view>({"+", "-", "*", "/", "%", "&", "|", "^"}),
               [&](auto op) { return parsed.is(at, op); }))
    return 0;
  const bool assigns = parsed.is(at + length, "=") && touches(parsed, at + length - 1);
  return assigns ? length + 1 : 0;
}

bool is_step(const Parsed& parsed, size_t at) {
  return is_twice(parsed, at, "+") || is_twice(parsed, at, "-");
}

// Whether what ends at the token before `at` is a value.
bool ends_value(const Parsed& parsed, size_t at) {
  const Token& token = parsed.tokens[at - 1];
  if (token.is("return")) return false;
  return token.kind == Token::Kind::identifier || token.kind == Token::Kind::number ||
         token.kind == Token::Kind::character || token.is(")") || token.is("]");
}

class Purity {
 public:
  Purity(const Parsed& parsed, TokenRange range, const PureWords& words)
      : parsed_(parsed), range_(range), words_(words) {}

  bool run() {
    for (at_ = range_.first; at_ < range_.last; ++at_)
      if (!take()) return false;
    return true;
  }

 private:
  bool is(size_t at, std::string_view what) const {
    return at < range_.last && parsed_.is(at, what);
  }

  bool take() {
    const Token& token = parsed_.tokens[at_];
    switch (token.kind) {
      case Token::Kind::identifier:
        return take_word(token.text);
      case Token::Kind::number:
        return !words_.integers || !is_real(token.text);
      case Token::Kind::character:
        return true;
      case Token::Kind::punctuation:
        return take_sign();
      default:
        return false;
    }
  }

  static bool is_real(std::string_view number) {
    const bool hexadecimal = number.starts_with("0x") || number.starts_with("0X");
    return number.find_first_of(hexadecimal ? ".pP" : ".eEfF") != std::string_view::npos;
  }

  bool take_word(std::string_view word) {
    if (is(at_ + 1, "::")) return false;
    if (word == "threadIdx" || is_one_of(word, built_in))
      return (words_.threads || word != "threadIdx") && take_member();
    if (word == "sizeof" && is(at_ + 1, "(") && parsed_.match[at_ + 1] < range_.last) {
      at_ = parsed_.match[at_ + 1];
      return true;
    }
    if (word == "float" || word == "double") return !words_.integers;
    if (is_type_word(word) || is_one_of(word, casts)) return true;
    if (is(at_ + 1, "("))
      return words_.function(word) &&
             (is_one_of(word, functions) || (!words_.integers && is_one_of(word, real_functions)));
    if (!words_.variable(at_)) return false;
    return !is(at_ + 1, ".") || (!words_.integers && take_member());
  }

  bool take_member() {
    if (!is(at_ + 1, ".") || at_ + 2 >= range_.last || !parsed_.is_word(at_ + 2)) return false;
    at_ += 2;
    return !is(at_ + 1, "(") && !is(at_ + 1, ".");
  }

  bool take_sign() {
    const std::string_view sign = parsed_.tokens[at_].text;
    if (is_step(parsed_, at_)) return false;
    if (sign == "=") return is(at_ + 1, "=") || is_comparison();
    if (sign == "*" || sign == "&") {
      if (sign == "&" && (is(at_ + 1, "&") || is(at_ - 1, "&"))) return true;
      return (at_ > range_.first && ends_value(parsed_, at_) && !is_cast(at_ - 1)) ||
             is_pointer_type();
    }
    if (sign == "/" || sign == "%") return words_.divisions || is_safe_divisor();
    return sign.size() == 1 && std::string_view("+-<>!~^|?:(),").find(sign[0]) != sign.npos;
  }

  // == != <= >=, and not <<= or >>=, at their second token
  bool is_comparison() const {
    if (at_ == range_.first || !touches(parsed_, at_ - 1)) return false;
    if (is(at_ - 1, "=") || is(at_ - 1, "!")) return true;
    if (!is(at_ - 1, "<") && !is(at_ - 1, ">")) return false;
    return at_ < 2 || !is_twice(parsed_, at_ - 2, parsed_.tokens[at_ - 1].text);
  }

  // The star of static_cast<float*>.
  bool is_pointer_type() const {
    return is(at_, "*") && at_ > range_.first && (is(at_ + 1, ">") || is(at_ + 1, ")"));
  }

  // Whether the parenthesis that closes at `close` holds a type.
  bool is_cast(size_t close) const {
    if (!is(close, ")")) return is_type_word(parsed_.tokens[close].text) || is(close, "const");
    const size_t open = parsed_.match[close];
    if (open >= close) return true;
    const std::string_view first = parsed_.tokens[open + 1].text;
    const bool calls = open > range_.first && parsed_.is_word(open - 1);
    return !calls && (is_type_word(first) || first == "const");
  }

  // A number other than zero, or the size of a block.
  bool is_safe_divisor() const {
    const Token& next = parsed_.tokens[at_ + 1];
    if (next.is("blockDim") || next.is("gridDim") || next.is("warpSize")) return true;
    return next.kind == Token::Kind::number &&
           next.text.find_first_of("123456789") != std::string_view::npos;
  }

  const Parsed& parsed_;
  TokenRange range_;
  const PureWords& words_;
  size_t at_ = 0;
};

}  // namespace

std::optional<Update> read_update(const Parsed& parsed, TokenRange range) {
  if (range.empty()) return std::nullopt;
  Update out;
  out.all = range;
  const size_t count = range.last - range.first;
  if (is_step(parsed, range.first) && count == 3 && parsed.is_word(range.first + 2)) {
    out.name = range.first + 2;
    return out;
  }
  if (!parsed.is_word(range.first)) return std::nullopt;
  out.name = range.first;
  if (is_step(parsed, range.first + 1) && count == 3) return out;
  const size_t length = assignment(parsed, range.first + 1);
  if (length == 0 || count <= length + 1) return std::nullopt;
  out.value = {range.first + 1 + length, range.last};
  return out;
}

bool changes_there(const Parsed& parsed, size_t token, const Variable& variable) {
  size_t first = token, last = token + 1;
  while (parsed.is(first - 1, "(") && parsed.is(last, ")")) --first, ++last;
  if (first >= 2 && is_step(parsed, first - 2)) return true;
  const bool unary = parsed.is(first - 1, "&") && !ends_value(parsed, first - 1) &&
                     !is_twice(parsed, first - 2, "&");
  // What a pointer points to is not the pointer.
  const bool deep = variable.is_pointer && variable.suffix.empty();
  if (unary && !(deep && (parsed.is(last, "[") || parsed.is(last, "->")))) return true;
  while (!deep && ((parsed.is(last, ".") && parsed.is_word(last + 1)) ||
                   (parsed.is(last, "[") && parsed.match[last] > last)))
    last = parsed.is(last, ".") ? last + 2 : parsed.match[last] + 1;
  return assignment(parsed, last) > 0 || is_step(parsed, last);
}

bool is_pure(const Parsed& parsed, TokenRange range, const PureWords& words) {
  return Purity(parsed, range, words).run();
}

}  // namespace gpuarr::host
