// The header of a .npy file.
#include "array/npy_header.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "core/error.hpp"

namespace gpuarr {
namespace {

// Hostile text goes into messages without what could steer a terminal, and not all of it.
std::string excerpt(std::string_view raw) {
  std::string out(raw.substr(0, 40));
  for (char& c : out)
    if (c < ' ' || c > '~') c = '?';
  return raw.size() > 40 ? out + "..." : out;
}

// Takes the tokens of a Python literal, one after the other.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  [[noreturn]] void malformed(std::string_view wanted) const {
    fail(GPUARR_ERR_FORMAT, "its header is malformed: expected {} at byte {}, found \"{}\"", wanted,
         at_, excerpt(text_.substr(at_)));
  }

  // The next character that is no space; 0 at the end.
  char peek() {
    constexpr std::string_view spaces = " \t\r\n\f";
    while (at_ < text_.size() && spaces.find(text_[at_]) != spaces.npos) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool accept(char c) {
    bool found = peek() == c && at_ < text_.size();
    if (found) ++at_;
    return found;
  }

  void expect(char c) {
    if (!accept(c)) malformed(formatted("'{}'", c));
  }

  void expect_end() {
    if (peek() != '\0' || at_ < text_.size()) malformed("nothing more");
  }

  std::string_view string() {
    char quote = peek();
    if (quote != '\'' && quote != '"') malformed("a string");
    size_t end = text_.find(quote, at_ + 1);
    if (end == text_.npos) malformed("a string that ends");
    std::string_view out = text_.substr(at_ + 1, end - at_ - 1);
    if (out.find_first_of("\\\n") != out.npos) malformed("a string without escapes");
    at_ = end + 1;
    return out;
  }

  bool boolean() {
    peek();
    for (std::string_view word : {"True", "False"})
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return word == "True";
      }
    malformed("True or False");
  }

  int64_t integer() {
    peek();
    int64_t value = 0;
    const char* end = text_.data() + text_.size();
    auto [rest, error] = std::from_chars(text_.data() + at_, end, value);
    if (error == std::errc::result_out_of_range)
      fail(GPUARR_ERR_SHAPE, "its shape has an extent beyond 2^63 - 1");
    if (error != std::errc()) malformed("an integer");
    at_ = static_cast<size_t>(rest - text_.data());
    return value;
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

// "<f4": byte order, kind, bytes.
void read_dtype(Scanner& scanner, FileArray& header) {
  char next = scanner.peek();
  if (next == '[' || next == '(' || next == '{')
    fail(GPUARR_ERR_DTYPE, "its dtype is structured; save its fields as separate arrays");
  std::string_view descr = scanner.string();
  std::string_view type = descr;
  if (!type.empty() && std::string_view("<>=|").find(type[0]) != descr.npos) type.remove_prefix(1);
  header.big_endian = descr.starts_with('>');
  auto is_it = [&](const DTypeFacts& r) {
    return r.npy_kind != 0 && type == formatted("{}{}", r.npy_kind, r.size);
  };
  auto rows = dtype_table();
  auto found = std::ranges::find_if(rows, is_it);
  if (type.starts_with('O'))
    fail(GPUARR_ERR_DTYPE, "its dtype is object: Python objects, which only Python can load");
  if (found == rows.end())
    fail(GPUARR_ERR_DTYPE, "its dtype is \"{}\", which libgpuarr lacks", excerpt(descr));
  header.dtype = found->dtype;
}

Dims read_extents(Scanner& scanner) {
  Dims extents;
  scanner.expect('(');
  while (!scanner.accept(')')) {
    if (extents.size() == max_ndim)
      fail(GPUARR_ERR_SHAPE, "its shape has more than {} axes", max_ndim);
    extents.push_back(scanner.integer());
    if (scanner.accept(',')) continue;
    // A tuple of one needs its comma: (3) is a number.
    if (extents.size() == 1 || scanner.peek() != ')') scanner.malformed("','");
  }
  return extents;
}

}  // namespace

std::string format_npy_header(const FileArray& header) {
  const DTypeFacts& type = facts_of(header.dtype);
  if (type.npy_kind == 0)
    fail(GPUARR_ERR_DTYPE, "NumPy has no {}; save the array as float32", name(header.dtype));
  char byte_order = type.size == 1 ? '|' : header.big_endian ? '>' : '<';
  std::string dictionary = formatted(
      "{{'descr': '{}{}{}', 'fortran_order': {}, 'shape': {}, }}", byte_order, type.npy_kind,
      type.size, header.order == Order::f ? "True" : "False", to_string(header.shape));
  // The data begin at a multiple of 64. 32 extents are far from the 65535 bytes of version 1.0.
  size_t before = 10;
  size_t padded = (before + dictionary.size() + 1 + 63) / 64 * 64 - before;
  dictionary.append(padded - dictionary.size() - 1, ' ');
  dictionary += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(padded & 0xff);
  out += static_cast<char>(padded >> 8);
  return out + dictionary;
}

FileArray parse_npy_header(std::string_view dictionary) {
  constexpr std::array<std::string_view, 3> keys = {"descr", "fortran_order", "shape"};
  std::array<bool, 3> seen{};
  FileArray header;
  Dims extents;
  Scanner scanner(dictionary);
  scanner.expect('{');
  while (!scanner.accept('}')) {
    std::string_view key = scanner.string();
    auto which = static_cast<size_t>(std::ranges::find(keys, key) - keys.begin());
    if (which == keys.size())
      fail(GPUARR_ERR_FORMAT, "its header has an unknown key \"{}\"", excerpt(key));
    if (seen[which]) fail(GPUARR_ERR_FORMAT, "its header has the key \"{}\" twice", key);
    seen[which] = true;
    scanner.expect(':');
    if (which == 0) read_dtype(scanner, header);
    if (which == 1) header.order = scanner.boolean() ? Order::f : Order::c;
    if (which == 2) extents = read_extents(scanner);
    if (scanner.accept(',')) continue;
    scanner.expect('}');
    break;
  }
  scanner.expect_end();
  for (size_t i = 0; i < keys.size(); ++i)
    if (!seen[i]) fail(GPUARR_ERR_FORMAT, "its header lacks the key \"{}\"", keys[i]);
  header.shape = checked_shape(extents.size(), extents.data(), size_of(header.dtype));
  return header;
}

FileArray read_npy_header(InputFile& file) {
  constexpr int64_t magic_bytes = 8;
  constexpr int64_t longest_header = int64_t{1} << 20;
  unsigned char magic[magic_bytes] = {};
  if (file.size() < magic_bytes)
    fail(GPUARR_ERR_FORMAT, "it is not a .npy file: it has only {} bytes", file.size());
  file.read(magic, magic_bytes);
  if (std::memcmp(magic, "\x93NUMPY", 6) != 0)
    fail(GPUARR_ERR_FORMAT, "it is not a .npy file: it does not begin with \"\\x93NUMPY\"");
  int major = magic[6];
  if (major < 1 || major > 3 || magic[7] != 0)
    fail(GPUARR_ERR_FORMAT, "its format version is {}.{}; known are 1.0, 2.0 and 3.0", major,
         magic[7]);
  int64_t length_bytes = major == 1 ? 2 : 4;
  unsigned char raw[4] = {};
  if (file.size() < magic_bytes + length_bytes)
    fail(GPUARR_ERR_FORMAT, "it ends before its header");
  file.read(raw, length_bytes);
  int64_t length = raw[0] | raw[1] << 8 | raw[2] << 16 | int64_t{raw[3]} << 24;
  int64_t rest = file.size() - magic_bytes - length_bytes;
  if (length > rest)
    fail(GPUARR_ERR_FORMAT, "it ends in its header: {} of {} bytes are there", rest, length);
  if (length > longest_header)
    fail(GPUARR_ERR_FORMAT, "its header has {} bytes; {} are the limit", length, longest_header);
  std::string dictionary(static_cast<size_t>(length), '\0');
  file.read(dictionary.data(), length);
  FileArray header = parse_npy_header(dictionary);
  header.begin = magic_bytes + length_bytes + length;
  if (header.bytes() > rest - length)
    fail(GPUARR_ERR_FORMAT, "it ends in its data: {} of {} bytes are there", rest - length,
         header.bytes());
  return header;
}

}  // namespace gpuarr
