// Telling code apart: CUDA C++ text, and the forms that it is compiled to for GPUs.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace gpuarr {

enum class ImageKind { unknown, text, ptx, cubin, fatbin };

/// By what is in it: text that begins with .version is PTX, any other that has no NUL is taken for
/// CUDA C++. NULs at the end of text do not count.
ImageKind image_kind(std::string_view image);

/// What is wrong with compiled code: "the cubin of 100 bytes is cut short", "the 3 bytes are ...".
/// "" if it is PTX, or a cubin or fatbin of its full length. Nobody else looks: the driver is not
/// told how long an image is.
std::string image_fault(std::string_view image);

/// False if not all of the value is inside.
template <class T>
bool read_image(std::string_view image, uint64_t at, T& value) {
  if (at > image.size() || sizeof value > image.size() - at) return false;
  std::memcpy(&value, image.data() + at, sizeof value);
  return true;
}

}  // namespace gpuarr
