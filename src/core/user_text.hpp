// A user's text, read once: what it says is kept with it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuarr {

/// All questions are about words: identifiers and keywords, those of directives among them, and
/// nothing that is quoted or in a comment. Copies share what was read.
class UserText {
 public:
  struct Word {
    std::string_view text;
    char next;   // the sign behind it; 0 at the end
    bool sized;  // ".size()" stands behind it
    bool free;   // in no directive, no member, and not called
  };

  UserText() = default;
  UserText(std::string text) : UserText(std::move(text), nullptr) {}
  UserText(std::string_view text) : UserText(std::string(text)) {}
  UserText(const char* text) : UserText(std::string(text)) {}
  /// Fails as check_source() does; `name` is the argument's.
  static UserText checked(const char* text, const char* name) { return {text, name}; }

  std::string_view text() const { return read_ ? read_->text : std::string_view(); }
  operator std::string_view() const { return text(); }
  bool empty() const { return text().empty(); }

  std::span<const Word> words() const { return read_ ? read_->words : std::span<const Word>(); }
  bool has_any(std::span<const std::string_view> words) const;
  bool has(std::string_view word) const { return has_any({&word, 1}); }
  bool indexes(std::string_view word) const;  // has it for more than its size()
  /// Has it, and macros: what stands in one counts where that is used, which is not looked for.
  bool may_define(std::string_view word) const { return read_ && read_->macros && has(word); }
  /// May declare an array that is not one for all, or take the address of a part of a variable.
  bool has_own_arrays() const { return read_ && read_->own_arrays; }
  /// May have the & that takes an address, in a macro too.
  bool may_take_addresses() const { return read_ && read_->addresses; }

 private:
  struct Read {
    std::string text;
    std::vector<Word> words;
    bool macros = false;
    bool own_arrays = false;
    bool addresses = false;
  };

  UserText(std::string text, const char* name);

  std::shared_ptr<const Read> read_;  // null: no text
};

}  // namespace gpuarr
