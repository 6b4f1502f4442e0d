// Teams: what blocks cost on the host, messages beside raw NCCL's and MPI's, and how steps of maps,
// reductions and stencils scale. One process for each place: run it by mpirun or `gpuarr run`.
// usage: bench_team [PART...]: of map reduce all_reduce halo redistribute strong weak heat
// matmul
#ifdef GPUARR_BENCH_MPI
#include <mpi.h>
#endif

#include <cmath>
#include <cstring>

#include "team_bench.hpp"

namespace {

gpuarr_status do_nothing(const gpuarr_block* /*block*/, gpuarr_array* const* /*outputs*/,
                         gpuarr_array* const* /*inputs*/, void* /*user*/) {
  return GPUARR_OK;
}

// What a block costs on the host beside a bare launch of the same kernel.
void map(Bench& b) {
  constexpr int blocks = 64;
  gpuarr_blocked* x = rows_of(b.alone, blocks, 64, 0, GPUARR_BOUNDARY_NONE, 1);
  gpuarr_raw* kernel = nullptr;
  check(gpuarr_raw_create(&kernel,
                          "extern \"C\" __global__ void add(float* x, long long n) {\n"
                          "  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;\n"
                          "  if (i < n) x[i] += 1;\n}",
                          "add", nullptr, nullptr));
  gpuarr_array* one = nullptr;
  check(gpuarr_blocked_local(&one, x, 0, 0));
  check(gpuarr_blocked_fill(x, gpuarr_arg_f32(0)));
  const gpuarr_arg args[] = {gpuarr_arg_blocked(x, GPUARR_ARG_BLOCKED),
                             gpuarr_arg_block(GPUARR_ARG_BLOCK_SIZE, 0)};
  const gpuarr_arg bare[] = {gpuarr_arg_array(one), gpuarr_arg_i64(64)};
  const double mapped =
      b.time(20, [&] { check(gpuarr_map_blocks_raw(kernel, x, nullptr, args, 2)); }) / blocks;
  const double launched = b.time(20, [&] {
    for (int k = 0; k < blocks; ++k) check(gpuarr_raw_launch_1d(kernel, 64, bare, 2, b.stream));
  }) / blocks;
  const double called =
      b.time(20, [&] { check(gpuarr_map_blocks(do_nothing, nullptr, &x, 1, &x, 1, 0)); }) / blocks;
  b.add({"map_blocks of a raw kernel, a block", mapped, launched, 0, 10});
  b.count({"the same over a bare launch, us", mapped - launched, 5});
  b.count({"map_blocks of a function that does nothing, us", called, 5});
  gpuarr_array_release(one);
  gpuarr_raw_release(kernel);
  gpuarr_blocked_release(x);
}

void all_reduce(Bench& b) {
  std::vector<int64_t> sizes;
  for (int64_t bytes = 8; bytes <= int64_t{1} << 30; bytes *= 8) sizes.push_back(bytes);
  if (b.nccl.comm != nullptr) sizes.push_back(int64_t{4} << 30);
  for (const int64_t bytes : sizes) {
    gpuarr_blocked* x = b.replicated((bytes + 3) / 4, GPUARR_F32);
    const auto count = static_cast<size_t>((bytes + 3) / 4);
    void* const data = memory_of(x);
    check(gpuarr_blocked_fill(x, gpuarr_arg_f32(0)));
    const int calls = bytes < 1 << 20 ? 50 : 5;
    const double ours = b.time(calls, [&] { check(gpuarr_all_reduce(x, GPUARR_COMBINE_SUM)); });
    double raw = 0;
    if (b.nccl.comm != nullptr)
      raw = b.time(calls, [&] {
        b.nccl.all_reduce(data, data, count, Nccl::floats, Nccl::sum, b.nccl.comm, b.nccl.stream);
      });
    b.add({"all_reduce " + size_text(static_cast<double>(bytes)), ours, raw,
           bytes >= 256 << 20 && raw > 0 ? 0.97 : 0});
    gpuarr_blocked_release(x);
  }
}

double raw_mpi_all_reduce([[maybe_unused]] const Bench& b) {
#ifdef GPUARR_BENCH_MPI
  int is_on = 0;
  MPI_Initialized(&is_on);
  if (is_on == 0) return 0;
  double in = 1;
  double out = 0;
  return b.time(1000, [&] { MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); });
#else
  return 0;
#endif
}

// What a scalar reduction adds to a step that maps.
void reduce(Bench& b) {
  const bool gpu = b.nccl.comm != nullptr;
  const int64_t size = gpu ? int64_t{1} << 20 : 4096;
  gpuarr_blocked *x = rows_of(b.team, size * b.places / 1024, 1024), *sum = nullptr;
  gpuarr_elementwise* twice = nullptr;
  check(gpuarr_elementwise_create(&twice, "T x", "T y", "y = x * 2;", nullptr));
  check(gpuarr_blocked_fill(x, gpuarr_arg_f32(0)));
  check(gpuarr_blocked_reduce(&sum, "sum", x, nullptr, 0, 0, 0, 0));
  const gpuarr_arg input = gpuarr_arg_blocked(x, GPUARR_ARG_BLOCKED);
  const auto step = [&] { check(gpuarr_map_blocks_elementwise(twice, &x, 1, &input, 1)); };
  const auto total = [&] { check(gpuarr_blocked_reduce(&sum, "sum", x, nullptr, 0, 0, 0, 0)); };
  const double mapped = b.time(1000, step);
  const double both = b.time(1000, [&] {
    step();
    total();
  });
  // The same where nothing is sent.
  gpuarr_blocked *y = rows_of(b.alone, size / 1024, 1024), *own = nullptr;
  check(gpuarr_blocked_fill(y, gpuarr_arg_f32(0)));
  check(gpuarr_blocked_reduce(&own, "sum", y, nullptr, 0, 0, 0, 0));
  const gpuarr_arg of_y = gpuarr_arg_blocked(y, GPUARR_ARG_BLOCKED);
  const double alone = b.time(1000, [&] {
    check(gpuarr_map_blocks_elementwise(twice, &y, 1, &of_y, 1));
    check(gpuarr_blocked_reduce(&own, "sum", y, nullptr, 0, 0, 0, 0));
  });
  const double raw = raw_mpi_all_reduce(b);
  b.add({"map of " + std::to_string(size) + " floats for each place", mapped});
  b.add({"the same and a sum", both, alone});
  b.count({"added by the sum over places, us", both - alone, gpu ? 12 : raw + 2});
  if (raw > 0) b.add({"raw MPI_Allreduce of 8 bytes", raw});
  for (gpuarr_blocked* each : {x, sum, y, own}) gpuarr_blocked_release(each);
  gpuarr_elementwise_release(twice);
}

// A periodic halo along the axis that is divided, beside sends and receives of its faces.
void halo(Bench& b) {
  for (const int64_t face : {int64_t{64} << 10, int64_t{1} << 20, int64_t{64} << 20}) {
    const int64_t width = face / 4;
    gpuarr_blocked* x = rows_of(b.team, 4 * b.places, width, 1, GPUARR_BOUNDARY_PERIODIC);
    check(gpuarr_blocked_fill(x, gpuarr_arg_f32(1)));
    const int calls = face < 1 << 20 ? 100 : 10;
    const double ours = b.time(calls, [&] { check(gpuarr_halo_exchange(x)); });
    double raw = 0;
    auto* data = static_cast<char*>(memory_of(x));
    const int right = (b.place + 1) % b.places, left = (b.place + b.places - 1) % b.places;
    const auto bytes = static_cast<size_t>(face);
    if (b.nccl.comm != nullptr)
      raw = b.time(calls, [&] {
        b.nccl.begin();
        b.nccl.send(data, bytes, Nccl::bytes, left, b.nccl.comm, b.nccl.stream);
        b.nccl.send(data + 3 * face, bytes, Nccl::bytes, right, b.nccl.comm, b.nccl.stream);
        b.nccl.receive(data - face, bytes, Nccl::bytes, left, b.nccl.comm, b.nccl.stream);
        b.nccl.receive(data + 4 * face, bytes, Nccl::bytes, right, b.nccl.comm, b.nccl.stream);
        b.nccl.end();
      });
    Figure f{"halo, faces of " + size_text(static_cast<double>(face)), ours, raw};
    if (face >= 64 << 20 && raw > 0) f.at_least = 0.85;
    if (face <= 64 << 10) f.at_most_us = 25;
    b.add(f);
    gpuarr_blocked_release(x);
  }
}

// Rows to columns, beside an all-to-all of as many bytes.
void redistribute(Bench& b) {
  const bool gpu = b.nccl.comm != nullptr;
  const int64_t n = gpu ? 32768 : 4096;
  const int64_t shape[] = {n, n}, columns[] = {n, (n - 1) / b.places + 1};
  gpuarr_blocked *x = rows_of(b.team, n, n), *y = nullptr;
  check(gpuarr_blocked_empty(&y, b.team, GPUARR_F32, 2, shape, columns, nullptr));
  check(gpuarr_blocked_fill(x, gpuarr_arg_f32(1)));
  const double ours = b.time(3, [&] { check(gpuarr_redistribute(y, x)); });
  double raw = 0;
  auto *from = static_cast<char*>(memory_of(x)), *to = static_cast<char*>(memory_of(y));
  const int64_t part = n / b.places * (n / b.places) * 4;
  if (gpu)
    raw = b.time(3, [&] {
      b.nccl.begin();
      for (int other = 0; other < b.places; ++other) {
        const auto bytes = static_cast<size_t>(part);
        if (other == b.place) continue;
        b.nccl.send(from + other * part, bytes, Nccl::bytes, other, b.nccl.comm, b.nccl.stream);
        b.nccl.receive(to + other * part, bytes, Nccl::bytes, other, b.nccl.comm, b.nccl.stream);
      }
      b.nccl.end();
    });
  b.add({"redistribute, rows to columns of " + size_text(static_cast<double>(n * n * 4)), ours, raw,
         raw > 0 ? 0.7 : 0});
  gpuarr_blocked_release(y);
  gpuarr_blocked_release(x);
}

// A step that maps and sums; `size` floats in all.
double step_time(Bench& b, gpuarr_team* team, int64_t size) {
  constexpr int64_t columns = 4096;
  gpuarr_blocked *x = rows_of(team, size / columns, columns), *sum = nullptr;
  gpuarr_elementwise* kernel = nullptr;
  check(gpuarr_elementwise_create(&kernel, "T x", "T y", "y = x * T(0.5) + T(1);", nullptr));
  check(gpuarr_blocked_fill(x, gpuarr_arg_f32(1)));
  check(gpuarr_blocked_reduce(&sum, "sum", x, nullptr, 0, 0, 0, 0));
  const gpuarr_arg input = gpuarr_arg_blocked(x, GPUARR_ARG_BLOCKED);
  const double us = b.time(size > 1 << 26 ? 10 : 50, [&] {
    check(gpuarr_map_blocks_elementwise(kernel, &x, 1, &input, 1));
    check(gpuarr_blocked_reduce(&sum, "sum", x, nullptr, 0, 0, 0, 0));
  });
  gpuarr_elementwise_release(kernel);
  gpuarr_blocked_release(sum);
  gpuarr_blocked_release(x);
  return us;
}

void strong(Bench& b) {
  const bool gpu = b.nccl.comm != nullptr;
  for (int power = gpu ? 30 : 26; power >= 20; power -= 2) {
    const int64_t size = int64_t{1} << power;
    const double one = step_time(b, b.alone, size), all = step_time(b, b.team, size);
    const bool many = b.places > 2;
    const double wanted = power == 30   ? 0.98
                          : power == 28 ? (many ? 0.9 : 0.95)
                          : power == 26 ? (many ? 0.6 : 0.8)
                                        : 0;
    b.add({"strong: map and sum of 2^" + std::to_string(power) + " floats, of 1/n of one place",
           all, one / b.places, gpu && b.places > 1 ? wanted : 0});
    b.count({"  rate of all places, TB/s", 12.0 * static_cast<double>(size) / all / 1e6});
  }
}

void weak(Bench& b) {
  const bool gpu = b.nccl.comm != nullptr;
  for (int power = gpu ? 30 : 24; power >= 20; power -= 5) {
    const int64_t size = int64_t{1} << power;
    const double one = step_time(b, b.alone, size), all = step_time(b, b.team, size * b.places);
    b.add({"weak: map and sum of 2^" + std::to_string(power) + " floats for each place", all, one,
           gpu && power == 30 ? 0.99 : 0});
  }
}

// Rows of the block from `first` on; `now` has a ghost row before and behind it.
const char* const heat_source =
    "#include <gpuarr.cuh>\n"
    "__global__ void spread(gpuarr_view<const float, 2> now, gpuarr_view<float, 2> next,\n"
    "                       int first, int step, int rows) {\n"
    "  int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  int k = blockIdx.y * blockDim.y + threadIdx.y, y = first + k * step;\n"
    "  int width = next.shape()[1];\n"
    "  if (k >= rows || x < 1 || x >= width - 1) return;\n"
    "  float around = now(y, x) + now(y + 2, x) + now(y + 1, x - 1) + now(y + 1, x + 1);\n"
    "  next(y, x) = now(y + 1, x) + 0.2f * (around - 4 * now(y + 1, x));\n"
    "}\n";

struct Heat {
  gpuarr_raw* kernel;
  bool border;
};

gpuarr_status heat_block(const gpuarr_block* block, gpuarr_array* const* outputs,
                         gpuarr_array* const* inputs, void* user) {
  const Heat& heat = *static_cast<const Heat*>(user);
  const int64_t* const shape = gpuarr_array_shape(outputs[0]);
  const auto height = static_cast<int32_t>(shape[0]);
  const int32_t rows = heat.border ? 2 : height - 2;
  const gpuarr_arg args[] = {gpuarr_arg_view(inputs[0]), gpuarr_arg_view(outputs[0]),
                             gpuarr_arg_i32(heat.border ? 0 : 1),
                             gpuarr_arg_i32(heat.border ? height - 1 : 1), gpuarr_arg_i32(rows)};
  const int64_t threads[] = {64, heat.border ? 1 : 4, 1};
  const int64_t grid[] = {(shape[1] - 1) / threads[0] + 1, (rows - 1) / threads[1] + 1, 1};
  return gpuarr_raw_launch(heat.kernel, grid, threads, 0, args, 5, gpuarr_block_stream(block));
}

double heat_time(Bench& b, gpuarr_team* team, int64_t n, gpuarr_raw* kernel) {
  gpuarr_blocked* plates[2];
  for (auto& plate : plates) {
    plate = rows_of(team, n, n, 1, GPUARR_BOUNDARY_CONSTANT);
    check(gpuarr_blocked_fill(plate, gpuarr_arg_f32(1)));
  }
  Heat inner{kernel, false}, border{kernel, true};
  int k = 0;
  const double us = b.time(50, [&] {
    gpuarr_blocked *from = plates[k % 2], *to = plates[(k + 1) % 2];
    check(gpuarr_halo_begin(from));
    check(gpuarr_map_blocks(heat_block, &inner, &to, 1, &from, 1, GPUARR_MAP_HALO));
    check(gpuarr_halo_end(from));
    check(gpuarr_map_blocks(heat_block, &border, &to, 1, &from, 1, GPUARR_MAP_HALO));
    ++k;
  });
  for (gpuarr_blocked* plate : plates) gpuarr_blocked_release(plate);
  return us;
}

void heat(Bench& b) {
  const bool gpu = b.nccl.comm != nullptr;
  gpuarr_raw* kernel = nullptr;
  check(gpuarr_raw_create(&kernel, heat_source, "spread", nullptr, nullptr));
  for (const int64_t n : {int64_t{16384}, int64_t{8192}, int64_t{4096}}) {
    if (!gpu && n > 4096) continue;
    const double one = heat_time(b, b.alone, n, kernel), all = heat_time(b, b.team, n, kernel);
    const double wanted = b.places == 2 && n == 8192 ? 0.95 : b.places > 2 && n == 16384 ? 0.9 : 0;
    b.add({"heat in " + std::to_string(n) + " squared, of 1/n of one place", all, one / b.places,
           gpu ? wanted : 0});
  }
  gpuarr_raw_release(kernel);
}

// Square blocks of both matrices, as nearly as the places allow, beside one place's product.
void matmul(Bench& b) {
  const bool gpu = b.nccl.comm != nullptr;
  const int64_t n = gpu ? 32768 : 1024;
  int64_t columns = 1;
  for (int64_t k = 1; k * k <= b.places; ++k)
    if (b.places % k == 0) columns = k;
  gpuarr_generator* generator = nullptr;
  check(gpuarr_generator_create(&generator, b.device, 1, 0));
  const auto time = [&](gpuarr_team* team, const int64_t(&chunk)[2]) {
    const int64_t shape[] = {n, n};
    gpuarr_blocked *x = nullptr, *y = nullptr, *z = nullptr;
    for (gpuarr_blocked** each : {&x, &y, &z})
      check(gpuarr_blocked_empty(each, team, GPUARR_F32, 2, shape, chunk, nullptr));
    const gpuarr_arg bounds[] = {gpuarr_arg_f64(-1), gpuarr_arg_f64(1)};
    for (gpuarr_blocked* each : {x, y})
      check(gpuarr_blocked_random(each, generator, "uniform", bounds, 2));
    const double us = b.time(1, [&] { check(gpuarr_blocked_matmul(&z, x, y)); });
    for (gpuarr_blocked* each : {x, y, z}) gpuarr_blocked_release(each);
    return us;
  };
  const double one = time(b.alone, {n, n});
  const double all = time(b.team, {n / (b.places / columns), n / columns});
  b.add({"matmul of " + std::to_string(n) + " squared, of 1/n of one place", all, one / b.places,
         gpu && b.places > 2 ? 0.85 : 0});
  b.count({"  rate of all places, TFLOP/s", 2.0 * static_cast<double>(n) * static_cast<double>(n) *
                                                static_cast<double>(n) / all / 1e6});
}

struct Part {
  const char* name;
  void (*run)(Bench&);
};
constexpr Part parts[] = {{"map", map},
                          {"reduce", reduce},
                          {"all_reduce", all_reduce},
                          {"halo", halo},
                          {"redistribute", redistribute},
                          {"strong", strong},
                          {"weak", weak},
                          {"heat", heat},
                          {"matmul", matmul}};

}  // namespace

int main(int argc, char** argv) {
#ifdef GPUARR_BENCH_MPI
  const bool launched =
      std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMI_SIZE") != nullptr;
  if (launched) MPI_Init(&argc, &argv);
#endif
  {
    Bench b;
    for (const Part& part : parts) {
      bool wanted = argc == 1;
      for (int k = 1; k < argc; ++k) wanted = wanted || std::strcmp(argv[k], part.name) == 0;
      if (wanted) part.run(b);
    }
    check(gpuarr_team_synchronize(b.team));
    gpuarr_team_release(b.alone);
    gpuarr_team_release(b.team);
  }
#ifdef GPUARR_BENCH_MPI
  if (launched) MPI_Finalize();
#endif
  return 0;
}
