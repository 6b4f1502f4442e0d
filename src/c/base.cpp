#include <dlfcn.h>
#include <link.h>

#include <cstring>
#include <new>
#include <string>

#include "c/guard.hpp"
#include "c/handles.hpp"
#include "core/printable.hpp"

namespace gpuarr {

constinit SpreadCount live_objects;

namespace {

constexpr size_t longest_message = size_t{1} << 20;  // of what a compiler says there may be more

struct LastMessage {
  std::string text;
};
constinit thread_local const char* last_fixed = nullptr;  // where there is no memory for a message
constinit thread_local int last_native = 0;

const char* last_message() {
  const auto* message = PerThread<LastMessage>::peek();
  if (last_fixed != nullptr) return last_fixed;
  return message != nullptr ? message->text.c_str() : "";
}

void store(std::string_view start, std::string_view message, int native) noexcept {
  last_native = native;
  last_fixed = nullptr;
  try {
    const bool cut = message.size() > longest_message;
    PerThread<LastMessage>::get().text =
        formatted("{}{}{}", start, printable(message.substr(0, longest_message)),
                  cut ? "\n(the rest is left out)" : "");
  } catch (...) {
    last_fixed = "out of memory while an error was being reported";
  }
}

gpuarr_status store(const char* function, gpuarr_status status, std::string_view message,
                    int native) noexcept {
  try {
    store(formatted("{}: ", function), message, native);
  } catch (...) {
    store("", message, native);
  }
  return status;
}

// What holds the library stays, a plug-in too that has it as a static archive: threads run its
// code, and the ends of threads and forks call it. Done when it is loaded, as whoever waits for the
// loader later may hold what the loader waits for; and here, since every function of the API needs
// this file.
[[gnu::constructor]] void stay_loaded() {
  Dl_info ignored;
  link_map* map = nullptr;
  auto* here = reinterpret_cast<void*>(&stay_loaded);
  if (dladdr1(here, &ignored, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) return;
  const bool is_program = map == nullptr || *map->l_name == '\0';
  if (!is_program) dlopen(map->l_name, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

}  // namespace

gpuarr_status translate(const char* function) noexcept {
  try {
    throw;
  } catch (const Error& e) {
    return store(function, e.status(), e.message(), e.native());
  } catch (const std::bad_alloc&) {
    return store(function, GPUARR_ERR_OUT_OF_MEMORY, "the host has no memory left", 0);
  } catch (const std::length_error&) {  // of a vector, as of 2^60 counts: no memory has so much
    return store(function, GPUARR_ERR_OUT_OF_MEMORY, "the host has no memory for so much", 0);
  } catch (const std::exception& e) {
    return store(function, GPUARR_ERR_INTERNAL, e.what(), 0);
  } catch (...) {
    return store(function, GPUARR_ERR_INTERNAL, "unknown exception", 0);
  }
}

int64_t copy_text(std::string_view text, char* buffer, int64_t capacity) noexcept {
  const auto length = static_cast<int64_t>(text.size());
  if (buffer != nullptr && capacity > 0) {
    int64_t copied = length < capacity - 1 ? length : capacity - 1;
    std::memcpy(buffer, text.data(), static_cast<size_t>(copied));
    buffer[copied] = '\0';
  }
  return length;
}

}  // namespace gpuarr

const char* gpuarr_version(void) { return "0.1.0"; }

const char* gpuarr_status_name(gpuarr_status status) { return gpuarr::status_name(status); }

const char* gpuarr_last_error(void) { return gpuarr::last_message(); }

int64_t gpuarr_last_error_copy(char* buffer, int64_t capacity) {
  return gpuarr::copy_text(gpuarr::last_message(), buffer, capacity);
}

void gpuarr_set_last_error(const char* message) {
  gpuarr::store("", message != nullptr ? message : "", 0);
}

int32_t gpuarr_last_native_error(void) { return gpuarr::last_native; }

int64_t gpuarr_live_objects(void) { return gpuarr::live_objects.load(); }
