// Several processes of one program from their start to their end, with a socket between every two
// of them. src/team/transport/run.cpp is at the other end of these.
#pragma once

#include <string>
#include <vector>

namespace cli {

/// How one of them ended that did not end well.
struct Ended {
  int rank = -1;  // -1: all ended well
  int status = 0;
  bool by_signal = false;  // then that is the status
};

/// Runs them to their end: the first that does not end well, after which the others are ended too.
/// `threads` has how many of the CPU each may use, nothing for as many as there are. Throws a
/// Failure if the program cannot be started.
Ended run_processes(const std::vector<std::string>& program, int count,
                    const std::vector<int>& threads);

/// Signals that are handed on wait from here on, also in threads that are started later.
void hold_signals();

}  // namespace cli
