// NCCL, opened at run time: the one list of the functions that are used of it.
#pragma once

#include <climits>
#include <cstddef>
#include <string>

#include "core/library.hpp"

namespace gpuarr::cuda {

/// As nccl.h has them, with enumerations as ints.
struct Nccl {
  using Result = int;
  using Comm = void*;
  using Stream = void*;
  struct Id {
    char bytes[128];
  };

  /// ncclConfig_t of 2.14, which is how those of 2.15 to 2.30 begin: they look at `version` before
  /// they read what is theirs alone. Since 2.17 `unused` is cgaClusterSize, with this for unset.
  struct Config {
    size_t size = sizeof(Config);
    unsigned magic = 0xcafebeef;
    unsigned version = oldest;
    int blocking = 1;
    int unused = INT_MIN;
  };
  static constexpr int oldest = 21400;
  static constexpr Result in_progress = 7;

  explicit Nccl(Library opened);
  Nccl(const Nccl&) = delete;
  Nccl& operator=(const Nccl&) = delete;

  void* find(const char* name) const;
  [[noreturn]] void fail(const char* what, Result result) const;

  const Library library;
  template <class F>
  using Fn = Call<Nccl, F>;

  Fn<Result (*)(int*)> get_version{*this, "ncclGetVersion"};
  const int version;  // 22809 for 2.28.9
  std::string version_text() const;

  Fn<const char* (*)(Result)> get_error_string{*this, "ncclGetErrorString"};
  Fn<const char* (*)(Comm)> get_last_error{*this, "ncclGetLastError"};
  Fn<Result (*)(Id*)> get_unique_id{*this, "ncclGetUniqueId"};
  Fn<Result (*)(Comm*, int, Id, int, const Config*)> init{*this, "ncclCommInitRankConfig"};
  Fn<Result (*)(Comm, Result*)> get_async_error{*this, "ncclCommGetAsyncError"};
  Fn<Result (*)(Comm)> finalize{*this, "ncclCommFinalize"};
  Fn<Result (*)(Comm)> abort{*this, "ncclCommAbort"};
  Fn<Result (*)()> group_start{*this, "ncclGroupStart"};
  Fn<Result (*)()> group_end{*this, "ncclGroupEnd"};
  // data, count, type, peer
  Fn<Result (*)(const void*, size_t, int, int, Comm, Stream)> send{*this, "ncclSend"};
  Fn<Result (*)(void*, size_t, int, int, Comm, Stream)> receive{*this, "ncclRecv"};
  // data, out, count that each gives, type
  Fn<Result (*)(const void*, void*, size_t, int, Comm, Stream)> all_gather{*this, "ncclAllGather"};
  // data, out, count, type, root or operator
  using Reduce = Result (*)(const void*, void*, size_t, int, int, Comm, Stream);
  Fn<Reduce> broadcast{*this, "ncclBroadcast"};
  Fn<Reduce> all_reduce{*this, "ncclAllReduce"};
};

const Nccl& nccl();  // opened when first called

}  // namespace gpuarr::cuda
