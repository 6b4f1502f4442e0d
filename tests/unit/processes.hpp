// Child processes for tests: each runs a body and ends with what it returns.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "check.hpp"

// A child that hangs is ended by an alarm.
template <class Body>
pid_t start_process(Body&& body) {
  pid_t child = ::fork();
  if (child != 0) return child;
  ::alarm(60);
  check::failures = 0;
  int status = body();
  ::_exit(check::failures > 0 ? 255 : status);
}

// What the body returned; 255 if a check failed in it, -1 if a signal ended it.
inline int end_process(pid_t child) {
  int status = 0;
  if (::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}
