// Tests of $GPUARR_TEXT=closed: what text and options may have then.
#include "kernel/text/closed_text.hpp"

#include <cstdlib>
#include <string>

#include "check.hpp"

using namespace gpuarr;

namespace {

void ordinary_text_is_allowed() {
  check_closed_text(
      "#define N(x) ((x) % 4)\n#pragma unroll\n#if N(3) > 2 && defined(A)\n#line 3 "
      "\"f\"\n#endif\n#\n"
      "// #include <x.h> asm\n/* __has_include */ \"asm \\\" #include\" '#' \\\n\r\n"
      "extern \"C\" __global__ void k(float* x) { int assembly = 1'000; x[0] = assembly; }\n",
      "source");
  for (const char* option : {"-DN=4", "-DF(x)=x", "-UN", "-O3", "-std=c++20", "--ftz=true",
                             "--use_fast_math", "-lineinfo", "--maxrregcount=32"})
    check_closed_option(option);
}

void what_reaches_files_is_refused() {
  const std::string quiet = "int a;\n";
  for (const char* text : {"#include <x.h>",
                           "  # /* so */ include \"/etc/passwd\"",
                           "#inc\\\nlude <x>",
                           "#embed \"x\"",
                           "#import <x>",
                           "#include_next <x>",
                           "#incl",
                           "%:include <x>",
                           "?"
                           "?=include <x>",
                           "// ?"
                           "?/\n#include <x>",
                           "// \\ \n#include <x>",
                           "asm(\".incbin \\\"x\\\"\");",
                           "__asm__ volatile(\"\");",
                           "#define A as##m",
                           "#define A asm",
                           "_Pragma(\"x\")",
                           "#pragma GCC dependency \"x\"",
                           "#if __has_include(<x>)\n#endif",
                           "#ident \"x\"",
                           "R\"(\\\n)\"",
                           "u8R\"(x)\"",
                           "#define A R\"(x)\"",
                           "import <x>;",
                           "a\rb",
                           "a\x1b",
                           "#\\\n include <x>",
                           "#/*\n*/include <x>",
                           "F(\n#include <x>\n)"})
    CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "is not allowed while $GPUARR_TEXT is closed",
                [&] { check_closed_text(quiet + text, "body"); });
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "body, line 2: #include is not allowed",
              [&] { check_closed_text(quiet + "#include <x>", "body"); });
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "bytes of text",
              [] { check_closed_text(std::string((1 << 20) + 1, ' '), "body"); });
  for (const char* option :
       {"-I/etc", "-include", "x.h", "@x", "-fplugin=x.so", "-D", "-DA=1\n#include <x>", "-Wl,x",
        "-B.", "-specs=x", "--include-path=x", "-o", "--ftz=/x", "-std=c++20 -Ix", "-wrapper"})
    CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "is not allowed while $GPUARR_TEXT is closed",
                [&] { check_closed_option(option); });
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "a file is not allowed", [] { refuse_if_closed("a file"); });
}

void open_text_may_have_all() {
  check_closed_text("#include <x.h>\nasm(\"\");", "body");
  check_closed_option("-I/etc");
  refuse_if_closed("a file");
}

}  // namespace

int main() {
  unsetenv("GPUARR_TEXT");
  open_text_may_have_all();
  setenv("GPUARR_TEXT", "open", 1);
  open_text_may_have_all();
  setenv("GPUARR_TEXT", "closed", 1);
  ordinary_text_is_allowed();
  what_reaches_files_is_refused();
  setenv("GPUARR_TEXT", "shut", 1);
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "$GPUARR_TEXT is \"shut\"; say \"open\" or \"closed\"",
              [] { check_closed_text("", "body"); });
  return check::result();
}
