// A program beside ours that is asked by lines and answers with figures: a process that lives as
// long as the benchmark, so that what it compiles is compiled once.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <map>
#include <string>

class PeerProcess {
 public:
  /// Starts `python3 script argument`, of which $PYTHON chooses another python3.
  PeerProcess(const char* script, const char* argument) : name_(argument) {
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) std::exit(1);
    const char* chosen = std::getenv("PYTHON");
    const char* const python = chosen != nullptr ? chosen : "python3";
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
    char* const words[] = {const_cast<char*>(python), const_cast<char*>(script),
                           const_cast<char*>(argument), nullptr};
    if (posix_spawnp(&child_, python, &actions, nullptr, words, environ) != 0) {
      std::printf("%s: no %s, so no figures of it\n", argument, python);
      child_ = 0;
    }
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    to_ = to[1];
    from_ = from[0];
    std::signal(SIGPIPE, SIG_IGN);  // one that has ended is known by its silence
  }
  ~PeerProcess() {
    end();
    close(to_);
    close(from_);
  }
  PeerProcess(const PeerProcess&) = delete;
  PeerProcess& operator=(const PeerProcess&) = delete;

  /// Says a line; the answer is to be taken later.
  void say(const std::string& line) const {
    if (write(to_, (line + "\n").c_str(), line.size() + 1) < 0) return;
  }

  /// {what: us} of the lines up to a "."; nothing any more from one that ended or hangs.
  std::map<std::string, double> answer() {
    std::map<std::string, double> out;
    for (std::string line; child_ > 0 && read_line(line) && line != ".";) {
      char what[256];
      double us;
      if (std::sscanf(line.c_str(), "%lf %255[^\n]", &us, what) == 2) out[what] = us;
    }
    return out;
  }

 private:
  static constexpr int patience_ms = 150'000;  // a compiler's, not a kernel's

  bool read_line(std::string& line) {
    line.clear();
    for (char c; line.empty() || line.back() != '\n'; line += c) {
      pollfd ready{from_, POLLIN, 0};
      const bool heard = poll(&ready, 1, patience_ms) > 0;
      if (heard && read(from_, &c, 1) == 1) continue;
      std::printf("%s %s: no figures of it\n", name_.c_str(), heard ? "has ended" : "hangs");
      end();
      return false;
    }
    line.pop_back();
    return true;
  }

  void end() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = 0;
  }

  std::string name_;
  pid_t child_ = 0;
  int to_ = -1, from_ = -1;
};
