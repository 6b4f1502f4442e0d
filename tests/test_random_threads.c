/* Two threads and more that draw from one generator, and graphs that draw again. */
#include <pthread.h>
#include <stdlib.h>

#include "arrays.h"
#include "draws.h"

enum { threads = 4, rounds = 30, each = 50 };

struct task {
  gpuarr_generator* generator;
  uint64_t numbers[rounds * each];
  int failures; /* a test function must not fail on a thread that is not its own */
};

/* `count` is that of an array to be made; 0 for one that is given. */
static gpuarr_status draw_words(gpuarr_array** out, gpuarr_generator* g, int64_t count,
                                gpuarr_stream* stream) {
  return gpuarr_random_integers(out, g, gpuarr_arg_u64(0), gpuarr_arg_f64(0x1p64), GPUARR_U64,
                                count > 0, count > 0 ? &count : NULL, stream);
}

static void* draw_often(void* user) {
  struct task* task = user;
  for (int round = 0; round < rounds; ++round) {
    gpuarr_array* out = NULL;
    task->failures += draw_words(&out, task->generator, each, NULL) != GPUARR_OK ||
                      gpuarr_array_read(task->numbers + round * each, each * sizeof *task->numbers,
                                        NULL, out, NULL) != GPUARR_OK;
    gpuarr_array_release(out);
  }
  return NULL;
}

static int ascending(const void* a, const void* b) {
  const uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
  return (x > y) - (x < y);
}

/* Of 64-bit words, two that are equal were the same step. Together they are one thread's. */
static void one_generator(void** state) {
  (void)state;
  static struct task tasks[threads];
  static uint64_t all[threads * rounds * each], alone[threads * rounds * each];
  pthread_t running[threads];
  gpuarr_generator* g = generator(77, 0);
  for (int k = 0; k < threads; ++k) {
    tasks[k].generator = g;
    assert_int_equal(pthread_create(&running[k], NULL, draw_often, &tasks[k]), 0);
  }
  for (int k = 0; k < threads; ++k) {
    assert_int_equal(pthread_join(running[k], NULL), 0);
    assert_int_equal(tasks[k].failures, 0);
    for (int at = 0; at < rounds * each; ++at) all[k * rounds * each + at] = tasks[k].numbers[at];
  }
  assert_int_equal(gpuarr_generator_position(g), threads * rounds * each / 2);
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_generator_set_position(g, 0));
  assert_ok(draw_words(&out, g, threads * rounds * each, NULL));
  assert_ok(gpuarr_array_read(alone, sizeof alone, NULL, out, NULL));
  qsort(all, threads * rounds * each, sizeof *all, ascending);
  qsort(alone, threads * rounds * each, sizeof *alone, ascending);
  for (int k = 1; k < threads * rounds * each; ++k) assert_true(all[k - 1] < all[k]);
  assert_memory_equal(all, alone, sizeof all);
  gpuarr_array_release(out);
  gpuarr_generator_release(g);
}

/* A graph has its numbers from when it was captured. */
static void captured(void** state) {
  (void)state;
  gpuarr_generator* g = generator(78, 0);
  gpuarr_stream* stream = NULL;
  gpuarr_graph* graph = NULL;
  gpuarr_graph_exec* exec = NULL;
  gpuarr_array *out = line(GPUARR_U64, each), *given = out;
  uint64_t first[each], again[each], apart[each];
  assert_ok(draw_words(&given, g, 0, NULL)); /* compiles */
  assert_ok(gpuarr_array_read(apart, sizeof apart, NULL, out, NULL));
  assert_ok(gpuarr_stream_create(&stream, open_test_device(), 0, 0));
  assert_ok(gpuarr_stream_begin_capture(stream));
  assert_ok(draw_words(&given, g, 0, stream));
  assert_ok(gpuarr_stream_end_capture(&graph, stream));
  assert_int_equal(gpuarr_generator_position(g), each);
  assert_ok(gpuarr_graph_instantiate(&exec, graph));
  for (int round = 0; round < 2; ++round) {
    assert_ok(gpuarr_array_fill(out, gpuarr_arg_i64(0), stream));
    assert_ok(gpuarr_graph_exec_launch(exec, stream));
    assert_ok(gpuarr_array_read(round == 0 ? first : again, sizeof first, NULL, out, stream));
  }
  assert_memory_equal(first, again, sizeof first);
  assert_memory_not_equal(first, apart, sizeof first);
  gpuarr_graph_exec_release(exec);
  gpuarr_graph_release(graph);
  gpuarr_stream_release(stream);
  gpuarr_array_release(out);
  gpuarr_generator_release(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_generator), cmocka_unit_test(captured)};
  return run_suite(tests);
}
