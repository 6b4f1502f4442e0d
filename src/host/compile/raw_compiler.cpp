#include "host/compile/raw_compiler.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

#include "core/line_name.hpp"
#include "core/text_limits.hpp"
#include "device/standard.hpp"
#include "host/compile/steps.hpp"
#include "host/compile/user_columns.hpp"
#include "host/glue/glue.hpp"
#include "host/read/local_memory.hpp"
#include "host/translate/translate.hpp"
#include "host/translate/unsupported.hpp"

namespace gpuarr::host {
namespace {

using Strings = std::vector<std::string>;

// What conditions in the text may ask for.
constexpr std::array<const char*, 4> macros = {
    "-DGPUARR_HOST=1", "-D__CUDACC__=1", "-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0"};

constexpr std::string_view preprocessing[] = {"-D",       "-U",      "-include",   "-imacros",
                                              "-isystem", "-iquote", "-idirafter", "-I"};

/// The user's options, by which of the two runs of the compiler they are for.
struct Options {
  Strings preprocessor;  // all
  Strings compiler;      // those that still mean something then; NDEBUG and checks to the glue
  bool defines = false;  // some mean something to the preprocessor alone
};

// Text may ask for __cplusplus, so the preprocessor gets the standard that was given.
Options sort_options(const Strings& given) {
  Options out;
  out.preprocessor = given;
  for (size_t k = 0; k < given.size(); ++k) {
    const auto found = std::ranges::find_if(
        preprocessing, [&](std::string_view name) { return given[k].starts_with(name); });
    if (found == std::end(preprocessing)) {
      out.compiler.push_back(at_least_17(given[k]));
      continue;
    }
    out.defines = true;
    std::string option = given[k];
    if (option.size() == found->size() && k + 1 < given.size()) option += given[++k];
    if (option.starts_with("-DNDEBUG") || option == "-UNDEBUG" ||
        option.starts_with("-DGPUARR_CHECK_"))
      out.compiler.push_back(option);
  }
  return out;
}

// Whether preprocessing the text would leave it as it is.
bool is_plain(const std::string& text) {
  return std::ranges::none_of(
      std::to_array<std::string_view>({"#", "%:",
                                       "?"
                                       "?=",
                                       "\\\n", "\\\r", "_Pragma"}),
      [&](std::string_view sign) { return text.find(sign) != std::string::npos; });
}

bool write_headers(const std::vector<SourceHeader>& headers, const std::string& directory) {
  for (const SourceHeader& header : headers) {
    const std::filesystem::path path = directory + "/" + header.name;
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (!(std::ofstream(path, std::ios::binary) << header.text).flush()) return false;
  }
  return true;
}

// Accesses call what check.cuh has, and lines are known. Structs are read and written whole, so
// that it shows where they are not aligned.
Strings checking_options(const Toolchain& toolchain) {
  if (toolchain.family != Toolchain::Family::gnu)
    fail(GPUARR_ERR_UNSUPPORTED,
         "checks on the CPU device need g++, and {} is another compiler; set $GPUARR_CXX to g++, "
         "or leave the checks out",
         toolchain.path);
  std::error_code error;
  const std::string here = std::filesystem::current_path(error).string();
  return {"-fno-sanitize=all",
          "-fsanitize=thread,integer-divide-by-zero",
          "-U__SANITIZE_THREAD__",
          "--param",
          "tsan-distinguish-volatile=1",
          "--param",
          "tsan-instrument-func-entry-exit=0",
          "-O2",
          "-fno-tree-sra",
          "-g1",
          "-fdebug-prefix-map=" + here + "=."};
}

// "cub/cub.cuh: No such file or directory", "'cub/cub.cuh' file not found"
std::string missing_header(std::string_view message) {
  if (message.starts_with('\'') && message.ends_with("' file not found"))
    return std::string(message.substr(1, message.rfind('\'') - 1));
  const size_t end = message.find(": No such file");
  return end == std::string_view::npos ? "" : std::string(message.substr(0, end));
}

[[noreturn]] void fail_with_hints(const CompileError& error) {
  std::string log = error.message();
  auto diagnostics = error.diagnostics();
  for (Diagnostic& d : diagnostics) {
    const std::string hint = header_hint(missing_header(d.message));
    if (hint.empty()) continue;
    if (const size_t at = log.find(d.message); at != std::string::npos)
      log.insert(at + d.message.size(), hint);
    d.message += hint;
  }
  throw CompileError(std::move(log), std::move(diagnostics), error.native());
}

/// One compilation.
class Job {
 public:
  explicit Job(const RawSource& source)
      : source_(source),
        options_(sort_options(source.options)),
        text_(formatted("#line 1 {}\n{}\n", line_name(source.file), without_mark(source.text))) {
    check_options(source.options, toolchain_.path);
  }

  std::optional<std::string> run(const std::string& directory) const {
    const auto preprocessed = preprocess(directory);
    if (!preprocessed) return std::nullopt;
    // What comes of a check needs each thread as it was written.
    if (source_.checks == 0) {
      const Translation split = translate(*preprocessed, source_.instances, Purpose::speed);
      // What does not compile may be the splitting's fault: the text as it was written tells.
      try {
        if (split.is_split) return compile(split, *preprocessed, directory);
      } catch (const CompileError&) {
      }
    }
    const Purpose purpose = source_.checks != 0 ? Purpose::checks : Purpose::plain;
    return compile(translate(*preprocessed, source_.instances, purpose), *preprocessed, directory);
  }

 private:
  std::optional<std::string> compile(const Translation& translation,
                                     const std::string& preprocessed,
                                     const std::string& directory) const {
    const std::string& translated = translation.text;
    Strings options(macros.begin(), macros.end());
    // Names of the user's must not meet those of the process, nor those of another module.
    options.emplace_back("-fvisibility=hidden");
    for (const std::string& flag : glue_flags()) options.push_back(flag);
    // Conditions that are the same for a row of threads are many in such loops: g++ would write
    // them out for each outcome of each, and take ten times as long.
    if (translation.is_split) options.emplace_back("-fno-unswitch-loops");
    if (has_local_memory(preprocessed)) options.emplace_back("-DGPUARR_LOCAL_MEMORY");
    // What is passed on unset, as to a shuffle, is not taken to be never so.
    if (toolchain_.family == Toolchain::Family::clang)
      options.emplace_back("-ftrivial-auto-var-init=pattern");
    if (source_.checks != 0) {
      const Strings more = checking_options(toolchain_);
      options.insert(options.end(), more.begin(), more.end());
    }
    options.insert(options.end(), options_.compiler.begin(), options_.compiler.end());
    const std::string whole =
        source_.prelude + "\n" + glue_text(source_.checks) + "\n" + translated + division_text();
    try {
      return run_compiler(toolchain_, options, whole, directory, source_.reads);
    } catch (const CompileError& error) {
      throw CompileError(error.message(), user_columns(error.diagnostics(), text_, translated),
                         error.native());
    }
  }

  std::optional<std::string> preprocess(const std::string& directory) const {
    if (!options_.defines && is_plain(source_.text)) return text_;
    if (!write_headers(source_.headers, directory)) return std::nullopt;
    Strings options = {"-E", "-I" + directory};
    options.insert(options.end(), macros.begin(), macros.end());
    if (!source_.directory.empty()) options.push_back("-I" + source_.directory);
    options.insert(options.end(), options_.preprocessor.begin(), options_.preprocessor.end());
    try {
      auto out = run_compiler(toolchain_, options, text_, directory, source_.reads);
      if (out) erase_all(*out, directory + "/");
      return out;
    } catch (const CompileError& error) {
      fail_with_hints(error);
    }
  }

  const RawSource& source_;
  Toolchain toolchain_ = find_toolchain();
  Options options_;
  std::string text_;
};

}  // namespace

std::string compile_raw_source(const RawSource& source) {
  const Job job(source);
  return in_scratch([&](const std::string& directory) { return job.run(directory); });
}

}  // namespace gpuarr::host
