// Metadata of Zarr arrays, of either version.
#include "array/zarr.hpp"

#include <optional>
#include <string>

#include "targets.hpp"

namespace {

// What is read can be written, and is then the same but for the bits of NaNs.
void write_again(const gpuarr::ZarrArray& array) {
  using namespace gpuarr;
  ZarrArray again = parse_zarr(format_zarr(array), array.version);
  if (array.version == 2) again.fill = array.fill;
  if (array.version == 3 && array.shape.size() < 2) again.order = array.order;  // no difference
  fuzz::require(again == array, "what is written is read as the same");
  fuzz::require(array.file().bytes() > 0, "chunks have bytes");
  const Dims grid = array.grid();
  if (size_of(grid) == 0) return;
  Dims last = grid;
  for (int i = 0; i < last.size(); ++i) --last[i];
  check_box(array.box(last), array.shape);
  fuzz::require(array.key(last).find("..") == std::string::npos, "chunks lie in the directory");
}

}  // namespace

void fuzz::zarr(std::string_view input) {
  for (const int version : {2, 3}) {
    std::optional<gpuarr::ZarrArray> array;
    survive([&] { array = gpuarr::parse_zarr(input, version); });
    if (array) write_again(*array);
  }
}
