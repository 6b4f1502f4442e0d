// What each kernel costs: counters for a report, and ranges for a profiler outside. README.md says
// how launches are timed.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/range.hpp"
#include "device/device.hpp"

namespace gpuarr {

/// What a launch is called in the report, and what it moves.
struct LaunchLabel {
  std::string kernel;
  std::string types;                     // "float32 x -> float32 z"; a raw kernel's parameters
  std::optional<int64_t> read, written;  // bytes; none: not known
};

/// A kernel on one device, as far as it was watched.
struct ProfileRow {
  std::string kernel, types, device;
  int64_t compiles = 0;
  double compile_us = 0;
  int64_t memory_hits = 0, disk_hits = 0;  // of the cache
  int64_t launches = 0;
  int64_t captured = 0;                  // into a graph, which is not timed
  int64_t timed = 0;                     // launches whose time is known
  double device_us = 0;                  // of those
  std::optional<int64_t> read, written;  // bytes of those; none: not known of all
};

// Who wants to know of launches; until the environment is read, it seems that somebody does.
inline constexpr uint32_t profile_counters = 1, profile_ranges = 2, profile_unread = 1U << 31;
inline std::atomic<uint32_t> profile_mode{profile_unread};

/// One relaxed load where nobody does.
inline bool profiling() noexcept { return profile_mode.load(std::memory_order_relaxed) != 0; }

/// Whose report it is that this process writes at its end, of several that have the same settings.
void set_profile_place(int place);
void start_profile();
void stop_profile();
void reset_profile();
/// The rows, those that took the most time first. Waits for the launches that are not done.
std::vector<ProfileRow> profile_rows();

std::string profile_text(const std::vector<ProfileRow>& rows);
std::string profile_json(const std::vector<ProfileRow>& rows);

enum class Found { memory, disk };
void note_compiled(const Device& device, const Source& source, double microseconds) noexcept;
void note_found(const Device& device, const Source& source, Found where) noexcept;

/// A launch from before it to after it.
class NotedLaunch {
 public:
  NotedLaunch(LaunchLabel label, Stream& stream);
  void launched() noexcept;  // not called for a launch that failed

 private:
  void begin() noexcept;

  LaunchLabel label_;
  Stream& stream_;
  bool counts_ = false, captured_ = false;
  std::shared_ptr<Event> start_, end_;  // null: it is not timed
  std::optional<Range> range_;
};

// Apart, so that a call that nobody watches does not make room for it.
template <class Label, class Launch>
[[gnu::noinline, gnu::cold]] void launch_watched(Stream& stream, const Label& label,
                                                 const Launch& launch) {
  NotedLaunch note(label(), stream);
  launch();
  note.launched();
}

/// Launches, and notes it under the label that `label` makes if anybody wants to know.
template <class Label, class Launch>
void launch_noted(Stream& stream, const Label& label, const Launch& launch) {
  if (!profiling()) [[likely]]
    return launch();
  launch_watched(stream, label, launch);
}

}  // namespace gpuarr
