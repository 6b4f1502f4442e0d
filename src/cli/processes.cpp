#include "cli/processes.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "cli/base/error.hpp"
#include "cli/base/text.hpp"

namespace cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds grace(5);  // from SIGTERM to SIGKILL

constexpr std::array handed_on = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,
                                  SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT};

sigset_t mask_before;

sigset_t held() {
  sigset_t out;
  sigemptyset(&out);
  sigaddset(&out, SIGCHLD);
  for (int signal : handed_on) {
    struct sigaction now = {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler != SIG_IGN) sigaddset(&out, signal);  // as under nohup
  }
  return out;
}

std::string reason() { return std::strerror(errno); }

// Descriptors of the processes that are not started yet; programs inherit none of them.
class Sockets {
 public:
  explicit Sockets(int count) : ends_(count, std::vector<int>(count, -1)) {}
  ~Sockets() {
    for (size_t rank = 0; rank < ends_.size(); ++rank) close_of(static_cast<int>(rank));
  }
  Sockets(const Sockets&) = delete;
  Sockets& operator=(const Sockets&) = delete;

  /// Those of one process to all that come after it; those before it have made theirs.
  void open_of(int rank) {
    for (size_t other = rank + 1; other < ends_.size(); ++other) {
      int both[2];
      if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both) != 0)
        throw Failure("no sockets for " + std::to_string(ends_.size()) + " processes: " + reason() +
                      "; start fewer, or raise the limit (ulimit -n)");
      ends_[rank][other] = both[0];
      ends_[other][rank] = both[1];
    }
  }

  void close_of(int rank) {
    for (int& socket : ends_[rank])
      if (socket >= 0) close(std::exchange(socket, -1));
  }

  const std::vector<int>& of(int rank) const { return ends_[rank]; }

 private:
  std::vector<std::vector<int>> ends_;
};

// "-,5/1234": a descriptor and its file, from which a process sees that it is still that.
std::string as_setting(const std::vector<int>& sockets) {
  std::string out;
  for (int socket : sockets) {
    struct stat facts = {};
    if (socket >= 0) fstat(socket, &facts);
    out += out.empty() ? "" : ",";
    out += socket < 0 ? "-" : std::to_string(socket) + "/" + std::to_string(facts.st_ino);
  }
  return out;
}

// Texts that exec() takes, made before fork(): after it, memory may not be asked for.
class Texts {
 public:
  explicit Texts(std::vector<std::string> texts) : texts_(std::move(texts)) {
    for (std::string& text : texts_) pointers_.push_back(text.data());
    pointers_.push_back(nullptr);
  }
  char* const* data() const { return pointers_.data(); }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

std::vector<std::string> environment_with(const std::vector<std::string>& settings) {
  std::vector<std::string> out;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::string name = text.substr(0, text.find('=') + 1);
    if (std::ranges::none_of(settings, [&](const auto& s) { return s.starts_with(name); }))
      out.push_back(text);
  }
  out.insert(out.end(), settings.begin(), settings.end());
  return out;
}

struct Start {
  Texts program, environment;
  std::vector<int> sockets;
  int input;    // instead of standard input; -1: that itself
  int problem;  // gets the errno if the program does not start
  rlimit files;
  pid_t parent;
};

// In the child. The mask is last: signals of before then come to the program.
[[noreturn]] void become_program(const Start& start) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != start.parent) _exit(1);
  if (start.input >= 0) dup2(start.input, STDIN_FILENO);
  for (int socket : start.sockets)
    if (socket >= 0) fcntl(socket, F_SETFD, 0);
  setrlimit(RLIMIT_NOFILE, &start.files);
  sigprocmask(SIG_SETMASK, &mask_before, nullptr);
  execvpe(start.program.data()[0], start.program.data(), start.environment.data());
  const int code = errno;
  if (write(start.problem, &code, sizeof code) != sizeof code) _exit(126);
  _exit(127);
}

pid_t start_process(Start& start, int (&problem)[2]) {
  start.problem = problem[1];
  start.parent = getpid();
  const pid_t child = fork();
  if (child == 0) become_program(start);
  close(problem[1]);
  int code = child < 0 ? errno : 0;
  if (child > 0) {
    setpgid(child, child);  // here as well, so that it is true for whoever is first
    if (read(problem[0], &code, sizeof code) != sizeof code) code = 0;
  }
  close(problem[0]);
  if (code == 0) return child;
  if (child > 0) waitpid(child, nullptr, 0);
  throw Failure("cannot run " + std::string(start.program.data()[0]) + ": " + std::strerror(code));
}

// Each leads a process group, which keeps its number as long as the leader is not waited for; so
// that is last.
class Processes {
 public:
  ~Processes() {
    if (count_running() > 0) send(SIGKILL);  // where one could not be started
    for (const One& one : all_) waitpid(one.process, nullptr, 0);
  }

  void add(pid_t process) { all_.push_back({process}); }

  Ended wait() {
    const sigset_t signals = held();
    while (count_running() > 0) {
      const timespec tick = {0, 100'000'000};
      const int signal = sigtimedwait(&signals, nullptr, kill_at_ ? &tick : nullptr);
      if (signal > 0 && signal != SIGCHLD) hand_on(signal);
      look();
      if (kill_at_ && Clock::now() >= *kill_at_) send(SIGKILL);
    }
    return first_;
  }

 private:
  struct One {
    pid_t process;
    bool has_ended = false;
  };

  int64_t count_running() const { return std::ranges::count(all_, false, &One::has_ended); }

  void send(int signal) const {
    for (const One& one : all_) kill(-one.process, signal);
  }

  void hand_on(int signal) const {
    send(signal);
    if (signal == SIGTSTP) raise(SIGSTOP);
  }

  void look() {
    for (size_t rank = 0; rank < all_.size(); ++rank) {
      siginfo_t info = {};
      const auto id = static_cast<id_t>(all_[rank].process);
      if (all_[rank].has_ended || waitid(P_PID, id, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
          info.si_pid == 0)
        continue;
      all_[rank].has_ended = true;
      if (info.si_status == 0 || first_.rank >= 0) continue;
      first_ = {static_cast<int>(rank), info.si_status, info.si_code != CLD_EXITED};
      kill_at_ = Clock::now() + grace;
      send(SIGTERM);
      send(SIGCONT);  // one that is stopped would not see it
    }
  }

  std::vector<One> all_;  // by rank
  Ended first_;
  std::optional<Clock::time_point> kill_at_;
};

rlimit raise_files() {
  rlimit before = {};
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit most = before;
  most.rlim_cur = most.rlim_max;
  setrlimit(RLIMIT_NOFILE, &most);
  return before;
}

}  // namespace

void hold_signals() {
  std::signal(SIGCHLD, SIG_DFL);  // whoever ignores it has no children to wait for
  const sigset_t signals = held();
  sigprocmask(SIG_BLOCK, &signals, &mask_before);
}

Ended run_processes(const std::vector<std::string>& program, int count,
                    const std::vector<int>& threads) {
  const rlimit files = raise_files();
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  Sockets sockets(count);
  Processes processes;
  for (int rank = 0; rank < count; ++rank) {
    sockets.open_of(rank);
    std::vector<std::string> settings = {"GPUARR_RUN_RANK=" + std::to_string(rank),
                                         "GPUARR_RUN_SIZE=" + std::to_string(count),
                                         "GPUARR_RUN_FDS=" + as_setting(sockets.of(rank))};
    if (!threads.empty())
      for (const char* name : {"GPUARR_NUM_THREADS", "OMP_NUM_THREADS"})
        if (std::getenv(name) == nullptr)
          settings.push_back(std::string(name) + "=" + std::to_string(threads[rank]));
    // What is typed on a terminal goes to the group in front, which is none of theirs.
    const bool has_input = rank == 0 && isatty(STDIN_FILENO) == 0;
    Start start{Texts(program),
                Texts(environment_with(settings)),
                sockets.of(rank),
                has_input ? -1 : nothing,
                -1,
                files,
                0};
    int problem[2];
    if (pipe2(problem, O_CLOEXEC) != 0) throw Failure("no pipe to a process: " + reason());
    processes.add(start_process(start, problem));
    sockets.close_of(rank);
  }
  close(nothing);
  return processes.wait();
}

}  // namespace cli
