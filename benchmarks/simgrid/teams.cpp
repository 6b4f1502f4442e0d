// Teams of up to 512 processes in SimGrid: the library itself sends its own messages through a
// gpuarr_transport whose time is simulated; what GPUs compute is time that passes. Arrays are
// small, and a byte of them stands for many. Prints tables in Markdown.
// usage: teams [MOST_RANKS]: 8 to 512
#include <xbt/log.h>

#include <cstring>

#include "rank.hpp"

namespace {

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s: wrong result\n", what);
  std::exit(1);
}

enum class Gather { ours, nccl, exchange };

// Maps and sums blocks of 4 small elements, which stand for so many; where blocks are not the same
// number on all ranks, sums go by `exchange`.
void sum(Rank& r, const char* what, double elements, Gather gather) {
  const int64_t blocks = r.size + (gather == Gather::exchange ? r.size / 2 : 0);
  gpuarr_blocked *x = r.blocked({blocks, 4}, {1, 4}, {0, 0}), *total = nullptr;
  gpuarr_elementwise* kernel = nullptr;
  check(gpuarr_elementwise_create(&kernel, "T x", "T y", "y = x * T(2) - T(1)", nullptr));
  check(gpuarr_blocked_fill(x, gpuarr_arg_f32(1)));
  const gpuarr_arg input = gpuarr_arg_blocked(x, GPUARR_ARG_BLOCKED);
  check(gpuarr_blocked_reduce(&total, "sum", x, nullptr, 0, 0, 0, 0));
  r.time(what, [&] {
    const double begin = now();
    r.work(12 * elements / r.size / cluster::memory_bytes + cluster::kernels);
    check(gpuarr_map_blocks_elementwise(kernel, &x, 1, &input, 1));
    if (r.size > 1 && gather == Gather::nccl) r.work(cluster::nccl_all_gather(r.size));
    if (r.size > 1 && gather == Gather::ours) r.work(cluster::launch);
    if (gather != Gather::nccl) check(gpuarr_blocked_reduce(&total, "sum", x, nullptr, 0, 0, 0, 0));
    r.work_until(begin + (r.size > 1 ? cluster::host_in_team : cluster::host_alone));
  });
  expect(r.read<float>(total, 0)[0] == static_cast<float>(4 * blocks), what);
  gpuarr_elementwise_release(kernel);
  gpuarr_blocked_release(total);
  gpuarr_blocked_release(x);
}

// A step on rows x columns cells, in `across` blocks side by side: the inner part while halos are
// exchanged, then the border.
void heat(Rank& r, const char* what, int64_t rows, int64_t columns, int across) {
  const int64_t grain = 64, down = r.size / across;
  const int64_t chunk[] = {std::max<int64_t>(rows / down / grain, 1), columns / across / grain};
  const int64_t halo[] = {1, across > 1 ? 1 : 0};
  gpuarr_blocked* x = r.blocked({chunk[0] * down, chunk[1] * across}, chunk, halo);
  gpuarr_array* mine = nullptr;
  check(gpuarr_blocked_local(&mine, x, 0, 0));
  check(gpuarr_array_fill(mine, gpuarr_arg_f32(static_cast<float>(r.number + 1)), r.stream));
  const double cells = static_cast<double>(rows) * static_cast<double>(columns) / r.size;
  r.grain = grain;
  r.time(what, [&] {
    const double begin = now();
    check(gpuarr_halo_begin(x));
    r.work(8 * cells / cluster::stencil_bytes);
    check(gpuarr_halo_end(x));
    r.work(cluster::kernels);
    r.work_until(begin + (r.size > 1 ? cluster::host_in_team : cluster::host_alone));
  });
  r.grain = 1;
  const float above = r.number < across ? 0 : static_cast<float>(r.number - across + 1);
  expect(r.read<float>(x, 1)[static_cast<size_t>(halo[1])] == above, what);
  gpuarr_array_release(mine);
  gpuarr_blocked_release(x);
}

// The simulator's time grows with the square of the messages that share links.
constexpr int most_in_flows = 128;

// 4 GiB from rows to columns. What leaves is packed, and unpacked where it arrives.
void redistribute(Rank& r, const char* what) {
  constexpr int64_t n = 512;
  constexpr double bytes = 4.0 * (int64_t{1} << 30);
  gpuarr_blocked* x = r.blocked({n, n}, {n / r.size, n}, {0, 0});
  gpuarr_blocked* y = r.blocked({n, n}, {n, n / r.size}, {0, 0});
  check(gpuarr_blocked_arange(x, gpuarr_arg_f32(0), gpuarr_arg_f32(1)));
  const double own = bytes / r.size, leaves = own - own / r.size;
  const double moved = r.size > 1 ? 4 * leaves : 2 * own;  // read, and written; twice if it leaves
  r.grain = bytes / (4 * n * n);
  r.in_flows = r.size <= most_in_flows;
  r.time(what, [&] {
    r.work(moved / cluster::memory_bytes);
    check(gpuarr_redistribute(y, x));
  });
  r.in_flows = true;
  r.grain = 1;
  const std::vector<float> mine = r.read<float>(y, 0);
  expect(mine[0] == static_cast<float>(n / r.size * r.number) &&
             mine.back() == mine[0] + static_cast<float>(n * n - n + n / r.size - 1),
         what);
  gpuarr_blocked_release(y);
  gpuarr_blocked_release(x);
}

// Of a number, between processes on the CPU: between GPUs it is NCCL's.
void all_reduce(Rank& r, const char* what) {
  gpuarr_blocked_options* options = nullptr;
  gpuarr_blocked* x = nullptr;
  const int64_t one = 1;
  check(gpuarr_blocked_options_create(&options));
  check(gpuarr_blocked_options_set_placement(options, GPUARR_PLACEMENT_REPLICATED));
  check(gpuarr_blocked_empty(&x, r.team, GPUARR_F64, 1, &one, &one, options));
  gpuarr_blocked_options_release(options);
  check(gpuarr_blocked_fill(x, gpuarr_arg_f64(1)));
  r.launch = 0;
  r.time(what, [&] { check(gpuarr_all_reduce(x, GPUARR_COMBINE_MAX)); });
  r.launch = cluster::launch;
  check(gpuarr_all_reduce(x, GPUARR_COMBINE_SUM));
  expect(r.read<double>(x, 0)[0] == r.size, what);
  gpuarr_blocked_release(x);
}

void scan(Rank& r, const char* what) {
  gpuarr_blocked *x = r.blocked({r.size, 4}, {1, 4}, {0, 0}), *y = nullptr;
  check(gpuarr_blocked_fill(x, gpuarr_arg_f32(1)));
  check(gpuarr_blocked_scan(&y, "cumsum", x, 0, 0));
  r.time(what, [&] { check(gpuarr_blocked_scan(&y, "cumsum", x, 0, 0)); });
  expect(r.read<float>(y, 0)[0] == static_cast<float>(r.number + 1), what);
  gpuarr_blocked_release(y);
  gpuarr_blocked_release(x);
}

int columns_of_squares(int size) {
  int across = 1;
  while (across * across * 4 <= size) across *= 2;
  return across;
}

constexpr double giga = 1 << 30;

void run(Rank& rank) {
  gpuarr_transport* transport = nullptr;
  check(gpuarr_transport_create(&transport, rank.number, rank.size, send, receive, test, &rank));
  check(gpuarr_transport_set_name(transport, "SimGrid"));
  check(gpuarr_team_from_transport(&rank.team, transport, nullptr));
  gpuarr_transport_release(transport);
  check(gpuarr_team_stream(&rank.stream, rank.team, rank.number));
  const int across = columns_of_squares(rank.size);
  sum(rank, "sum", giga, Gather::ours);
  sum(rank, "sum, NCCL", giga, Gather::nccl);
  sum(rank, "weak sum", giga * rank.size, Gather::ours);
  sum(rank, "weak sum, NCCL", giga * rank.size, Gather::nccl);
  heat(rank, "heat, rows", 16384, 16384, 1);
  heat(rank, "heat", 16384, 16384, across);
  heat(rank, "weak heat", 8192 * (rank.size / across), 8192 * across, across);
  redistribute(rank, "redistribute");
  all_reduce(rank, "all_reduce");
  sum(rank, "uneven sum", giga, Gather::exchange);
  scan(rank, "scan");
  check(gpuarr_team_synchronize(rank.team));
  gpuarr_stream_release(rank.stream);
  gpuarr_team_release(rank.team);
}

std::string time_text(double seconds) {
  char text[32];
  const double us = seconds * 1e6;
  if (us < 1000)
    std::snprintf(text, sizeof text, "%.1f µs", us);
  else
    std::snprintf(text, sizeof text, "%.2f ms", us / 1000);
  return text;
}

template <class Cell>
void table(const std::vector<const char*>& names, const Cell& cell) {
  std::printf("\n| ranks |");
  for (const char* name : names) std::printf(" %s |", name);
  std::printf("\n|---|");
  for (size_t k = 0; k < names.size(); ++k) std::printf("---|");
  for (const auto& [ranks, unused] : figures["sum"]) {
    std::printf("\n| %d |", ranks);
    for (const char* name : names) std::printf(" %s |", cell(name, ranks).c_str());
  }
  std::printf("\n");
}

std::string scaling(const char* name, int ranks) {
  const double one = figures[name][1].seconds, all = figures[name][ranks].seconds;
  const double efficiency = one / all / (std::strncmp(name, "weak", 4) == 0 ? 1 : ranks);
  char text[16];
  std::snprintf(text, sizeof text, ", %.3f", efficiency);
  return time_text(all) + text;
}

std::string alone(const char* name, int ranks) {
  const double seconds = figures[name][ranks].seconds;
  return seconds > 0 ? time_text(seconds) : "";
}

std::string messages(const char* name, int ranks) {
  const Figure& f = figures[name][ranks];
  const char* const units[] = {"B", "KiB", "MiB", "GiB"};
  double bytes = f.bytes;
  int unit = 0;
  for (; bytes >= 1024 && unit < 3; ++unit) bytes /= 1024;
  char text[64];
  std::snprintf(text, sizeof text, "%.0f, %.4g %s", f.messages, bytes, units[unit]);
  return text;
}

std::string host(const char* name, int ranks) {
  const Figure& f = figures[name][ranks];
  return time_text(f.first_cpu) + ", " + time_text(f.cpu);
}

void print_tables() {
  std::printf("\nTime of a step and efficiency, simulated:\n");
  table({"sum", "sum, NCCL", "weak sum", "weak sum, NCCL", "heat, rows", "heat", "weak heat"},
        scaling);
  std::printf("\nTime of a call, simulated:\n");
  table({"redistribute", "all_reduce", "uneven sum", "scan"}, alone);
  std::printf("\nMessages and bytes that the busiest rank sends in a call, counted:\n");
  table({"sum", "heat, rows", "heat", "redistribute", "all_reduce", "uneven sum", "scan"},
        messages);
  std::printf("\nThe host's time in the library, the first call and later ones, measured here:\n");
  table({"sum", "heat", "redistribute", "all_reduce", "uneven sum", "scan"}, host);
}

void study(const std::vector<s4u::Host*>& hosts) {
  for (size_t size = 1; size <= hosts.size(); size *= 2) {
    const s4u::BarrierPtr all = s4u::Barrier::create(static_cast<unsigned>(size));
    std::vector<s4u::ActorPtr> actors;
    for (size_t k = 0; k < size; ++k)
      actors.push_back(s4u::Actor::create("rank", hosts[k], [=, &hosts] {
        Rank rank{static_cast<int>(k), static_cast<int>(size), all, hosts};
        run(rank);
      }));
    for (const s4u::ActorPtr& actor : actors) actor->join();
  }
}

}  // namespace

int main(int argc, char** argv) {
  setenv("GPUARR_DEVICE", "host", 1);
  s4u::Engine engine(&argc, argv);
  xbt_log_control_set("root.thresh:warning");
  for (const char* setting :
       {"contexts/factory:thread", "network/model:CM02", "network/crosstraffic:no",
        "network/TCP-gamma:1e9", "surf/precision:1e-10"})
    s4u::Engine::set_config(setting);
  const int most = argc > 1 ? std::atoi(argv[1]) : 512;
  if (most < 8 || most > 512) {
    std::fprintf(stderr, "MOST_RANKS is %s; give 8 to 512\n", argv[1]);
    return 2;
  }
  const std::vector<s4u::Host*> hosts = cluster::build(most);
  s4u::Actor::create("study", hosts[0], [&] { study(hosts); });
  engine.run();
  print_tables();
  return 0;
}
