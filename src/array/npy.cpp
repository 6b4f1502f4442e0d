// .npy files: what comes before the data, and the data in pieces.
#include "array/npy.hpp"

#include <algorithm>

#include "array/byte_order.hpp"
#include "array/npy_header.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "device/reports.hpp"

namespace gpuarr {
namespace {

constexpr int64_t piece = int64_t{8} << 20;  // bytes on their way to or from a GPU; divides by 16

template <class Visit>
void in_pieces(int64_t bytes, Visit&& visit) {
  for (int64_t at = 0; at < bytes; at += piece) visit(at, std::min(piece, bytes - at));
}

void load_data(InputFile& file, const FileArray& header, const Array& array, Stream& stream) {
  auto* data = static_cast<char*>(array.data);
  if (array.device().has_host_memory()) {
    stream.synchronize();  // earlier work may still use the memory
    in_pieces(header.bytes(), [&](int64_t at, int64_t bytes) {
      file.read(data + at, bytes);
      make_native(header.dtype, header.big_endian, data + at, bytes);
    });
    return;
  }
  std::vector<char> staging(static_cast<size_t>(std::min(piece, header.bytes())));
  in_pieces(header.bytes(), [&](int64_t at, int64_t bytes) {
    file.read(staging.data(), bytes);
    make_native(header.dtype, header.big_endian, staging.data(), bytes);
    array.device().lookouts().watch(stream);
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
    array.device().lookouts().watch(stream);  // to such memory a copy waits
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
    FileArray header = read_npy_header(file);
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
    const FileArray header{array.dtype, native_is_big, npy_order(array), array.layout.shape};
    std::string before = format_npy_header(header);
    OutputFile file(path);
    file.write(before.data(), static_cast<int64_t>(before.size()));
    save_data(file, array, stream);
    file.commit();
  });
}

}  // namespace gpuarr
