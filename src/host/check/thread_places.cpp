#include "host/check/thread_places.hpp"

#include <algorithm>

namespace gpuarr::host {

void ThreadPlaces::begin(unsigned threads) {
  threads_ = threads;
  std::fill_n(all_.begin(), threads, Place{});
}

void ThreadPlaces::wait(unsigned thread, int line, const void* code) {
  all_[thread] = {State::waiting, line, code};
}

void ThreadPlaces::run_all() {
  for (unsigned t = 0; t < threads_; ++t)
    if (all_[t].state == State::waiting) run(t);
}

void ThreadPlaces::end(unsigned thread, bool by_return) {
  all_[thread].state = by_return ? State::returned : State::fell;
}

std::vector<ThreadPlaces::Group> ThreadPlaces::groups() const {
  std::vector<Group> out;
  for (const State state : {State::waiting, State::fell})
    for (unsigned t = 0; t < threads_; ++t) {
      const Place& place = all_[t];
      if (place.state != state) continue;
      const auto same = std::ranges::find_if(out, [&](const Group& g) {
        return g.state == state && (state == State::fell || g.line == place.line);
      });
      if (same != out.end())
        ++same->count;
      else
        out.push_back({state, place.line, place.code, t, 1});
    }
  return out;
}

}  // namespace gpuarr::host
