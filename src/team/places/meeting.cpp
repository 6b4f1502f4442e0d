#include "team/places/meeting.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "backends.hpp"
#include "core/settings.hpp"
#include "gpuarr/device.h"

namespace gpuarr::team {
namespace {

template <size_t N>
void write_text(std::array<char, N>& to, std::string_view text) {
  std::copy_n(text.data(), std::min(text.size(), N - 1), to.data());
}

uint64_t own_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  uint64_t digest = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set)) digest = digest * 1000003 + static_cast<uint64_t>(cpu) + 1;
  return digest;
}

// "8 x NVIDIA H200 (cuda:0 to cuda:7)", of neighbours with the same description.
std::string group_of(const std::vector<Introduction>& everyone, size_t first, size_t last) {
  std::set<std::string> names;
  for (size_t k = first; k < last; ++k) names.insert(everyone[k].device.data());
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return formatted("{} x {} ({})", last - first, everyone[first].description.data(), list);
}

}  // namespace

Introduction Introduction::of(const Device* device) {
  Introduction mine;
  if (gethostname(mine.machine.data(), mine.machine.size() - 1) != 0) mine.machine[0] = '?';
  mine.cpus = own_cpus();
  if (device == nullptr) return mine;
  const DeviceFacts& facts = device->facts();
  write_text(mine.device, facts.name);
  write_text(mine.description, facts.description);
  write_text(mine.identity, facts.identity);
  mine.kind = facts.kind;
  mine.sends = !facts.host_memory && !facts.identity.empty() ? 1 : 0;
  return mine;
}

Neighbours neighbours_of(const std::vector<Introduction>& everyone, int process) {
  Neighbours found;
  const Introduction& own = everyone[static_cast<size_t>(process)];
  const auto& here = own.machine;
  for (size_t k = 0; k < everyone.size(); ++k)
    if (everyone[k].machine == here) {
      found.sharing += everyone[k].cpus == own.cpus ? 1 : 0;
      found.before += k < static_cast<size_t>(process) ? 1 : 0;
    }
  return found;
}

Device& device_for(const Neighbours& neighbours) {
  if (setting("GPUARR_DEVICE")) return open_device(nullptr);
  const int gpus = device_count(GPUARR_DEVICE_CUDA);
  return gpus > 0 ? open_device(GPUARR_DEVICE_CUDA, neighbours.before % gpus) : host_device();
}

bool have_devices_of_their_own(const std::vector<Introduction>& everyone) {
  std::set<std::string> seen;
  for (const Introduction& one : everyone)
    if (one.sends == 0 || one.kind != everyone.front().kind ||
        !seen.insert(one.identity.data()).second)
      return false;
  return true;
}

std::string list_of(const std::vector<Introduction>& everyone) {
  std::set<std::string> machines;
  for (const Introduction& one : everyone) machines.insert(one.machine.data());
  std::string text;
  for (size_t k = 0; k < everyone.size();) {
    size_t last = k + 1;
    while (last < everyone.size() && everyone[last].description == everyone[k].description) ++last;
    text += (text.empty() ? "" : ", ") + group_of(everyone, k, last);
    k = last;
  }
  return formatted("{} on {} machine{}", text, machines.size(), machines.size() == 1 ? "" : "s");
}

}  // namespace gpuarr::team
