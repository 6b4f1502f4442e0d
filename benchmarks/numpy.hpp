// NumPy and Numba on the work of the CPU benchmarks, in a process of their own.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "measure.hpp"

/// Runs peers_host.py, which does not share our clock, so that it takes turns with us as a whole.
class Numpy {
 public:
  /// Lets it do its work once more: "elementwise f32", "reduction".
  void run(const std::string& work) {
    const char* python = std::getenv("PYTHON");
    std::string command = python != nullptr ? python : "python3";
    command += " '" GPUARR_PEERS_HOST "' " + work;
    FILE* child = popen(command.c_str(), "r");
    if (child == nullptr) return;
    char line[256], what[256];
    double us;
    while (std::fgets(line, sizeof line, child) != nullptr)
      if (std::sscanf(line, "%lf %255[^\n]", &us, what) == 2) times_[what].push_back(us);
    pclose(child);
  }

  /// Median time of something in us; 0 where it was not measured.
  double us(const std::string& what) const {
    const auto found = times_.find(what);
    return found == times_.end() ? 0 : median(found->second);
  }

 private:
  std::map<std::string, std::vector<double>> times_;
};
