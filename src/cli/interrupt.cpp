// Lets a piece of work finish before Ctrl-C ends the process.
#include "interrupt.hpp"

namespace cli {
namespace {

volatile std::sig_atomic_t pending = 0;

extern "C" void note_signal(int signal) { pending = signal; }

}  // namespace

// A handler, not a mask: the library's threads have masks of their own.
HoldSignals::HoldSignals() {
  pending = 0;
  struct sigaction hold = {};
  hold.sa_handler = note_signal;
  hold.sa_flags = SA_RESTART;
  sigemptyset(&hold.sa_mask);
  for (int i = 0; i < 3; ++i) {
    sigaction(signals[i], &hold, &before_[i]);
    bool ignored = before_[i].sa_handler == SIG_IGN;  // as under nohup
    if (ignored) sigaction(signals[i], &before_[i], nullptr);
  }
}

HoldSignals::~HoldSignals() {
  for (int i = 0; i < 3; ++i) sigaction(signals[i], &before_[i], nullptr);
  if (pending != 0) raise(pending);
}

}  // namespace cli
