/* Random numbers: the same ones on every device, in every layout, at every size. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "draws.h"

enum { known_count = 1027 };

static gpuarr_array* drawn(const struct draw* d, gpuarr_generator* g, int64_t count) {
  gpuarr_array* out = NULL;
  assert_ok(d->call(&out, g, d->dtype, 1, &count, NULL));
  assert_int_equal(gpuarr_array_dtype(out), d->dtype);
  assert_shape(out, 1, &count);
  return out;
}

/* The elements in C order; the caller frees them. */
static unsigned char* bytes_of(const gpuarr_array* array, size_t* bytes) {
  *bytes = (size_t)(gpuarr_array_size(array) * gpuarr_dtype_size(gpuarr_array_dtype(array)));
  unsigned char* data = malloc(*bytes + 1);
  assert_ok(gpuarr_array_read(data, *bytes, NULL, array, NULL));
  return data;
}

static void assert_same_bits(const gpuarr_array* a, const gpuarr_array* b) {
  size_t bytes = 0, expected = 0;
  unsigned char *x = bytes_of(a, &bytes), *y = bytes_of(b, &expected);
  assert_int_equal(bytes, expected);
  assert_memory_equal(x, y, bytes);
  free(x);
  free(y);
}

/* Under a sanitizer, of the many kernels a few. */
static int is_chosen(int k) { return !sanitized || k == 4 || k == 14 || k == 24; }

/* FNV-1a: the same bits on every device and with every compiler. */
static void known_answers(void** state) {
  (void)state;
  int wrong = 0;
  for (int k = 0; k < draw_count; ++k) {
    if (!is_chosen(k)) continue;
    const struct draw* d = &draws[k];
    gpuarr_generator* g = generator(42, 7);
    assert_ok(gpuarr_generator_set_position(g, 3));
    gpuarr_array* out = drawn(d, g, known_count);
    assert_int_equal(gpuarr_generator_position(g),
                     3 + (known_count + d->per_step - 1) / d->per_step);
    size_t bytes = 0;
    unsigned char* data = bytes_of(out, &bytes);
    uint64_t digest = 0xcbf29ce484222325u;
    for (size_t at = 0; at < bytes; ++at) digest = (digest ^ data[at]) * 0x100000001b3u;
    free(data);
    if (digest != d->known)
      print_error("%s of %s: 0x%016llx\n", d->name, gpuarr_dtype_name(d->dtype),
                  (unsigned long long)digest);
    wrong += digest != d->known;
    gpuarr_array_release(out);
    gpuarr_generator_release(g);
  }
  assert_int_equal(wrong, 0);
}

/* Random123's own vectors, as far as attempts leave the counter to streams and positions. */
static void philox(void** state) {
  (void)state;
  const struct {
    uint64_t seed, stream, position;
    uint32_t words[4];
  } vectors[] = {
      {0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
  };
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; ++k) {
    gpuarr_generator* g = generator(vectors[k].seed, vectors[k].stream);
    assert_ok(gpuarr_generator_set_position(g, vectors[k].position));
    const int64_t four = 4;
    gpuarr_array* out = NULL;
    assert_ok(gpuarr_random_integers(&out, g, gpuarr_arg_i64(0), gpuarr_arg_i64(INT64_C(1) << 32),
                                     GPUARR_U32, 1, &four, NULL));
    uint32_t words[4];
    assert_ok(gpuarr_array_read(words, sizeof words, NULL, out, NULL));
    assert_memory_equal(words, vectors[k].words, sizeof words);
    gpuarr_array_release(out);
    gpuarr_generator_release(g);
  }
}

static void positions(void** state) {
  (void)state;
  const struct draw* d = draw_called("normal", GPUARR_F32);
  gpuarr_generator *g = generator(5, 0), *same = generator(5, 0);
  gpuarr_array *whole = drawn(d, g, 8013), *first = drawn(d, same, 8000), *part = NULL;
  assert_int_equal(gpuarr_generator_position(same), 2000);
  gpuarr_array* second = drawn(d, same, 13);
  assert_ok(gpuarr_array_slice(&part, whole, 0, 0, 8000, 1));
  assert_same_bits(part, first);
  replace(&part, NULL);
  assert_ok(gpuarr_array_slice(&part, whole, 0, 8000, 8013, 1));
  assert_same_bits(part, second);
  replace(&part, NULL);

  assert_ok(gpuarr_generator_set_position(g, 1000));
  assert_ok(gpuarr_generator_advance(g, 1000));
  replace(&second, drawn(d, g, 13)); /* where the other one was */
  assert_ok(gpuarr_array_slice(&part, whole, 0, 8000, 8013, 1));
  assert_same_bits(part, second);
  gpuarr_array* all[] = {whole, first, second, part};
  release_arrays(all, 4);
  gpuarr_generator_release(same);
  gpuarr_generator_release(g);
}

/* Where a 32-bit half of the counter wraps around, within a vector and a block. */
static void across_a_carry(void** state) {
  (void)state;
  const struct draw* d = draw_called("uniform", GPUARR_F32);
  const uint64_t start = (UINT64_C(1) << 32) - 5;
  gpuarr_generator* g = generator(5, 1);
  assert_ok(gpuarr_generator_set_position(g, start));
  gpuarr_array *whole = drawn(d, g, 400), *part = NULL;
  for (int64_t step = 0; step < 10; ++step) {
    assert_ok(gpuarr_generator_set_position(g, start + (uint64_t)step));
    gpuarr_array* four = drawn(d, g, 4);
    assert_ok(gpuarr_array_slice(&part, whole, 0, 4 * step, 4 * step + 4, 1));
    assert_same_bits(part, four);
    gpuarr_array_release(four);
    replace(&part, NULL);
  }
  gpuarr_array_release(whole);
  gpuarr_generator_release(g);
}

static gpuarr_array* turned(const gpuarr_array* array, int64_t step) {
  gpuarr_array *view = NULL, *out = NULL;
  assert_ok(gpuarr_array_transpose(&view, array, 0, NULL));
  assert_ok(gpuarr_array_slice(&out, view, 0, GPUARR_NONE, GPUARR_NONE, step));
  gpuarr_array_release(view);
  return out;
}

/* Given arrays get the same numbers in C order, however they lie. */
static void into_any_layout(void** state) {
  (void)state;
  const struct draw* some[] = {draw_called("normal", GPUARR_F32), draw_called("wide", GPUARR_U64),
                               draw_called("gamma", GPUARR_F64),
                               draw_called("bernoulli", GPUARR_BOOL)};
  const int64_t shape[] = {6, 35}, reversed[] = {35, 12}, line_shape = 210;
  for (int k = 0; k < (sanitized ? 1 : 4); ++k) {
    gpuarr_generator* g = generator(11, 3);
    gpuarr_array* expected = drawn(some[k], g, line_shape);
    gpuarr_array* table = NULL;
    assert_ok(gpuarr_array_reshape(&table, expected, 2, shape));
    replace(&expected, table);
    for (int backwards = 0; backwards < 2; ++backwards) {
      gpuarr_array* base = zeros(some[k]->dtype, 2, reversed);
      gpuarr_array* view = turned(base, backwards ? -2 : 2);
      gpuarr_array* given = view;
      assert_ok(gpuarr_generator_set_position(g, 0));
      assert_ok(some[k]->call(&given, g, 0, 0, NULL, NULL));
      assert_ptr_equal(given, view);
      assert_same_bits(view, expected);
      gpuarr_array_release(view);
      gpuarr_array_release(base);
    }
    gpuarr_array_release(expected);
    gpuarr_generator_release(g);
  }
}

static double* all_of(gpuarr_array* array) {
  double* values = doubles_of(array);
  gpuarr_array_release(array);
  return values;
}

/* An argument may be an array of any dtype; equal arguments make equal numbers. */
static void arrays_as_arguments(void** state) {
  (void)state;
  const float means[] = {-100, 0, 100};
  const int64_t shape[] = {5, 3}, by_row[] = {5, 1}, count = 15;
  gpuarr_array *mean = floats(3, means), *std = zeros(GPUARR_I32, 2, by_row), *out = NULL;
  gpuarr_generator* g = generator(1, 2);
  assert_ok(gpuarr_random_normal(&out, g, gpuarr_arg_f64(0), gpuarr_arg_f64(1), GPUARR_F64, 1,
                                 &count, NULL));
  double* plain = all_of(out);
  out = NULL;
  assert_ok(gpuarr_array_fill(std, gpuarr_arg_i32(2), NULL));
  assert_ok(gpuarr_generator_set_position(g, 0));
  assert_ok(gpuarr_random_normal(&out, g, gpuarr_arg_array(mean), gpuarr_arg_array(std), GPUARR_F64,
                                 2, shape, NULL));
  double* values = all_of(out);
  for (int k = 0; k < 15; ++k) assert_close(values[k], means[k % 3] + 2 * plain[k], 1e-14);
  free(values);
  free(plain);

  /* What is no parameter cannot be an error without waiting. */
  const float lams[] = {-1, 4, NAN};
  replace(&mean, floats(3, lams));
  out = NULL;
  assert_ok(gpuarr_random_poisson(&out, g, gpuarr_arg_array(mean), 2, shape, NULL));
  values = all_of(out);
  for (int k = 0; k < 15; ++k) assert_true(k % 3 == 1 ? values[k] >= 0 : values[k] == -1);
  free(values);
  gpuarr_array_release(mean);
  gpuarr_array_release(std);
  gpuarr_generator_release(g);
}

static void sizes(void** state) {
  (void)state;
  const struct draw* d = draw_called("normal", GPUARR_F32);
  const int64_t empty[] = {3, 0, 2};
  gpuarr_generator *g = generator(9, 9), *again = generator(9, 9);
  gpuarr_array *out = NULL, *whole = drawn(d, g, 33), *part = NULL;
  for (int64_t count = 0; count < 33; ++count) {
    assert_ok(gpuarr_generator_set_position(again, 0));
    gpuarr_array* few = drawn(d, again, count);
    assert_int_equal(gpuarr_generator_position(again), (count + 3) / 4);
    assert_ok(gpuarr_array_slice(&part, whole, 0, 0, count, 1));
    assert_same_bits(part, few);
    gpuarr_array_release(few);
    replace(&part, NULL);
  }
  assert_ok(d->call(&out, g, GPUARR_F32, 3, empty, NULL));
  assert_shape(out, 3, empty);
  replace(&out, NULL);
  assert_ok(gpuarr_generator_set_position(again, 0));
  assert_ok(d->call(&out, again, GPUARR_F32, 0, NULL, NULL)); /* one number */
  assert_int_equal(gpuarr_array_ndim(out), 0);
  double* first = doubles_of(whole);
  assert_true(value_of(out) == first[0]);
  free(first);
  gpuarr_array_release(out);

  /* A given array that is not aligned as a vector is. */
  gpuarr_array* base = line(GPUARR_F32, 34);
  assert_ok(gpuarr_array_slice(&out, base, 0, 1, 34, 1));
  assert_ok(gpuarr_generator_set_position(again, 0));
  assert_ok(d->call(&out, again, 0, 0, NULL, NULL));
  assert_same_bits(out, whole);
  gpuarr_array* all[] = {out, base, whole};
  release_arrays(all, 3);
  gpuarr_generator_release(g);
  gpuarr_generator_release(again);
}

static void generators(void** state) {
  (void)state;
  gpuarr_generator* g = generator(UINT64_MAX, (UINT64_C(1) << 48) - 1);
  assert_true(gpuarr_generator_seed(g) == UINT64_MAX);
  assert_true(gpuarr_generator_stream(g) == (UINT64_C(1) << 48) - 1);
  assert_true(gpuarr_generator_position(g) == 0);
  assert_ptr_equal(gpuarr_generator_retain(g), g);
  gpuarr_generator_release(g);
  gpuarr_generator_release(g);
  assert_null(gpuarr_generator_retain(NULL));
  gpuarr_generator_release(NULL);
  assert_true(gpuarr_generator_seed(NULL) == 0 && gpuarr_generator_stream(NULL) == 0 &&
              gpuarr_generator_position(NULL) == 0);
  uint64_t one = 0, other = 0;
  assert_ok(gpuarr_random_seed(&one));
  assert_ok(gpuarr_random_seed(&other));
  assert_true(one != other);
}

/* There is a kernel for the standard normal distribution: scaled, its numbers are the others. */
static void standard_normals(void** state) {
  (void)state;
  const int64_t count = 1000;
  gpuarr_generator* g = generator(4, 4);
  gpuarr_array *standard = NULL, *twice = NULL;
  assert_ok(gpuarr_random_normal(&standard, g, gpuarr_arg_f64(0), gpuarr_arg_f64(1), GPUARR_F32, 1,
                                 &count, NULL));
  assert_ok(gpuarr_generator_set_position(g, 0));
  assert_ok(gpuarr_random_normal(&twice, g, gpuarr_arg_f64(0), gpuarr_arg_f64(2), GPUARR_F32, 1,
                                 &count, NULL));
  double *single = all_of(standard), *doubled = all_of(twice);
  for (int k = 0; k < count; ++k) assert_true(doubled[k] == 2 * single[k]);
  free(single);
  free(doubled);
  gpuarr_generator_release(g);
}

/* A degenerate parameter is none that fails. */
static void without_chance(void** state) {
  (void)state;
  const int64_t count = 50;
  const gpuarr_arg zero = gpuarr_arg_f64(0), one = gpuarr_arg_f64(1), two = gpuarr_arg_f64(2);
  const double expected[] = {2, 2, 0, 0, 7, 0, 1, -128};
  gpuarr_array* outs[8] = {NULL};
  gpuarr_generator* g = generator(3, 3);
  assert_ok(gpuarr_random_uniform(&outs[0], g, two, two, GPUARR_F32, 1, &count, NULL));
  assert_ok(gpuarr_random_normal(&outs[1], g, two, zero, GPUARR_F32, 1, &count, NULL));
  assert_ok(gpuarr_random_poisson(&outs[2], g, zero, 1, &count, NULL));
  assert_ok(gpuarr_random_binomial(&outs[3], g, gpuarr_arg_i64(7), zero, 1, &count, NULL));
  assert_ok(gpuarr_random_binomial(&outs[4], g, gpuarr_arg_i64(7), one, 1, &count, NULL));
  assert_ok(gpuarr_random_bernoulli(&outs[5], g, zero, 1, &count, NULL));
  assert_ok(gpuarr_random_bernoulli(&outs[6], g, one, 1, &count, NULL));
  assert_ok(gpuarr_random_integers(&outs[7], g, gpuarr_arg_i64(-128), gpuarr_arg_i64(-127),
                                   GPUARR_I8, 1, &count, NULL));
  for (int k = 0; k < 8; ++k) {
    double* values = all_of(outs[k]);
    for (int64_t at = 0; at < count; ++at) assert_true(values[at] == expected[k]);
    free(values);
  }
  gpuarr_generator_release(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_answers),       cmocka_unit_test(philox),
      cmocka_unit_test(positions),           cmocka_unit_test(across_a_carry),
      cmocka_unit_test(into_any_layout),     cmocka_unit_test(sizes),
      cmocka_unit_test(arrays_as_arguments), cmocka_unit_test(generators),
      cmocka_unit_test(without_chance),      cmocka_unit_test(standard_normals),
  };
  return run_suite(tests);
}
