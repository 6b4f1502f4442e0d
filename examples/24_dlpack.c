/* Exchange with a library that knows nothing of this one: its matrix comes in as a DLPack tensor, a
 * kernel works on it where it lies, and the result goes out as another, without a copy. */
#include "dlpack.h"
#include "example.h"

enum { ROWS = 3, COLUMNS = 4 };

/* --- The other library. It makes a matrix of float, and frees it when it is told to. */
static int freed = 0;

static void free_matrix(DLManagedTensorVersioned* tensor) {
  free(tensor->dl_tensor.data);
  free(tensor->dl_tensor.shape);
  free(tensor);
  ++freed;
}

static DLManagedTensorVersioned* make_matrix(void) {
  float* data = malloc(sizeof(float) * ROWS * COLUMNS);
  int64_t* shape = malloc(sizeof(int64_t) * 2);
  DLManagedTensorVersioned* tensor = malloc(sizeof *tensor);
  if (data == NULL || shape == NULL || tensor == NULL) exit(1);
  for (int k = 0; k < ROWS * COLUMNS; ++k) data[k] = (float)k;
  shape[0] = ROWS;
  shape[1] = COLUMNS;
  *tensor = (DLManagedTensorVersioned){
      {1, 0}, NULL, free_matrix, 0, {data, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, NULL, 0}};
  return tensor;
}

/* It also adds up the first column of any matrix, and lets go of it. */
static double sum_of_first_column(DLManagedTensorVersioned* tensor) {
  const DLTensor* t = &tensor->dl_tensor;
  double sum = 0;
  if (tensor->version.major != 1 || t->device.device_type != kDLCPU || t->ndim != 2 ||
      t->dtype.code != kDLFloat || t->dtype.bits != 32)
    exit(1);
  const float* first = (const float*)((const char*)t->data + t->byte_offset);
  for (int64_t row = 0; row < t->shape[0]; ++row) sum += first[row * t->strides[0]];
  tensor->deleter(tensor);
  return sum;
}

/* --- The program that uses both. */
int main(void) {
  gpuarr_device* device = NULL;
  gpuarr_elementwise* square = NULL;
  gpuarr_array *x = NULL, *y = NULL, *transposed = NULL;
  DLManagedTensorVersioned* result = NULL;
  check(gpuarr_device_open(&device, "host"));
  check(gpuarr_elementwise_create(&square, "T x", "T y", "y = x * x", NULL));

  /* From here on the array owns the tensor. */
  check(gpuarr_array_from_dlpack(&x, make_matrix(), device, NULL));
  gpuarr_arg inputs[] = {gpuarr_arg_array(x)};
  check(gpuarr_elementwise_call(square, &y, 1, inputs, 1, GPUARR_NO_SIZE, NULL));

  /* The column of the transpose is the second row's: 4, 5, 6, 7 squared, seen through strides. */
  check(gpuarr_array_slice(&transposed, y, 0, 1, GPUARR_NONE, 1));
  gpuarr_array_release(y);
  y = transposed;
  check(gpuarr_array_transpose(&transposed, y, 0, NULL));
  check(gpuarr_array_to_dlpack(&result, transposed, NULL));

  /* The memory stays for the tensor, whatever is released before it is used. */
  gpuarr_array_release(transposed);
  gpuarr_array_release(y);
  gpuarr_array_release(x);
  expect(freed, 1, 0, "matrices that came back", 0);
  double sum = sum_of_first_column(result);
  expect(sum, 4 * 4 + 5 * 5 + 6 * 6 + 7 * 7, 0, "sum", 0);
  printf("4² + 5² + 6² + 7² = %g, in memory of two libraries\n", sum);
  gpuarr_elementwise_release(square);
  return 0;
}
