#include "core/log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <set>
#include <string_view>

#include "core/env.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/fork.hpp"
#include "core/printable.hpp"

namespace gpuarr {
namespace {

constexpr std::pair<std::string_view, uint32_t> words[] = {
    {"all", 31}, {"library", 1}, {"compile", 2}, {"cache", 4}, {"memory", 8}, {"fuse", 16}};

// Where lines go. Another thread may be writing while one is replaced, so none is ever destroyed,
// nor its file closed; whoever sets one knows its predecessor, for leak checkers.
struct Sink {
  int file = STDERR_FILENO;
  LogReceiver receiver = nullptr;
  void* user = nullptr;
  bool off = false;  // for warnings too
  const Sink* before = nullptr;
};

std::atomic<const Sink*> sink{nullptr};

// The warnings that were told.
struct Told {
  ForkSafeMutex mutex;
  std::set<std::string> lines;
};

struct LogSetting {
  uint32_t topics = 0;
  bool off = false;
  std::string file;
  std::string unknown;  // the first word that is no topic
};

LogSetting parse(std::string_view text) {
  LogSetting result;
  size_t colon = text.find(':');
  if (colon != std::string_view::npos) result.file = text.substr(colon + 1);
  text = text.substr(0, colon);
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const auto* found =
        std::ranges::find(words, word, &std::pair<std::string_view, uint32_t>::first);
    if (found != std::end(words))
      result.topics |= found->second;
    else if (word == "off")
      result.off = true;
    else if (!word.empty() && result.unknown.empty())
      result.unknown = word;
  }
  return result;
}

std::string no_topic(const std::string& word) {
  return formatted(
      "\"{}\" is no topic; they are library, compile, cache, memory, fuse, and all; or say off",
      word);
}

int open_log(const std::string& path) {
  if (path.empty()) return STDERR_FILENO;
  int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0)
    throw Error(GPUARR_ERR_IO, formatted("{} cannot be opened: {}", path, errno_text(errno)),
                errno);
  return file;
}

template <class Change>
void replace_sink(const Change& change) {
  auto* made = new Sink;
  const Sink* before = sink.load(std::memory_order_acquire);
  do {
    *made = before != nullptr ? *before : Sink{};
    made->before = before;
    change(*made);
  } while (!sink.compare_exchange_weak(before, made, std::memory_order_acq_rel));
}

// Two threads may both come here; they find the same, and one of them has its say. What cannot be
// understood stays unread: the first call that checks the settings fails for it.
void read_environment() {
  const LogSetting setting = parse(env("GPUARR_LOG").value_or(""));
  if (!setting.unknown.empty()) return;
  std::string complaint;
  int file = STDERR_FILENO;
  try {
    file = open_log(setting.file);
  } catch (const Error& error) {
    complaint = formatted("$GPUARR_LOG: {}; its lines go to standard error", error.what());
  }
  if (file != STDERR_FILENO || setting.off)
    replace_sink([&](Sink& s) {
      s.file = file;
      s.off = setting.off;
    });
  uint32_t expected = log_unread;
  bool first = log_topics.compare_exchange_strong(expected, setting.topics);
  if (first && !complaint.empty()) warn(complaint);
}

// A receiver that calls the library must not hear of what that does.
thread_local bool is_telling = false;

void tell(Topic topic, std::string line) {
  line = printable(line);
  std::ranges::replace(line, '\n', ' ');
  const Sink* now = sink.load(std::memory_order_acquire);
  if (now == nullptr || now->receiver == nullptr) {
    // One call for a line, so that those of several threads and processes do not mix.
    write_bytes(now == nullptr ? STDERR_FILENO : now->file, line + "\n");
    return;
  }
  if (is_telling) return;
  is_telling = true;
  now->receiver(now->user, static_cast<int32_t>(topic), line.c_str());
  is_telling = false;
}

}  // namespace

bool log_enabled_slowly(Topic topic) noexcept {
  try {
    if (log_topics.load(std::memory_order_relaxed) == log_unread) read_environment();
  } catch (const std::exception&) {
    return false;  // no memory: the next call tries again
  }
  const uint32_t topics = log_topics.load(std::memory_order_relaxed);
  return topics != log_unread && (topics & static_cast<uint32_t>(topic)) != 0;
}

bool is_log_setting(const std::string& setting) { return parse(setting).unknown.empty(); }

void warn(const std::string& what) noexcept {
  try {
    log_enabled(Topic::library);  // the environment's "off" must not come after
    const Sink* now = sink.load(std::memory_order_acquire);
    if (now != nullptr && now->off) return;
    static auto* const told = new Told;
    {
      std::lock_guard lock(told->mutex);
      if (!told->lines.insert(what).second) return;
    }
    tell(Topic::library, "gpuarr warning: " + what);
  } catch (const std::exception&) {
    // As below.
  }
}

void write_log(Topic topic, fmt::string_view format, fmt::format_args args) noexcept {
  try {
    const auto* name = std::ranges::find(words, static_cast<uint32_t>(topic),
                                         &std::pair<std::string_view, uint32_t>::second);
    tell(topic, formatted("gpuarr {}: ", name->first) + format_text(format, args));
  } catch (const std::exception&) {
    // A lost line must not fail the work that it is about.
  }
}

void set_log(const std::string& setting) {
  LogSetting wanted = parse(setting);
  if (!wanted.unknown.empty())
    fail(GPUARR_ERR_ARGUMENT, "setting is \"{}\": {}", setting, no_topic(wanted.unknown));
  int file = open_log(wanted.file);
  replace_sink([&](Sink& s) {
    s.file = file;
    s.off = wanted.off;
  });
  log_topics.store(wanted.topics, std::memory_order_relaxed);
}

void set_log_receiver(LogReceiver receiver, void* user) {
  log_enabled(Topic::library);  // the environment's file must not come after
  replace_sink([&](Sink& s) {
    s.receiver = receiver;
    s.user = user;
  });
}

}  // namespace gpuarr
