// The grammars of parameter lists and of cores: what they parse to, and random text, which must
// fail politely.
#include "kernel/text/signature.hpp"

#include <array>
#include <random>

#include "check.hpp"
#include "kernel/text/core_signature.hpp"

using namespace gpuarr;

namespace {

void a_list_is_taken_apart() {
  Signature s = parse_signature(" T x,raw const  float32 y ,const raw U z", "T x, raw bool b");
  CHECK_EQ(s.inputs.size(), 3u);
  CHECK_EQ(s.inputs[0].name, "x");
  CHECK_EQ(s.inputs[0].letter, 'T');
  CHECK(!s.inputs[0].raw && !s.inputs[0].dtype);
  CHECK(s.inputs[1].raw && s.inputs[1].dtype == DType::f32);
  CHECK_EQ(s.inputs[1].letter, 0);
  CHECK(s.inputs[2].raw && s.inputs[2].letter == 'U');
  CHECK_EQ(s.outputs.size(), 2u);
  CHECK(s.outputs[1].raw && s.outputs[1].dtype == DType::boolean);
  CHECK(s.starts_as == (std::vector<int>{0, -1}));
}

void every_type_has_a_name() {
  for (const DTypeFacts& r : dtype_table()) {
    Signature s = parse_signature(std::string(r.name) + " x", "");
    CHECK(s.inputs[0].dtype == r.dtype);
    CHECK_FAILS(GPUARR_ERR_SYNTAX, r.dtype == DType::boolean ? "keyword" : "is the name of a type",
                [&] { parse_signature(std::string("T ") + r.name, ""); });
  }
}

void one_type_may_be_spelled_twice_in_two_lists() {
  Signature s = parse_signature("float32 x, T y", "T y, float32 x");
  CHECK(s.starts_as == (std::vector<int>{1, 0}));
}

void names() {
  for (const char* good : {"x", "X9", "a_b", "_x"}) CHECK(is_identifier(good));
  for (const char* bad : {"", "9", "a b", "a-b", "\303\251", "a\351", "a."})
    CHECK(!is_identifier(bad));
  for (const char* word : {"alignas", "int", "xor_eq", "co_await", "while"})
    CHECK(is_keyword(word));
  for (const char* word : {"", "Int", "whiles", "final"}) CHECK(!is_keyword(word));
}

// Pieces of lists joined at random: a signature, or one of two errors with a message.
void random_lists() {
  constexpr std::array pieces = {"T",    "x",        "raw",  "const", "float32", ",",
                                 " ",    "\t",       "i",    "nn",    "_y",      "int",
                                 "\351", "U y",      ",,",   "9",     "*",       "complex",
                                 "T x",  "\303\251", "\x01", "(",     "yy",      "bool b"};
  std::mt19937 random(7);
  auto list = [&] {
    std::string out;
    for (auto k = random() % 8; k > 0; --k) {
      out += pieces[random() % pieces.size()];
      if (random() % 2 == 0) out += ' ';
    }
    return out;
  };
  int parsed = 0;
  for (int round = 0; round < 200000; ++round) {
    std::string in = list();
    std::string out = list();
    try {
      Signature s = parse_signature(in, out);
      ++parsed;
      CHECK(s.starts_as.size() == s.outputs.size());
      for (const auto* side : {&s.inputs, &s.outputs})
        for (const Parameter& p : *side)
          CHECK(is_identifier(p.name) && p.dtype.has_value() != (p.letter != 0));
    } catch (const Error& error) {
      CHECK(error.status() == GPUARR_ERR_SYNTAX || error.status() == GPUARR_ERR_TYPE);
      CHECK(error.message().find("params") != std::string::npos ||
            error.message().find('"') != std::string::npos);
    }
  }
  CHECK(parsed > 500);
}

void cores_are_taken_apart() {
  const CoreSignature s = parse_cores(" ( m? , k ) , (k,3),( ) -> (m?,3) ,()");
  CHECK_EQ(s.inputs, 3);
  CHECK(s.cores == (std::vector<std::vector<int>>{{0, 1}, {1, 2}, {}, {0, 2}, {}}));
  CHECK(s.dims[0].name == "m" && s.dims[0].optional && s.dims[0].fixed == -1);
  CHECK(s.dims[2].name == "3" && !s.dims[2].optional && s.dims[2].fixed == 3);
  CHECK_EQ(s.core_text(0), "(m?,k)");
  CHECK_EQ(parse_cores("->(3)").inputs, 0);
  CHECK_EQ(parse_cores("(n)->").cores.size(), 1u);
}

// What is written of what was parsed is parsed to the same.
void random_cores() {
  constexpr std::array pieces = {"(", ")", "(n)",  ",",     "n",  "mm", "3", "?", "->",
                                 " ", "_", "\351", "(n,3)", "()", "k?", "-", "0"};
  std::mt19937 random(7);
  int parsed = 0;
  for (int round = 0; round < 50000; ++round) {
    std::string text;
    for (auto k = random() % 7; k > 0; --k) text += pieces[random() % pieces.size()];
    try {
      const CoreSignature s = parse_cores(text);
      ++parsed;
      std::string again;
      for (int k = 0; k < static_cast<int>(s.cores.size()); ++k)
        again += (k == s.inputs ? "->" : k > 0 ? "," : "") + s.core_text(k);
      if (s.inputs == static_cast<int>(s.cores.size())) again += "->";
      CHECK(parse_cores(again).cores == s.cores);
    } catch (const Error& error) {
      CHECK(error.status() == GPUARR_ERR_SYNTAX);
      CHECK(error.message().find("signature \"") == 0);
    }
  }
  CHECK(parsed > 500);
}

}  // namespace

int main() {
  a_list_is_taken_apart();
  every_type_has_a_name();
  one_type_may_be_spelled_twice_in_two_lists();
  names();
  random_lists();
  cores_are_taken_apart();
  random_cores();
  return check::result();
}
