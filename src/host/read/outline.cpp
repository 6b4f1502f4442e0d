#include "host/read/outline.hpp"

#include <algorithm>
#include <utility>

namespace gpuarr::host {
namespace {

using Tokens = std::vector<Token>;

constexpr size_t longest_list = 1024;  // of template arguments, in tokens

// Words before a parenthesis that are no function's name.
constexpr std::string_view no_names[] = {"__launch_bounds__",
                                         "__cluster_dims__",
                                         "__block_size__",
                                         "__maxnreg__",
                                         "__align__",
                                         "__builtin_align__",
                                         "__attribute__",
                                         "__attribute",
                                         "alignas",
                                         "decltype",
                                         "__typeof__",
                                         "typeof",
                                         "noexcept",
                                         "explicit",
                                         "requires",
                                         "throw",
                                         "sizeof",
                                         "alignof",
                                         "static_assert",
                                         "asm",
                                         "__asm__",
                                         "void",
                                         "bool",
                                         "char",
                                         "short",
                                         "int",
                                         "long",
                                         "float",
                                         "double",
                                         "signed",
                                         "unsigned",
                                         "auto",
                                         "const",
                                         "volatile",
                                         "__declspec",
                                         "_Pragma"};

constexpr std::string_view class_keys[] = {"class", "struct", "union"};

/// One declaration after another, with a stack of what is open around them.
class Outliner {
 public:
  Outliner(const Tokens& tokens, const std::vector<size_t>& match,
           const std::vector<size_t>& angles)
      : tokens_(tokens), match_(match), angles_(angles) {}

  Outline run() {
    while (at_ < tokens_.size()) next();
    return std::move(out_);
  }

 private:
  struct Open {
    size_t scope_length = 0;    // of scope_, before
    std::string_view in_class;  // before
    TokenRange class_head;      // of a class
  };

  bool is(size_t at, std::string_view what) const {
    return at < tokens_.size() && tokens_[at].is(what);
  }
  bool is_word(size_t at) const {
    return at < tokens_.size() && tokens_[at].kind == Token::Kind::identifier;
  }
  // Behind the bracket that opens at `at`; behind everything if it stays open.
  size_t behind(size_t at) const { return match_[at] > at ? match_[at] + 1 : tokens_.size(); }

  void next() {
    if (is(at_, ";")) {
      ++at_;
    } else if (is(at_, "}")) {
      close();
    } else if (!in_class_.empty() && is_word(at_) && is(at_ + 1, ":")) {
      at_ += 2;  // public:
    } else {
      declaration({});
    }
  }

  // What stands behind a class's brace are variables of it.
  void close() {
    ++at_;
    if (open_.empty()) return;
    const Open open = open_.back();
    open_.pop_back();
    scope_.resize(open.scope_length);
    in_class_ = open.in_class;
    if (!open.class_head.empty() && at_ < tokens_.size()) declaration(open.class_head);
  }

  // What the brace here opens.
  void open(std::string_view in_class, TokenRange class_head = {}) {
    open_.push_back({scope_.size(), in_class_, class_head});
    in_class_ = in_class;
    ++at_;
  }

  // The head of a declaration, as far as it is read.
  struct Head {
    size_t first = 0;
    size_t name = 0, parameters = 0;  // parameters: 0 for none
    size_t class_key = 0;             // its place and 1; 0 for none
    bool has_initializer = false;
    bool has_colon = false;  // behind the parameters: members are initialised
  };

  void declaration(TokenRange type_head) {
    Head head;
    head.first = at_;
    now_ = {};
    now_.type_head = type_head;
    if (type_head.empty()) at_ = take_templates(at_);
    while (at_ < tokens_.size()) {
      const Token& token = tokens_[at_];
      if (token.is(";")) return finish(head);
      if (token.is("}")) return;  // whatever it was, it is over
      if (token.is("{")) {
        if (take_brace(head)) return;
      } else {
        take_token(head);
      }
    }
  }

  // template <...> template <...>
  size_t take_templates(size_t at) {
    while (is(at, "template") || (is(at, "extern") && is(at + 1, "template"))) {
      at += is(at, "extern") ? 2 : 1;
      if (!is(at, "<")) {
        now_.is_instantiation = true;
        return at;
      }
      const size_t end = angles_[at];
      if (end == at) return at;
      now_.is_template |= end > at + 2;
      for (size_t k = at; k < end; ++k)
        if (is_word(k)) now_.template_parameters.push_back(tokens_[k].text);
      at = end;
    }
    return at;
  }

  void take_token(Head& head) {
    const Token& token = tokens_[at_];
    if (token.is("(") || token.is("[")) return take_bracket(head);
    if (token.is("operator") && !head.has_initializer) return take_operator(head);
    if (token.is("<") && !head.has_initializer && at_ > head.first && is_word(at_ - 1)) {
      at_ = std::max(angles_[at_], at_ + 1);
      return;
    }
    if (token.is("=")) head.has_initializer = true;
    if (token.is(":") && head.parameters != 0) head.has_colon = true;
    if (is_one_of(token.text, class_keys) || token.is("enum"))
      if (head.class_key == 0) head.class_key = at_ + 1;
    ++at_;
  }

  void take_bracket(Head& head) {
    const bool may_name = tokens_[at_].is("(") && head.parameters == 0 && !head.has_initializer;
    if (may_name && at_ > head.first) {
      const size_t name = name_before(at_, head.first);
      if (name != 0) {
        head.parameters = at_;
        head.name = name - 1;
      }
    }
    at_ = behind(at_);
  }

  // The word before a parenthesis, behind which a template's arguments may stand; its place and 1.
  size_t name_before(size_t at, size_t first) const {
    size_t k = at - 1;
    if (tokens_[k].is(">")) {
      for (int depth = 0; k > first; --k) {
        depth += tokens_[k].is(">") ? 1 : tokens_[k].is("<") ? -1 : 0;
        if (depth == 0) break;
      }
      if (k == first) return 0;
      --k;
    }
    return is_word(k) && !is_one_of(tokens_[k].text, no_names) ? k + 1 : 0;
  }

  void take_operator(Head& head) {
    const size_t name = at_++;
    if (is(at_, "(") && is(at_ + 1, ")")) at_ += 2;
    while (at_ < tokens_.size() && !is(at_, "(") && !is(at_, ";") && !is(at_, "{")) ++at_;
    if (!is(at_, "(") || head.parameters != 0) return;
    head.name = name;
    head.parameters = at_;
    at_ = behind(at_);
  }

  // True if the declaration ends here, or something was opened.
  bool take_brace(Head& head) {
    if (head.parameters == 0 && !head.has_initializer && open_scope(head.first)) return true;
    const bool member =
        head.has_colon && at_ > head.first && (is_word(at_ - 1) || tokens_[at_ - 1].is(">"));
    if (head.parameters != 0 && !head.has_initializer && !member) {
      finish(head);
      return true;
    }
    const bool type = head.parameters == 0 && !head.has_initializer && head.class_key != 0;
    if (type && !tokens_[head.class_key - 1].is("enum")) {
      open_class(head);
      return true;
    }
    if (type) now_.type_head = {head.first, at_};
    at_ = behind(at_);
    if (type) head.first = at_;
    return false;
  }

  // namespace a::b {, extern "C" {
  bool open_scope(size_t first) {
    const bool is_inline = is(first, "inline");
    const size_t key = first + (is_inline ? 1 : 0);
    if (is(key, "namespace")) {
      std::string name;
      for (size_t k = key + 1; k < at_; ++k) {
        if (is(k, "[") || is(k, "(")) k = std::max(match_[k], k);
        if (is(k, "inline"))
          ++k;
        else if (is_word(k) && !is(k, "__attribute__"))
          name += std::string(tokens_[k].text) + "::";
      }
      open(in_class_);
      if (!is_inline) scope_ += name;
      return true;
    }
    if (!is(first, "extern") || at_ != first + 2) return false;
    open(in_class_);
    return true;
  }

  void open_class(const Head& head) {
    size_t k = head.class_key;
    for (; k < at_; ++k) {
      if (is(k, "(") || is(k, "["))
        k = std::max(match_[k], k);
      else if (is_word(k) && !is_one_of(tokens_[k].text, no_names))
        break;
    }
    const std::string_view name = k < at_ ? tokens_[k].text : "struct";
    out_.classes.push_back({name, {std::min(k + 1, at_), at_}});
    open(name, {head.first, at_});
    scope_ += std::string(name) + "::";
  }

  void finish(const Head& head) {
    if (head.parameters != 0) now_.kind = Declaration::Kind::function;
    now_.head = {head.first, at_};
    now_.scope = scope_;
    now_.in_class = in_class_;
    now_.name = head.name;
    now_.parameters = head.parameters;
    const size_t end = is(at_, "{") ? behind(at_) : at_ + 1;
    if (is(at_, "{")) {
      now_.has_body = match_[at_] > at_;
      now_.body = {at_ + 1, now_.has_body ? match_[at_] : end};
    }
    at_ = end;
    out_.declarations.push_back(std::move(now_));
  }

  const Tokens& tokens_;
  const std::vector<size_t>& match_;
  const std::vector<size_t>& angles_;
  size_t at_ = 0;
  std::string scope_;
  std::string_view in_class_;
  std::vector<Open> open_;
  Declaration now_;  // that is being read
  Outline out_;
};

char partner(char opening) { return opening == '(' ? ')' : opening == '[' ? ']' : '}'; }

}  // namespace

std::vector<size_t> match_brackets(const Tokens& tokens) {
  std::vector<size_t> match(tokens.size());
  std::vector<size_t> open;
  for (size_t k = 0; k < tokens.size(); ++k) {
    match[k] = k;
    if (tokens[k].kind != Token::Kind::punctuation || tokens[k].text.size() != 1) continue;
    const char c = tokens[k].text[0];
    if (c == '(' || c == '[' || c == '{') open.push_back(k);
    if (c != ')' && c != ']' && c != '}') continue;
    // A brace closes what was left open in it.
    while (c == '}' && !open.empty() && !tokens[open.back()].is("{")) open.pop_back();
    if (open.empty() || partner(tokens[open.back()].text[0]) != c) continue;
    match[k] = open.back();
    match[open.back()] = k;
    open.pop_back();
  }
  return match;
}

// One pass with a stack, whose `<` are all of the innermost bracket: what a bracket or a semicolon
// ends, no later `>` closes.
std::vector<size_t> match_angles(const Tokens& tokens, const std::vector<size_t>& match) {
  std::vector<size_t> behind(tokens.size());
  std::vector<size_t> open;         // `<`
  std::vector<size_t> outer = {0};  // how many of them were open before each bracket
  for (size_t k = 0; k < tokens.size(); ++k) {
    const Token& token = tokens[k];
    behind[k] = k;
    if (token.kind != Token::Kind::punctuation) continue;
    if (token.is("<")) open.push_back(k);
    if (token.is(">") && open.size() > outer.back()) {
      if (k - open.back() < longest_list) behind[open.back()] = k + 1;
      open.pop_back();
    }
    const bool opens = match[k] > k, closes = match[k] < k;
    const bool alone = !opens && !closes && (token.is("(") || token.is("[") || token.is("{"));
    if (opens) outer.push_back(open.size());
    if (closes || alone || token.is(";") || token.is("}")) open.resize(outer.back());
    if (closes && outer.size() > 1) outer.pop_back();
  }
  return behind;
}

Outline outline(const Tokens& tokens, const std::vector<size_t>& match,
                const std::vector<size_t>& angles) {
  return Outliner(tokens, match, angles).run();
}

}  // namespace gpuarr::host
