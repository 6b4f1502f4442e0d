// Short lists of numbers: copies have what was there, whatever was in them before.
#include "check.hpp"
#include "core/shape.hpp"

using namespace gpuarr;

namespace {

Dims counted(int n) {
  Dims out;
  for (int i = 0; i < n; ++i) out.push_back(i + 1);
  return out;
}

void copies_are_equal_and_apart() {
  for (int n = 0; n <= max_ndim + 1; ++n) {
    const Dims original = counted(n);
    Dims copy = original;
    CHECK_EQ(copy.size(), n);
    CHECK(copy == original);
    if (n == 0) continue;
    copy[n - 1] = -1;
    CHECK_EQ(original[n - 1], n);
  }
}

void assignment_replaces_all() {
  for (int before : {0, 1, max_ndim + 1})
    for (int n : {0, 2, max_ndim + 1}) {
      Dims dims = Dims::filled(before, -7);
      dims = counted(n);
      CHECK(dims == counted(n));
      const Dims& itself = dims;
      dims = itself;
      CHECK(dims == counted(n));
    }
}

}  // namespace

int main() {
  copies_are_equal_and_apart();
  assignment_replaces_all();
  return check::result();
}
