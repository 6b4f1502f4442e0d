// What the benchmarks share that needs no GPU: the clock, medians, and the table with its JSON.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

inline double now_us() {
  using namespace std::chrono;
  return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

inline double median(std::vector<double> v) {
  if (v.empty()) return 0;
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

/// A kernel cache of its own for this process and its children, so that a new kernel is new in
/// every run. Made before the first kernel, and removed at the end.
class TemporaryCache {
 public:
  TemporaryCache() {
    if (mkdtemp(path_) == nullptr || setenv("GPUARR_CACHE_DIR", path_, 1) != 0) std::exit(1);
  }
  ~TemporaryCache() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryCache(const TemporaryCache&) = delete;
  TemporaryCache& operator=(const TemporaryCache&) = delete;
  std::string path() const { return path_; }

 private:
  char path_[32] = "/tmp/gpuarr-bench-XXXXXX";
};

/// A time of ours, beside the time of the same run that it is judged by.
struct Figure {
  std::string what;
  double us;
  double against_us = 0;  ///< the ceiling's or the peer's; 0 if there is none
  double at_least = 0;    ///< demand on the ratio against_us / us; 0 if there is none
  double at_most_us = 0;  ///< demand on us; 0 if there is none
};

/// A number that is no time.
struct Count {
  std::string what;
  double value;
  double at_most = -1;  ///< demand; below 0 if there is none
};

/// Prints figures as a table and adds them to TOPIC.jsonl in the working directory.
class Report {
 public:
  Report(const char* topic, const char* machine) : topic_(topic) {
    std::printf("%s on %s\n%-52s %12s %12s %7s  %s\n", topic, machine, "what", "ours", "against",
                "ratio", "demand");
  }

  void add(const Figure& f) const {
    const double ratio = f.us > 0 ? f.against_us / f.us : 0;
    std::string demand;
    if (f.at_least > 0) demand = format("%.2f", f.at_least);
    if (f.at_most_us > 0) demand = "at most " + time(f.at_most_us);
    const bool missed = ratio < f.at_least || (f.at_most_us > 0 && f.us > f.at_most_us);
    std::printf("%-52s %12s %12s %7s  %s%s\n", f.what.c_str(), time(f.us).c_str(),
                f.against_us > 0 ? time(f.against_us).c_str() : "",
                f.against_us > 0 ? format("%.3f", ratio).c_str() : "", demand.c_str(),
                missed ? "  <--" : "");
    std::fflush(stdout);
    FILE* json = std::fopen((topic_ + ".jsonl").c_str(), "a");
    if (json == nullptr) return;
    std::fprintf(json, "{\"what\": \"%s\", \"us\": %.4f", f.what.c_str(), f.us);
    if (f.against_us > 0)
      std::fprintf(json, ", \"against_us\": %.4f, \"ratio\": %.4f", f.against_us, ratio);
    if (f.at_least > 0) std::fprintf(json, ", \"demand\": %.2f", f.at_least);
    if (f.at_most_us > 0) std::fprintf(json, ", \"demand_us\": %.4f", f.at_most_us);
    std::fprintf(json, "}\n");
    std::fclose(json);
  }

  void count(const Count& c) const {
    const bool judged = c.at_most >= 0;
    std::printf("%-52s %12s %12s %7s  %s%s\n", c.what.c_str(), format("%.4g", c.value).c_str(), "",
                "", judged ? format("at most %.4g", c.at_most).c_str() : "",
                judged && c.value > c.at_most ? "  <--" : "");
    std::fflush(stdout);
    FILE* json = std::fopen((topic_ + ".jsonl").c_str(), "a");
    if (json == nullptr) return;
    std::fprintf(json, "{\"what\": \"%s\", \"value\": %.6g", c.what.c_str(), c.value);
    if (judged) std::fprintf(json, ", \"at_most\": %.6g", c.at_most);
    std::fprintf(json, "}\n");
    std::fclose(json);
  }

 private:
  static std::string format(const char* pattern, double value) {
    char text[64];
    std::snprintf(text, sizeof text, pattern, value);
    return text;
  }
  static std::string time(double us) {
    return us < 1000 ? format("%.3f us", us) : format("%.3f ms", us / 1e3);
  }

  std::string topic_;
};
