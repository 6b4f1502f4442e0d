// A lease on a key: of several processes that miss the same kernel, the one that holds it compiles.
#pragma once

#include <chrono>
#include <string>

#include "kernel/cache/files.hpp"

namespace gpuarr {

/// A lock on a file beside the entry, which the system takes back from a process that dies.
class CacheLease {
 public:
  CacheLease() = default;
  /// Waits at most so long. Where there is no lock to be had (a file system without locks, a
  /// directory that cannot be written, a holder that takes too long), nothing is held.
  CacheLease(int directory, const std::string& name, std::chrono::milliseconds longest);
  CacheLease(CacheLease&&) = default;
  CacheLease& operator=(CacheLease&&) = default;
  ~CacheLease() { release(); }

  bool held() const { return static_cast<bool>(file_); }
  void release() noexcept;

 private:
  Descriptor directory_;
  Descriptor file_;
  std::string name_;
};

}  // namespace gpuarr
