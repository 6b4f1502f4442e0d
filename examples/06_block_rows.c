/* Views and streams: add a vector to the rows of a matrix, block by block, on two streams, without
 * copying any part of it. */
#include "example.h"

enum { ROWS = 1000, COLUMNS = 257, BLOCK = 64 };

int main(void) {
  static float matrix[ROWS][COLUMNS], result[ROWS][COLUMNS];
  float vector[COLUMNS];
  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < COLUMNS; ++j) matrix[i][j] = (float)(i - j);
  for (int j = 0; j < COLUMNS; ++j) vector[j] = (float)(j * j);

  gpuarr_device* device;
  gpuarr_stream* streams[2];
  gpuarr_event* copied;
  gpuarr_elementwise* add;
  gpuarr_array *whole, *row, *even_columns, *even_row;
  int64_t shape[] = {ROWS, COLUMNS};
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_elementwise_create(&add, "T x, T v", "T x", "x += v;", NULL));
  check(gpuarr_array_from_host(&whole, device, GPUARR_F32, 2, shape, NULL, matrix, sizeof matrix,
                               NULL));
  check(gpuarr_array_from_host(&row, device, GPUARR_F32, 1, &shape[1], NULL, vector, sizeof vector,
                               NULL));

  /* Every second column, as whole[:, ::2] in Python. */
  check(gpuarr_array_slice(&even_columns, whole, 1, GPUARR_NONE, GPUARR_NONE, 2));
  check(gpuarr_array_slice(&even_row, row, 0, GPUARR_NONE, GPUARR_NONE, 2));

  /* The elements come in the current stream: the two streams wait for that point of it. */
  check(gpuarr_event_create(&copied, device, GPUARR_EVENT_NO_TIMING));
  check(gpuarr_event_record(copied, NULL));
  for (int k = 0; k < 2; ++k) {
    check(gpuarr_stream_create(&streams[k], device, 0, 0));
    check(gpuarr_stream_wait(streams[k], copied));
  }

  for (int64_t start = 0; start < ROWS; start += BLOCK) {
    /* BLOCK rows of those columns; the last block is clipped at the end. */
    gpuarr_array* block;
    check(gpuarr_array_slice(&block, even_columns, 0, start, start + BLOCK, 1));
    gpuarr_arg inputs[] = {gpuarr_arg_array(block), gpuarr_arg_array(even_row)};
    gpuarr_array* output = block;
    gpuarr_stream* stream = streams[start / BLOCK % 2];
    check(gpuarr_elementwise_call(add, &output, 1, inputs, 2, GPUARR_NO_SIZE, stream));
    gpuarr_array_release(block); /* the view goes, the memory stays */
  }
  for (int k = 0; k < 2; ++k) check(gpuarr_stream_synchronize(streams[k]));

  check(gpuarr_array_read(result, sizeof result, NULL, whole, NULL));
  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < COLUMNS; ++j)
      expect(result[i][j], matrix[i][j] + (j % 2 == 0 ? vector[j] : 0), 0, "x", i * COLUMNS + j);

  printf(
      "ok: a vector added to every second column of %d rows, %d at a time on two streams, on %s\n",
      ROWS, BLOCK, gpuarr_device_name(device));
  for (int k = 0; k < 2; ++k) gpuarr_stream_release(streams[k]);
  gpuarr_event_release(copied);
  gpuarr_array_release(even_row);
  gpuarr_array_release(even_columns);
  gpuarr_array_release(row);
  gpuarr_array_release(whole);
  gpuarr_elementwise_release(add);
  return 0;
}
