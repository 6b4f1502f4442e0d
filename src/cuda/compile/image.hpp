// A compiled raw module: the code, and the symbols of the instances that were asked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuarr::cuda {

struct Instance {
  std::string expression;  // "scale<float, 4>"
  std::string symbol;      // "_Z5scaleIfLi4EEvPT_"
};

struct Image {
  std::vector<Instance> instances;
  std::string code;  // a cubin, PTX, or what the user gave
};

/// Bytes for the cache: without instances, the code as it is.
std::string pack(const Image& image);

/// Fails with GPUARR_ERR_LOAD if what pack() wrote is damaged.
Image unpack(std::string_view bytes);

}  // namespace gpuarr::cuda
