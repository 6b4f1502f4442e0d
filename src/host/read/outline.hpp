// The declarations of C++ text, found by its brackets and a few keywords.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/tokens.hpp"

namespace gpuarr::host {

/// Tokens first ... last-1.
struct TokenRange {
  size_t first = 0, last = 0;
  bool empty() const { return first >= last; }
  bool contains(size_t at) const { return at >= first && at < last; }
};

/// At namespace or class scope; what is inside functions is not looked at.
struct Declaration {
  enum class Kind { function, other };  // other: variables, aliases, types ...
  Kind kind = Kind::other;
  TokenRange head;       // all before the body, or before the semicolon
  TokenRange type_head;  // of variables behind a type's closing brace: before the opening one
  TokenRange body;       // between the braces; of functions only
  bool has_body = false;
  size_t name = 0;                                    // of a function: the token that names it
  size_t parameters = 0;                              // of a function: its opening parenthesis
  std::string scope;                                  // "outer::inner::", without inline namespaces
  std::string_view in_class;                          // the innermost class; "" for none
  std::vector<std::string_view> template_parameters;  // all words in the lists
  bool is_template = false;                           // template <...> with parameters
  bool is_instantiation = false;                      // template without a list
};

struct ClassHead {
  std::string_view name;
  TokenRange bases;
};

struct Outline {
  std::vector<Declaration> declarations;
  std::vector<ClassHead> classes;
};

/// For each token the one that closes or opens its bracket: (), [] or {}; its own place for all
/// others, and for brackets without a partner.
std::vector<size_t> match_brackets(const std::vector<Token>& tokens);

/// For each `<` the place behind the list that it opens; its own place for all others, and where it
/// opens none.
std::vector<size_t> match_angles(const std::vector<Token>& tokens,
                                 const std::vector<size_t>& match);

/// `tokens` without directives. Text that is no C++ gives something, and no failure: the compiler
/// will say what is wrong with it.
Outline outline(const std::vector<Token>& tokens, const std::vector<size_t>& match,
                const std::vector<size_t>& angles);

}  // namespace gpuarr::host
