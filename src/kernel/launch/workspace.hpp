// Memory in which the blocks of a launch meet: partial results, and counters of finished blocks.
#pragma once

#include "array/array.hpp"
#include "codegen/reduction/parameters.hpp"

namespace gpuarr {

/// Bytes of a workspace that has its counters with it.
int64_t workspace_bytes(const ReductionGeometry& geometry, int partial_bytes);

/// A workspace in such memory. Sets the counters to 0, in the order of the stream.
Workspace place_workspace(const ReductionGeometry& geometry, int partial_bytes, Buffer& memory,
                          Stream& stream);

/// A workspace for one launch, out of the stream's pool, given back in the stream's order. On a GPU
/// the counters are the stream's own: a launch leaves them 0 for the next. In a stream that is
/// being captured all is the graph's; it fails in one that only the driver knows to be captured.
class WorkspaceLease {
 public:
  WorkspaceLease(const ReductionGeometry& geometry, int partial_bytes, Stream& stream);

  const Workspace& get() const { return workspace_; }

 private:
  struct Memory {
    AllocatorUse source;
    Stream& stream;
    void* data = nullptr;
    explicit Memory(Stream& in) : source(current_allocator(in)), stream(in) {}
    ~Memory() { source.allocator->deallocate(data, stream); }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
  };
  Memory memory_;
  Workspace workspace_;
};

}  // namespace gpuarr
