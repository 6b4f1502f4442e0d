// Tests of reading a user's text.
#include "core/user_text.hpp"

#include "check.hpp"

using namespace gpuarr;

namespace {

void has_words() {
  const UserText text = "if (x > 0) return; z = _ind.size() + x.i";
  for (const char* word : {"if", "x", "return", "z", "_ind", "size", "i"}) CHECK(text.has(word));
  for (const char* word : {"", "ret", "0", "returns", ";"}) CHECK(!text.has(word));
  CHECK(!UserText().has("x") && UserText("x").has("x"));
  constexpr std::string_view any[] = {"while", "if"}, none[] = {"while", "for"};
  CHECK(text.has_any(any) && !text.has_any(none));
}

void copies_have_them_too() {
  UserText text = "i";
  UserText copy = text;
  text = "j";
  CHECK(copy.has("i") && text.has("j") && !text.has("i"));
  copy = std::move(text);
  CHECK(copy.has("j") && copy.text() == "j");
}

void words_are_none_in_comments_and_quotes() {
  for (const char* text : {"// i", "/* i */", "\"i\"", "'i'", "R\"(i)\"", "// x \\\n i", "u8\"i\"",
                           "#define A \"i\" // i", "1i", "0x1p+3i"})
    CHECK(!UserText(text).has("i"));
  for (const char* text : {"/**/i", "\"\"+i", "// \n i", "R\"()\",i", "1'000,i", "#error don't\ni"})
    CHECK(UserText(text).has("i"));
}

void directives_have_words() {
  CHECK(UserText("#define A i").has("i"));
  CHECK(UserText("#define A \\\n i").may_define("i"));
  CHECK(UserText("#define A 1\nint i;").may_define("i"));
  CHECK(!UserText("int i;").may_define("i"));
  CHECK(!UserText("#if defined(A)\nint i;\n#endif").may_define("i"));
  CHECK(UserText(std::string(size_t{1} << 16, '#')).words().empty());
}

void tells_size_from_index() {
  CHECK(!UserText("_ind.size()").indexes("_ind"));
  CHECK(UserText("_ind.size() + _ind.get()[0]").indexes("_ind"));
  CHECK(UserText("f(_ind)").indexes("_ind") && UserText("_ind").indexes("_ind"));
  CHECK(!UserText("x").indexes("_ind"));
}

void tells_own_arrays() {
  for (const char* text :
       {"int a[3]; a[0] = x;", "float b, a[2];", "list<int> a[2];", "array<float, 4> a;",
        "z = f(&x)", "p = &x;", "for (int a[2]; ;) {}", "const float t[2] = {1, 2};"})
    CHECK(UserText(text).has_own_arrays());
  for (const char* text :
       {"z = a[3]", "return a[3]", "f(x, a[3])", "static const int a[3] = {1, 2, 3};",
        "constexpr int a[3] = {};", "__constant__ int a[2];", "z = x & y", "z = x && y",
        "#define A int a[3]", "// int a[3]", "array[i]"})
    CHECK(!UserText(text).has_own_arrays());
}

void tells_addresses() {
  for (const char* text :
       {"&x", "f(&x)", "p = &x(0);", "(float4*)&x", "return &x;", "a && &b", "a ? &b : &c", "{&x}",
        "[&x] {}", "#define AT(x) &x\n", "*&x", "(&x)[1]"})
    CHECK(UserText(text).may_take_addresses());
  for (const char* text :
       {"a & b", "a[0] & b", "3 & b", "a && b", "(a) && (b)", "T& a = b;", "complex<T>& a",
        "[&] {}", "[&, a] {}", "auto&& a = b;", "a &= b;", "\"&x\"", "// &x"})
    CHECK(!UserText(text).may_take_addresses());
}

}  // namespace

int main() {
  has_words();
  copies_have_them_too();
  words_are_none_in_comments_and_quotes();
  directives_have_words();
  tells_size_from_index();
  tells_own_arrays();
  tells_addresses();
  return check::result();
}
