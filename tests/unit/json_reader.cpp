// JSON that others wrote: what RFC 8259 has is read, all else is refused with its place.
#include "core/json_reader.hpp"

#include <random>

#include "check.hpp"
#include "core/json.hpp"
#include "seed.hpp"

using namespace gpuarr;
using Kind = JsonValue::Kind;

namespace {

void values_are_read() {
  const JsonValue all =
      parse_json(" {\"a\": [1, -2.5e3, true, false, null], \"b\":{},\t\"\":\"x\"}\r\n");
  CHECK(all.kind == Kind::object && all.keys.size() == 3);
  const JsonValue& a = *all.find("a");
  CHECK(a.kind == Kind::array && a.items.size() == 5);
  CHECK_EQ(*a.items[0].integer(), 1);
  CHECK_EQ(*a.items[1].real(), -2500.0);
  CHECK(!a.items[1].integer());
  CHECK(a.items[2].boolean() == true && a.items[3].boolean() == false);
  CHECK(a.items[4].kind == Kind::null && !a.items[4].boolean());
  CHECK(all.find("b")->kind == Kind::object && all.find("b")->items.empty());
  CHECK(all.find("")->is("x") && all.find("c") == nullptr && a.find("a") == nullptr);
  CHECK(parse_json("[ ]").items.empty());
  CHECK(parse_json("\"a\"").is("a"));
}

void numbers_keep_what_they_are() {
  CHECK_EQ(*parse_json("9223372036854775807").integer(), INT64_MAX);
  CHECK_EQ(*parse_json("-9223372036854775808").integer(), INT64_MIN);
  CHECK(!parse_json("9223372036854775808").integer());
  CHECK_EQ(*parse_json("18446744073709551615").natural(), UINT64_MAX);
  CHECK(!parse_json("18446744073709551616").natural() && !parse_json("-1").natural());
  CHECK(!parse_json("1.0").integer() && !parse_json("1e2").integer());
  CHECK_EQ(*parse_json("1E+2").real(), 100.0);
  CHECK(!parse_json("1e999").real());
  CHECK(!parse_json("\"1\"").integer() && !parse_json("\"1\"").real() &&
        !parse_json("true").real());
}

void strings_are_unescaped() {
  CHECK(parse_json(R"("\"\\\/\b\f\n\r\tA")").is("\"\\/\b\f\n\r\tA"));
  CHECK(parse_json(R"("é€😀")").is("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"));
  CHECK(parse_json(R"("\u00e9\u20AC\uD83D\ude00\u0041")")
            .is("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"
                "A"));
  CHECK_EQ(parse_json("\"a\\u0000b\"").text.size(), size_t{3});
}

void all_else_is_refused() {
  struct Case {
    std::string text;
    const char* message;
  };
  const Case cases[] = {
      {"", "expected a value in line 1, column 1, found its end"},
      {"{\"a\": 1,\n  \"b\" 2}", "expected ':' in line 2, column 7, found \"2}\""},
      {"{\"a\": 1} x", "expected nothing more in line 1, column 10, found \"x\""},
      {"[1, 2", "expected ',' or ']' in line 1, column 6, found its end"},
      {"[1 2]", "expected ',' or ']'"},
      {"[1,]", "expected a value"},
      {"[,1]", "expected a value"},
      {"{\"a\": 1", "expected ',' or '}'"},
      {"{\"a\": 1,}", "expected a key in quotes"},
      {"{1: 2}", "expected a key in quotes"},
      {"{'a': 2}", "expected a key in quotes"},
      {"NaN", "expected a value in line 1, column 1, found \"NaN\""},
      {"-Infinity", "expected a value in line 1, column 1, found \"-Infinity\""},
      {"[Infinity]", "expected a value"},
      {"True", "expected a value"},
      {"nul", "expected a value"},
      {"01", "expected nothing more"},
      {"+1", "expected a value"},
      {".5", "expected a value"},
      {"1.", "expected a digit"},
      {"1e", "expected a digit"},
      {"1e+", "expected a digit"},
      {"0x10", "expected nothing more"},
      {"-", "expected a value"},
      {"// no\n1", "expected a value"},
      {"\"abc", "expected '\"' at the end of a string"},
      {"\"a\nb\"", "expected '\"' at the end of a string in line 1, column 3, found \"?b\"\""},
      {std::string("\"a\0b\"", 5), "expected '\"' at the end of a string"},
      {"\"\\x41\"", "expected an escape sequence"},
      {"\"\\", "expected an escape sequence"},
      {"\"\\u12\"", "expected \\u and four digits"},
      {"\"\\u12g4\"", "expected \\u and four digits"},
      {"\"\\u+123\"", "expected \\u and four digits"},
      {"\"\\ud800\"", "expected both halves of a surrogate pair before it"},
      {"\"\\udc00\"", "expected both halves"},
      {"\"\\ud800\\ud800\"", "expected both halves"},
      {"\"\\ud800\\u0041\"", "expected both halves"},
      {"\xef\xbb\xbf{}", "expected a value"},
      {"\"\x80\"", "expected UTF-8"},
      {"\"\xc0\xaf\"", "expected UTF-8"},
      {"\"\xc1\xbf\"", "expected UTF-8"},
      {"\"\xe0\x9f\xbf\"", "expected UTF-8"},
      {"\"\xed\xa0\x80\"", "expected UTF-8"},
      {"\"\xf0\x8f\xbf\xbf\"", "expected UTF-8"},
      {"\"\xf4\x90\x80\x80\"", "expected UTF-8"},
      {"\"\xf5\x80\x80\x80\"", "expected UTF-8"},
      {"\"\xff\"", "expected UTF-8"},
      {"\"\xe2\x82\"", "expected UTF-8"},
      {"\"\xe2\x82", "expected UTF-8"},
      {"{\"a\": {\"b\": 1, \"c\": 2, \"b\": 3}}", "it has the key \"b\" twice in one object"},
      {"{\"a\": 1, \"\\u0061\": 1}", "it has the key \"a\" twice"},
      {std::string(65, '[') + std::string(65, ']'), "expected values nested at most 64 deep"},
      {std::string(1 << 20, '['), "expected values nested at most 64 deep"},
  };
  for (const Case& c : cases) {
    CHECK_FAILS(GPUARR_ERR_FORMAT, c.message, [&] { parse_json(c.text); });
    if (c.text.size() < 100 && c.text[0] != '{') {
      CHECK_FAILS(GPUARR_ERR_FORMAT, "", [&] { parse_json("[\"\", " + c.text + "]"); });
    }
  }
  CHECK(parse_json(std::string(64, '[') + std::string(64, ']')).kind == Kind::array);
}

void messages_show_what_is_harmless() {
  const auto shown = [](const char* text) { return parse_json(text).shown(); };
  CHECK_EQ(shown("{\"a\" :[1,2.50 ,null],\n\"b\":\"x\"}"),
           "{\"a\": [1, 2.50, null], \"b\": \"x\"}");
  CHECK_EQ(shown("\"\\u001b[31m\\u009b\\n\""), "\"\\u001b[31m\\xc2\\x9b\\u000a\"");
  JsonValue value;
  value.kind = Kind::string;
  value.text = std::string(1 << 20, 'a');
  CHECK_EQ(value.shown(), '"' + std::string(59, 'a') + "...");
  value.text = std::string(58, 'a') +
               "\xf0\x9f\x98\x80"
               "b";
  CHECK_EQ(value.shown(), '"' + std::string(58, 'a') + "...");
  CHECK(parse_json("[" + std::string(60, '[') + std::string(60, ']') + ", 2]").shown().size() < 70);
}

// What is written is read again as the same.
JsonValue draw(std::mt19937_64& random, std::string& text, int depth) {
  JsonValue out;
  const auto below = [&](unsigned end) { return random() % end; };
  out.kind = static_cast<Kind>(below(depth > 0 ? 6 : 4));
  if (out.kind == Kind::null) out.text = "null";
  if (out.kind == Kind::boolean) out.text = below(2) == 0 ? "true" : "false";
  if (out.kind == Kind::number) out.text = std::to_string(static_cast<int64_t>(random()));
  if (out.kind == Kind::string)
    for (auto n = below(5); n > 0; --n) out.text += static_cast<char>(below(127));
  text += out.kind == Kind::string ? json_quoted(out.text) : out.text;
  if (out.kind < Kind::array) return out;
  text += out.kind == Kind::array ? "[" : "{";
  for (auto n = below(4); n > 0; --n) {
    if (out.kind == Kind::object) {
      out.keys.push_back(std::to_string(n));
      text += json_quoted(out.keys.back()) + (below(2) == 0 ? ":" : " : ");
    }
    out.items.push_back(draw(random, text, depth - 1));
    text += n > 1 ? "," : "";
    text += below(3) == 0 ? " \n" : "";
  }
  text += out.kind == Kind::array ? "]" : "}";
  return out;
}

bool are_same(const JsonValue& a, const JsonValue& b) {
  bool same =
      a.kind == b.kind && a.text == b.text && a.keys == b.keys && a.items.size() == b.items.size();
  for (size_t i = 0; same && i < a.items.size(); ++i) same = are_same(a.items[i], b.items[i]);
  return same;
}

}  // namespace

int main() {
  values_are_read();
  numbers_keep_what_they_are();
  strings_are_unescaped();
  all_else_is_refused();
  messages_show_what_is_harmless();
  std::mt19937_64 random(test_seed());
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    const JsonValue value = draw(random, text, 5);
    CHECK(are_same(parse_json(text), value));
  }
  return check::result();
}
