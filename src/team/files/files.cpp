#include "team/files/files.hpp"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <exception>

#include "backends.hpp"
#include "core/error.hpp"
#include "ops/base/transfer.hpp"

namespace gpuarr::team {
namespace {

// The same on all processes, and of this one writing alone.
std::string token(Team& team) {
  static std::atomic<uint64_t> writings{0};
  const auto time = std::chrono::system_clock::now().time_since_epoch().count();
  std::vector<std::array<uint64_t, 3>> all(static_cast<size_t>(team.size()));
  all[static_cast<size_t>(team.first())] = {static_cast<uint64_t>(getpid()),
                                            static_cast<uint64_t>(time), ++writings};
  team.all_gather(all.data(), sizeof all[0]);
  return formatted("{:x}-{:x}-{:x}", all[0][0], all[0][1], all[0][2]);
}

bool is_first(Team& team) { return team.first() == 0; }

// Of a block that all places have one writes it.
bool writes(Blocked& blocked, const Block& block) {
  return !blocked.owners().everywhere() || block.number % blocked.team().size() == block.place;
}

// A block in the host's memory: itself, or a copy in the file's order, which the device makes.
Array in_host(Blocked& blocked, const Block& block, Order order) {
  if (block.inner.device().has_host_memory()) return block.inner;
  return Array::empty(current_stream(host_device()), blocked.dtype(), block.inner.layout.shape,
                      order);
}

Dims chunk_of(const Blocked& blocked, Format format) {
  const Grid& grid = blocked.grid();
  Dims chunk;
  for (int axis = 0; axis < grid.ndim(); ++axis) {
    chunk.push_back(std::max<int64_t>(grid.largest(axis), 1));
    const auto& cuts = grid.cuts(axis);
    for (size_t k = 0; format != Format::npy && k + 2 < cuts.size(); ++k)
      if (cuts[k + 1] - cuts[k] != chunk[axis])
        fail(
            GPUARR_ERR_LAYOUT,
            "the blocks along axis {} have different extents, {} and {}, but a Zarr array's chunks "
            "have one; redistribute it, or save it as .npy",
            axis, cuts[k + 1] - cuts[k], chunk[axis]);
  }
  return chunk;
}

}  // namespace

Box in_file(const Blocked& blocked, int64_t number, const Dims& start) {
  Box box = blocked.grid().box(number);
  for (int axis = 0; axis < box.ndim(); ++axis) {
    box.low[axis] += start[axis];
    box.high[axis] += start[axis];
  }
  return box;
}

void check_part(const Blocked& blocked, const BlockFile& file, const Dims& start, bool writes) {
  if (file.dtype() != blocked.dtype())
    fail(GPUARR_ERR_DTYPE, "the array is {}, but the file's is {}", name(blocked.dtype()),
         name(file.dtype()));
  if (file.shape().size() != blocked.grid().ndim())
    fail(GPUARR_ERR_SHAPE, "the array has {} axes, but the file's has {}", blocked.grid().ndim(),
         file.shape().size());
  for (int axis = 0; axis < start.size(); ++axis)
    if (start[axis] < 0 || start[axis] > file.shape()[axis] - blocked.shape()[axis])
      fail(GPUARR_ERR_SHAPE,
           "start[{}] is {}, but there axis {} of the file, of extent {}, has no {} elements", axis,
           start[axis], axis, file.shape()[axis], blocked.shape()[axis]);
  for (int64_t number = 0; writes && number < blocked.grid().size(); ++number)
    if (!blocked.grid().box(number).empty()) file.check_chunks(in_file(blocked, number, start));
}

BlockFile open_file(Team& team, const std::string& path) {
  std::optional<BlockFile> file;
  std::exception_ptr failure;
  try {
    file = BlockFile::open(path);
  } catch (...) {
    failure = std::current_exception();
  }
  team.agree_or_fail(failure);
  return *std::move(file);
}

void read_part(Blocked& blocked, const std::string& path, const BlockFile& file,
               const Dims& start) {
  for (const Block& block : blocked.blocks()) {
    if (block.inner.size() == 0) continue;
    const Array memory = in_host(blocked, block, file.order());
    Stream& stream = *blocked.team().local(block.place).stream;
    if (memory.data == block.inner.data) stream.synchronize();
    file.read(path, in_file(blocked, block.number, start), memory.data, memory.layout.strides);
    if (memory.data != block.inner.data) write(block.inner, memory, stream);
  }
  blocked.team().agree();
}

void write_part(const std::string& path, const BlockFile& file, Blocked& blocked,
                const Dims& start) {
  for (const Block& block : blocked.blocks()) {
    if (block.inner.size() == 0 || !writes(blocked, block)) continue;
    const Array memory = in_host(blocked, block, file.order());
    Stream& stream = *blocked.team().local(block.place).stream;
    if (memory.data == block.inner.data)
      blocked.team().wait_for(stream);
    else
      read(memory, block.inner, stream);
    file.write(path, in_file(blocked, block.number, start), memory.data, memory.layout.strides);
  }
  blocked.team().agree();
}

void create_file(Team& team, const std::string& path, const BlockFile& wanted) {
  const Staged names = stage(path, token(team));
  if (is_first(team)) {
    try {
      BlockFile::create(names, wanted);
      BlockFile::publish(names, wanted);
    } catch (...) {
      BlockFile::discard(names, wanted);
      throw;
    }
  }
  team.agree();
}

void save(const std::string& path, Blocked& blocked, Format format) {
  Team& team = blocked.team();
  const BlockFile wanted(format, blocked.dtype(), blocked.shape(), chunk_of(blocked, format),
                         blocked.layout().order);
  const Staged names = stage(path, token(team));
  try {
    if (is_first(team)) BlockFile::create(names, wanted);
    team.agree();
    write_part(names.temporary, wanted, blocked, Dims::filled(blocked.grid().ndim(), 0));
    if (is_first(team)) BlockFile::publish(names, wanted);
  } catch (...) {
    if (is_first(team)) BlockFile::discard(names, wanted);
    throw;
  }
  team.agree();
}

}  // namespace gpuarr::team
