// Tests of reading NVRTC's log: texts of NVRTC 13.0, as it wrote them.
#include "check.hpp"
#include "cuda/compile/diagnostics.hpp"

using namespace gpuarr;

namespace {

void check_one(const Diagnostic& d, const char* file, int line, int column, bool is_error,
               const std::string& message) {
  CHECK_EQ(d.file, std::string(file));
  CHECK_EQ(d.line, line);
  CHECK_EQ(d.column, column);
  CHECK_EQ(d.is_error, is_error);
  CHECK_EQ(d.message, message);
}

constexpr const char* several = R"log(kernel(2): error: identifier "undefined_name" is undefined
  int helper(int a) { return undefined_name + a; }
                             ^

preamble(1): warning #1105-D: #warning directive: hello
  #warning hello
   ^

Remark: The warnings can be suppressed with "-diag-suppress <warning-number>"

body(2): error: identifier "foo" is undefined
  	z[0] = foo(x[0]);
  	       ^

body(5): error: expected a ";"
    z[2] = "abc";
    ^

body(6): error: no suitable conversion function from "S" to "float" exists
    struct S { int a; } s; z[3] = s;
                                  ^

preamble(2): error: expression must have class type but it has type "int"
  template <class T> T twice(T x) { return x.bad() * 2; }
                                           ^
          detected during instantiation of "T twice(T) [with T=int]" at line 7 of body

5 errors detected in the compilation of "kernel".
)log";

void reads_several() {
  auto found = cuda::parse_log(several);
  CHECK_EQ(found.size(), 6U);
  if (found.size() != 6) return;
  check_one(found[0], "kernel", 2, 28, true, "identifier \"undefined_name\" is undefined");
  check_one(found[1], "preamble", 1, 2, false, "#warning directive: hello");
  check_one(found[2], "body", 2, 9, true, "identifier \"foo\" is undefined");  // after a tab
  check_one(found[3], "body", 5, 3, true, "expected a \";\"");
  check_one(found[4], "body", 6, 33, true,
            "no suitable conversion function from \"S\" to \"float\" exists");
  check_one(found[5], "preamble", 2, 42, true,
            "expression must have class type but it has type \"int\"; detected during "
            "instantiation of \"T twice(T) [with T=int]\" at line 7 of body");
}

void reads_catastrophes() {
  auto found = cuda::parse_log(
      "body(2): catastrophic error: #error directive: no way\n  #error no way\n   ^\n\n"
      "1 catastrophic error detected in the compilation of \"kernel\".\n"
      "Compilation terminated.\n");
  CHECK_EQ(found.size(), 1U);
  if (found.size() == 1) check_one(found[0], "body", 2, 2, true, "#error directive: no way");
}

// What is wrong in a template of ours is told of the user's line that asked for it.
void tells_of_the_user() {
  auto found = cuda::parse_log(
      "gpuarr/atomics_cuda.cuh(25): error: no such operator\n  old + value;\n  ^\n"
      "          detected during:\n"
      "            instantiation of \"T change(T*)\" at line 31\n"
      "            instantiation of \"T atomicAdd(T*, T)\" at line 7 of body\n\n");
  CHECK_EQ(found.size(), 1U);
  if (found.size() != 1) return;
  CHECK_EQ(found[0].file, "body");
  CHECK_EQ(found[0].line, 7);
  CHECK_EQ(found[0].column, 0);
}

void reads_overloads() {
  auto found = cuda::parse_log(
      "body(1): error: no instance of overloaded function \"f\" matches the argument list\n"
      "            argument types are: (float)\n  f(1.0f);\n  ^\n"
      "preamble(3): note #3322-D: number of parameters of function template does not match\n"
      "  void f(int, int);\n       ^\n\n");
  CHECK_EQ(found.size(), 2U);
  if (found.size() != 2) return;
  check_one(found[0], "body", 1, 1, true,
            "no instance of overloaded function \"f\" matches the argument list; argument types "
            "are: (float)");
  check_one(found[1], "preamble", 3, 6, false,
            "number of parameters of function template does not match");
}

void reads_what_has_no_place() {
  auto found = cuda::parse_log(
      "nvrtc: warning: \"--std (-std)=c++17\" followed by \"--std (-std)=c++20\"\n"
      "nvrtc: error: unrecognized option --foo found\n"
      "ptxas error   : Entry function 'k' uses too much shared data (0x4e200 bytes, 0xc000 max)\n");
  CHECK_EQ(found.size(), 3U);
  if (found.size() != 3) return;
  check_one(found[0], "", 0, 0, false, "\"--std (-std)=c++17\" followed by \"--std (-std)=c++20\"");
  check_one(found[1], "", 0, 0, true, "unrecognized option --foo found");
  check_one(found[2], "", 0, 0, true,
            "Entry function 'k' uses too much shared data (0x4e200 bytes, 0xc000 max)");
}

void survives_anything() {
  CHECK(cuda::parse_log("").empty());
  CHECK(cuda::parse_log("\n\n^\n): error: x\n(): error: x\n(1): error: x\nbody(x): error: y")
            .empty());
  auto found = cuda::parse_log("dir (1)/a(2): b(3): error: c");  // no line below, odd names
  CHECK_EQ(found.size(), 1U);
  if (found.size() == 1) check_one(found[0], "dir (1)/a(2): b", 3, 0, true, "c");
  found = cuda::parse_log("body(4): error: x\n^");  // a caret where none should be
  CHECK_EQ(found.size(), 1U);
  if (found.size() == 1) check_one(found[0], "body", 4, 0, true, "x");
}

}  // namespace

int main() {
  reads_several();
  reads_catastrophes();
  tells_of_the_user();
  reads_overloads();
  reads_what_has_no_place();
  survives_anything();
  return check::result();
}
