// Views and streams: add a vector to the rows of a matrix, block by block, on two streams, without
// copying any part of it.
#include "example.hpp"

using gpuarr::Array, gpuarr::Stream;

int main() try {
  constexpr int64_t rows = 1000, columns = 257, block = 64;
  std::vector<float> matrix, vector;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) matrix.push_back(static_cast<float>(i - j));
  for (int64_t j = 0; j < columns; ++j) vector.push_back(static_cast<float>(j * j));

  const gpuarr::Device device;
  const gpuarr::Elementwise add("T x, T v", "T x", "x += v;");
  const Array whole = Array::from(matrix, {rows, columns}), row = Array::from(vector);

  // Every second column, as whole[:, ::2] in Python.
  const Array even_columns = whole.slice(1, 0, GPUARR_NONE, 2);
  const Array even_row = row.slice(0, 0, GPUARR_NONE, 2);

  // The elements come in the current stream: the two streams wait for that point of it.
  const Stream streams[] = {Stream(device), Stream(device)};
  const gpuarr::Event copied(device, GPUARR_EVENT_NO_TIMING);
  Stream().record(copied);
  for (const Stream& stream : streams) stream.wait(copied);

  for (int64_t start = 0; start < rows; start += block) {
    // A block of the rows of those columns; the last one is clipped at the end.
    Array rows_of_block = even_columns.slice(0, start, start + block);
    add.run({rows_of_block}, {rows_of_block, even_row}, streams[start / block % 2]);
  }
  for (const Stream& stream : streams) stream.synchronize();

  const auto result = whole.to_vector<float>();
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::size_t j = i % columns;
    expect(result[i], matrix[i] + (j % 2 == 0 ? vector[j] : 0), 0, "x", i);
  }

  std::printf(
      "ok: a vector added to every second column of %d rows, %d at a time on two streams, on %s\n",
      static_cast<int>(rows), static_cast<int>(block), device.name().c_str());
} catch (const std::exception& exception) {
  return failed(exception);
}
