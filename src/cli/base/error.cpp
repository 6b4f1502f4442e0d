// From the library's last error to the command's message.
#include "cli/base/error.hpp"

#include <cctype>
#include <string_view>
#include <utility>

namespace cli {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// What the library calls something, and what it is on the command line.
constexpr std::pair<std::string_view, std::string_view> own_words[] = {
    {"gpuarr_arg_pointer(NULL)", "null"},
    {"gpuarr_arg_pointer", "null"},
    {"gpuarr_arg_bytes with", "a scalar of"},
    {"gpuarr_arg_view of an array that fits", "view:FILE, of an array that fits"},
    {"give GPUARR_NO_SIZE", "leave out --size"},
    {"arg_count is", "the number of arguments is"},
    {"shared_bytes is", "--shared is"},
    {"grid is", "--grid is"},
    {"block is", "--block is"},
    {"GPUARR_LISTING_PTX", "--listing ptx"},
    {"GPUARR_LISTING_ASSEMBLY", "--listing assembly"},
};

// "gpuarr_arg_i32" is i32:1, "gpuarr_split_at" the operation, if the command has it.
std::string translated(const std::string& word) {
  constexpr std::string_view scalar = "gpuarr_arg_", any = "gpuarr_";
  if (word.starts_with(scalar)) return word.substr(scalar.size()) + ":1";
  const std::string name = word.substr(any.size());
  return is_operation(name) ? "the operation " + name : word;
}

// "args[1]" is argument 2.
bool take_argument(std::string_view text, size_t& at, std::string& out) {
  constexpr std::string_view before = "args[";
  if (!text.substr(at).starts_with(before)) return false;
  size_t end = at + before.size();
  int number = 0;
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0)
    number = 10 * number + (text[end++] - '0');
  if (end == at + before.size() || end >= text.size() || text[end] != ']') return false;
  out += "argument " + std::to_string(number + 1);
  at = end + 1;
  return true;
}

std::string in_own_words(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    bool taken = take_argument(text, at, out);
    for (const auto& [theirs, ours] : own_words)
      if (!taken && rest.starts_with(theirs)) {
        out += ours;
        at += theirs.size();
        taken = true;
      }
    if (taken) continue;
    size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string word(text.substr(at, end - at));
    out += word.starts_with("gpuarr_") ? translated(word) : word;
    if (end == at) out += text[end++];
    at = end;
  }
  return out;
}

}  // namespace

std::string last_message() {
  std::string_view message = gpuarr_last_error();
  size_t colon = message.find(": ");
  bool named = message.starts_with("gpuarr_") && colon != std::string_view::npos &&
               message.find(' ') == colon + 1;
  if (named) message.remove_prefix(colon + 2);
  // Behind the first line are a user's own.
  const size_t line = std::min(message.find('\n'), message.size());
  return in_own_words(message.substr(0, line)) + std::string(message.substr(line));
}

void check(gpuarr_status status) {
  if (status != GPUARR_OK) throw Failure(last_message());
}

}  // namespace cli
