// Where each thread of a block stands when it waits, and how those ended that did.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace gpuarr::host {

class ThreadPlaces {
 public:
  enum class State : uint8_t { running, waiting, returned, fell };

  /// Threads that stand at the same line, or that came to the kernel's end.
  struct Group {
    State state = State::running;
    int line = 0;
    const void* code = nullptr;  // of one of them
    unsigned first = 0;          // thread
    unsigned count = 0;
  };

  void begin(unsigned threads);
  void wait(unsigned thread, int line, const void* code);
  void run(unsigned thread) { all_[thread].state = State::running; }
  void run_all();  // that wait
  void end(unsigned thread, bool by_return);

  /// Those that wait, line by line, then those that came to the end without a return.
  std::vector<Group> groups() const;

 private:
  struct Place {
    State state = State::running;
    int line = 0;
    const void* code = nullptr;
  };
  std::array<Place, 1024> all_ = {};
  unsigned threads_ = 0;
};

}  // namespace gpuarr::host
