// Writing and reading a compiled raw module: a mark, the number of instances, their texts each
// behind its length, then the code.
#include "cuda/compile/image.hpp"

#include <cstdint>
#include <cstring>

#include "core/error.hpp"

namespace gpuarr::cuda {
namespace {

constexpr std::string_view mark{"gpuarr instances\0", 17};  // no form of code begins like this

void put(std::string& bytes, uint32_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void put(std::string& bytes, const std::string& part) {
  put(bytes, static_cast<uint32_t>(part.size()));
  bytes += part;
}

std::string_view take(std::string_view& bytes, size_t count) {
  if (count > bytes.size()) fail(GPUARR_ERR_LOAD, "the compiled module is truncated");
  std::string_view part = bytes.substr(0, count);
  bytes.remove_prefix(count);
  return part;
}

uint32_t take_number(std::string_view& bytes) {
  uint32_t number = 0;
  std::memcpy(&number, take(bytes, sizeof number).data(), sizeof number);
  return number;
}

std::string take_text(std::string_view& bytes) {
  return std::string(take(bytes, take_number(bytes)));
}

}  // namespace

std::string pack(const Image& image) {
  if (image.instances.empty()) return image.code;
  std::string bytes(mark);
  put(bytes, static_cast<uint32_t>(image.instances.size()));
  for (const Instance& instance : image.instances) {
    put(bytes, instance.expression);
    put(bytes, instance.symbol);
  }
  return bytes + image.code;
}

Image unpack(std::string_view bytes) {
  Image image;
  if (bytes.starts_with(mark)) {
    bytes.remove_prefix(mark.size());
    for (uint32_t left = take_number(bytes); left > 0; --left) {
      Instance instance;
      instance.expression = take_text(bytes);
      instance.symbol = take_text(bytes);
      image.instances.push_back(std::move(instance));
    }
  }
  image.code = bytes;
  return image;
}

}  // namespace gpuarr::cuda
