// Reads Zarr arrays and writes them again, for zarr_python.py to compare:
//
//     zarr_echo VERSION IN OUT [VERSION IN OUT ...]
//
// Chunks that are not there are left out of the copy as well.
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "array/zarr_store.hpp"
#include "core/error.hpp"

using namespace gpuarr;

namespace {

ZarrArray copy_of(const ZarrArray& in, int version) {
  ZarrArray out = new_zarr(version, in.dtype, in.shape, in.chunk, in.order);
  out.fill = in.fill;
  out.has_fill = in.has_fill;
  out.key_separator = in.key_separator;
  return out;
}

void copy_chunk(const std::string& from, const ZarrArray& in, const std::string& to,
                const ZarrArray& out, const Dims& index) {
  if (!std::filesystem::exists(from + '/' + in.key(index))) return;
  const Box box = in.box(index);
  const Dims strides = dense_strides(box.extents, in.order);
  std::vector<char> elements(static_cast<size_t>(size_of(box.extents) * size_of(in.dtype)));
  read_zarr(from, in, box, elements.data(), strides);
  write_zarr_chunk(to, out, index, elements.data(), strides, Sync::no);
}

void echo(int version, const std::string& from, const std::string& to) {
  const ZarrArray in = open_zarr(from), out = copy_of(in, version);
  create_zarr(to, out, Existing::refuse, Sync::no);
  const Dims grid = in.grid();
  if (size_of(grid) == 0) return;
  Dims index = Dims::filled(grid.size(), 0);
  for (int axis = 0; axis >= 0;) {
    copy_chunk(from, in, to, out, index);
    axis = grid.size() - 1;
    while (axis >= 0 && ++index[axis] == grid[axis]) index[axis--] = 0;
  }
}

}  // namespace

int main(int argc, char** argv) {
  int failures = 0;
  for (int i = 1; i + 2 < argc; i += 3) try {
      echo(argv[i][0] - '0', argv[i + 1], argv[i + 2]);
    } catch (const Error& error) {
      std::fprintf(stderr, "%s\n", error.what());
      ++failures;
    }
  return failures == 0 ? 0 : 1;
}
