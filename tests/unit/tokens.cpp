// C++ text cut into tokens: what tells them apart, and that any bytes will do.
#include "core/tokens.hpp"

#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "seed.hpp"

using namespace gpuarr;

namespace {

using Kind = Token::Kind;

std::string joined(std::string_view text) {
  std::string out;
  for (const Token& token : tokenize(text)) {
    if (!out.empty()) out += '|';
    out += token.text;
  }
  return out;
}

std::string kinds(std::string_view text) {
  std::string out;
  for (const Token& token : tokenize(text)) out += "insc.#"[static_cast<int>(token.kind)];
  return out;
}

void test_words_and_punctuation() {
  CHECK_EQ(joined(""), "");
  CHECK_EQ(joined("f<a<b>>(x->y, ...)"), "f|<|a|<|b|>|>|(|x|->|y|,|...|)");
  CHECK_EQ(joined("a::b"), "a|::|b");
  CHECK_EQ(joined("k<<<1, 2>>>();"), "k|<|<|<|1|,|2|>|>|>|(|)|;");
  CHECK_EQ(joined("x=-1"), "x|=|-|1");
  CHECK_EQ(joined("int größe$2_;"), "int|größe$2_|;");
  CHECK_EQ(kinds("int x = 'a' + \"b\" + 3;"), "ii.c.s.n.");
}

void test_numbers() {
  CHECK_EQ(joined("1.5e-3f+2"), "1.5e-3f|+|2");
  CHECK_EQ(joined("0x1p+4-x"), "0x1p+4|-|x");
  CHECK_EQ(joined("1'000'000u"), "1'000'000u");
  CHECK_EQ(joined(".5f .x 1..2"), ".5f|.|x|1..2");
  CHECK_EQ(joined("0'a'"), "0'a|'");
}

void test_comments() {
  CHECK_EQ(joined("a/*\n__global__*/b//c\nd"), "a|b|d");
  CHECK_EQ(joined("a // b \\\nc\nd"), "a|d");
  CHECK_EQ(joined("\"/*\" a \"*/\""), "\"/*\"|a|\"*/\"");
  CHECK_EQ(joined("a /* b"), "a");
  CHECK_EQ(joined("a\\\nb \\\r\n c"), "a|b|c");
}

void test_strings() {
  CHECK_EQ(joined(R"x("a\"b" c)x"), R"x("a\"b"|c)x");
  CHECK_EQ(joined(R"x('\'' '"' L'x' u8"y")x"), R"x('\''|'"'|L'x'|u8"y")x");
  CHECK_EQ(joined("\"a\\\nb\" c"), "\"a\\\nb\"|c");
  CHECK_EQ(joined("\"open\nnext"), "\"open|next");
  CHECK_EQ(joined("R\"(a\")\n)\" b"), "R\"(a\")\n)\"|b");
  CHECK_EQ(joined("uR\"--(a)\" )--\" b"), "uR\"--(a)\" )--\"|b");
  CHECK_EQ(joined("R\"never closed"), "R\"never closed");
  CHECK_EQ(joined("R\"(never closed"), "R\"(never closed");
  CHECK_EQ(joined("FOOR\"(a\""), "FOOR|\"(a\"");
}

void test_directives() {
  CHECK_EQ(joined("# 1 \"a.cu\" 2\nx"), "# 1 \"a.cu\" 2|x");
  CHECK_EQ(joined("a # b"), "a|#|b");
  CHECK_EQ(joined("/* c */ #define X \\\n 1\ny"), "#define X \\\n 1|y");
  CHECK_EQ(joined("#define X /* a\nb */ 1\ny"), "#define X /* a\nb */ 1|y");
  CHECK_EQ(joined("#define X \"/*\"\ny"), "#define X \"/*\"|y");
  CHECK_EQ(joined("#error don't\ny"), "#error don't|y");
  CHECK_EQ(kinds(" #x\n#y"), "##");
}

void test_lines() {
  const auto tokens = tokenize("a\nR\"(\n\n)\" b /*\n*/ c \\\n d\n#x \\\n y\ne");
  const std::vector<int> expected = {1, 2, 4, 5, 6, 7, 9};
  std::vector<int> lines;
  lines.reserve(tokens.size());
  for (const Token& token : tokens) lines.push_back(token.line);
  CHECK(lines == expected);
}

// Whatever the text: tokens do not overlap, are in order, and have the lines that they say.
void test_hostile() {
  std::mt19937 random(test_seed());
  const std::vector<std::string> pieces = {
      "\"", "'",    "\\",  "\n", "R\"(", ")\"", "/*",   "*/", "//", "#", "\r", " ",
      "x",  "1",    "e+",  ".",  "::",   "<",   "\\\n", "u8", "L",  "(", ")",  std::string(1, '\0'),
      "é",  "\xff", "...", "->", "{",    "}"};
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (size_t n = random() % 40; n > 0; --n) text += pieces[random() % pieces.size()];
    const char* end = text.data();
    int line = 1;
    for (const Token& token : tokenize(text)) {
      CHECK(token.text.data() >= end && !token.text.empty());
      for (; end < token.text.data(); ++end) line += *end == '\n' ? 1 : 0;
      CHECK_EQ(token.line, line);
    }
    CHECK(end <= text.data() + text.size());
  }
}

}  // namespace

int main() {
  test_words_and_punctuation();
  test_numbers();
  test_comments();
  test_strings();
  test_directives();
  test_lines();
  test_hostile();
  return check::result();
}
