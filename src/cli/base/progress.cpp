// One line on the terminal that says what is going on.
#include "cli/base/progress.hpp"

#include <unistd.h>

#include <cstdio>

namespace cli {

Progress::Progress() : on_terminal_(isatty(STDERR_FILENO) == 1) {}

void Progress::show(const std::string& what) {
  if (!on_terminal_) return;
  std::fprintf(stderr, "\r\033[K%s ...", what.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void Progress::show(const std::string& what, size_t done, size_t all) {
  constexpr size_t width = 30;
  const size_t filled = all > 0 ? width * done / all : 0;
  show('[' + std::string(filled, '#') + std::string(width - filled, '.') + "] " + what);
}

void Progress::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace cli
