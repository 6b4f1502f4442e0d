// What the benchmarks of teams share: the team of all processes, clocks that all places agree on,
// the NCCL that the team has opened, and arrays divided by rows.
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>

#include "gpuarr.h"
#include "measure.hpp"
#include "objects.hpp"

// NCCL's functions, of the library that the team has opened.
struct Nccl {
  using Status = int;
  void* comm;
  void* stream;
  Status (*all_reduce)(const void*, void*, size_t, int, int, void*, void*);
  Status (*send)(const void*, size_t, int, int, void*, void*);
  Status (*receive)(void*, size_t, int, int, void*, void*);
  Status (*begin)();
  Status (*end)();
  static constexpr int bytes = 0, floats = 7, sum = 0;  // as nccl.h has them
};

class Bench {
 public:
  Bench() {
    check(gpuarr_team_world(&team, nullptr));
    places = gpuarr_team_size(team);
    place = gpuarr_team_first(team);
    if (place == 0) report_.emplace("team", "this machine");
    device = gpuarr_team_device(team, place);
    check(gpuarr_team_local(&alone, &device, 1));
    check(gpuarr_team_stream(&stream, team, place));
    const char* text = nullptr;
    check(gpuarr_team_describe(&text, team));
    if (place == 0) std::printf("%s\n", text);
    clock_ = replicated(1, GPUARR_F64);
    find_nccl();
  }

  gpuarr_blocked* replicated(int64_t size, gpuarr_dtype dtype) const {
    gpuarr_blocked_options* options = nullptr;
    gpuarr_blocked* out = nullptr;
    check(gpuarr_blocked_options_create(&options));
    check(gpuarr_blocked_options_set_placement(options, GPUARR_PLACEMENT_REPLICATED));
    check(gpuarr_blocked_empty(&out, team, dtype, 1, &size, &size, options));
    gpuarr_blocked_options_release(options);
    return out;
  }

  // The slowest process's number.
  double slowest(double us) const {
    double out = 0;
    gpuarr_array* mine = nullptr;
    check(gpuarr_blocked_local(&mine, clock_, 0, 0));
    check(gpuarr_array_fill(mine, gpuarr_arg_f64(us), stream));
    check(gpuarr_all_reduce(clock_, GPUARR_COMBINE_MAX));
    check(gpuarr_array_read(&out, sizeof out, nullptr, mine, stream));
    gpuarr_array_release(mine);
    return out;
  }

  // Median of five turns of so many calls, of the slowest process.
  double time(int calls, const std::function<void()>& body) const {
    std::vector<double> turns;
    for (int turn = 0; turn < 6; ++turn) {
      check(gpuarr_team_synchronize(team));
      const double begin = now_us();
      for (int k = 0; k < calls; ++k) body();
      check(gpuarr_stream_synchronize(stream));
      const double us = slowest((now_us() - begin) / calls);
      if (turn > 0) turns.push_back(us);
    }
    return median(turns);
  }

  void add(const Figure& f) const {
    if (report_) report_->add(f);
  }
  void count(const Count& c) const {
    if (report_) report_->count(c);
  }

  gpuarr_team *team = nullptr, *alone = nullptr;
  gpuarr_device* device = nullptr;
  gpuarr_stream* stream = nullptr;
  int places = 1, place = 0;
  Nccl nccl{};

 private:
  void find_nccl() {
    nccl.comm = gpuarr_team_nccl(team, place);
    nccl.stream = gpuarr_stream_native(stream);
    if (nccl.comm == nullptr) return;
    const char* file = std::getenv("GPUARR_NCCL");
    void* library = dlopen(file != nullptr ? file : "libnccl.so.2", RTLD_NOW | RTLD_NOLOAD);
    if (library == nullptr) std::exit(1);
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
    };
    find(nccl.all_reduce, "ncclAllReduce");
    find(nccl.send, "ncclSend");
    find(nccl.receive, "ncclRecv");
    find(nccl.begin, "ncclGroupStart");
    find(nccl.end, "ncclGroupEnd");
  }

  std::optional<Report> report_;  // of the first place
  gpuarr_blocked* clock_ = nullptr;
};

inline std::string size_text(double bytes) {
  const char* const units[] = {"B", "KiB", "MiB", "GiB"};
  int unit = 0;
  for (; bytes >= 1024 && unit < 3; ++unit) bytes /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, "%.4g %s", bytes, units[unit]);
  return text;
}

inline void* memory_of(gpuarr_blocked* x) {
  gpuarr_array* mine = nullptr;
  check(gpuarr_blocked_local(&mine, x, 0, 0));
  void* const data = gpuarr_array_data(mine);
  gpuarr_array_release(mine);
  return data;
}

inline gpuarr_blocked* rows_of(gpuarr_team* team, int64_t rows, int64_t columns, int64_t halo = 0,
                               int32_t boundary = GPUARR_BOUNDARY_NONE, int64_t chunk_rows = 0) {
  gpuarr_blocked_options* options = nullptr;
  gpuarr_blocked* out = nullptr;
  const int64_t shape[] = {rows, columns}, cells[] = {halo, 0};
  const int64_t each = chunk_rows > 0 ? chunk_rows : (rows - 1) / gpuarr_team_size(team) + 1;
  const int64_t chunk[] = {each, columns};
  const int32_t kinds[] = {boundary, GPUARR_BOUNDARY_NONE};
  check(gpuarr_blocked_options_create(&options));
  check(gpuarr_blocked_options_set_halo(options, 2, cells, cells, kinds));
  check(gpuarr_blocked_empty(&out, team, GPUARR_F32, 2, shape, chunk, options));
  gpuarr_blocked_options_release(options);
  return out;
}
