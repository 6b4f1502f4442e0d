#include "host/run/grid.hpp"

#include "core/text.hpp"

namespace gpuarr::host {

int64_t Grid::take() {
  std::lock_guard lock(mutex_);
  return taken_ < blocks_ && !stopped_ ? taken_++ : -1;
}

std::string Grid::arrive() {
  std::lock_guard lock(mutex_);
  ++arrived_;
  return check();
}

std::string Grid::end() {
  std::lock_guard lock(mutex_);
  ++ended_;
  return check();
}

std::string Grid::check() {
  if (arrived_ == 0 || arrived_ + ended_ < blocks_) return "";
  if (ended_ > 0)
    return formatted("{} blocks wait at the barrier of the grid, and {} have ended without it",
                     arrived_, ended_);
  arrived_ = 0;
  ++times_;
  changed_.notify_all();
  return "";
}

bool Grid::wait(int64_t times) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return times_ > times || stopped_; });
  return !stopped_;
}

void Grid::stop() {
  std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

}  // namespace gpuarr::host
