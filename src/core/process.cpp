#include "core/process.hpp"

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/env.hpp"
#include "core/error.hpp"
#include "core/scratch.hpp"
#include "core/watch.hpp"

namespace gpuarr {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (const std::string& t : texts) out.push_back(const_cast<char*>(t.c_str()));
  out.push_back(nullptr);
  return out;
}

// Without any HOME, programs take that of whoever started us, who must not have a say there.
std::vector<std::string> clean_environment(const std::string& temporary) {
  std::vector<std::string> out = {"LC_ALL=C", "TMPDIR=" + temporary, "PATH=" + program_path()};
  if (privileged())
    out.emplace_back("HOME=/");
  else if (auto home = env("HOME"))
    out.push_back("HOME=" + *home);
  return out;
}

/// The spawn attributes and file actions, which must be destroyed.
class SpawnSetup {
 public:
  SpawnSetup(int input, int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO);
    // The program waits for children of its own, so it must not inherit an ignored SIGCHLD.
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    // A group of its own, so that what it starts can be ended with it.
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSetup() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;

  int spawn(pid_t& child, char* const* arguments, char* const* environment) const {
    return posix_spawn(&child, arguments[0], &actions_, &attributes_, arguments, environment);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

// It stays to be waited for, so that its number is nobody else's.
bool has_ended(pid_t child) {
  siginfo_t info = {};
  if (waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0)
    return errno == ECHILD;
  return info.si_pid != 0;
}

/// False if the watch is over before.
bool ends_in_time(pid_t child, const Watch& watch) {
  constexpr int look_at_watch = 20, look_at_child = 2;  // each so many milliseconds
  const File handle(static_cast<int>(syscall(SYS_pidfd_open, child, 0)));  // Linux 5.3 has them
  while (!has_ended(child)) {
    if (watch.over()) return false;
    pollfd ends = {handle.fd(), POLLIN, 0};  // where there is none, poll() only pauses
    poll(&ends, 1, handle ? look_at_watch : look_at_child);
  }
  return true;
}

std::optional<int> wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return std::nullopt;
  return status;
}

}  // namespace

std::string Outcome::how() const {
  if (!status) return "no exit status";
  if (WIFSIGNALED(*status))
    return formatted("signal {} ({})", WTERMSIG(*status), strsignal(WTERMSIG(*status)));
  return formatted("exit status {}", WEXITSTATUS(*status));
}

void fail_to_start(const std::string& program, int code) {
  const bool shortage = code == EAGAIN || code == ENOMEM;
  throw Error(
      shortage ? GPUARR_ERR_OUT_OF_MEMORY : GPUARR_ERR_IO,
      formatted("cannot start {}: {}{}", program, errno_text(code),
                shortage ? "; a limit of processes (ulimit -u) or of memory is reached" : ""),
      code);
}

Outcome run_program(const std::vector<std::string>& arguments, const std::string& input,
                    const std::string& temporary) {
  std::optional<Watch> own;
  if (Watch::current() == nullptr) own.emplace().limit(usual_time_limit());
  const Watch& watch = *Watch::current();
  watch.check(arguments[0]);
  // Files in memory, not pipes: nobody has to write one end while reading another.
  File in(memory_file()), out(memory_file());
  if (!in || !out || !in.write(input) || lseek(in.fd(), 0, SEEK_SET) != 0)
    throw Error(GPUARR_ERR_IO, "no file in memory for a program's input: " + errno_text(errno),
                errno);
  const std::vector<std::string> environment = clean_environment(temporary);
  const SpawnSetup setup(in.fd(), out.fd());
  pid_t child = 0;
  const int error = setup.spawn(child, pointers(arguments).data(), pointers(environment).data());
  if (error != 0) fail_to_start(arguments[0], error);
  const bool in_time = ends_in_time(child, watch);
  if (!in_time) kill(-child, SIGKILL);
  Outcome outcome;
  outcome.status = wait_for(child);
  if (!in_time) watch.check(arguments[0]);
  outcome.log = out.read_all();
  return outcome;
}

}  // namespace gpuarr
