// What compilers say, in the lines of a text that has it.
#include "host/compile/diagnostics.hpp"

#include <string>

#include "device/compile.hpp"
#include "host/compile/user_columns.hpp"
#include "kernel/text/diagnose.hpp"
#include "targets.hpp"
#ifdef GPUARR_HAS_CUDA
#include "cuda/compile/diagnostics.hpp"
#endif

namespace {

void explain(std::vector<gpuarr::Diagnostic> found, const std::string& text) {
  const gpuarr::UserPiece pieces[] = {{"body", text}};
  fuzz::survive(
      [&] { gpuarr::fail_explained(gpuarr::CompileError(text, std::move(found)), "no", pieces); });
}

}  // namespace

void fuzz::diagnostics(std::string_view input) {
  const std::string text(input);
  const auto found = gpuarr::host::parse_diagnostics(input);
  explain(gpuarr::host::user_columns(found, input, input), text);
#ifdef GPUARR_HAS_CUDA
  explain(gpuarr::cuda::parse_log(input), text);
#endif
}
