// An array in a file, in whichever format, of which processes read and write boxes.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "array/npy_parts.hpp"
#include "array/zarr_store.hpp"
#include "team/blocked/grid.hpp"

namespace gpuarr::team {

enum class Format : int32_t { npy = 1, zarr = 2, zarr3 = 3 };

class BlockFile {
 public:
  /// What is there, of either format.
  static BlockFile open(const std::string& path);
  /// Makes one under a temporary name; one process does it.
  static void create(const Staged& names, const BlockFile& wanted);
  static void publish(const Staged& names, const BlockFile& wanted);
  static void discard(const Staged& names, const BlockFile& wanted) noexcept;

  /// One that is to be made. `chunk` is of a Zarr array.
  BlockFile(Format format, DType dtype, const Dims& shape, const Dims& chunk, Order order);

  Format format() const { return format_; }
  DType dtype() const;
  const Dims& shape() const;
  Order order() const;
  std::optional<Dims> chunk() const;  // of a Zarr array

  /// Fails with GPUARR_ERR_LAYOUT unless the box, in the file's indices, is whole chunks.
  void check_chunks(const Box& box) const;

  /// `first` is the box's first element in the host's memory.
  void read(const std::string& path, const Box& box, void* first, const Dims& strides) const;
  void write(const std::string& path, const Box& box, const void* first, const Dims& strides) const;

 private:
  BlockFile() = default;
  bool is_zarr() const { return format_ != Format::npy; }

  Format format_ = Format::npy;
  FileArray npy_;
  ZarrArray zarr_;
};

}  // namespace gpuarr::team
