// Lets a piece of work clean up behind itself when Ctrl-C ends the process.
#include "cli/base/interrupt.hpp"

#include <unistd.h>

#include "gpuarr.h"

namespace cli {
namespace {

constexpr int held[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};

volatile std::sig_atomic_t pending = 0;
volatile std::sig_atomic_t grace_seconds = 0;

void end_now() {
  std::signal(pending, SIG_DFL);
  raise(pending);
}

extern "C" void note_signal(int signal) {
  bool again = pending != 0;
  if (signal != SIGALRM) pending = signal;
  if (grace_seconds != 0) gpuarr_compile_cancel();  // a terminal's Ctrl-C does not reach compilers
  if (grace_seconds == 0 || pending == 0) return;
  if (again)  // another one, or the alarm
    end_now();
  else
    alarm(static_cast<unsigned>(grace_seconds));
}

}  // namespace

// A handler, not a mask: the library's threads have masks of their own.
HoldSignals::HoldSignals(unsigned grace) {
  pending = 0;
  grace_seconds = static_cast<std::sig_atomic_t>(grace);
  struct sigaction hold = {};
  hold.sa_handler = note_signal;
  hold.sa_flags = SA_RESTART;
  sigemptyset(&hold.sa_mask);
  for (int i = 0; i < count; ++i) {
    sigaction(held[i], &hold, &before_[i]);
    bool ignored = before_[i].sa_handler == SIG_IGN;  // as under nohup
    if (ignored) sigaction(held[i], &before_[i], nullptr);
  }
}

HoldSignals::~HoldSignals() {
  alarm(0);
  for (int i = 0; i < count; ++i) sigaction(held[i], &before_[i], nullptr);
  if (pending != 0) raise(pending);
}

}  // namespace cli
