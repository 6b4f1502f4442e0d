/* More data than the device may hold, in pieces: two streams take turns, so that one piece is
 * copied while another is computed. A limit bounds the memory; what is kept for later goes when it
 * is short.
 */
#include "example.h"

enum { PIECES = 24, PIECE = 1 << 18, STREAMS = 2 };

static const char* const body = "y = sqrt(x) + 1";

/* Results that could be computed again: the first thing to let go. */
struct kept {
  gpuarr_array* arrays[PIECES];
  int dropped;
};

static int32_t drop_one(gpuarr_device* device, int64_t bytes, void* user) {
  (void)device;
  (void)bytes;
  struct kept* kept = user;
  for (int k = 0; k < PIECES; ++k)
    if (kept->arrays[k] != NULL) {
      gpuarr_array_release(kept->arrays[k]);
      kept->arrays[k] = NULL;
      kept->dropped++;
      return 1;
    }
  return 0;
}

/* From page-locked memory to the device, through the kernel, and back, all in the stream's order.
 */
static gpuarr_array* start_piece(gpuarr_elementwise* kernel, gpuarr_device* device, float* in,
                                 float* out, gpuarr_stream* stream) {
  const int64_t n = PIECE;
  gpuarr_array *x, *y = NULL;
  check(gpuarr_array_empty(&x, device, GPUARR_F32, 1, &n, GPUARR_ORDER_C, stream));
  check(gpuarr_array_write_async(x, NULL, in, PIECE * sizeof *in, stream));
  gpuarr_arg input = gpuarr_arg_array(x);
  check(gpuarr_elementwise_call(kernel, &y, 1, &input, 1, GPUARR_NO_SIZE, stream));
  check(gpuarr_array_read_async(out, PIECE * sizeof *out, NULL, y, stream));
  gpuarr_array_release(x); /* the stream still uses it, and it lasts so long */
  return y;
}

int main(void) {
  gpuarr_device* device;
  gpuarr_elementwise* kernel;
  gpuarr_stream* streams[STREAMS];
  float *in[STREAMS], *out[STREAMS];
  struct kept kept = {{NULL}, 0};
  int64_t key, held, peak;
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_elementwise_create(&kernel, "T x", "T y", body, NULL));
  for (int s = 0; s < STREAMS; ++s) {
    check(gpuarr_stream_create(&streams[s], device, 0, 0));
    check(gpuarr_pinned_allocate((void**)&in[s], device, PIECE * sizeof(float)));
    check(gpuarr_pinned_allocate((void**)&out[s], device, PIECE * sizeof(float)));
  }

  /* 48 MiB go through 16. */
  check(gpuarr_memory_set_limit(device, 16 << 20));
  check(gpuarr_memory_add_reclaim(&key, drop_one, &kept));
  for (int k = 0; k < PIECES + STREAMS; ++k) {
    const int s = k % STREAMS;
    check(gpuarr_stream_synchronize(streams[s]));
    for (int i = 0; k >= STREAMS && i < PIECE; i += 997)
      expect(out[s][i], sqrt((double)((k - STREAMS) * 10 + i % 10)) + 1, 1e-4, "piece", i);
    if (k >= PIECES) continue;
    for (int i = 0; i < PIECE; ++i) in[s][i] = (float)(k * 10 + i % 10);
    kept.arrays[k] = start_piece(kernel, device, in[s], out[s], streams[s]);
  }
  check(gpuarr_memory_statistic(&held, device, GPUARR_MEMORY_TOTAL));
  check(gpuarr_memory_statistic(&peak, device, GPUARR_MEMORY_PEAK));
  printf("%d pieces; at most %.1f MiB were used and %.1f are held; %d results were let go\n",
         PIECES, (double)peak / (1 << 20), (double)held / (1 << 20), kept.dropped);

  check(gpuarr_memory_remove_reclaim(key));
  for (int k = 0; k < PIECES; ++k) gpuarr_array_release(kept.arrays[k]);
  for (int s = 0; s < STREAMS; ++s) {
    check(gpuarr_pinned_free(device, in[s]));
    check(gpuarr_pinned_free(device, out[s]));
    gpuarr_stream_release(streams[s]);
  }
  gpuarr_elementwise_release(kernel);
  return gpuarr_live_objects() == 0 && held <= 16 << 20 && kept.dropped > 0 ? 0 : 1;
}
