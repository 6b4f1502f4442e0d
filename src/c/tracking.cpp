#include "c/tracking.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "c/guard.hpp"
#include "c/handles.hpp"
#include "core/file.hpp"
#include "core/fork.hpp"
#include "core/settings.hpp"

namespace gpuarr {

std::atomic<int> tracking_state{-1};

namespace {

struct Place {
  const char* function = nullptr;
  Trace trace;
};

struct Record {
  ObjectFacts facts;
  uint64_t serial = 0;
  pid_t thread = 0;
  uint32_t generation = 0;  // of the process that made it
  Place made;
  Place released;          // its function is null as long as the object lives
  std::string details;     // of a released one
  bool gone = false;       // that it is destroyed, and only its memory is kept
  int64_t references = 0;  // in a picture of a live one

  bool is_live() const { return released.function == nullptr; }
  bool is(const char* kind) const { return std::strcmp(facts.kind, kind) == 0; }
};

// Never destroyed: objects are released while the process ends.
struct Registry {
  ForkSafeMutex mutex;
  std::unordered_map<const void*, Record> records;
  uint64_t made = 0;
  int64_t live = 0;

  int64_t unknown() const { return live_objects.load() - live; }
};

Registry& registry() {
  static auto* instance = new Registry;
  return *instance;
}

std::atomic<const char*> report_file{nullptr};  // null: stderr

thread_local const char* current_function = "the library";
thread_local void* current_caller = nullptr;

std::string to_string(const Place& place) {
  return formatted("{} at {}", place.function, to_string(place.trace));
}

std::string name_of(const Record& record) {
  return formatted("#{} {}{}", record.serial, record.facts.kind,
                   record.details.empty() ? "" : formatted(" ({})", record.details));
}

// A copy that can be put into words without the lock.
Record picture(const Record& record) {
  Record copy = record;
  if (!record.is_live()) return copy;
  copy.details = record.facts.details(record.facts.handle);
  copy.references = record.facts.references->load();
  return copy;
}

[[noreturn]] void fail_strange(const ObjectUse& use) {
  fail(GPUARR_ERR_ARGUMENT,
       "{} is {}, which is not an object of this library; give a gpuarr_{} that a call returned",
       use.argument, use.handle, use.kind);
}

[[noreturn]] void fail_wrong(const ObjectUse& use, const Record& record) {
  if (record.is_live())
    fail(GPUARR_ERR_ARGUMENT, "{} is {}, made by {}; give a gpuarr_{}", use.argument,
         name_of(record), to_string(record.made), use.kind);
  fail(GPUARR_ERR_ARGUMENT,
       "{} is {}, which is released already: it was made by {}, and released for the last time by "
       "{}; release an object once for its creation and once for each retain, and use it before",
       use.argument, name_of(record), to_string(record.made), to_string(record.released));
}

// The record of a live object; null for one that is not known. Throws, without the lock, if it is
// none or another kind's.
Record* find_live(const ObjectUse& use, std::unique_lock<ForkSafeMutex>& lock) {
  auto found = registry().records.find(use.handle);
  if (found == registry().records.end()) {
    if (registry().unknown() > 0) return nullptr;
    lock.unlock();
    fail_strange(use);
  }
  if (found->second.is_live() && found->second.is(use.kind)) return &found->second;
  const Record copy = picture(found->second);
  lock.unlock();
  fail_wrong(use, copy);
}

Release drop(Record& record, const Place& place) {
  std::string details = record.facts.details(record.facts.handle);
  if (record.facts.references->fetch_sub(1, std::memory_order_acq_rel) != 1) return Release::kept;
  record.details = std::move(details);
  record.released = place;
  --registry().live;
  return Release::last;
}

std::vector<Record> live_records() {
  std::vector<Record> out;
  std::lock_guard lock(registry().mutex);
  for (const auto& [handle, record] : registry().records)
    if (record.is_live()) out.push_back(picture(record));
  std::ranges::sort(out, {}, &Record::serial);
  return out;
}

std::string line_of(const Record& record) {
  const bool elsewhere = record.thread != getpid();
  return formatted("{} made by {}, refs {}{}\n", name_of(record), to_string(record.made),
                   record.references, elsewhere ? formatted(", thread {}", record.thread) : "");
}

// Those that a fork's child has of its parent are the parent's to release.
void write_report() {
  std::vector<Record> left = live_records();
  std::erase_if(left, [](const Record& r) { return r.generation != fork_generation(); });
  if (left.empty()) return;
  const char* path = report_file.load();
  const int file =
      path != nullptr ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
  std::string all =
      formatted("gpuarr: process {} ended with {} object{} that {} not released:\n", getpid(),
                left.size(), left.size() == 1 ? "" : "s", left.size() == 1 ? "was" : "were");
  for (const Record& record : left) all += line_of(record);
  write_bytes(file >= 0 ? file : STDERR_FILENO, all);
  if (file >= 0) close(file);
}

// After every handler of exit() and every static object's destructor, which may release some.
[[gnu::destructor(101)]] void report_at_exit() {
  if (tracking_state.load(std::memory_order_relaxed) > 0) guard(__func__, write_report);
}

}  // namespace

// Allocates nothing that could fail: it runs before there is anybody to catch it.
bool start_tracking_as_wished() noexcept {
  const char* wish = secure_getenv("GPUARR_OBJECTS");
  const std::string_view value = wish != nullptr ? wish : "";
  const bool on = is_tracking(value), to_file = on && value != "track";
  if (!on && !value.empty()) {  // gpuarr_device_open fails for it; others come by without
    warn_of_setting("GPUARR_OBJECTS");
    return false;
  }
  int state = -1;
  if (!tracking_state.compare_exchange_strong(state, on ? 1 : 0)) return state > 0;
  if (to_file) report_file = strdup(wish + 6);
  return on;
}

void set_tracking(bool on) {
  tracking();  // looks at the environment, for the file
  tracking_state = on ? 1 : 0;
  if (on) return;
  std::lock_guard lock(registry().mutex);
  std::erase_if(registry().records, [](const auto& entry) {
    if (!entry.second.gone) return false;
    ::operator delete(const_cast<void*>(entry.first));
    return true;
  });
}

void Entry::enter(const char* function, void* caller) noexcept {
  outer_function_ = std::exchange(current_function, function);
  outer_caller_ = std::exchange(current_caller, caller);
}

void Entry::leave() noexcept {
  current_function = outer_function_;
  current_caller = outer_caller_;
}

bool note_birth(const ObjectFacts& object) noexcept {
  const Place made{current_function, trace_from(current_caller)};
  return guard(__func__, [&] {
           std::lock_guard lock(registry().mutex);
           Record record{object, registry().made + 1, gettid(), fork_generation(), made, {}, ""};
           registry().records.insert_or_assign(object.handle, std::move(record));
           ++registry().made;
           ++registry().live;
         }) == GPUARR_OK;
}

void note_death(const void* handle) noexcept {
  std::lock_guard lock(registry().mutex);
  registry().records.erase(handle);
  --registry().live;
}

void note_gone(const void* handle) noexcept {
  std::lock_guard lock(registry().mutex);
  const auto found = registry().records.find(handle);
  found->second.gone = true;
  if (tracking_state.load(std::memory_order_relaxed) > 0) return;
  registry().records.erase(found);
  ::operator delete(const_cast<void*>(handle));
}

void require_live(const ObjectUse& use) {
  std::unique_lock lock(registry().mutex);
  find_live(use, lock);
}

// In parts, which takes no memory, of which there may be none.
void say_error() noexcept {
  for (const char* part : {"gpuarr: ", gpuarr_last_error(), "\n"}) write_bytes(STDERR_FILENO, part);
}

bool check_live(const ObjectUse& use) noexcept {
  const bool live = guard(use.function, [&] { require_live(use); }) == GPUARR_OK;
  if (!live) say_error();
  return live;
}

Release note_release(const ObjectUse& use) noexcept {
  Release result = Release::refused;
  const Place place{use.function, trace_from(use.caller)};
  const gpuarr_status status = guard(use.function, [&] {
    std::unique_lock lock(registry().mutex);
    Record* record = find_live(use, lock);
    result = record != nullptr ? drop(*record, place) : Release::unknown;
  });
  if (status != GPUARR_OK) say_error();
  return result;
}

std::string objects_report() {
  std::string out;
  const std::vector<Record> live = live_records();
  for (const Record& record : live) out += line_of(record);
  const int64_t unknown = live_objects.load() - static_cast<int64_t>(live.size());
  if (unknown > 0) out += formatted("{} more, made while objects were not tracked\n", unknown);
  return out;
}

}  // namespace gpuarr
