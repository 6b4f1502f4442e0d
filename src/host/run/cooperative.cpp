// Cooperative launches: all blocks are alive at the same time, each on the thread that began it.
#include <dlfcn.h>
#include <link.h>

#include <cstring>
#include <utility>
#include <vector>

#include "host/run/block_store.hpp"
#include "host/run/job.hpp"
#include "host/run/watcher.hpp"

namespace gpuarr::host {
namespace {

// A module's thread-local variables, on this thread: its __shared__ ones and threadIdx ...
class ModuleVariables {
 public:
  /// Of the module that has this function.
  explicit ModuleVariables(const void* function) {
    Dl_info info;
    link_map* map = nullptr;
    if (dladdr1(function, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) return;
    dlinfo(map, RTLD_DI_TLS_MODID, &module_);
    dlinfo(map, RTLD_DI_TLS_DATA, &data_);
    dl_iterate_phdr(find_size, this);
  }

  void save(std::vector<std::byte>& to) const {
    to.resize(bytes_);
    if (bytes_ > 0) std::memcpy(to.data(), data_, bytes_);
  }
  void restore(const std::vector<std::byte>& from) const {
    if (!from.empty()) std::memcpy(data_, from.data(), from.size());
  }

 private:
  static int find_size(dl_phdr_info* info, size_t, void* self) {
    auto& own = *static_cast<ModuleVariables*>(self);
    if (own.data_ == nullptr || info->dlpi_tls_modid != own.module_) return 0;
    for (int i = 0; i < info->dlpi_phnum; ++i)
      if (info->dlpi_phdr[i].p_type == PT_TLS) own.bytes_ = info->dlpi_phdr[i].p_memsz;
    return 1;
  }

  size_t module_ = 0;
  void* data_ = nullptr;
  size_t bytes_ = 0;
};

// A block that waits for the others, with its variables.
struct Waiting {
  std::unique_ptr<Block> block;
  std::vector<std::byte> variables;
};

// Whether the block waits. If not, it ended, or the launch failed.
bool waits(RawJob& job, Block& block) {
  const Block::Outcome outcome = job.go_on(block);
  if (outcome == Block::Outcome::failed) return false;
  const bool at_barrier = outcome == Block::Outcome::at_grid_barrier;
  const std::string problem = at_barrier ? job.grid.arrive() : job.grid.end();
  if (!problem.empty()) job.fail(GPUARR_ERR_SYNC, block.index, ": " + problem);
  return at_barrier;
}

}  // namespace

void run_grid(RawJob& job, void (*thread)(gpuarr_fiber*)) {
  const ModuleVariables variables(reinterpret_cast<const void*>(thread));
  std::vector<Waiting> own;
  for (int64_t number; (number = job.grid.take()) >= 0;) {
    Waiting next = {take_block(job.launch), {}};
    next.block->watcher = job.watcher;
    next.block->begin(job.launch, number, number + 1, thread, false);
    if (!waits(job, *next.block)) continue;
    variables.save(next.variables);
    own.push_back(std::move(next));
  }
  for (int64_t times = 0; !own.empty() && job.grid.wait(times); ++times) {
    if (job.watcher != nullptr) job.watcher->grid_opens();
    std::erase_if(own, [&](Waiting& next) {
      if (job.stopped()) return false;
      variables.restore(next.variables);
      if (!waits(job, *next.block)) return true;
      variables.save(next.variables);
      return false;
    });
  }
}

}  // namespace gpuarr::host
