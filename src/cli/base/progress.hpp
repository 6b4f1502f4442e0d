// One line on the terminal that says what is going on, gone when it is done.
#pragma once

#include <string>

namespace cli {

class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const std::string& what);
  /// With a bar before it.
  void show(const std::string& what, size_t done, size_t all);
  void clear();

 private:
  bool on_terminal_;
  bool shown_ = false;
};

}  // namespace cli
