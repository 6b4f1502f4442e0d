// Teams, blocked arrays, map_blocks and reductions over blocks, in one process; against undivided
// arrays.
#include "divided.hpp"

using namespace gpuarr;
using check::Divided;
using check::team_of;

namespace {

void places() {
  const Team team = team_of(3);
  CHECK(team.size() == 3 && team.first() == 0 && team.local_count() == 3);
  CHECK(team.device(2) == Device() && team.device(3) == nullptr);
  CHECK(team.stream(1).device() == Device());
  CHECK(team.describe().find("3 places in one process") != std::string::npos);
  CHECK_EQ(Team::local(5).size(), 5);
  CHECK_EQ(Team::world(Device()).size(), 1);
  team.set_timeout(20, GPUARR_TIMEOUT_RETURN);
  team.synchronize();
  CHECK(team.nccl(0) == nullptr && team.mpi_f() == -1);
  gpuarr::check(gpuarr_profile_start());
  Blocked(team, GPUARR_F32, {6}).arange(0, 1);
  CHECK(team.profile().find("blocked_arange") != std::string::npos);
  gpuarr::check(gpuarr_profile_stop());
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "count is 0", [] { Team::local(std::vector<Device>()); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "seconds is -1", [&] { team.set_timeout(-1); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "place is 3", [&] { team.stream(3); });
}

void grids() {
  const Team team = team_of(2);
  const Blocked x(team, GPUARR_F32, {1000, 300}, {400, 100});
  CHECK(x.shape() == Shape({1000, 300}) && x.grid() == Shape({3, 3}) && x.size() == 300000);
  CHECK(x.start(8) == Shape({800, 200}) && x.stop(8) == Shape({1000, 300}));
  CHECK(x.owner(0) == 0 && x.owner(8) == 1 && x.owner(9) == -1);
  CHECK(x.local_count() == 9 && x.local_number(8) == 8 && x.local_place(8) == 1);
  CHECK(x.local(8).shape() == Shape({200, 100}) && x.dtype() == GPUARR_F32);
  CHECK(x.like(GPUARR_U8).dtype() == GPUARR_U8 && x.like().grid() == x.grid());
  CHECK(Blocked(team, GPUARR_U8, {7}).grid() == Shape{2});
  const Blocked chosen(team, GPUARR_U8, {3}, {1}, BlockedOptions().owners({1, 1, 0}));
  CHECK(chosen.owner(0) == 1 && chosen.owner(2) == 0);
  const Blocked columns(team, GPUARR_U8, {4, 3}, {2, 3}, BlockedOptions().order(GPUARR_ORDER_F));
  CHECK(columns.local(0).strides() == Shape({1, 2}));
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "chunk has 1 numbers; it takes 2", [&] {
    Blocked(team, GPUARR_F32, {4, 4}, {2});
  });
  CHECK_FAILS(GPUARR_ERR_SHAPE, "chunk[0] is 0", [&] { Blocked(team, GPUARR_F32, {4}, {0}); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "index is 9", [&] { x.local(9); });
}

void parts() {
  for (int round = 0; round < 40; ++round) {
    const Shape shape{check::random(9) + 1, check::random(9) + 1};
    const Divided x(shape);
    CHECK(x.blocked.to_vector<int64_t>() == x.numbers.values);
    const Shape from{check::random(shape[0]), check::random(shape[1])};
    const auto part = check::over<int64_t>({shape[0] - from[0], shape[1] - from[1]}, [&](Shape at) {
      return x.numbers({at[0] + from[0], at[1] + from[1]});
    });
    CHECK(x.blocked.to_vector<int64_t>(from) == part);
    std::vector<int64_t> one(1);
    x.blocked.read(one.data(), 1, {from, {from[0] + 1, from[1] + 1}, 0});
    CHECK_EQ(one[0], x.numbers(from));
    x.blocked.write(std::vector<int64_t>{-1}.data(), 1, {from, {from[0] + 1, from[1] + 1}});
    CHECK_EQ(x.blocked.to_vector<int64_t>(from).front(), -1);
  }
  const Blocked x(team_of(2), GPUARR_I32, {4, 3});
  CHECK_FAILS(GPUARR_ERR_AXIS, "extent 4", [&] { x.to_vector<int32_t>({}, {5, 3}); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "start has 1 numbers", [&] { x.to_vector<int32_t>({1}); });
  CHECK_FAILS(GPUARR_ERR_DTYPE, "float32 is asked for", [&] { x.to_vector<float>(); });
  CHECK_FAILS(GPUARR_ERR_SHAPE, "bytes", [&] { x.write(std::vector<int32_t>(3).data(), 3); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "place is 2", [&] {
    int32_t one;
    x.read(&one, 1, {{0, 0}, {1, 1}, 2});
  });
  CHECK_FAILS(GPUARR_ERR_SHAPE, "there are 12", [&] { x.item<int32_t>(); });
}

void moved() {
  const Divided x({5, 7});
  const Blocked y(team_of(1), GPUARR_I64, {5, 7});
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "different teams", [&] { y.redistribute_from(x.blocked); });
  const Blocked z = x.blocked.like();
  z.redistribute_from(x.blocked);
  const Array whole = x.numbers.array;
  CHECK(z.transpose().to_vector<int64_t>() == whole.transpose().to_vector<int64_t>());
  CHECK(z.transpose({0, 1}).to_vector<int64_t>() == x.numbers.values);
  Arrays own{full(GPUARR_I32, {2, 1}, 1), full(GPUARR_I32, {2, 2}, 2)};
  const Blocked both = Blocked::adopt(team_of(2), own, {1, 2});
  CHECK(both.to_vector<int32_t>() == (std::vector<int32_t>{1, 2, 2, 1, 2, 2}));
  both.fill(7);
  CHECK(own[1].to_vector<int32_t>() == std::vector<int32_t>(4, 7));
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "grid has 1 numbers",
              [&] { Blocked::adopt(team_of(2), own, {2}); });
}

void ghost_cells() {
  const auto edges = [](int32_t boundary) {
    BlockedOptions options;
    options.halo({2}, {1}, {boundary}).fill(-4);
    const Blocked x(team_of(2), GPUARR_I32, {6}, {3}, options);
    x.arange(1, 1);
    x.exchange_halo();
    return x.local(0, true).to_vector<int32_t>();
  };
  CHECK(edges(GPUARR_BOUNDARY_NONE) == (std::vector<int32_t>{1, 2, 3, 4}));
  CHECK(edges(GPUARR_BOUNDARY_PERIODIC) == (std::vector<int32_t>{5, 6, 1, 2, 3, 4}));
  CHECK(edges(GPUARR_BOUNDARY_CONSTANT) == (std::vector<int32_t>{-4, -4, 1, 2, 3, 4}));
  const BlockedOptions none;
  BlockedOptions around;
  around.halo({1, 1}, {1, 1}, {GPUARR_BOUNDARY_PERIODIC, GPUARR_BOUNDARY_PERIODIC});
  const Blocked x(team_of(4), GPUARR_I32, {4, 4}, {2, 2}, around);
  x.arange(0, 1);
  {
    HaloExchange exchange(x);
    CHECK(x.local(3).to_vector<int32_t>() == (std::vector<int32_t>{10, 11, 14, 15}));
    exchange.end();
  }
  CHECK_EQ(x.local(0, true).select(0, 0).to_vector<int32_t>().front(), 15);
  x.fill(7);
  { const HaloExchange exchange(x); }
  CHECK(x.local(0, true).to_vector<int32_t>() == std::vector<int32_t>(16, 7));
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "high has 1 numbers", [] {
    BlockedOptions().halo({1, 1}, {1});
  });
}

void functions_of_blocks() {
  const Team team = team_of(3);
  const Blocked x(team, GPUARR_I64, {5, 4}, {2, 2}), y = x.like(), z = x.like();
  x.arange(0, 1);
  const Elementwise plus("T x, T a", "T z", "z = x + a");
  int64_t starts = 0;
  map_blocks(
      [&](const Block& block, Arrays& out, const Arrays& in) {
        CHECK_EQ(block.number(), block.location(0) * 2 + block.location(1));
        CHECK_EQ(block.stop(0) - block.start(0), out[0].shape()[0]);
        const Stream own = block.stream(), of_place = team.stream(block.place());
        CHECK_EQ(gpuarr_stream_native(own), gpuarr_stream_native(of_place));
        starts += block.start(1);
        plus.run({out[0]}, {in[0], 100 * block.number()});
        out[1].assign(in[0]);
      },
      {y, z}, {x});
  CHECK_EQ(starts, 6);
  CHECK(z.to_vector<int64_t>() == x.to_vector<int64_t>());
  CHECK(y.to_vector<int64_t>({4, 0}) == (std::vector<int64_t>{416, 417, 518, 519}));
  map_blocks([](const Block&, Arrays& out, const Arrays&) { out[0].fill(3); }, {y});
  CHECK(y.to_vector<int64_t>() == std::vector<int64_t>(20, 3));

  BlockedOptions around;
  around.halo({1}, {1}, {GPUARR_BOUNDARY_PERIODIC});
  const Blocked ring(team, GPUARR_I64, {6}, {2}, around), sums = ring.like();
  ring.arange(0, 1);
  map_overlap([](const Block&, Arrays& out,
                 const Arrays& in) { out[0].assign(in[0].slice(0, 0, -2) + in[0].slice(0, 2)); },
              {sums}, {ring});
  CHECK(sums.to_vector<int64_t>() == (std::vector<int64_t>{6, 2, 4, 6, 8, 4}));
}

void functions_that_throw() {
  const Blocked x(team_of(2), GPUARR_I64, {4});
  const auto thrown = [&](auto&& function) {
    try {
      map_blocks(function, {x});
    } catch (const std::out_of_range& exception) {
      return std::string(exception.what());
    }
    return std::string();
  };
  CHECK_EQ(thrown([](const Block&, Arrays&, const Arrays&) { throw std::out_of_range("mine"); }),
           "mine");
  const auto told = [](const char* cause) {
    return std::string(gpuarr_last_error()).find(cause) != std::string::npos;
  };
  CHECK(told("mine"));
  try {
    map_blocks([](const Block&, Arrays&, const Arrays&) { throw 7; }, {x});
    CHECK(false);
  } catch (int number) {
    CHECK(number == 7 && told("none of std's"));
  }
  CHECK_FAILS(GPUARR_ERR_DTYPE, "float32 is asked for", [&] {
    map_blocks([](const Block&, Arrays& out, const Arrays&) { out[0].to_vector<float>(); }, {x});
  });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "it is collective",
              [&] { map_blocks([&](const Block&, Arrays&, const Arrays&) { x.fill(1); }, {x}); });
  x.fill(2);
  CHECK_EQ(x.reduce("sum").item<int64_t>(), 8);
}

void kernels() {
  const Team team = team_of(3);
  const Blocked x(team, GPUARR_F32, {5, 6}, {2, 4}), z = x.like();
  const Blocked y(team, GPUARR_F32, {6}, {4}, BlockedOptions().replicated());
  x.arange(0, 1);
  y.arange(1, 1);
  const Array by = full(GPUARR_F32, {1}, 10);
  const Elementwise kernel("T x, T y, raw T by, int64 row", "T z",
                           "z = x * by[0] + y + 1000 * row");
  map_blocks(kernel, {z}, {x, y, by, block_start(0)});
  CHECK(z.to_vector<float>({3, 4}, {4, 6}) == (std::vector<float>{2225, 2236}));
  map_blocks(Function([](auto a, auto b) { return a - 2 * b; }), {z}, {x, y});
  CHECK(z.to_vector<float>({3, 4}, {4, 6}) == (std::vector<float>{12, 11}));
  map_blocks("a * x + sum(y)", {z}, {"a", "x", "y"}, {0.5f, x, y});
  CHECK(z.to_vector<float>({3, 4}, {4, 6}) == (std::vector<float>{22, 22.5}));
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "names has 1 numbers; it takes 2", [&] {
    map_blocks("a * x", {z}, {"a"}, {1, x});
  });

  const Elementwise twice("T x", "T z", "z = 2 * x");
  const Blocked w(team, GPUARR_I64, {5, 6}, {2, 3}), sums(team, GPUARR_I64, {5, 2}, {2, 1});
  w.arange(0, 1);
  const Reduction sum("T x", "T y", "x", "a + b", "y = a", "0");
  map_blocks(sum, {sums}, {w}, {1});
  CHECK(sums.to_vector<int64_t>({4, 0}) == (std::vector<int64_t>{75, 84}));

  Module module(R"(#include <gpuarr.cuh>
    extern "C" __global__ void count(gpuarr_view<long long, 2> z, long long row, long long column,
                                     long long rows, long long columns, long long size) {
      long long i = blockIdx.y * blockDim.y + threadIdx.y;
      long long j = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < rows && j < columns && size == rows * columns) z(i, j) = (row + i) * 6 + column + j;
    }
    extern "C" __global__ void twice(long long* z, long long n) {
      long long i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) z[i] *= 2;
    })");
  w.fill(-1);
  map_blocks(
      module.kernel("count"), w, {4, 2},
      {w.view(), block_start(0), block_start(1), block_extent(0), block_extent(1), block_size()});
  map_blocks(module.kernel("twice"), w, {w, block_size()});
  const auto doubled =
      check::over<int64_t>({5, 6}, [](Shape at) { return 12 * at[0] + 2 * at[1]; });
  CHECK(w.to_vector<int64_t>() == doubled);
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "inputs[0].flags is 4", [&] { twice(w); });
}

void reductions() {
  for (int round = 0; round < 10; ++round) {
    const Divided x({check::random(9) + 1, check::random(9) + 1});
    const Array whole = x.numbers.array;
    CHECK(x.blocked.reduce("sum", {0}).to_vector<int64_t>() ==
          sum(whole, {0}).to_vector<int64_t>());
    CHECK_EQ(x.blocked.reduce("max").item<int64_t>(), max(whole).item<int64_t>());
    CHECK_EQ(x.blocked.reduce("mean", {}, true).shape().size(), 2u);
    CHECK_EQ(x.blocked.reduce("sum", {}, false, 0, GPUARR_REDUCE_FAST).item<int64_t>(),
             sum(whole).item<int64_t>());
    const Reduction range("T x, T y", "T low, T high, int64 n", "x - y", "a + b",
                          "low = a; high = 2 * a; n = _in_ind.size()", "0");
    Blocked low, high, n;
    reduce(range, {low, high, n}, {x.blocked, 1}, {}, false);
    CHECK_EQ(low.item<int64_t>(), sum(whole).item<int64_t>() - whole.size());
    CHECK(high.item<int64_t>() == 2 * low.item<int64_t>() && n.item<int64_t>() == whole.size());
    Blocked wrong = low.like(GPUARR_F32);
    CHECK_FAILS(GPUARR_ERR_DTYPE, "float32", [&] { x.blocked.reduce_into(wrong, "sum"); });
    CHECK_FAILS(GPUARR_ERR_ARGUMENT, "total", [&] { x.blocked.reduce("total"); });
  }
  const Blocked copies(team_of(3), GPUARR_I32, {2}, {2}, BlockedOptions().replicated());
  copies.fill(5);
  copies.all_reduce();
  CHECK(copies.to_vector<int32_t>() == (std::vector<int32_t>{15, 15}));
}

void progress() {
  const Team team = team_of(2);
  const Blocked x(team, GPUARR_I32, {12}, {1});
  std::string last;
  {
    const Progress told(
        team,
        [&](const char* operation, int64_t done, int64_t total) {
          last = operation + std::to_string(done) + "/" + std::to_string(total);
        },
        0);
    x.fill(1);
  }
  CHECK_EQ(last, "gpuarr_blocked_fill12/12");
  last.clear();
  x.fill(2);
  CHECK_EQ(last, "");
  const Progress broken(
      team, [](const char*, int64_t, int64_t) { throw Error(1, "stop"); }, 0);
  CHECK_FAILS(1, "stop", [&] { x.fill(3); });
}

}  // namespace

int main() {
  check::choose_device();
  places();
  grids();
  parts();
  moved();
  ghost_cells();
  functions_of_blocks();
  functions_that_throw();
  kernels();
  reductions();
  progress();
  return check::result();
}
