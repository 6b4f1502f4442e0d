// .npy files: what comes before the data, and the data in pieces.
#include "array/npy.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "array/npy_header.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "device/reports.hpp"

namespace gpuarr {
namespace {

constexpr int64_t piece = int64_t{8} << 20;  // bytes on their way to or from a GPU; divides by 16
constexpr int64_t longest_header = int64_t{1} << 20;

// Reads up to the data, and checks that they are all there.
NpyHeader read_header(InputFile& file) {
  constexpr int64_t magic_bytes = 8;
  unsigned char magic[magic_bytes] = {};
  if (file.size() < magic_bytes)
    fail(GPUARR_ERR_FORMAT, "it is not a .npy file: it has only {} bytes", file.size());
  file.read(magic, magic_bytes);
  if (std::memcmp(magic, "\x93NUMPY", 6) != 0)
    fail(GPUARR_ERR_FORMAT, "it is not a .npy file: it does not begin with \"\\x93NUMPY\"");
  int major = magic[6];
  if (major < 1 || major > 3 || magic[7] != 0)
    fail(GPUARR_ERR_FORMAT, "its format version is {}.{}; known are 1.0, 2.0 and 3.0", major,
         magic[7]);
  int64_t length_bytes = major == 1 ? 2 : 4;
  unsigned char raw[4] = {};
  if (file.size() < magic_bytes + length_bytes)
    fail(GPUARR_ERR_FORMAT, "it ends before its header");
  file.read(raw, length_bytes);
  int64_t length = raw[0] | raw[1] << 8 | raw[2] << 16 | int64_t{raw[3]} << 24;
  int64_t rest = file.size() - magic_bytes - length_bytes;
  if (length > rest)
    fail(GPUARR_ERR_FORMAT, "it ends in its header: {} of {} bytes are there", rest, length);
  if (length > longest_header)
    fail(GPUARR_ERR_FORMAT, "its header has {} bytes; {} are the limit", length, longest_header);
  std::string dictionary(static_cast<size_t>(length), '\0');
  file.read(dictionary.data(), length);
  NpyHeader header = parse_npy_header(dictionary);
  if (header.bytes() > rest - length)
    fail(GPUARR_ERR_FORMAT, "it ends in its data: {} of {} bytes are there", rest - length,
         header.bytes());
  return header;
}

// Elements as they lie in a file become those of this machine.
void make_native(const NpyHeader& header, char* data, int64_t bytes) {
  int64_t width = size_of(header.dtype) / (is_complex(header.dtype) ? 2 : 1);
  if (header.dtype == DType::boolean)
    std::transform(data, data + bytes, data, [](char c) -> char { return c != 0 ? 1 : 0; });
  if (header.big_endian != (std::endian::native == std::endian::big) && width > 1)
    for (int64_t at = 0; at < bytes; at += width) std::reverse(data + at, data + at + width);
}

template <class Visit>
void in_pieces(int64_t bytes, Visit&& visit) {
  for (int64_t at = 0; at < bytes; at += piece) visit(at, std::min(piece, bytes - at));
}

void load_data(InputFile& file, const NpyHeader& header, const Array& array, Stream& stream) {
  auto* data = static_cast<char*>(array.data);
  if (array.device().has_host_memory()) {
    stream.synchronize();  // earlier work may still use the memory
    in_pieces(header.bytes(), [&](int64_t at, int64_t bytes) {
      file.read(data + at, bytes);
      make_native(header, data + at, bytes);
    });
    return;
  }
  std::vector<char> staging(static_cast<size_t>(std::min(piece, header.bytes())));
  in_pieces(header.bytes(), [&](int64_t at, int64_t bytes) {
    file.read(staging.data(), bytes);
    make_native(header, staging.data(), bytes);
    array.device().copy_from_host(data + at, staging.data(), bytes, stream);
    stream.synchronize();
  });
}

void save_data(OutputFile& file, const Array& array, Stream& stream) {
  const auto* data = static_cast<const char*>(array.data);
  int64_t all = array.size() * array.itemsize();
  if (array.device().has_host_memory()) {
    wait_for(stream);
    file.write(data, all);
    return;
  }
  array.buffer->used_in(stream);
  std::vector<char> staging(static_cast<size_t>(std::min(piece, all)));
  in_pieces(all, [&](int64_t at, int64_t bytes) {
    array.device().copy_to_host(staging.data(), data + at, bytes, stream);
    wait_for(stream);
    file.write(staging.data(), bytes);
  });
}

}  // namespace

Array load_npy(const char* path, Stream& stream) {
  check_not_captured(stream);
  return about(path, [&] {
    InputFile file(path);
    NpyHeader header = read_header(file);
    Array out = Array::empty(stream, header.dtype, header.shape, header.order);
    load_data(file, header, out, stream);
    return out;
  });
}

Order npy_order(const Array& array) {
  bool only_f = is_contiguous(array.layout, Order::f) && !is_contiguous(array.layout, Order::c);
  return only_f ? Order::f : Order::c;
}

void save_npy(const char* path, const Array& array, Stream& stream) {
  check_not_captured(stream);
  about(path, [&] {
    if (facts_of(array.dtype).npy_kind == 0)
      fail(GPUARR_ERR_DTYPE, "NumPy has no {}; save the array as float32", name(array.dtype));
    NpyHeader header{array.dtype, std::endian::native == std::endian::big, npy_order(array),
                     array.layout.shape};
    OutputFile file(path);
    std::string before = format_npy_header(header);
    file.write(before.data(), static_cast<int64_t>(before.size()));
    save_data(file, array, stream);
    file.commit();
  });
}

}  // namespace gpuarr
