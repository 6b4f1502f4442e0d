// The arguments of a raw kernel: what the words say, and what becomes of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/base/objects.hpp"
#include "cli/base/progress.hpp"

namespace cli {

struct RawArgument {
  std::optional<gpuarr_arg> value;  // a scalar or NULL; nothing for an array
  std::string load;                 // the array's file; "" for one of zeros
  gpuarr_dtype dtype = 0;           // of one of zeros
  std::vector<int64_t> shape;
  std::string save;   // where it goes afterwards; "" for nowhere
  bool view = false;  // as a gpuarr_view
};

/// "x.npy", "inout:x.npy:y.npy", "out:f32:10,20:y.npy", these behind "view:", "i32:7", "null".
RawArgument parse_raw_argument(const std::string& word);

class RawOperands {
 public:
  /// Loads or makes the arrays on a device.
  RawOperands(const std::vector<RawArgument>& arguments, gpuarr_device* device,
              gpuarr_stream* stream, Progress& progress);

  const std::vector<gpuarr_arg>& args() const { return args_; }

  /// The arrays that the kernel is to change.
  std::vector<gpuarr_array*> changed() const;

  /// Bytes of all arrays, those that are loaded and saved counted twice.
  int64_t bytes() const { return bytes_; }

  void save(gpuarr_stream* stream, Progress& progress) const;

  /// The files of inputs that do not have what the arrays have now: what the kernel did to them is
  /// lost. Not looked at are those that its signature, as gpuarr_raw_signature has it, says that it
  /// only reads.
  std::vector<std::string> lost(std::string_view signature, gpuarr_stream* stream) const;

 private:
  struct Named {
    Array array;
    std::string path;
    size_t place;  // among the arguments
  };
  std::vector<Named> inputs_;   // loaded from there
  std::vector<Named> results_;  // saved there
  std::vector<gpuarr_arg> args_;
  int64_t bytes_ = 0;
};

}  // namespace cli
