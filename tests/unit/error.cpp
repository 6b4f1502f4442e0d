// Tests of core/error.hpp: what fail() throws, and of c/guard.hpp: what becomes of it.
#include "core/error.hpp"

#include "c/guard.hpp"
#include "check.hpp"
#include "gpuarr.h"

using namespace gpuarr;

int main() {
  CHECK_FAILS(GPUARR_ERR_SHAPE, "axis 3 of shape", [] {
    int axis = 3;
    fail(GPUARR_ERR_SHAPE, "axis {} of shape {}", axis, "(2,)");
  });
  CHECK_EQ(Error(GPUARR_ERR_IO, "x", 2).native(), 2);
  CHECK_EQ(errno_text(2), std::string("No such file or directory"));
  // No character of what a file or a compiler says ends a message.
  const auto status = guard("gpuarr_f", [] {
    fail(GPUARR_ERR_FORMAT, "{}, which is cut short", std::string_view("\0a\033", 3));
  });
  CHECK_EQ(status, GPUARR_ERR_FORMAT);
  CHECK_EQ(std::string(gpuarr_last_error()), "gpuarr_f: \\x00a\\x1b, which is cut short");
  return check::result();
}
