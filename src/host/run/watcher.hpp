// What may follow a launch of a raw kernel step by step, as the checks do.
#pragma once

#include <cstdint>
#include <string>

#include "host/glue/fiber.cuh"

namespace gpuarr::host {

class Block;
struct RawJob;

/// Is told what the threads of a launch do. All of it is called by the one thread that does the
/// launch.
class Watcher {
 public:
  virtual ~Watcher() = default;

  virtual void attach(RawJob& job) = 0;

  /// A block begins, or goes on behind a barrier of the grid.
  virtual void begin(Block& block) = 0;

  /// The module's code runs between these two.
  virtual void resume() = 0;
  virtual void pause() = 0;

  // A thread that is found to be at fault does not come back from these.
  virtual void waits(gpuarr_fiber* self, int line, const void* code) = 0;  // for others
  virtual void ends(gpuarr_fiber* self) = 0;
  virtual void barrier_opens(gpuarr_fiber* self) = 0;
  // Behind pause(): what completes an exchange looks at other threads' stacks.
  virtual void exchanged(const gpuarr_fiber* lane, const gpuarr_exchange& what) = 0;  // of a mask
  virtual void meet(unsigned warp, uint32_t lanes, bool all) = 0;
  virtual void grid_opens() = 0;

  /// Where threads wait, for a message: "; 3 threads wait at k.cu:7 ..."
  virtual std::string places() const = 0;
};

}  // namespace gpuarr::host
