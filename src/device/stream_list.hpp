// The streams whose work something waits for when it goes: an array's memory, page-locked memory, a
// graph.
#pragma once

#include <memory>
#include <vector>

#include "device/stream.hpp"

namespace gpuarr {

using StreamList = std::vector<std::shared_ptr<Stream>>;

/// Adds a stream that may be there already. Now and then it returns those that no user has any
/// more: what lives long would else keep every stream that it was ever used in.
StreamList add_stream(StreamList& list, Stream& stream);

/// Leaves those that have done their work, so that nothing is to be waited for. Asks the device.
void keep_idle(StreamList& streams) noexcept;

void forget_streams(StreamList& list, const StreamList& which) noexcept;

/// The work that something waits for before it goes.
struct LastUses {
  StreamList streams;                        // whose end could not be marked yet
  std::vector<std::shared_ptr<Event>> ends;  // the marks
};

/// Whether it is done, or after a wait; not while a stream is captured. Fails where events do.
bool are_over(LastUses& uses, bool wait);

}  // namespace gpuarr
