// Tests of what texts may be: how large and how deep; and of what messages show of them.
#include "core/text_limits.hpp"

#include "check.hpp"
#include "core/printable.hpp"
#include "host/translate/translate.hpp"
#include "kernel/text/parameter_type.hpp"
#include "kernel/text/signature.hpp"

using namespace gpuarr;

namespace {

std::string times(size_t count, std::string_view part) {
  std::string out;
  out.reserve(count * part.size());
  for (size_t k = 0; k < count; ++k) out += part;
  return out;
}

bool is_deep(const std::string& text) { return find_too_deep(tokenize(text)).has_value(); }

void brackets_are_counted() {
  CHECK(!is_deep(times(256, "(") + times(256, ")")));
  CHECK(is_deep(times(257, "(")));
  CHECK(is_deep(times(100, "({[")));
  CHECK(!is_deep(times(1000, "(){}[]")));
  CHECK(!is_deep(times(5000, ")]}")));
  CHECK(!is_deep("\"" + times(1000, "(") + "\" // " + times(1000, "(")));
  CHECK(is_deep("#define A \\\n" + times(257, "(")));
  CHECK(!is_deep(times(5000, "#")));
  // A reader of directives within directives would read the rest each time, in a call in a call.
  CHECK(!is_deep(times(200000, "#/**/")));
  CHECK(is_deep("#/**/\n#define A /**/ " + times(257, "(")));
  const auto found = find_too_deep(tokenize("a\nb\n" + times(257, "{")));
  CHECK(found && found->line == 3);
}

// Each would be read by a call in a call.
void signs_are_counted() {
  for (const char* sign : {"-", "!x", "+x", "a?b:", "*", "=x", "<x", "sizeof ", "if(x)", "do ",
                           "A<int,A<", "if(x);else ", "if(x){}else ", "(int)-", "case 1:"}) {
    CHECK(!is_deep(times(500, sign)));
    CHECK(is_deep(times(4100, sign)));
    CHECK(!is_deep(times(20, times(30, sign) + ";}")));
  }
  CHECK(!is_deep("int x[] = {" + times(5000, "-1+2,") + "}"));
  CHECK(!is_deep(times(5000, "x = -y;")));
  CHECK(!is_deep(times(5000, "if (x) { y; }")));
  CHECK(!is_deep(times(5000, "f(-x, -y);")));
}

void sizes_are_counted() {
  check_source(std::string(most_text_bytes, ' '), "body");
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "body has 16777217 bytes of text; at most 16777216",
              [] { check_source(std::string(most_text_bytes + 1, ' '), "body"); });
  CHECK_FAILS(GPUARR_ERR_SYNTAX, "body, line 1: 257 brackets are open here",
              [] { check_source(times(300, "("), "body"); });
}

// A limit on these is the text's, and they must not fail before it.
void readers_are_shallow() {
  parse_type(times(5000, "gpuarr_view<") + "float" + times(5000, ",1>"));
  CHECK_FAILS(GPUARR_ERR_SYNTAX, "two parameters",
              [] { parse_signature(times(5000, "x y,") + "x y", ""); });
}

// What macros and headers made of a text that was shallow.
void expanded_text_is_looked_at() {
  const std::string text = "# 7 \"user.cu\"\n__global__ void k(int* x) { __syncthreads(); x[0] = ";
  CHECK_FAILS(GPUARR_ERR_COMPILE, "user.cu:7: error: 257 brackets", [&] {
    host::translate(text + times(5000, "(") + "1" + times(5000, ")") + ";}", {},
                    host::Purpose::speed);
  });
}

void terminals_are_not_steered() {
  CHECK_EQ(printable("a\x1b[31mb\x7f\r\x01\tc\n"), "a\\x1b[31mb\\x7f\\x0d\\x01\tc\n");
  CHECK_EQ(printable("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"),
           "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
  CHECK_EQ(printable("\x9b\xc2\x9b\xc3"), "\\x9b\\xc2\\x9b\\xc3");
  CHECK_EQ(printable("\xe2\x82"), "\\xe2\\x82");
}

}  // namespace

int main() {
  brackets_are_counted();
  signs_are_counted();
  sizes_are_counted();
  readers_are_shallow();
  expanded_text_is_looked_at();
  terminals_are_not_steered();
  return check::result();
}
