// Lets a piece of work finish before Ctrl-C ends the process.
#pragma once

#include <csignal>

namespace cli {

/// While it lives, SIGINT, SIGTERM and SIGHUP wait; the last of them is delivered when it goes.
class HoldSignals {
 public:
  HoldSignals();
  ~HoldSignals();
  HoldSignals(const HoldSignals&) = delete;
  HoldSignals& operator=(const HoldSignals&) = delete;

 private:
  static constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction before_[3];
};

}  // namespace cli
