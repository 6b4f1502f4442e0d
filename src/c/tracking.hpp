// The checked mode that remembers every object: where it was made and where it was released, so
// that leaks can be listed and a second release found. It is switched on while the program runs.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "core/trace.hpp"

namespace gpuarr {

/// 0: off, 1: on, -1: $GPUARR_OBJECTS was not looked at yet.
extern std::atomic<int> tracking_state;
bool start_tracking_as_wished() noexcept;

/// Costs a load where it is off.
inline bool tracking() noexcept {
  const int state = tracking_state.load(std::memory_order_relaxed);
  return state != 0 && (state > 0 || start_tracking_as_wished());
}
void set_tracking(bool on);

/// A call of the API, for as long as it lasts: what it makes is noted as made by it.
class Entry {
 public:
  Entry(const char* function, void* caller) noexcept : entered_(tracking()) {
    if (entered_) [[unlikely]]
      enter(function, caller);
  }
  ~Entry() {
    if (entered_) [[unlikely]]
      leave();
  }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

 private:
  void enter(const char* function, void* caller) noexcept;
  void leave() noexcept;

  bool entered_;
  const char* outer_function_ = nullptr;  // a callback may call the API again
  void* outer_caller_ = nullptr;
};

/// An object as the registry sees it.
struct ObjectFacts {
  const void* handle;
  const char* kind;  // "array"
  std::atomic<int64_t>* references;
  std::string (*details)(const void* handle);  // "float32, (3,), 12 bytes, host"
};

/// False where there is no memory to note it; the object is then one that is not known.
bool note_birth(const ObjectFacts& object) noexcept;
/// An object that goes without a release, since the call that was to return it failed.
void note_death(const void* handle) noexcept;

/// A function of the API that gets an object, and who called it.
struct ObjectUse {
  const void* handle;
  const char* kind;
  const char* argument;
  const char* function;
  void* caller;
};

/// Throws unless it is a live object of the kind. Objects made while tracking was off are not
/// known; as long as there are any, an address that is not known passes for one of them.
void require_live(const ObjectUse& use);
/// The same for functions that return no status: leaves the error behind, says it on stderr too.
bool check_live(const ObjectUse& use) noexcept;

/// For errors of calls that return no status.
void say_error() noexcept;

enum class Release {
  refused,  // no live object, which was said
  kept,     // others hold it
  last,     // destroy it, but keep its memory, so that nothing else gets the address
  unknown,  // made while tracking was off
};
Release note_release(const ObjectUse& use) noexcept;

/// An object that is released for the last time has been destroyed. Where objects are not tracked
/// any more its memory goes now.
void note_gone(const void* handle) noexcept;

std::string objects_report();

}  // namespace gpuarr
