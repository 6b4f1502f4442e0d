/* gpuarr/transfer.h: copies of every layout, to and from the host's memory, against the naive
 * copy, with guard bands around what is written. */
#include <stdlib.h>
#include <string.h>

#include "nested.h"
#include "support.h"

enum { MOST_AXES = 5, GUARD = 64, POISON = 0xA5 };

static gpuarr_device* device;

/* A layout in a block of memory with guard bands: `origin` elements in lies the element with all
 * indices 0. */
typedef struct block {
  int32_t ndim;
  int64_t shape[GPUARR_MAX_NDIM];
  int64_t strides[GPUARR_MAX_NDIM];
  int64_t size;     /* elements of the layout */
  int64_t elements; /* of the block */
  int64_t origin;
  int64_t itemsize;
  unsigned char* bytes;
} block;

static void random_shape(block* b) {
  b->ndim = (int32_t)random_between(0, MOST_AXES);
  for (int32_t i = 0; i < b->ndim; ++i)
    b->shape[i] = random_between(0, 19) == 0 ? 0 : random_between(1, 6);
  b->size = count_of(b->ndim, b->shape);
}

/* Axes nested in a random order, with gaps, some reversed, and some (if `repeats`) of stride 0. */
static void random_strides(block* b, int repeats) {
  int32_t axes[MOST_AXES];
  int dense = random_between(0, 2) == 0;
  int64_t step = dense ? 1 : random_between(1, 3);
  int64_t low = 0;
  int64_t high = 0;
  for (int32_t i = 0; i < b->ndim; ++i) axes[i] = b->ndim - 1 - i;
  for (int32_t i = b->ndim - 1; i > 0; --i) {
    int64_t j = random_between(0, 3) == 0 ? i : random_between(0, i);
    int32_t swapped = axes[i];
    axes[i] = axes[j];
    axes[j] = swapped;
  }
  for (int32_t i = 0; i < b->ndim; ++i) {
    int32_t axis = axes[i];
    int64_t stride = step;
    if (!dense && random_between(0, 3) == 0) stride = -stride;
    if (repeats && random_between(0, 3) == 0) stride = 0;
    b->strides[axis] = stride;
    if (b->size == 0) continue;
    int64_t span = stride * (b->shape[axis] - 1);
    if (span < 0)
      low += span;
    else
      high += span;
    if (stride != 0) step *= b->shape[axis] + (dense ? 0 : random_between(0, 1));
  }
  b->origin = GUARD - low;
  b->elements = high - low + 1 + 2 * GUARD;
}

static void allocate_block(block* b, int64_t itemsize) {
  b->itemsize = itemsize;
  b->bytes = malloc((size_t)(b->elements * itemsize));
  assert_non_null(b->bytes);
  memset(b->bytes, POISON, (size_t)(b->elements * itemsize));
}

static void* origin_of(const block* b) { return b->bytes + b->origin * b->itemsize; }

/* Bytes of the layout alone, without the guard bands. */
static int64_t span_of(const block* b) { return (b->elements - 2 * GUARD) * b->itemsize; }

static void fill_with_random_bytes(block* b) {
  for (int64_t i = 0; i < b->elements * b->itemsize; ++i)
    b->bytes[i] = (unsigned char)random_bits();
}

/* The naive copy. */
static void copy_elements(const block* to, const block* from) {
  int64_t index[GPUARR_MAX_NDIM] = {0};
  if (to->size == 0) return;
  unsigned char* target = origin_of(to);
  const unsigned char* source = origin_of(from);
  do {
    memcpy(target + offset_of(to->ndim, to->strides, index) * to->itemsize,
           source + offset_of(from->ndim, from->strides, index) * from->itemsize,
           (size_t)to->itemsize);
  } while (next_index(to->ndim, to->shape, index));
}

static block block_like(const block* other, int repeats) {
  block b = *other;
  random_strides(&b, repeats);
  allocate_block(&b, other->itemsize);
  return b;
}

/* Of equal size, but a bool's bytes are not any, and floats' are compared as bytes. */
static const gpuarr_dtype dtypes[] = {GPUARR_I8,  GPUARR_U16, GPUARR_F16, GPUARR_F32,
                                      GPUARR_I64, GPUARR_C64, GPUARR_C128};

static gpuarr_dtype random_dtype(void) { return dtypes[random_between(0, 6)]; }

/* What read() writes into poisoned memory, against the naive copy of `expected`. */
static void check_read(const gpuarr_array* array, const block* expected) {
  block read = block_like(expected, 0);
  block naive = read;
  allocate_block(&naive, read.itemsize);
  copy_elements(&naive, expected);
  assert_ok(gpuarr_array_read(origin_of(&read), span_of(&read), read.strides, array, NULL));
  assert_memory_equal(read.bytes, naive.bytes, (size_t)(read.elements * read.itemsize));
  free(read.bytes);
  free(naive.bytes);
}

static void from_host_and_read_take_any_strides(void** state) {
  (void)state;
  for (int round = 0; round < 1000; ++round) {
    gpuarr_dtype dtype = random_dtype();
    block source;
    random_shape(&source);
    random_strides(&source, 1);
    allocate_block(&source, gpuarr_dtype_size(dtype));
    fill_with_random_bytes(&source);
    gpuarr_array* array = NULL;
    assert_ok(gpuarr_array_from_host(&array, device, dtype, source.ndim, source.shape,
                                     source.strides, origin_of(&source), span_of(&source), NULL));
    assert_int_equal(gpuarr_array_is_contiguous(array, GPUARR_ORDER_K), 1);
    check_read(array, &source);
    gpuarr_array_release(array);
    free(source.bytes);
  }
}

/* A view of b's shape, with steps and reversed axes, inside an array that is larger. */
static gpuarr_array* random_view(const block* b, gpuarr_dtype dtype, gpuarr_array** whole) {
  gpuarr_array* view = NULL;
  int64_t padded[MOST_AXES];
  for (int32_t i = 0; i < b->ndim; ++i) padded[i] = b->shape[i] * 2 + 1;
  assert_ok(gpuarr_array_empty(whole, device, dtype, b->ndim, padded, GPUARR_ORDER_C, NULL));
  view = gpuarr_array_retain(*whole);
  for (int32_t i = 0; i < b->ndim; ++i) {
    gpuarr_array* next = NULL;
    int64_t step = random_between(1, 2);
    int64_t first = random_between(0, 1);
    int64_t last = first + (b->shape[i] - 1) * step;
    if (b->shape[i] == 0)
      assert_ok(gpuarr_array_slice(&next, view, i, 0, 0, 1));
    else if (random_between(0, 1))
      assert_ok(gpuarr_array_slice(&next, view, i, first, last + 1, step));
    else
      assert_ok(gpuarr_array_slice(&next, view, i, last, first == 0 ? GPUARR_NONE : 0, -step));
    gpuarr_array_release(view);
    view = next;
  }
  return view;
}

static void write_reaches_the_elements_and_no_others(void** state) {
  (void)state;
  for (int round = 0; round < 500; ++round) {
    gpuarr_dtype dtype = random_dtype();
    block source;
    random_shape(&source);
    random_strides(&source, 1);
    allocate_block(&source, gpuarr_dtype_size(dtype));
    fill_with_random_bytes(&source);
    gpuarr_array* whole = NULL;
    gpuarr_array* view = random_view(&source, dtype, &whole);
    size_t bytes = (size_t)(gpuarr_array_size(whole) * source.itemsize);
    unsigned char* before = malloc(bytes + 1);
    unsigned char* after = malloc(bytes + 1);
    for (size_t i = 0; i < bytes; ++i) before[i] = (unsigned char)random_bits();
    assert_ok(gpuarr_array_write(whole, NULL, before, bytes, NULL));
    assert_ok(gpuarr_array_write(view, source.strides, origin_of(&source), span_of(&source), NULL));
    block expected = source;
    memcpy(expected.strides, gpuarr_array_strides(view), sizeof(int64_t) * (size_t)source.ndim);
    if (source.size > 0) {
      expected.bytes = before;
      expected.origin =
          ((char*)gpuarr_array_data(view) - (char*)gpuarr_array_data(whole)) / source.itemsize;
      copy_elements(&expected, &source);
    }
    assert_ok(gpuarr_array_read(after, bytes, NULL, whole, NULL));
    assert_memory_equal(after, before, bytes);
    check_read(view, &source);
    free(before);
    free(after);
    free(source.bytes);
    gpuarr_array_release(view);
    gpuarr_array_release(whole);
  }
}

static void copies_lie_in_the_order_asked_for(void** state) {
  (void)state;
  for (int round = 0; round < 500; ++round) {
    gpuarr_dtype dtype = random_dtype();
    int32_t order = (int32_t)random_between(GPUARR_ORDER_C, GPUARR_ORDER_K);
    block source;
    random_shape(&source);
    random_strides(&source, 1);
    allocate_block(&source, gpuarr_dtype_size(dtype));
    fill_with_random_bytes(&source);
    gpuarr_array* whole = NULL;
    gpuarr_array* view = random_view(&source, dtype, &whole);
    gpuarr_array* copy = NULL;
    gpuarr_array* same = NULL;
    assert_ok(gpuarr_array_write(view, source.strides, origin_of(&source), span_of(&source), NULL));
    assert_ok(gpuarr_array_copy(&copy, view, order, NULL));
    assert_int_equal(gpuarr_array_is_contiguous(copy, order), 1);
    check_read(copy, &source);
    assert_ok(gpuarr_array_contiguous(&same, view, order, NULL));
    assert_int_equal(gpuarr_array_is_contiguous(same, order), 1);
    if (source.size > 0)
      assert_int_equal(gpuarr_array_data(same) == gpuarr_array_data(view),
                       gpuarr_array_is_contiguous(view, order));
    check_read(same, &source);
    gpuarr_array_release(same);
    gpuarr_array_release(copy);
    gpuarr_array_release(view);
    gpuarr_array_release(whole);
    free(source.bytes);
  }
}

static void memory_order_follows_the_source(void** state) {
  (void)state;
  int64_t shape[] = {2, 3, 4};
  int64_t strides[] = {4, 8, 1}; /* axes nest as 1, 0, 2 */
  double data[24] = {0};
  gpuarr_array* array = NULL;
  gpuarr_array* other = NULL;
  assert_ok(gpuarr_array_from_host(&array, device, GPUARR_F64, 3, shape, strides, data, sizeof data,
                                   NULL));
  assert_memory_equal(gpuarr_array_strides(array), strides, sizeof strides);
  assert_ok(gpuarr_array_copy(&other, array, GPUARR_ORDER_K, NULL));
  assert_memory_equal(gpuarr_array_strides(other), strides, sizeof strides);
  gpuarr_array_release(other);
  assert_ok(gpuarr_array_astype(&other, array, GPUARR_I8, NULL));
  assert_memory_equal(gpuarr_array_strides(other), strides, sizeof strides);
  gpuarr_array_release(other);
  assert_ok(gpuarr_array_to_device(&other, array, device, NULL));
  assert_memory_equal(gpuarr_array_strides(other), strides, sizeof strides);
  assert_true(gpuarr_array_data(other) != gpuarr_array_data(array));
  gpuarr_array_release(other);
  gpuarr_array_release(array);
}

static void one_dimensional_overlaps_are_as_if_there_were_none(void** state) {
  (void)state;
  for (int round = 0; round < 500; ++round) {
    int32_t values[40];
    int32_t expected[40];
    int64_t shape[] = {40};
    for (int32_t i = 0; i < 40; ++i) expected[i] = values[i] = i;
    gpuarr_array* array = NULL;
    gpuarr_array* target = NULL;
    gpuarr_array* source = NULL;
    assert_ok(gpuarr_array_from_host(&array, device, GPUARR_I32, 1, shape, NULL, values,
                                     sizeof values, NULL));
    int64_t count = random_between(1, 19);
    int64_t first[2];
    int64_t step[2];
    gpuarr_array** views[] = {&target, &source};
    for (int i = 0; i < 2; ++i) {
      step[i] = random_between(1, 2);
      first[i] = random_between(0, 39 - (count - 1) * step[i]);
      int64_t last = first[i] + (count - 1) * step[i];
      if (random_between(0, 1)) {
        assert_ok(gpuarr_array_slice(views[i], array, 0, first[i], last + 1, step[i]));
      } else {
        int64_t stop = first[i] > 0 ? first[i] - 1 : GPUARR_NONE;
        assert_ok(gpuarr_array_slice(views[i], array, 0, last, stop, -step[i]));
        first[i] = last;
        step[i] = -step[i];
      }
    }
    for (int64_t i = 0; i < count; ++i)
      expected[first[0] + i * step[0]] = values[first[1] + i * step[1]];
    assert_ok(gpuarr_array_assign(target, source, NULL));
    assert_ok(gpuarr_array_read(values, sizeof values, NULL, array, NULL));
    assert_memory_equal(values, expected, sizeof values);
    gpuarr_array_release(source);
    gpuarr_array_release(target);
    gpuarr_array_release(array);
  }
}

static void a_matrix_can_be_transposed_in_place(void** state) {
  (void)state;
  int64_t shape[] = {50, 50};
  static float values[50][50];
  static float result[50][50];
  for (int i = 0; i < 50; ++i)
    for (int j = 0; j < 50; ++j) values[i][j] = (float)(i * 50 + j);
  gpuarr_array* array = NULL;
  gpuarr_array* transposed = NULL;
  assert_ok(gpuarr_array_from_host(&array, device, GPUARR_F32, 2, shape, NULL, values,
                                   sizeof values, NULL));
  assert_ok(gpuarr_array_transpose(&transposed, array, 0, NULL));
  assert_ok(gpuarr_array_assign(array, transposed, NULL));
  assert_ok(gpuarr_array_read(result, sizeof result, NULL, array, NULL));
  for (int i = 0; i < 50; ++i)
    for (int j = 0; j < 50; ++j) assert_true(result[i][j] == values[j][i]);
  gpuarr_array_release(transposed);
  gpuarr_array_release(array);
}

static void assignment_broadcasts_and_converts(void** state) {
  (void)state;
  int64_t shape[] = {2, 3};
  int64_t row_shape[] = {3};
  double row_values[] = {1.5, -2.5, 300};
  int16_t expected[] = {1, -2, 300, 1, -2, 300};
  int16_t values[6];
  gpuarr_array* array = NULL;
  gpuarr_array* row = NULL;
  assert_ok(gpuarr_array_zeros(&array, device, GPUARR_I16, 2, shape, GPUARR_ORDER_F, NULL));
  assert_ok(gpuarr_array_from_host(&row, device, GPUARR_F64, 1, row_shape, NULL, row_values,
                                   sizeof row_values, NULL));
  assert_ok(gpuarr_array_assign(array, row, NULL));
  assert_ok(gpuarr_array_read(values, sizeof values, NULL, array, NULL));
  assert_memory_equal(values, expected, sizeof values);
  gpuarr_array_release(row);
  gpuarr_array_release(array);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(from_host_and_read_take_any_strides),
      cmocka_unit_test(write_reaches_the_elements_and_no_others),
      cmocka_unit_test(copies_lie_in_the_order_asked_for),
      cmocka_unit_test(memory_order_follows_the_source),
      cmocka_unit_test(one_dimensional_overlaps_are_as_if_there_were_none),
      cmocka_unit_test(a_matrix_can_be_transposed_in_place),
      cmocka_unit_test(assignment_broadcasts_and_converts),
  };
  return run_suite(tests);
}
