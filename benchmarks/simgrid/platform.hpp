// A cluster of nodes with eight H200s for SimGrid, and what work takes on it: each number with
// where it is from. "Measured" is benchmarks/results/2026-11-27-teams.md, on two H200s.
#pragma once

#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

namespace cluster {

constexpr int node_size = 8;

// NCCL's all-to-all of 1 GiB to the other GPU: 2.99 ms (measured).
constexpr double nvlink_bytes = 359e9;
// NCCL 2.28's all-reduce of 8 bytes took 6.7 us on two H200s and 9.0 on four (an earlier run): four
// more steps. NCCL's own cost model, src/graph/tuning.cc, has 0.6 us.
constexpr double nvlink_latency = 0.6e-6;
// One ConnectX-7 of 400 Gb/s for each GPU (NVIDIA's DGX H200), of which nine tenths: assumed.
constexpr double network_bytes = 0.9 * 50e9;
// Between nodes, a hop of a tree: NCCL's cost model. Switches have room for all: assumed.
constexpr double network_latency = 5e-6;

// NCCL's all-reduce of 8 bytes on two GPUs, 10.7 us (measured), without its two steps.
constexpr double launch = 9.5e-6;
// A message, for who sends it and for who receives it: half of MPI_Allreduce of 8 bytes between two
// processes of a machine, 0.42 us (measured).
constexpr double message = 0.2e-6;
// A map and a sum read and write 12 bytes of each element: 2^30 of them in 2.998 ms (measured).
constexpr double memory_bytes = 4.3e12;
// A step of heat has 8 bytes a cell: 8192 squared in 271.7 us (measured).
constexpr double stencil_bytes = 2.0e12;
// What kernels of a step take beside their bytes: 2^24 elements in 52.1 us, not 46.8 (measured).
constexpr double kernels = 5e-6;
// The host's part of a step, below which none gets: 2^20 elements on one GPU, on two (measured).
constexpr double host_alone = 22e-6;
constexpr double host_in_team = 36e-6;

// NCCL's all-gather of a few bytes is a ring: latencies of its cost model, LL, Intel's processors.
inline double nccl_all_gather(int ranks) {
  const int nodes = (ranks - 1) / node_size + 1, between = nodes - 1;
  const double within = nodes > 1 ? 1.0e-6 : nvlink_latency;
  return launch + (ranks - 1 - between) * within + between * 2.7e-6;
}

// As many GPUs as that, as hosts: a switch connects those of a node, each has an own way out.
inline std::vector<simgrid::s4u::Host*> build(int gpus) {
  namespace s4u = simgrid::s4u;
  using Way = s4u::LinkInRoute;
  std::vector<s4u::Host*> hosts;
  auto* all = s4u::create_star_zone("cluster");
  for (int first = 0; first < gpus; first += node_size) {
    const std::string name = "node" + std::to_string(first / node_size);
    auto* node = s4u::create_full_zone(name);
    node->set_parent(all);
    auto* router = node->create_router(name + ".router");
    std::vector<const s4u::SplitDuplexLink*> links;
    for (int k = 0; k < node_size; ++k) {
      const std::string gpu = name + "." + std::to_string(k);
      hosts.push_back(node->create_host(gpu, 1e9)->seal());
      const auto link = [&](const char* kind, double bytes, double latency) {
        auto* made = node->create_split_duplex_link(gpu + kind, bytes);
        made->set_latency(latency / 2);
        made->seal();
        return made;
      };
      links.push_back(link(".nvlink", nvlink_bytes, nvlink_latency));
      const auto* network = link(".network", network_bytes, network_latency);
      auto* const here = hosts.back()->get_netpoint();
      node->add_route(here, router, nullptr, nullptr, {Way(network, Way::Direction::UP)}, false);
      node->add_route(router, here, nullptr, nullptr, {Way(network, Way::Direction::DOWN)}, false);
    }
    for (size_t from = 0; from < links.size(); ++from)
      for (size_t to = 0; to < links.size(); ++to)
        if (from != to)
          node->add_route(
              hosts[static_cast<size_t>(first) + from]->get_netpoint(),
              hosts[static_cast<size_t>(first) + to]->get_netpoint(), nullptr, nullptr,
              {Way(links[from], Way::Direction::UP), Way(links[to], Way::Direction::DOWN)}, false);
    node->seal();
    auto* fabric = all->create_link(name + ".fabric", 1e15);
    fabric->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE);
    fabric->seal();
    all->add_route(node->get_netpoint(), nullptr, router, nullptr, {Way(fabric)});
  }
  all->seal();
  return hosts;
}

}  // namespace cluster
