// Lets a piece of work clean up behind itself when Ctrl-C ends the process.
#pragma once

#include <csignal>

namespace cli {

/// While it lives, SIGINT, SIGTERM and SIGHUP wait; the last of them is delivered when it goes.
class HoldSignals {
 public:
  /// They wait to the end, or for `grace` seconds at most and until the second one.
  explicit HoldSignals(unsigned grace = 0);
  ~HoldSignals();
  HoldSignals(const HoldSignals&) = delete;
  HoldSignals& operator=(const HoldSignals&) = delete;

 private:
  static constexpr int count = 4;
  struct sigaction before_[count];
};

}  // namespace cli
