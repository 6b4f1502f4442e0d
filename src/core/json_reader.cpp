// JSON that others wrote.
#include "core/json_reader.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/printable.hpp"

namespace gpuarr {
namespace {

constexpr int deepest_json = 64;

// Bytes of the character that a text begins with; 0 if it is no UTF-8.
size_t utf8_length(std::string_view text) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  // Neither longer than need be, nor a surrogate, nor beyond U+10FFFF.
  const unsigned start = first << 8 | byte(1);
  const bool valid = length == 2   ? first >= 0xc2
                     : length == 3 ? start >= 0xe0a0 && (start < 0xeda0 || start >= 0xee80)
                                   : start >= 0xf090 && start < 0xf490;
  return valid ? length : 0;
}

void append_utf8(std::string& out, uint32_t code) {
  const auto put = [&](uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xc0 | code >> 6);
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3f));
  } else {
    put(0xf0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3f));
    put(0x80 | (code >> 6 & 0x3f));
  }
  put(0x80 | (code & 0x3f));
}

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  JsonValue document() {
    JsonValue out = value(0);
    skip_blanks();
    if (at_ < text_.size()) malformed("nothing more");
    return out;
  }

 private:
  using Kind = JsonValue::Kind;

  [[noreturn]] void malformed(std::string_view wanted) const {
    const std::string_view before = text_.substr(0, at_);
    const auto line = 1 + std::ranges::count(before, '\n');
    const size_t column = at_ - (before.rfind('\n') + 1) + 1;
    std::string found(text_.substr(at_, 20));
    std::ranges::replace_if(
        found, [](char c) { return c < ' ' || c > '~'; }, '?');
    fail(GPUARR_ERR_FORMAT, "it is not JSON: expected {} in line {}, column {}, found {}", wanted,
         line, column, at_ < text_.size() ? '"' + found + '"' : "its end");
  }

  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  bool is_at(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool accept(char c) {
    const bool found = is_at(c);
    if (found) ++at_;
    return found;
  }

  JsonValue value(int depth) {
    skip_blanks();
    if (is_at('{') || is_at('[')) {
      if (depth == deepest_json) malformed("values nested at most 64 deep");
      return is_at('{') ? object(depth) : array(depth);
    }
    JsonValue out;
    if (is_at('"')) {
      out.kind = Kind::string;
      out.text = string();
      return out;
    }
    for (std::string_view word : {"true", "false", "null"})
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        out.kind = word == "null" ? Kind::null : Kind::boolean;
        out.text = word;
        return out;
      }
    out.kind = Kind::number;
    out.text = number();
    return out;
  }

  JsonValue array(int depth) {
    JsonValue out;
    out.kind = Kind::array;
    ++at_;
    skip_blanks();
    if (accept(']')) return out;
    for (;;) {
      out.items.push_back(value(depth + 1));
      skip_blanks();
      if (accept(']')) return out;
      if (!accept(',')) malformed("',' or ']'");
    }
  }

  JsonValue object(int depth) {
    JsonValue out;
    out.kind = Kind::object;
    ++at_;
    skip_blanks();
    for (bool more = !accept('}'); more;) {
      skip_blanks();
      if (!is_at('"')) malformed("a key in quotes");
      out.keys.push_back(string());
      skip_blanks();
      if (!accept(':')) malformed("':'");
      out.items.push_back(value(depth + 1));
      skip_blanks();
      more = accept(',');
      if (!more && !accept('}')) malformed("',' or '}'");
    }
    refuse_repeated(out.keys);
    return out;
  }

  static void refuse_repeated(const std::vector<std::string>& keys) {
    std::vector<std::string_view> sorted(keys.begin(), keys.end());
    std::ranges::sort(sorted);
    const auto twice = std::ranges::adjacent_find(sorted);
    if (twice == sorted.end()) return;
    JsonValue key;
    key.kind = Kind::string;
    key.text = *twice;
    fail(GPUARR_ERR_FORMAT, "it has the key {} twice in one object", key.shown());
  }

  std::string string() {
    std::string out;
    for (++at_; !accept('"');) {
      const unsigned char c = at_ < text_.size() ? static_cast<unsigned char>(text_[at_]) : 0;
      if (c < ' ') malformed("'\"' at the end of a string");
      if (c == '\\') {
        append_utf8(out, escape());
        continue;
      }
      const size_t length = utf8_length(text_.substr(at_));
      if (length == 0) malformed("UTF-8");
      out += text_.substr(at_, length);
      at_ += length;
    }
    return out;
  }

  uint32_t escape() {
    constexpr std::string_view names = "\"\\/bfnrt", means = "\"\\/\b\f\n\r\t";
    const std::string_view name = text_.substr(at_ + 1, 1);
    if (name != "u") {
      const size_t which = name.empty() ? names.npos : names.find(name[0]);
      if (which == names.npos) malformed("an escape sequence");
      at_ += 2;
      return static_cast<unsigned char>(means[which]);
    }
    const uint32_t unit = utf16_unit();
    if (unit < 0xd800 || unit > 0xdfff) return unit;
    const uint32_t low = unit < 0xdc00 && text_.substr(at_).starts_with("\\u") ? utf16_unit() : 0;
    if (low < 0xdc00 || low > 0xdfff) malformed("both halves of a surrogate pair before it");
    return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
  }

  uint32_t utf16_unit() {
    const std::string_view digits = text_.substr(std::min(at_ + 2, text_.size()), 4);
    uint32_t unit = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
    if (error != std::errc() || end != digits.data() + 4) malformed("\\u and four digits");
    at_ += 6;
    return unit;
  }

  bool skip_digits() {
    const size_t end = std::min(text_.find_first_not_of("0123456789", at_), text_.size());
    const bool some = end > at_;
    at_ = end;
    return some;
  }

  std::string number() {
    const size_t start = at_;
    accept('-');
    if (!accept('0') && !skip_digits()) {
      at_ = start;
      malformed("a value");
    }
    if (accept('.') && !skip_digits()) malformed("a digit");
    if (accept('e') || accept('E')) {
      if (!accept('+')) accept('-');
      if (!skip_digits()) malformed("a digit");
    }
    return std::string(text_.substr(start, at_ - start));
  }

  std::string_view text_;
  size_t at_ = 0;
};

// Until it is longer than anybody wants to read.
void append_json(std::string& out, const JsonValue& value) {
  constexpr size_t enough = 60;
  const bool is_object = value.kind == JsonValue::Kind::object;
  if (value.kind == JsonValue::Kind::string) {
    out += json_quoted(value.text.substr(0, enough + 1));
  } else if (is_object || value.kind == JsonValue::Kind::array) {
    out += is_object ? '{' : '[';
    for (size_t i = 0; i < value.items.size() && out.size() <= enough; ++i) {
      if (i > 0) out += ", ";
      if (is_object) out += json_quoted(value.keys[i].substr(0, enough + 1)) + ": ";
      append_json(out, value.items[i]);
    }
    out += is_object ? '}' : ']';
  } else {
    out += value.text.substr(0, enough + 1);
  }
}

template <class T>
std::optional<T> number_from(const JsonValue& value) {
  T out{};
  const char* end = value.text.data() + value.text.size();
  if (value.kind != JsonValue::Kind::number) return std::nullopt;
  const auto [rest, error] = std::from_chars(value.text.data(), end, out);
  if (error != std::errc() || rest != end) return std::nullopt;
  return out;
}

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  const auto found = std::ranges::find(keys, key);
  return found == keys.end() ? nullptr : &items[static_cast<size_t>(found - keys.begin())];
}

std::optional<bool> JsonValue::boolean() const {
  if (kind != Kind::boolean) return std::nullopt;
  return text == "true";
}

std::optional<int64_t> JsonValue::integer() const { return number_from<int64_t>(*this); }
std::optional<uint64_t> JsonValue::natural() const { return number_from<uint64_t>(*this); }
std::optional<double> JsonValue::real() const { return number_from<double>(*this); }

std::string JsonValue::shown() const {
  constexpr size_t most = 60;
  std::string out;
  append_json(out, *this);
  if (out.size() > most) {
    size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xc0) == 0x80) --end;
    out.resize(end);
    out += "...";
  }
  return printable(out);
}

JsonValue parse_json(std::string_view text) { return JsonReader(text).document(); }

}  // namespace gpuarr
