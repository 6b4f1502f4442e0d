// .npy files in boxes, which several processes may read or write.
#pragma once

#include <string>

#include "array/file_box.hpp"

namespace gpuarr {

/// A file that boxes are read from, by any number of threads at once.
class NpyInput {
 public:
  /// Fails as gpuarr_npy_load() does.
  explicit NpyInput(const std::string& path);

  const FileArray& array() const { return array_; }
  void read(const Box& box, void* first, const Dims& strides) const;

 private:
  std::string path_;
  InputFile file_;
  FileArray array_;
};

/// A file that boxes are written to: one process creates it, all open it, all have the same header.
class NpyOutput {
 public:
  /// Makes a file that was not there, with its header and its full size. `array` needs no byte
  /// order and no beginning.
  static void create(const std::string& path, const FileArray& array);

  explicit NpyOutput(const std::string& path);

  const FileArray& array() const { return array_; }
  void write(const Box& box, const void* first, const Dims& strides) const;
  /// Says what could not be written, which some file systems tell here.
  void finish(Sync sync);

 private:
  std::string path_;
  FileArray array_;
  File file_;
};

}  // namespace gpuarr
