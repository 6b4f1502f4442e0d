/* Lloyd's algorithm: points go to the nearest center, centers to the middle of their points. The
 * distances are a user-written reduction, which broadcasts; all else is ready-made. */
#include "example.h"

enum { POINTS = 20000, CLUSTERS = 4, ROUNDS = 15 };

static const float truth[CLUSTERS][2] = {{0, 0}, {6, 1}, {-2, 5}, {4, 7}};
static const float first[CLUSTERS][2] = {{1, 1}, {5, 0}, {0, 5}, {5, 5}};

static gpuarr_array* array_of(gpuarr_device* device, const float values[CLUSTERS][2]) {
  gpuarr_array* array;
  const int64_t shape[] = {CLUSTERS, 2};
  check(gpuarr_array_from_host(&array, device, GPUARR_F32, 2, shape, NULL, values, sizeof truth,
                               NULL));
  return array;
}

static gpuarr_array* expanded(gpuarr_array* array, int32_t axis) {
  gpuarr_array* view;
  check(gpuarr_array_expand(&view, array, axis));
  return view;
}

/* Points around the true centers, the same ones on every device. */
static gpuarr_array* make_points(gpuarr_device* device) {
  gpuarr_generator* generator;
  gpuarr_array *labels = NULL, *points = NULL, *noise = NULL, *centers = array_of(device, truth);
  const int64_t count = POINTS, shape[] = {POINTS, 2};
  check(gpuarr_generator_create(&generator, device, 7, 0));
  check(gpuarr_random_integers(&labels, generator, gpuarr_arg_i64(0), gpuarr_arg_i64(CLUSTERS),
                               GPUARR_I32, 1, &count, NULL));
  check(gpuarr_random_normal(&noise, generator, gpuarr_arg_f64(0), gpuarr_arg_f64(1), GPUARR_F32, 2,
                             shape, NULL));
  check(gpuarr_take(&points, centers, labels, 0, NULL));
  check(gpuarr_add(&points, gpuarr_arg_array(points), gpuarr_arg_array(noise), NULL));
  gpuarr_array_release(noise);
  gpuarr_array_release(labels);
  gpuarr_array_release(centers);
  gpuarr_generator_release(generator);
  return points;
}

/* One round: `centers` are moved. */
static void move_centers(gpuarr_array* centers, gpuarr_array* points, gpuarr_reduction* squared) {
  gpuarr_array *distances = NULL, *labels = NULL, *numbers, *members = NULL, *counts = NULL;
  gpuarr_array *sums = NULL, *members_by_cluster, *last = NULL;
  gpuarr_array *each_point = expanded(points, 1), *each_center = expanded(centers, 0);
  const int32_t points_axis = 0, last_axis = -1;

  gpuarr_arg inputs[] = {gpuarr_arg_array(each_point), gpuarr_arg_array(each_center)};
  check(gpuarr_reduction_call(squared, &distances, 1, inputs, 2, &last_axis, 1, 0, NULL));
  check(gpuarr_argmin(&labels, distances, &last_axis, 1, 1, NULL));

  /* A matrix that is true where a point belongs to a cluster: its product with the points adds them
   * up by cluster. */
  gpuarr_device* device = gpuarr_array_device(points);
  check(gpuarr_array_arange(&numbers, device, GPUARR_I64, gpuarr_arg_i64(0),
                            gpuarr_arg_i64(CLUSTERS), gpuarr_arg_i64(1), NULL));
  check(gpuarr_equal(&members, gpuarr_arg_array(labels), gpuarr_arg_array(numbers), NULL));
  check(gpuarr_array_transpose(&members_by_cluster, members, 0, NULL));
  check(gpuarr_matmul(&sums, members_by_cluster, points, 0, NULL));
  check(gpuarr_sum(&counts, members, &points_axis, 1, 0, NULL));
  last = expanded(counts, 1);
  check(gpuarr_divide(&centers, gpuarr_arg_array(sums), gpuarr_arg_array(last), NULL));

  gpuarr_array* all[] = {distances, labels, numbers,    members,     counts,
                         sums,      last,   each_point, each_center, members_by_cluster};
  for (size_t k = 0; k < sizeof all / sizeof *all; ++k) gpuarr_array_release(all[k]);
}

/* The same by plain loops. */
static void move_by_loops(double centers[CLUSTERS][2], float (*points)[2]) {
  double sums[CLUSTERS][3] = {{0}};
  for (int i = 0; i < POINTS; ++i) {
    int nearest = 0;
    double least = INFINITY;
    for (int c = 0; c < CLUSTERS; ++c) {
      const double x = points[i][0] - centers[c][0], y = points[i][1] - centers[c][1];
      if (x * x + y * y >= least) continue;
      least = x * x + y * y;
      nearest = c;
    }
    sums[nearest][0] += points[i][0];
    sums[nearest][1] += points[i][1];
    sums[nearest][2] += 1;
  }
  for (int c = 0; c < CLUSTERS; ++c)
    for (int k = 0; k < 2; ++k) centers[c][k] = sums[c][k] / sums[c][2];
}

int main(void) {
  gpuarr_device* device;
  gpuarr_reduction* squared;
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_reduction_create(&squared, "T x, T y", "T z", "(x - y) * (x - y)", "a + b", "z = a",
                                "0", NULL));
  gpuarr_array *points = make_points(device), *centers = array_of(device, first);
  for (int round = 0; round < ROUNDS; ++round) move_centers(centers, points, squared);

  static float host_points[POINTS][2];
  float found[CLUSTERS][2];
  double wanted[CLUSTERS][2];
  check(gpuarr_array_read(host_points, sizeof host_points, NULL, points, NULL));
  check(gpuarr_array_read(found, sizeof found, NULL, centers, NULL));
  for (int c = 0; c < CLUSTERS; ++c)
    for (int k = 0; k < 2; ++k) wanted[c][k] = first[c][k];
  for (int round = 0; round < ROUNDS; ++round) move_by_loops(wanted, host_points);
  for (int c = 0; c < CLUSTERS; ++c) {
    for (int k = 0; k < 2; ++k) {
      expect(found[c][k], wanted[c][k], 2e-3, "center", c); /* a point halfway may go either way */
      expect(found[c][k], truth[c][k], 0.1, "true center", c);
    }
    printf("center %d: %.2f %.2f\n", c, found[c][0], found[c][1]);
  }
  printf("ok: %d clusters of %d points on %s\n", CLUSTERS, POINTS, gpuarr_device_name(device));
  gpuarr_array_release(centers);
  gpuarr_array_release(points);
  gpuarr_reduction_release(squared);
  return 0;
}
