// The compiler of the CPU device: which one is found, what it says, what it leaves behind, and what
// happens where the process or the environment is odd.
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "check.hpp"
#include "host/compile/compiler.hpp"
#include "host/compile/toolchain.hpp"

using namespace gpuarr;
using host::compile_source;

namespace fs = std::filesystem;

namespace {

const char* good_text = "extern \"C\" void k(const void*, long long, long long) {}\n";

/// A directory for the test, which is $TMPDIR meanwhile.
class Place {
 public:
  Place() {
    char path[] = "/tmp/gpuarr-test-XXXXXX";
    path_ = mkdtemp(path);
    fs::create_directory(path_ + "/tmp");
    setenv("TMPDIR", (path_ + "/tmp").c_str(), 1);
  }
  ~Place() {
    unsetenv("TMPDIR");
    fs::remove_all(path_);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  const std::string& path() const { return path_; }
  bool scratch_is_empty() const { return fs::is_empty(path_ + "/tmp"); }

  std::string program(const char* name, const std::string& script) const {
    std::string file = path_ + "/" + name;
    std::ofstream(file) << "#!/bin/sh\n" << script;
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }

 private:
  std::string path_;
};

/// A variable of the environment with another value for a while; null: not set.
class Setting {
 public:
  Setting(const char* name, const char* value) : name_(name) {
    if (const char* before = getenv(name)) before_ = before;
    if (value != nullptr)
      setenv(name, value, 1);
    else
      unsetenv(name);
  }
  ~Setting() {
    if (before_)
      setenv(name_, before_->c_str(), 1);
    else
      unsetenv(name_);
  }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

std::vector<Diagnostic> diagnostics_of(const std::string& text,
                                       const std::vector<std::string>& options = {}) {
  try {
    compile_source({"k", text, options});
  } catch (const CompileError& error) {
    CHECK_EQ(error.status(), GPUARR_ERR_COMPILE);
    for (const Diagnostic& d : error.diagnostics())
      CHECK(error.message().find(d.message) != std::string::npos);
    return error.diagnostics();
  }
  CHECK(!"the text compiled");
  return {};
}

void test_good_text(const Place& place) {
  const std::string image = compile_source({"k", good_text, {}});
  CHECK(image.starts_with("\177ELF"));
  CHECK(place.scratch_is_empty());
  compile_source({"k", std::string("#warning of no interest\n") + good_text, {}});
}

void test_options() {
  const std::string text = "#if X != 3 || defined(Y) || __cplusplus < 202002L\n#error no\n#endif\n";
  compile_source({"k", text + good_text, {"-DX=3", "-DY", "-UY", "-std=c++20"}});
  CHECK_EQ(diagnostics_of(text, {"-DX=3"}).size(), 1U);
  compile_source({"k", "static_assert(GPUARR_LIBMVEC >= 0 && GPUARR_LIBMVEC <= 2);", {}});
}

void test_diagnostics(const Place& place) {
  auto found = diagnostics_of("int f() {\n#line 1 \"body\"\n  return nothing + 1;\n}\n");
  CHECK_EQ(found.size(), 1U);
  if (found.size() == 1) {
    CHECK_EQ(found[0].file, "body");
    CHECK_EQ(found[0].line, 1);
    CHECK_EQ(found[0].column, 10);
    CHECK(found[0].is_error);
    CHECK(found[0].message.find("nothing") != std::string::npos);
    CHECK(found[0].message.find('[') == std::string::npos);
  }
  found = diagnostics_of("#include \"not/there.h\"\n");
  CHECK(found.size() == 1 && found[0].message.find("not/there.h") != std::string::npos);
  found = diagnostics_of("int a = b;\nint c = d;\n");
  CHECK_EQ(found.size(), 2U);
  CHECK(place.scratch_is_empty());
  CHECK_FAILS(GPUARR_ERR_COMPILE, "--no-such-option", [] {
    compile_source({"k", good_text, {"--no-such-option"}});
  });
}

void test_undefined_reference() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // these leave some undefined
  CHECK_FAILS(GPUARR_ERR_COMPILE, "undefined reference to `nowhere", [] {
    compile_source({"k", "extern \"C\" void nowhere();\nvoid f() { nowhere(); }\n", {}});
  });
#endif
}

void test_no_compiler(const Place& place) {
  {
    const Setting wanted("GPUARR_CXX", "/nowhere/g++");
    CHECK_FAILS(GPUARR_ERR_NO_COMPILER, "$GPUARR_CXX is \"/nowhere/g++\"", [] {
      compile_source({"k", good_text, {}});
    });
  }
  const Setting path("PATH", place.path().c_str());
  {
    const Setting wanted("GPUARR_CXX", "g++");
    CHECK_FAILS(GPUARR_ERR_NO_COMPILER, place.path().c_str(), [] { host::find_toolchain(); });
  }
  CHECK_FAILS(GPUARR_ERR_NO_COMPILER, "install g++", [] { compile_source({"k", good_text, {}}); });
}

void test_strange_compilers(const Place& place) {
  const std::string version = "[ \"$1\" = --version ] && echo 'strange 1.0' && exit 0\n";
  {
    const Setting wanted("GPUARR_CXX", place.program("dies", version + "kill -9 $$\n").c_str());
    CHECK_FAILS(GPUARR_ERR_COMPILE, "dies ended with signal 9", [] {
      compile_source({"k", good_text, {}});
    });
  }
  for (const char* shortage : {"g++: fatal error: cannot execute 'as': vfork: Resource temporarily "
                               "unavailable\\ncompilation terminated.",
                               "clang: error: unable to execute command: posix_spawn failed: "
                               "Cannot allocate memory"}) {
    const std::string script = version + "printf \"" + shortage + "\\n\" >&2; exit 1\n";
    const Setting wanted("GPUARR_CXX", place.program("short", script).c_str());
    CHECK_FAILS(GPUARR_ERR_OUT_OF_MEMORY, "; a limit of processes (ulimit -u) or of memory is", [] {
      compile_source({"k", good_text, {}});
    });
  }
  {
    const Setting wanted("GPUARR_CXX", place.program("silent", version + "exit 3\n").c_str());
    CHECK_FAILS(GPUARR_ERR_COMPILE, "exit status 3 and said nothing", [] {
      compile_source({"k", good_text, {}});
    });
  }
  {
    const Setting wanted("GPUARR_CXX", place.program("lazy", version + "exit 0\n").c_str());
    CHECK_FAILS(GPUARR_ERR_COMPILE, "lazy ended with exit status 0", [] {
      compile_source({"k", good_text, {}});
    });
  }
  {
    const Setting wanted("GPUARR_CXX", place.program("broken", "echo oh no; exit 1\n").c_str());
    CHECK_FAILS(GPUARR_ERR_NO_COMPILER, "oh no", [] { compile_source({"k", good_text, {}}); });
  }
  {
    const std::string full = version + "echo 'a.s: No space left on device' >&2; exit 1\n";
    const Setting wanted("GPUARR_CXX", place.program("full", full).c_str());
    CHECK_FAILS(GPUARR_ERR_IO, "/dev/shm: No space", [] { compile_source({"k", good_text, {}}); });
  }
  CHECK(place.scratch_is_empty());
}

void test_identity(const Place& place) {
  const std::string system = host::find_toolchain().identity;
  const std::string script = "exec g++ \"$@\"\n";
  std::string before;
  {
    const Setting wanted("GPUARR_CXX", place.program("wrapper", script).c_str());
    before = host::find_toolchain().identity;
    CHECK(before != system);
    CHECK(host::find_toolchain().path.find("wrapper") != std::string::npos);
    compile_source({"k", good_text, {}});
  }
  CHECK_EQ(host::find_toolchain().identity, system);
  CHECK(system.find("glibc 2.") != std::string::npos);
}

void test_other_compiler() {
  const Setting wanted("GPUARR_CXX", "clang++");
  try {
    CHECK(host::find_toolchain().family == host::Toolchain::Family::clang);
  } catch (const Error&) {
    std::cerr << "no clang++ here\n";
    return;
  }
  CHECK(compile_source({"k", good_text, {}}).starts_with("\177ELF"));
  auto found = diagnostics_of("int f() {\n#line 1 \"body\"\n  return nothing + 1;\n}\n");
  CHECK(found.size() == 1 && found[0].file == "body" && found[0].column == 10);
}

void test_polluted_environment(const Place& place) {
  std::ofstream(place.path() + "/evil.h") << "\n";
  const std::string text = std::string("#include \"evil.h\"\n") + good_text;
  compile_source({"k", text, {"-I" + place.path()}});
  const Setting cpath("CPATH", place.path().c_str());
  const Setting include("CPLUS_INCLUDE_PATH", place.path().c_str());
  const Setting libraries("LD_LIBRARY_PATH", place.path().c_str());
  const Setting preload("LD_PRELOAD", "/nowhere/lib.so");
  const Setting language("LC_ALL", "de_DE.UTF-8");
  CHECK_EQ(diagnostics_of(text).size(), 1U);
  compile_source({"k", good_text, {}});
}

void test_unwritable_scratch(const Place& place) {
  const Setting nowhere("TMPDIR", "/nowhere");
  compile_source({"k", good_text, {}});
  CHECK(place.scratch_is_empty());
}

size_t open_files() {
  return static_cast<size_t>(
      std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

void test_nothing_stays_open() {
  const size_t before = open_files();
  compile_source({"k", good_text, {}});
  diagnostics_of("int a = b;\n");
  CHECK_EQ(open_files(), before);
  CHECK(waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD);
}

void test_ignored_sigchld() {
  signal(SIGCHLD, SIG_IGN);
  compile_source({"k", good_text, {}});
  CHECK_EQ(diagnostics_of("int a = b;\n").size(), 1U);
  signal(SIGCHLD, SIG_DFL);
}

}  // namespace

int main() {
  unsetenv("GPUARR_CXX");
  const Place place;
  test_good_text(place);
  test_options();
  test_diagnostics(place);
  test_undefined_reference();
  test_no_compiler(place);
  test_strange_compilers(place);
  test_identity(place);
  test_other_compiler();
  test_polluted_environment(place);
  test_unwritable_scratch(place);
  test_nothing_stays_open();
  test_ignored_sigchld();
  return check::result();
}
