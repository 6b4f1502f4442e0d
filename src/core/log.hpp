// What the library does behind the calls, told on request: GPUARR_LOG, or gpuarr_log_set.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "core/text.hpp"

namespace gpuarr {

enum class Topic : uint32_t { library = 1, compile = 2, cache = 4, memory = 8, fuse = 16 };

// Until the environment is read, all topics seem to be on.
inline constexpr uint32_t log_unread = uint32_t{1} << 31;
inline std::atomic<uint32_t> log_topics{log_unread};

bool log_enabled_slowly(Topic topic) noexcept;
void write_log(Topic topic, fmt::string_view format, fmt::format_args args) noexcept;

/// One relaxed load while the log is off. Ask first where the arguments of log() cost something.
inline bool log_enabled(Topic topic) noexcept {
  if (log_topics.load(std::memory_order_relaxed) == 0) [[likely]]
    return false;
  return log_enabled_slowly(topic);
}

/// Writes the line "gpuarr compile: ...". From any thread, with locks held or not: it takes none
/// and throws nothing. A line that cannot be written is lost.
template <class... Args>
void log(Topic topic, fmt::format_string<Args...> format, Args&&... args) noexcept {
  if (log_enabled(topic)) write_log(topic, format, fmt::make_format_args(args...));
}

/// Tells, once for each line, that something asked for cannot be had and what holds instead: where
/// log() writes, but whatever topics are on, unless the log is "off". The line begins with
/// "gpuarr warning: ".
void warn(const std::string& what) noexcept;

/// Whether it is one that set_log() takes.
bool is_log_setting(const std::string& setting);

/// "compile,cache", "all", "all:FILE"; "" for warnings only, "off" for nothing. Fails with
/// GPUARR_ERR_ARGUMENT for a word that is no topic, with GPUARR_ERR_IO for a file that does not
/// open, and then changes nothing.
void set_log(const std::string& setting);

using LogReceiver = void (*)(void* user, int32_t topic, const char* line);

/// Lines go to it, and no longer to a file; null: they go there again.
void set_log_receiver(LogReceiver receiver, void* user);

}  // namespace gpuarr
