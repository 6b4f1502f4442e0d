// Products, order, random numbers and files of blocked arrays, against undivided ones; a team of
// messages of one's own.
#include <cstdio>

#include "divided.hpp"
#include "gpuarr_linalg.hpp"
#include "gpuarr_order.hpp"

using namespace gpuarr;
using check::Divided;
using check::team_of;

namespace {

void products() {
  for (int round = 0; round < 10; ++round) {
    const Team team = team_of(static_cast<std::size_t>(check::random(4)) + 1);
    const int64_t m = check::random(8) + 1, k = check::random(8) + 1, n = check::random(8) + 1;
    const Divided x({m, k}, team), y({k, n}, team), z({m, n}, team);
    const auto wanted = matmul(x.numbers.array, y.numbers.array).to_vector<int64_t>();
    CHECK(matmul(x.blocked, y.blocked).to_vector<int64_t>() == wanted);
    into(z.blocked, gpuarr_blocked_matmul, x.blocked, y.blocked);
    CHECK(z.blocked.to_vector<int64_t>() == wanted);
    const Blocked again = matmul(y.blocked.transpose(), x.blocked.transpose());
    CHECK(again.transpose().to_vector<int64_t>() == wanted);
  }
  const Divided x({2, 3}, team_of(2)), y({2, 3}, team_of(2));
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "team", [&] { matmul(x.blocked, y.blocked); });
  CHECK_FAILS(GPUARR_ERR_SHAPE, "(2, 3)", [&] { matmul(x.blocked, x.blocked); });
}

void order() {
  for (int round = 0; round < 10; ++round) {
    const Divided v({check::random(50) + 1}), x({check::random(8) + 1, check::random(8) + 1});
    const bool falls = round % 2 == 1;
    const Array numbers = x.numbers.array;
    CHECK(sort(v.blocked, falls).to_vector<int64_t>() ==
          sort(v.numbers.array, 0, falls).to_vector<int64_t>());
    for (int axis = 0; axis < 2; ++axis) {
      const auto same = [&](const Blocked& found, const Array& wanted) {
        CHECK(found.to_vector<int64_t>() == wanted.to_vector<int64_t>());
      };
      same(cumsum(x.blocked, axis, falls), cumsum(numbers, axis, falls));
      same(cumprod(x.blocked, axis), cumprod(numbers, axis));
      same(cummin(x.blocked, axis), cummin(numbers, axis));
      same(cummax(x.blocked, axis), cummax(numbers, axis));
    }
    into(v.blocked, gpuarr_blocked_sort, v.blocked, 0);
    CHECK(v.blocked.to_vector<int64_t>() == sort(v.numbers.array).to_vector<int64_t>());
  }
  const Divided x({2, 3});
  CHECK_FAILS(GPUARR_ERR_SHAPE, "give a vector", [&] { sort(x.blocked); });
  CHECK_FAILS(GPUARR_ERR_AXIS, "axis", [&] { cumsum(x.blocked, 2); });
}

void random_numbers() {
  const Generator here(7, 3), whole(7, 3);
  const Blocked x(team_of(3), GPUARR_F32, {5, 7}, {2, 3}), n(team_of(2), GPUARR_I64, {9}, {4});
  for (int round = 0; round < 2; ++round) {
    x.random(here, "normal", {1, 0.5});
    CHECK(x.to_vector<float>() == whole.normal({5, 7}, 1, 0.5).to_vector<float>());
    n.random(here, "poisson", {3.0});
    CHECK(n.to_vector<int64_t>() == whole.poisson({9}, 3.0).to_vector<int64_t>());
  }
  CHECK_EQ(here.position(), whole.position());
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "2 parameters", [&] { x.random(here, "normal", {1}); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "\"cauchy\"", [&] { x.random(here, "cauchy", {1}); });
}

struct Folder {
  Folder() {
    if (mkdtemp(name) == nullptr) throw std::runtime_error("no folder");
  }
  ~Folder() {
    if (std::system(("rm -rf " + std::string(name)).c_str()) != 0) check::failures += 1;
  }
  std::string path(const char* file) const { return std::string(name) + '/' + file; }
  char name[32] = "/tmp/gpuarr_cpp_XXXXXX";
};

void files() {
  const Folder folder;
  for (int32_t format : {GPUARR_FILE_NPY, GPUARR_FILE_ZARR, GPUARR_FILE_ZARR3}) {
    const Divided x({check::random(8) + 2, check::random(8) + 2});
    const Team team = team_of(2);
    const std::string path = folder.path(format == GPUARR_FILE_NPY ? "x.npy" : "x.zarr");
    x.blocked.save(path, format);
    const Blocked y = Blocked::load(team, path);
    const Blocked z = Blocked::load(team, path, {2, 1}, BlockedOptions().cyclic());
    CHECK(y.to_vector<int64_t>() == x.numbers.values && z.to_vector<int64_t>() == x.numbers.values);
    CHECK(format == GPUARR_FILE_NPY || y.grid() == x.blocked.grid());
    CHECK_EQ(z.grid()[1], x.numbers.shape[1]);
    for (const gpuarr::Shape& chunk : {gpuarr::Shape{2}, gpuarr::Shape{2, 1, 1}})
      CHECK_FAILS(GPUARR_ERR_SHAPE, "but the array in the file has shape",
                  [&] { Blocked::load(team, path, chunk); });

    file_create(team, path, format, GPUARR_I64, {6, 4}, {2, 4});
    const Blocked part(team, GPUARR_I64, {2, 4}, {2, 4});
    part.arange(1, 1);
    part.save_part(path, {2, 0});
    CHECK(Blocked::load(team, path).to_vector<int64_t>({2, 0}) ==
          (std::vector<int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0}));
    part.load_part(path, {3, 0});
    CHECK(part.to_vector<int64_t>() == (std::vector<int64_t>{5, 6, 7, 8, 0, 0, 0, 0}));
    part.load_part(path);
    CHECK(part.to_vector<int64_t>() == std::vector<int64_t>(8, 0));
    CHECK_FAILS(GPUARR_ERR_ARGUMENT, "start has 1 numbers", [&] { part.save_part(path, {2}); });
    CHECK_FAILS(GPUARR_ERR_SHAPE, "start[0] is 5", [&] { part.load_part(path, {5, 0}); });
  }
  const Team team = team_of(1);
  const Blocked x(team, GPUARR_F32, {4});
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "format is 9", [&] { x.save(folder.path("x"), 9); });
  CHECK_FAILS(GPUARR_ERR_IO, "none", [&] { Blocked::load(team, folder.path("none")); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "chunk has 1 numbers; it takes 2", [&] {
    file_create(team, folder.path("x"), GPUARR_FILE_ZARR, GPUARR_F32, {4, 4}, {2});
  });
}

// A process alone sends nothing.
void messages_of_ones_own() {
  const auto send = [](void**, const void*, int64_t, int32_t, int32_t, void*) { return 1; };
  const auto receive = [](void**, void*, int64_t, int32_t, int32_t, void*) { return 1; };
  const auto is_over = [](int32_t*, void*, void*) { return 1; };
  Handle<gpuarr_transport, gpuarr_transport_retain, gpuarr_transport_release> alone;
  gpuarr::check(gpuarr_transport_create(alone.out(), 0, 1, send, receive, is_over, nullptr));
  gpuarr::check(gpuarr_transport_set_name(alone, "pigeons"));
  const Team team = Team::from_transport(alone, Device());
  CHECK(team.size() == 1 && team.first() == 0);
  CHECK(team.describe().find("pigeons") != std::string::npos);
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "transport is NULL", [] { Team::from_transport(nullptr); });
}

}  // namespace

int main() {
  check::choose_device();
  products();
  order();
  random_numbers();
  files();
  messages_of_ones_own();
  return check::result();
}
