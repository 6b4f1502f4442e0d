#include "host/split/declaration.hpp"

#include <algorithm>
#include <utility>

#include "core/text.hpp"
#include "host/split/statements.hpp"

namespace gpuarr::host {
namespace {

constexpr std::string_view integers[] = {
    "bool",    "char",     "short",     "int",      "long",      "signed",   "unsigned",
    "size_t",  "ssize_t",  "ptrdiff_t", "int8_t",   "int16_t",   "int32_t",  "int64_t",
    "uint8_t", "uint16_t", "uint32_t",  "uint64_t", "uintptr_t", "intptr_t", "uchar",
    "ushort",  "uint",     "ulong",     "wchar_t",  "char16_t",  "char32_t"};

// Words that begin a declaration and nothing else.
constexpr std::string_view beginnings[] = {
    "const", "constexpr", "volatile",  "static",  "extern",     "register",      "thread_local",
    "auto",  "decltype",  "typename",  "alignas", "__align__",  "__attribute__", "__shared__",
    "void",  "template",  "namespace", "inline",  "__device__", "__constant__"};

bool is_keyword(std::string_view word) {
  return word == "float" || word == "double" || is_one_of(word, std::span(integers).first(7));
}

class DeclarationReader {
 public:
  DeclarationReader(const Parsed& parsed, TokenRange range) : parsed_(parsed), range_(range) {}

  DeclarationStatement run(const std::function<bool(size_t)>& is_variable) {
    DeclarationStatement out;
    if (range_.empty()) return out;
    const std::string_view first = word(range_.first);
    if (first == "using" || first == "typedef" || first == "static_assert") {
      out.is_declaration = out.is_fixed = true;
      if (first != "static_assert") out.variables.push_back(alias(first == "using"));
      return out;
    }
    if (has("gpuarr_dynamic_shared") && !is_variable(range_.first)) return dynamic_shared();
    if (parsed_.is(range_.first, "[")) refuse("an attribute");
    if (!parsed_.is_word(range_.first) || is_variable(range_.first)) return out;
    const bool begins = is_one_of(first, beginnings) || is_type_word(first);
    at_ = range_.first;
    if (read_type() && read_list(out.variables)) {
      out.is_declaration = true;
      out.is_fixed = is_shared_ || is_constant_;
      out.is_constant = is_constant_;
      return out;
    }
    if (begins) refuse("a declaration that is not understood");
    check_call();
    out.variables.clear();
    return out;
  }

  Variable parameter() {
    at_ = range_.first;
    if (!read_type() || is_shared_ || is_constant_ || is_static_) refuse("a parameter");
    Variable out = begin_variable();
    if (at_ == range_.last) return out;  // without a name
    if (!parsed_.is_word(at_)) refuse("a parameter");
    out.place = at_;
    out.name = word(at_++);
    if (at_ != range_.last && !parsed_.is(at_, "=")) refuse("a parameter");
    out.is_parameter = true;
    if (out.is_odd) refuse("a parameter");
    return out;
  }

 private:
  std::string_view word(size_t at) const {
    return at < range_.last && parsed_.is_word(at) ? parsed_.tokens[at].text : std::string_view();
  }
  bool is(size_t at, std::string_view what) const {
    return at < range_.last && parsed_.is(at, what);
  }
  bool has(std::string_view what) const { return parsed_.has(range_, what); }

  // using X = Y; typedef Y X;
  Variable alias(bool first) const {
    Variable out;
    out.place = first ? range_.first + 1 : range_.last - 1;
    out.name = word(out.place);
    if (out.name.empty() || out.name == "namespace" || (first && !is(out.place + 1, "=")))
      refuse("a declaration that is not understood");
    return out;
  }

  // T (&name)[] = *reinterpret_cast<...>(gpuarr_dynamic_shared())
  DeclarationStatement dynamic_shared() const {
    DeclarationStatement out;
    out.is_declaration = out.is_fixed = true;
    for (size_t k = range_.first; k + 2 < range_.last; ++k) {
      if (!is(k, "(") || !is(k + 1, "&") || word(k + 2).empty() || !is(k + 3, ")")) continue;
      Variable v;
      v.name = word(k + 2);
      v.place = k + 2;
      out.variables.push_back(v);
      if (is(k + 4, "=")) break;
    }
    if (out.variables.empty()) refuse("a declaration that is not understood");
    return out;
  }

  // A call may be a declaration in disguise: T (*p)[4] = ...
  void check_call() const {
    size_t k = range_.first;
    while (k < range_.last && (parsed_.is_word(k) || is(k, "::"))) ++k;
    if (!is(k, "(") || parsed_.match[k] <= k) return;
    const size_t behind = parsed_.match[k] + 1;
    if (behind < range_.last && (is(behind, "[") || is(behind, "=") || is(behind, "(")))
      refuse("a declaration that is not understood");
  }

  // The words before the first declarator.
  bool read_type() {
    bool named = false;
    for (; at_ < range_.last; ++at_) {
      const std::string_view w = word(at_);
      const size_t behind = parsed_.skip_attribute(at_);
      if (behind > at_) {
        add_type({at_, behind});
        is_odd_ = true;
        at_ = behind - 1;
      } else if (w == "const") {
        is_const_ = true;
      } else if (w == "constexpr") {
        is_constant_ = true;
      } else if (w == "__shared__") {
        is_shared_ = true;
      } else if (w == "static" || w == "extern" || w == "thread_local") {
        is_static_ = true;
      } else if (w == "volatile" || w == "register" || w == "inline") {
        is_odd_ = true;
        add_type({at_, at_ + 1});
      } else if (is_keyword(w)) {
        named = true;
        take_type_word(w);
      } else if (w == "auto" && !named) {
        named = is_auto_ = true;
        add_type({at_, at_ + 1});
      } else if (!w.empty() && !named && !is_one_of(w, beginnings)) {
        named = true;
        read_name();
      } else {
        break;
      }
    }
    if (is_static_ && !is_shared_ && !(is_const_ || is_constant_)) refuse("a static variable");
    if (is_static_) is_constant_ = !is_shared_;
    return named;
  }

  void take_type_word(std::string_view w) {
    is_number_ = true;
    is_real_ |= w == "float" || w == "double";
    add_type({at_, at_ + 1});
  }

  // ns::Pair<float, 2>::type
  void read_name() {
    const size_t first = at_;
    is_number_ = is_integer_type(word(at_));
    for (;;) {
      if (is(at_ + 1, "<")) {
        const size_t behind = parsed_.skip_angles(at_ + 1, range_.last);
        if (behind > at_ + 1) at_ = behind - 1;
      }
      if (!is(at_ + 1, "::") || word(at_ + 2).empty()) break;
      at_ += 2;
      is_number_ = false;
    }
    add_type({first, at_ + 1});
  }

  void add_type(TokenRange range) {
    if (!type_.empty()) type_ += ' ';
    type_ += parsed_.written(range);
  }

  // Takes up the pointers.
  Variable begin_variable() {
    Variable out;
    out.is_const = is_const_;
    out.is_odd = is_odd_;
    out.is_auto = is_auto_;
    out.type = type_;
    for (; at_ < range_.last; ++at_) {
      if (is(at_, "*")) {
        if (out.is_const && out.is_pointer)
          out.type += " const";
        else if (out.is_const)
          out.type = formatted("const {}", out.type);
        out.type += " *";
        out.is_pointer = true;
        out.is_const = false;
      } else if (is(at_, "const")) {
        out.is_const = true;
      } else if (is(at_, "&") || is(at_, "volatile")) {
        out.is_odd = true;
        out.type += formatted(" {}", parsed_.tokens[at_].text);
      } else if (!is(at_, "__restrict__") && !is(at_, "__restrict")) {
        break;
      }
    }
    out.is_scalar = out.is_pointer || out.is_auto || is_number_;
    out.is_integer = out.is_scalar && (out.is_pointer || out.is_auto || !is_real_);
    return out;
  }

  bool read_list(std::vector<Variable>& out) {
    for (;;) {
      Variable v = begin_variable();
      if (word(at_).empty()) return false;
      v.place = at_;
      v.name = word(at_++);
      while (is(at_, "[")) {
        const size_t close = parsed_.match[at_];
        if (close <= at_ || close >= range_.last || is(at_ + 1, "[")) return false;
        v.suffix += parsed_.written({at_, close + 1});
        at_ = close + 1;
      }
      if (!read_init(v)) return false;
      if (!v.suffix.empty()) v.is_scalar = v.is_integer = false;
      out.push_back(std::move(v));
      if (at_ == range_.last) return true;
      ++at_;  // the comma
    }
  }

  bool read_init(Variable& v) {
    v.init = {at_, at_};
    if (at_ == range_.last || is(at_, ",")) return true;
    if (is(at_, "(") || is(at_, "{")) {
      const size_t close = parsed_.match[at_];
      if (close <= at_ || close >= range_.last) return false;
      at_ = close + 1;
    } else if (is(at_, "=")) {
      skip_value();
    } else {
      return false;
    }
    v.init.last = at_;
    return at_ == range_.last || is(at_, ",");
  }

  // To the comma behind it. One in a list of template arguments is none.
  void skip_value() {
    for (; at_ < range_.last && !is(at_, ","); ++at_) {
      if (is(at_, "<") && !word(at_ - 1).empty()) {
        const size_t behind = parsed_.skip_angles(at_, range_.last);
        if (behind > at_ && (is(behind, "(") || is(behind, "::") || is(behind, "{")))
          at_ = behind - 1;
      } else if (parsed_.match[at_] > at_) {
        at_ = parsed_.match[at_];
      }
    }
  }

  const Parsed& parsed_;
  TokenRange range_;
  size_t at_ = 0;
  std::string type_;
  bool is_const_ = false, is_constant_ = false, is_shared_ = false, is_static_ = false;
  bool is_odd_ = false, is_auto_ = false, is_number_ = false, is_real_ = false;
};

}  // namespace

bool is_integer_type(std::string_view word) { return is_one_of(word, integers); }
bool is_type_word(std::string_view word) {
  return word == "float" || word == "double" || is_integer_type(word);
}

DeclarationStatement read_declaration(const Parsed& parsed, TokenRange range,
                                      const std::function<bool(size_t)>& is_variable) {
  return DeclarationReader(parsed, range).run(is_variable);
}

Variable read_parameter(const Parsed& parsed, TokenRange range) {
  return DeclarationReader(parsed, range).parameter();
}

TokenRange value_of(const Parsed& parsed, TokenRange init) {
  if (init.empty()) return init;
  if (parsed.is(init.first, "=")) ++init.first;
  const bool opens = !init.empty() && (parsed.is(init.first, "(") || parsed.is(init.first, "{"));
  if (opens && parsed.match[init.first] == init.last - 1) return {init.first + 1, init.last - 1};
  return init;
}

}  // namespace gpuarr::host
