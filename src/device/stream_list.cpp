#include "device/stream_list.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "device/device.hpp"

namespace gpuarr {
namespace {

constexpr size_t worth_asking = 16;

bool is_idle(Stream& stream) noexcept {
  try {
    return !stream.captures() && stream.query();
  } catch (...) {
    return false;  // whoever waits for it is told
  }
}

}  // namespace

StreamList add_stream(StreamList& list, Stream& stream) {
  if (std::ranges::any_of(list, [&](const auto& s) { return s.get() == &stream; })) return {};
  list.push_back(stream.shared_from_this());
  if (list.size() % worth_asking != 0) return {};
  StreamList left;
  std::ranges::copy_if(list, std::back_inserter(left),
                       [&](const auto& s) { return !s->has_user() && s.get() != &stream; });
  return left;
}

void keep_idle(StreamList& streams) noexcept {
  std::erase_if(streams, [](const auto& s) { return !is_idle(*s); });
}

void forget_streams(StreamList& list, const StreamList& which) noexcept {
  std::erase_if(list, [&](const auto& s) { return std::ranges::find(which, s) != which.end(); });
}

bool are_over(LastUses& uses, bool wait) {
  while (!uses.streams.empty()) {
    Stream& stream = *uses.streams.back();
    if (stream.captures()) return false;
    auto end = stream.device().create_event(false);
    stream.record(*end);
    uses.ends.push_back(std::move(end));
    uses.streams.pop_back();
  }
  while (!uses.ends.empty()) {
    if (wait) uses.ends.back()->synchronize();
    if (!uses.ends.back()->query()) return false;
    uses.ends.pop_back();
  }
  return true;
}

}  // namespace gpuarr
