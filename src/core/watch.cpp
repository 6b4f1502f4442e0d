#include "core/watch.hpp"

#include "core/error.hpp"
#include "core/settings.hpp"

namespace gpuarr {

Watch::Watch(std::string subject) : subject_(std::move(subject)) { innermost = this; }

void Watch::limit(double seconds) {
  seconds_ = seconds;
  end_ = Clock::time_point::max();
  if (seconds > 0)
    end_ = Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

bool Watch::over() const noexcept { return ended() || Clock::now() >= end_; }

void Watch::check(const std::string& program) const {
  const std::string who = subject_.empty() ? program : formatted("{}: {}", subject_, program);
  if (ended()) fail(GPUARR_ERR_COMPILE, "{} was cancelled (gpuarr_compile_cancel)", who);
  if (over())
    fail(GPUARR_ERR_COMPILE,
         "{} was stopped because it took longer than {} s; allow more time by "
         "$GPUARR_COMPILE_TIMEOUT or gpuarr_kernel_options_set_timeout, or 0 for no limit",
         who, seconds_);
}

double usual_time_limit() {
  constexpr double usual = 300;
  const auto set = setting("GPUARR_COMPILE_TIMEOUT");
  return set ? *parse_seconds(*set) : usual;
}

}  // namespace gpuarr
