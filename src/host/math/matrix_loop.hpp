// Something done to each matrix of a stack, in the order of a stream.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "device/solver.hpp"
#include "device/stream_memory.hpp"
#include "host/threads/stream.hpp"
#include "host/threads/threads.hpp"

namespace gpuarr::host {

inline std::byte* matrix_at(const Matrices& m, int64_t k) {
  return static_cast<std::byte*>(m.data) + k * m.step * size_of(m.dtype);
}

/// One block of matrices after the other; each block has a workspace.
template <class Body>
struct MatrixLoop {
  Body body;
  int64_t count, blocks, workspace_bytes;
  std::byte* workspaces;

  static void run(const void* context, long long first, long long last) {
    const auto& loop = *static_cast<const MatrixLoop*>(context);
    for (int64_t block = first; block < last; ++block)
      for (int64_t k = loop.count * block / loop.blocks; k < loop.count * (block + 1) / loop.blocks;
           ++k)
        loop.body(k, loop.workspaces + block * loop.workspace_bytes);
  }
};

/// Calls body(k, workspace) for each matrix. LAPACK uses all threads for a large one, and one for a
/// small one: then several are worked on at a time.
template <class Body>
void for_each_matrix(const char* kind, const Matrices& a, int64_t workspace_bytes, Stream& stream,
                     Body body) {
  constexpr int64_t small = 64 * 64;
  const int64_t most = a.rows * a.columns <= small ? 4 * thread_count() : 1;
  const int64_t blocks = std::clamp<int64_t>(a.count, 1, most);
  const int64_t bytes = (workspace_bytes + 63) / 64 * 64;
  const StreamMemory memory(bytes * blocks, stream);
  const MatrixLoop<Body> loop{std::move(body), a.count, blocks, bytes,
                              static_cast<std::byte*>(memory.data())};
  static_cast<HostStream&>(stream).submit(
      kind, [loop] { parallel(&MatrixLoop<Body>::run, &loop, loop.blocks); });
}

}  // namespace gpuarr::host
