// Running another program, without a shell.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gpuarr {

struct Outcome {
  /// As waitpid() gives it; nothing if the child was waited for by somebody else, which is also
  /// what happens where the process ignores SIGCHLD.
  std::optional<int> status;
  std::string log;  // what it wrote to both outputs

  bool exited_well() const { return status && *status == 0; }
  std::string how() const;  // "exit status 1", "signal 9 (Killed)"
};

/// Runs a program to its end. Its environment has nothing but PATH, HOME, LC_ALL=C and TMPDIR:
/// settings such as CPATH or LD_PRELOAD, which package managers leave behind, change compilers.
/// Where the process is privileged(), PATH and HOME are fixed ones.
/// It is in a process group of its own, which is ended with the current Watch, or else after
/// usual_time_limit(): that fails with GPUARR_ERR_COMPILE. If it cannot be started, it is
/// fail_to_start().
Outcome run_program(const std::vector<std::string>& arguments, const std::string& input,
                    const std::string& temporary);

/// GPUARR_ERR_OUT_OF_MEMORY where processes or memory are short, else GPUARR_ERR_IO.
[[noreturn]] void fail_to_start(const std::string& program, int code);

}  // namespace gpuarr
