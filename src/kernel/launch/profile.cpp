#include "kernel/launch/profile.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <tuple>

#include "core/error.hpp"
#include "core/file.hpp"
#include "core/fork.hpp"
#include "core/settings.hpp"

namespace gpuarr {
namespace {

using Row = std::shared_ptr<ProfileRow>;

// Events around a launch that may still run.
struct Timing {
  Row row;
  std::optional<int64_t> read, written;
  std::shared_ptr<Event> start, end;
};

struct Profile {
  ForkSafeMutex mutex;  // of the rest, and of what the rows hold
  uint32_t generation = fork_generation();
  std::map<std::tuple<std::string, std::string, std::string>, Row> rows;
  std::deque<Timing> running;  // the oldest first
  std::map<const Device*, std::vector<std::shared_ptr<Event>>> spare;
};

// Never destroyed: kernels may run while the process ends.
Profile& profile() {
  static auto* instance = new Profile;
  return *instance;
}

// With the lock held. What ran in the parent of a fork is the parent's to time.
void forget_parent(Profile& p) {
  if (p.generation == fork_generation()) return;
  p.generation = fork_generation();
  p.running.clear();
  p.spare.clear();
}

// With the lock held.
const Row& row_of(const Device& device, const std::string& kernel, const std::string& types) {
  Row& row = profile().rows[{kernel, types, device.facts().name}];
  if (!row) {
    row = std::make_shared<ProfileRow>();
    row->kernel = kernel;
    row->types = types;
    row->device = device.facts().name;
    row->read = row->written = 0;
  }
  return row;
}

void add(std::optional<int64_t>& sum, const std::optional<int64_t>& bytes) {
  sum = sum && bytes ? std::optional(*sum + *bytes) : std::nullopt;
}

// Makes events if none is to spare, which is outside the lock.
std::shared_ptr<Event> take_event(Device& device) {
  {
    std::lock_guard lock(profile().mutex);
    forget_parent(profile());
    auto& spare = profile().spare[&device];
    if (!spare.empty()) {
      std::shared_ptr<Event> event = std::move(spare.back());
      spare.pop_back();
      return event;
    }
  }
  return device.create_event();
}

std::optional<Timing> take_oldest() {
  std::lock_guard lock(profile().mutex);
  forget_parent(profile());
  if (profile().running.empty()) return std::nullopt;
  Timing timing = std::move(profile().running.front());
  profile().running.pop_front();
  return timing;
}

// Events of a device that is lost are not used again.
void book(Timing timing) noexcept {
  try {
    const double us = timing.end->microseconds_since(*timing.start);
    std::lock_guard lock(profile().mutex);
    ++timing.row->timed;
    timing.row->device_us += us;
    add(timing.row->read, timing.read);
    add(timing.row->written, timing.written);
    auto& spare = profile().spare[&timing.end->device()];
    spare.push_back(std::move(timing.start));
    spare.push_back(std::move(timing.end));
  } catch (const std::exception&) {
    // The launch stays without a time.
  }
}

// Books what is done, without waiting, so that not many events are under way.
void book_some() {
  constexpr size_t few = 64;
  for (int k = 0; k < 2; ++k) {
    {
      std::lock_guard lock(profile().mutex);
      if (profile().running.size() <= few) return;
    }
    auto oldest = take_oldest();
    if (!oldest) return;
    if (oldest->end->query()) {
      book(std::move(*oldest));
      continue;
    }
    std::lock_guard lock(profile().mutex);
    profile().running.push_front(std::move(*oldest));
    return;
  }
}

void book_all() {
  while (auto oldest = take_oldest()) {
    try {
      oldest->end->synchronize();
    } catch (const Error&) {
      continue;  // a lost device, whose launches tell it themselves
    }
    book(std::move(*oldest));
  }
}

uint32_t process_of_report = 0;  // by fork_generation()

std::atomic<int> place_of_process{-1};

// "profile.3.json" of "profile.json".
std::string with_place(const std::string& file, int place) {
  const size_t dot = file.rfind('.');
  const size_t slash = file.rfind('/');
  const bool has_end = dot != std::string::npos && (slash == std::string::npos || dot > slash);
  const size_t at = has_end ? dot : file.size();
  return formatted("{}.{}{}", file.substr(0, at), place, file.substr(at));
}

void write_report() {
  if (process_of_report != fork_generation()) return;
  try {
    std::string target = setting("GPUARR_PROFILE").value_or("1");
    const bool json = target.ends_with(".json");
    const int place = place_of_process;
    std::string report = json ? profile_json(profile_rows()) : profile_text(profile_rows());
    if (target == "1") {
      if (place >= 0) report = formatted("place {}:\n{}", place, report);
      write_bytes(STDERR_FILENO, report);
      return;
    }
    if (place >= 0) target = with_place(target, place);
    about(target.c_str(), [&] {
      OutputFile file(target.c_str());
      file.write(report.data(), static_cast<int64_t>(report.size()));
      file.commit();
    });
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpuarr: $GPUARR_PROFILE: no report: %s\n", error.what());
  }
}

// Devices are open by the first launch, and with them a tool for ranges, if there is one.
uint32_t read_environment() {
  static const uint32_t wanted = [] {
    const auto value = setting("GPUARR_PROFILE");
    if (!value || *value == "0") return uint32_t{0};
    process_of_report = fork_generation();
    std::atexit(write_report);
    return profile_counters;
  }();
  return wanted | (range_tool != nullptr ? profile_ranges : 0);
}

uint32_t mode() {
  uint32_t now = profile_mode.load(std::memory_order_relaxed);
  if (now != profile_unread) return now;
  const uint32_t wanted = read_environment();
  return profile_mode.compare_exchange_strong(now, wanted) ? wanted : now;
}

}  // namespace

void set_profile_place(int place) { place_of_process = place; }

void start_profile() {
  mode();
  profile_mode.fetch_or(profile_counters);
}

void stop_profile() {
  mode();
  profile_mode.fetch_and(~profile_counters);
}

void reset_profile() {
  std::lock_guard lock(profile().mutex);
  profile().rows.clear();
}

std::vector<ProfileRow> profile_rows() {
  book_all();
  std::vector<ProfileRow> rows;
  {
    std::lock_guard lock(profile().mutex);
    for (const auto& [key, row] : profile().rows) rows.push_back(*row);
  }
  std::ranges::stable_sort(rows, std::ranges::greater(), &ProfileRow::device_us);
  return rows;
}

template <class Change>
static void change_row(const Device& device, const Source& source, const Change& change) noexcept {
  try {
    if (!profiling() || (mode() & profile_counters) == 0) return;
    std::lock_guard lock(profile().mutex);
    change(*row_of(device, source.name, source.types));
  } catch (const std::exception&) {
    // No memory for a row: the kernel matters more.
  }
}

void note_compiled(const Device& device, const Source& source, double microseconds) noexcept {
  change_row(device, source, [&](ProfileRow& row) {
    ++row.compiles;
    row.compile_us += microseconds;
  });
}

void note_found(const Device& device, const Source& source, Found where) noexcept {
  change_row(device, source, [&](ProfileRow& row) {
    ++(where == Found::memory ? row.memory_hits : row.disk_hits);
  });
}

NotedLaunch::NotedLaunch(LaunchLabel label, Stream& stream)
    : label_(std::move(label)), stream_(stream) {
  const uint32_t now = mode();
  if ((now & profile_ranges) != 0) range_.emplace(label_.kernel.c_str());
  counts_ = (now & profile_counters) != 0;
  if (counts_) begin();
}

// Nothing that goes wrong here is the launch's; if the device is lost, it will tell.
void NotedLaunch::begin() noexcept {
  try {
    captured_ = stream_.is_capturing();
    if (captured_) return;
    end_ = take_event(stream_.device());
    start_ = take_event(stream_.device());
    stream_.record(*start_);
  } catch (const std::exception&) {
    start_ = nullptr;
  }
}

void NotedLaunch::launched() noexcept {
  if (!counts_) return;
  try {
    if (start_) stream_.record(*end_);
    {
      std::lock_guard lock(profile().mutex);
      const Row& row = row_of(stream_.device(), label_.kernel, label_.types);
      ++(captured_ ? row->captured : row->launches);
      if (start_)
        profile().running.push_back(
            {row, label_.read, label_.written, std::move(start_), std::move(end_)});
    }
    if (!captured_) book_some();  // to ask for an event may end a capture
  } catch (const std::exception&) {
    // It was launched, and that is what counts.
  }
}

}  // namespace gpuarr
