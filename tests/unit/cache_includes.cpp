// Tests of kernel/includes.hpp: which files of the user's become part of a kernel's key.
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include "check.hpp"
#include "fake_device.hpp"
#include "host/compile/compiler.hpp"
#include "host/compile/dependencies.hpp"
#include "kernel/cache/includes.hpp"
#include "kernel/cache/key.hpp"

namespace {

namespace fs = std::filesystem;

fs::path root;

void put(const std::string& name, const std::string& content) {
  fs::create_directories((root / name).parent_path());
  std::ofstream(root / name) << content;
}

struct Found {
  std::vector<std::string> names;  // below the root
  bool complete;
};

Found find(const std::string& text, std::vector<std::string> options) {
  for (std::string& option : options)
    if (size_t at = option.find("ROOT"); at != std::string::npos)
      option.replace(at, 4, root.string());
  IncludedFiles included = included_files(Source{"k", text, options});
  Found found{{}, included.complete};
  for (const IncludedFile& file : included.files)
    found.names.push_back(fs::relative(file.path, root).string());
  std::ranges::sort(found.names);
  return found;
}

using Names = std::vector<std::string>;

void names_are_found() {
  put("a/x.h", "int x;\n");
  put("b/x.h", "int other_x;\n");
  put("a/deep/y.h", "#include \"z.h\"\n#include <w.h>\n");
  put("a/deep/z.h", "#include \"../deep/y.h\"\n");
  put("b/w.h", "");
  CHECK(find("int main() {}", {"-IROOT/a"}).names.empty());
  CHECK(find("#include <x.h>", {}).names.empty());
  CHECK(find("#include <x.h>", {"-IROOT/a"}).names == Names{"a/x.h"});
  CHECK(find("#include \"x.h\"", {"-I", "ROOT/a"}).names == Names{"a/x.h"});
  CHECK(find("#include \"x.h\"", {"--include-path=ROOT/b"}).names == Names{"b/x.h"});
  CHECK((find("#include <x.h>", {"-IROOT/a", "-isystem", "ROOT/b"}).names ==
         Names{"a/x.h", "b/x.h"}));
  CHECK((find("\n  #  include\t<deep/y.h>\n", {"-IROOT/a", "-IROOT/b"}).names ==
         Names{"a/deep/y.h", "a/deep/z.h", "b/w.h"}));
  CHECK(find("# /* why */ include \\\n <x.h>", {"-IROOT/a"}).names == Names{"a/x.h"});
  CHECK(find("#include_next <x.h>", {"-IROOT/a"}).names == Names{"a/x.h"});
  CHECK(find("#if __has_include(<x.h>)\n#endif", {"-IROOT/a"}).names == Names{"a/x.h"});
  CHECK(find("#include \"" + (root / "a/x.h").string() + "\"", {}).names == Names{"a/x.h"});
  CHECK(find("int i;", {"-include", "ROOT/a/x.h"}).names == Names{"a/x.h"});
  CHECK(find("int i;", {"--pre-include=ROOT/a/x.h"}).names == Names{"a/x.h"});
  CHECK(find("#include <x.h>\n#include <x.h>", {"-IROOT/a"}).names == Names{"a/x.h"});
}

// As compilers read them, however they are written.
void other_spellings_are_found() {
  for (const char* text :
       {"%:include <x.h>", "#inc\\\nlude <x.h>", "#inc\\ \r\nlude <x.h>", "#import <x.h>",
        "?"
        "?=include <x.h>",
        "#inc?"
        "?/\nlude <x.h>",
        "#\\\ninclude \\\n<x.h>", "#embed <x.h>", "# include/**/<x.h>",
        "%:\\\n%:\n%: include_next <x.h>", "#if __has_embed(<x.h>)\n#endif"})
    CHECK(find(text, {"-IROOT/a"}).names == Names{"a/x.h"});
  CHECK(find("#define A(x) #x\n#pragma once\n# 3 \"f\"\n#elif 1\n", {}).complete);
  CHECK(!find("#include_all <x.h>", {}).complete);
  CHECK(!find("#pragma GCC pch_preprocess \"x.gch\"", {}).complete);
}

void what_cannot_be_told_is_said() {
  CHECK(find("#include <x.h>\n#ifdef __has_include\n#endif", {"-IROOT/a"}).complete);
  CHECK(!find("#define M <x.h>\n#include M\n", {"-IROOT/a"}).complete);
  CHECK(!find("#if __has_include(M)\n#endif", {"-IROOT/a"}).complete);
  CHECK(find("// a user's #include is here", {}).complete);
  CHECK(!find("/* so */ #include HERE", {}).complete);
  CHECK(!find("int i;\r\n\t #include HERE", {}).complete);
  CHECK(!find("", {"@options"}).complete);
  for (const char* option : {"-lm", "-L.", "-Wl,-T,x", "-Wa,x", "-fplugin=x.so", "x.o", "-B/x"})
    CHECK(!find("", {option}).complete);
  CHECK(
      find("", {"-lineinfo", "-D", "A=1", "-O2", "-Wall", "--gpu-architecture", "sm_90"}).complete);
  CHECK(!find("", {"-Wp,-include,x.h"}).complete);
  CHECK_EQ(::mkfifo((root / "a/fifo").c_str(), 0600), 0);
  CHECK(!find("#include <fifo>", {"-IROOT/a"}).complete);
  CHECK(!find("#include \"/dev/zero\"", {}).complete);
  put("a/huge.h", "");
  fs::resize_file(root / "a/huge.h", uint64_t{1} << 40);
  CHECK(!find("#include <huge.h>", {"-IROOT/a"}).complete);
  CHECK(find("#include <deep>", {"-IROOT/a"}).complete);  // a directory is no header
}

// A device may do something when it is opened, and who writes to a pipe sees that it was.
void what_is_no_file_is_not_opened() {
  const int watch = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  CHECK(::inotify_add_watch(watch, (root / "a/fifo").c_str(), IN_OPEN) >= 0);
  CHECK(!find("#include <fifo>", {"-IROOT/a"}).complete);
  char event[4096];
  CHECK(::read(watch, event, sizeof event) == -1 && errno == EAGAIN);
  ::close(watch);
}

// Names that never end, each looked for in all that follows; and files larger than numbers.
void hostile_text_takes_little_time() {
  std::string endless;
  for (int k = 0; k < 1000000; ++k) endless += "#include <\n";
  CHECK(!find(endless, {}).complete);
  put("a/small.h", " ");
  put("a/most.h", "");
  std::error_code refused;  // not all file systems have such files
  fs::resize_file(root / "a/most.h", uint64_t{INT64_MAX}, refused);
  CHECK(refused || !find("#include <small.h>\n#include <most.h>", {"-IROOT/a"}).complete);
}

void odd_text_is_survived() {
  for (const char* text :
       {"#", "#include", "#include <", "#include \"x", "# /*", "# /* *", "_", "#\\",
        "__has_include", "__has_include(", "__has_include(<", "#include_next"})
    find(text, {"-I", "-include"});
  CHECK(find("#include <x.h>", {"-IROOT/a", "-I"}).names == Names{"a/x.h"});
}

void the_key_follows() {
  FakeDevice device;
  Source source{"k", "#include <x.h>\n", {"-I" + (root / "a").string()}};
  std::string before = cache_key(device, source).text;
  CHECK(before == cache_key(device, source).text);
  put("a/x.h", "int changed;\n");
  CHECK(before != cache_key(device, source).text);

  std::vector<Source> others = {{"k", "text", {}},
                                {"l", "text", {}},
                                {"k", "text ", {}},
                                {"k", "text", {"-DA"}},
                                {"k", "text", {"-DA", ""}},
                                {"k", "text", {"-D", "A"}},
                                {"k", "text", {"-DAB"}},
                                {"k", "text", {"-DA", "-DB"}},
                                {"k", "text", {"-DB", "-DA"}},
                                {"k", "text", {"-DA\noption \n-DB"}},
                                {"k", "text", {"-DA\noption 3\n-DB"}}};
  std::vector<std::string> keys;
  keys.reserve(others.size());
  for (const Source& other : others) keys.push_back(cache_key(device, other).text);
  device.identity = "fake compiler 2";
  keys.push_back(cache_key(device, others[0]).text);
  std::ranges::sort(keys);
  CHECK(std::ranges::adjacent_find(keys) == keys.end());
  CHECK(!cache_key(device, Source{"k", "#include M", {}}).complete);
}

void rules_are_read() {
  using host::parse_dependencies;
  CHECK((parse_dependencies("a.o: b.h c\\ d.h \\\n e$$.h\n") == Names{"b.h", "c d.h", "e$.h"}));
  for (const char* odd : {"", ":", ": ", "a", "a: \\", "a: $", "a: b\\"}) parse_dependencies(odd);
  CHECK((host::files_of_user(
             {"-", "<stdin>", "/usr/include/a.h", "/tmp/s/b.h", "/usr/../srv/c.h", "d.h"},
             "/usr/bin/c++", "/tmp/s") == Names{"/srv/c.h", "d.h"}));
}

// By a macro the name is made, and the assembler reads what the compiler does not know.
void the_compiler_tells_what_it_read() {
  put("a/x.h", "int x;\n");
  const std::string x = (root / "a/x.h").string();
  for (const std::string& text :
       Names{"#define M <x.h>\n#include M\n", "asm(\".inc\" \"bin \\\"" + x + "\\\"\");\n"}) {
    Names reads;
    Source source{"k", text, {"-I" + (root / "a").string()}};
    source.reads = &reads;
    host::compile_source(source);
    CHECK(std::ranges::count(reads, x) == 1);
    CacheKey key;
    CHECK(!key.has(reads));
    key.files = {(root / "b/../a/x.h").string()};
    CHECK(key.has(reads));
  }
}

}  // namespace

int main() {
  std::string pattern = (fs::temp_directory_path() / "gpuarr-includes-XXXXXX").string();
  root = ::mkdtemp(pattern.data());
  names_are_found();
  other_spellings_are_found();
  rules_are_read();
  the_compiler_tells_what_it_read();
  what_cannot_be_told_is_said();
  what_is_no_file_is_not_opened();
  hostile_text_takes_little_time();
  odd_text_is_survived();
  the_key_follows();
  fs::remove_all(root);
  return check::result();
}
