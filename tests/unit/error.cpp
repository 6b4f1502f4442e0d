// Tests of core/error.hpp: what fail() throws.
#include "core/error.hpp"

#include "check.hpp"

using namespace gpuarr;

int main() {
  CHECK_FAILS(GPUARR_ERR_SHAPE, "axis 3 of shape", [] {
    int axis = 3;
    fail(GPUARR_ERR_SHAPE, "axis {} of shape {}", axis, "(2,)");
  });
  CHECK_EQ(Error(GPUARR_ERR_IO, "x", 2).native(), 2);
  CHECK_EQ(errno_text(2), std::string("No such file or directory"));
  return check::result();
}
