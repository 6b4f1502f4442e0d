#include "host/translate/unsupported.hpp"

#include <algorithm>
#include <unordered_set>

#include "core/error.hpp"

namespace gpuarr::host {
namespace {

constexpr const char* leave_out =
    "does not run on the CPU device; leave it out there with #ifndef GPUARR_HOST";

struct Row {
  std::string_view begin;    // of the word
  std::string_view follows;  // one of these characters comes behind it; "": it is the whole word
  const char* what;
};

constexpr Row words[] = {
    {"cudaTextureObject_t", "", "a texture"},
    {"cudaSurfaceObject_t", "", "a surface"},
    {"texture", "<", "a texture"},
    {"surface", "<", "a surface"},
    {"tex1D", "(<", "a texture"},
    {"tex2D", "(<", "a texture"},
    {"tex3D", "(<", "a texture"},
    {"texCubemap", "(<", "a texture"},
    {"surf1D", "(<", "a surface"},
    {"surf2D", "(<", "a surface"},
    {"surf3D", "(<", "a surface"},
    {"surfCubemap", "(<", "a surface"},
    {"nvcuda", "", "a matrix operation of warps"},
};

struct Hint {
  std::string_view begin;
  const char* text;
};

constexpr Hint hints[] = {
    {"cub/", "CUB needs the CUDA compiler"},
    {"thrust/", "Thrust needs the CUDA compiler"},
    {"cuda/", "the CUDA C++ standard library needs the CUDA compiler"},
    {"curand", "cuRAND's generators are not there on the CPU device"},
    {"mma.h", "matrix operations of warps do not run on the CPU device"},
    {"nv/", "the CUDA C++ standard library needs the CUDA compiler"},
    {"cutlass/", "CUTLASS needs the CUDA compiler"},
};

constexpr std::string_view nvrtc_options[] = {"use_fast_math",
                                              "gpu-architecture",
                                              "arch",
                                              "generate-line-info",
                                              "lineinfo",
                                              "maxrregcount",
                                              "device-debug",
                                              "G",
                                              "dopt",
                                              "ftz",
                                              "fmad",
                                              "prec-div",
                                              "prec-sqrt",
                                              "extra-device-vectorization",
                                              "rdc",
                                              "relocatable-device-code",
                                              "dc",
                                              "dlto",
                                              "dlink-time-opt",
                                              "restrict",
                                              "minimal",
                                              "default-device",
                                              "split-compile",
                                              "device-as-default-execution-space",
                                              "ptxas-options",
                                              "Xptxas",
                                              "jump-table-density",
                                              "device-stack-protector",
                                              "no-cache",
                                              "fdevice-time-trace",
                                              "device-int128",
                                              "device-float128",
                                              "pch",
                                              "create-pch",
                                              "use-pch",
                                              "pch-dir"};

class UnsupportedFinder {
 public:
  explicit UnsupportedFinder(const Parsed& parsed) : parsed_(parsed) {
    for (const Declaration& d : parsed.outline.declarations)
      if (d.kind == Declaration::Kind::function) own_.insert(parsed.tokens[d.name].text);
  }

  std::vector<Diagnostic> run() {
    for (at_ = 0; at_ < parsed_.tokens.size(); ++at_) {
      const Token& token = parsed_.tokens[at_];
      if (token.kind == Token::Kind::identifier)
        look_at_word(token.text);
      else if (is_launch())
        report("a launch from device code (<<<>>>)");
    }
    return std::move(out_);
  }

 private:
  void look_at_word(std::string_view word) {
    if ((word == "asm" || word == "__asm__" || word == "__asm") && has_assembly())
      return report(formatted("inline PTX ({})", word));
    for (const Row& row : words)
      if (is_row(row, word) && !own_.contains(word))
        return report(formatted("{} ({})", row.what, word));
  }

  bool is_row(const Row& row, std::string_view word) const {
    if (row.follows.empty()) return word == row.begin;
    const bool follows = std::ranges::any_of(
        row.follows, [&](char c) { return parsed_.is(at_ + 1, std::string_view(&c, 1)); });
    return follows && word.starts_with(row.begin);
  }

  // An empty text is a fence for the compiler, which g++ knows as well.
  bool has_assembly() const {
    size_t k = at_ + 1;
    while (parsed_.is_word(k)) ++k;
    if (!parsed_.is(k, "(")) return false;
    for (++k; k < parsed_.tokens.size() && parsed_.tokens[k].kind == Token::Kind::string; ++k)
      if (parsed_.tokens[k].text != "\"\"") return true;
    return false;
  }

  bool is_launch() {
    if (!parsed_.is(at_, "<") || !follows(at_) || !follows(at_ + 1)) return false;
    at_ += 2;
    return !parsed_.is(at_ - 3, "operator");
  }
  // Another `<`, with nothing between.
  bool follows(size_t at) const {
    return parsed_.is(at + 1, "<") && parsed_.begin(at + 1) == parsed_.end(at);
  }

  // Once for each line: what a macro holds may be there many times.
  void report(const std::string& what) {
    const TextPlace place = parsed_.place(at_);
    if (!out_.empty() && out_.back().file == place.file && out_.back().line == place.line) return;
    out_.push_back({place.file, place.line, 0, true, formatted("{} {}", what, leave_out)});
  }

  const Parsed& parsed_;
  std::unordered_set<std::string_view> own_;  // functions that the text has itself
  size_t at_ = 0;
  std::vector<Diagnostic> out_;
};

}  // namespace

std::vector<Diagnostic> find_unsupported(const Parsed& parsed) {
  return UnsupportedFinder(parsed).run();
}

std::string header_hint(std::string_view header) {
  for (const Hint& hint : hints)
    if (header.starts_with(hint.begin))
      return formatted("; {}: leave it out there with #ifndef GPUARR_HOST", hint.text);
  return "";
}

void check_options(const std::vector<std::string>& options, const std::string& compiler) {
  for (const std::string& option : options) {
    std::string_view stem = option;
    stem = stem.substr(0, stem.find('='));
    stem.remove_prefix(std::min(stem.find_first_not_of('-'), stem.size()));
    if (!option.starts_with('-') || !is_one_of(stem, nvrtc_options)) continue;
    fail(
        GPUARR_ERR_COMPILE,
        "option {} is NVRTC's, and the CPU device compiles with {}; only -D, -U, -I and -std= mean "
        "the same to both: give others to modules that run on one kind of device",
        option, compiler);
  }
}

}  // namespace gpuarr::host
