/* A graph: the steps of an iteration are captured once and launched as one. Newton's method for the
 * square roots of many numbers, six steps a launch, with the largest error of the last step. */
#include "example.h"

enum { COUNT = 100000, STEPS = 6, LAUNCHES = 2 };

int main(void) {
  static double numbers[COUNT], roots[COUNT];
  for (int i = 0; i < COUNT; ++i) numbers[i] = 1 + i % 1000;

  gpuarr_device* device;
  gpuarr_stream* stream;
  gpuarr_elementwise *step, *error;
  gpuarr_array *x, *root, *largest = NULL;
  int64_t shape[] = {COUNT};
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_stream_create(&stream, device, 0, 0));
  check(gpuarr_elementwise_create(&step, "T x, T r", "T next", "next = (r + x / r) / 2", NULL));
  check(gpuarr_elementwise_create(&error, "T x, T r", "T e", "e = fabs(r * r - x) / x", NULL));
  check(gpuarr_array_from_host(&x, device, GPUARR_F64, 1, shape, NULL, numbers, sizeof numbers,
                               stream));
  check(gpuarr_array_copy(&root, x, GPUARR_ORDER_C, stream));

  /* Nothing is computed yet. The errors are an array for the graph alone. */
  gpuarr_graph* graph;
  gpuarr_graph_exec* exec;
  gpuarr_array* errors = NULL;
  gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_array(root)};
  check(gpuarr_stream_begin_capture(stream));
  for (int s = 0; s < STEPS; ++s)
    check(gpuarr_elementwise_call(step, &root, 1, inputs, 2, GPUARR_NO_SIZE, stream));
  check(gpuarr_elementwise_call(error, &errors, 1, inputs, 2, GPUARR_NO_SIZE, stream));
  check(gpuarr_max(&largest, errors, NULL, GPUARR_ALL_AXES, 0, stream));
  gpuarr_array_release(errors);
  check(gpuarr_stream_end_capture(&graph, stream));
  check(gpuarr_graph_instantiate(&exec, graph));
  gpuarr_graph_release(graph);

  double worst = 1;
  for (int l = 0; l < LAUNCHES; ++l) check(gpuarr_graph_exec_launch(exec, stream));
  check(gpuarr_array_read(&worst, sizeof worst, NULL, largest, stream));
  check(gpuarr_array_read(roots, sizeof roots, NULL, root, stream));
  expect(worst, 0, 1e-14, "error", 0);
  for (int i = 0; i < COUNT; ++i) expect(roots[i] * roots[i], numbers[i], 1e-11, "square", i);

  printf("ok: %d square roots by %d launches of a graph on %s\n", COUNT, LAUNCHES,
         gpuarr_device_name(device));
  gpuarr_graph_exec_release(exec);
  gpuarr_array_release(largest);
  gpuarr_array_release(root);
  gpuarr_array_release(x);
  gpuarr_elementwise_release(error);
  gpuarr_elementwise_release(step);
  gpuarr_stream_release(stream);
  return 0;
}
