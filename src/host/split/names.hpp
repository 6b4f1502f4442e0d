// What the names in a kernel mean, for splitting it.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "host/split/declaration.hpp"
#include "host/split/statements.hpp"

namespace gpuarr::host {

/// What the rest of the text says about the names in a kernel.
struct SplitNames {
  std::function<bool(size_t)> waits;  // a token: it names what waits for other threads
  std::unordered_map<std::string_view, bool> constants;  // whether they are integers
  std::unordered_set<std::string_view> functions;        // of the text's own
  std::unordered_set<std::string_view> changing;         // functions that take references
};

/// The variables of a kernel, and where it names them.
struct KernelNames {
  /// `block` is the kernel's body. Refuses declarations that are not understood.
  KernelNames(const Parsed& text, const Declaration& kernel, const Statement& block,
              const SplitNames& outside);

  struct Declared {
    bool is_fixed;
    std::vector<size_t> variables;
  };

  const Parsed& parsed;
  const SplitNames& outer;
  TokenRange body;
  std::vector<Variable> variables;
  std::vector<size_t> parameters;                        // indices of variables
  std::unordered_map<size_t, Declared> declared;         // see declared_at()
  std::unordered_map<std::string_view, bool> constants;  // no variables; whether they are integers
  std::vector<size_t> changes;                           // tokens that change their variables
  std::vector<std::optional<size_t>> meanings;           // of the body's tokens
  std::unordered_map<std::string_view, size_t> first_words;  // where the body has each first

  /// The variable that a token of the body names.
  std::optional<size_t> meaning(size_t token) const { return meanings[token - body.first]; }

  /// What the statement, or the loop's init, declares that begins there; null if it declares
  /// nothing.
  const Declared* declared_at(size_t token) const;

  /// Whether the body has no such word before the variable's declaration.
  bool is_new_word(const Variable& variable) const;
};

}  // namespace gpuarr::host
