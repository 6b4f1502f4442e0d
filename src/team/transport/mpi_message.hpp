// A message of MPI under way, in parts where MPI cannot count its bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

#include "core/error.hpp"
#include "team/transport/message.hpp"
#include "team/transport/mpi_functions.hpp"

namespace gpuarr::team {

template <class Handle>
class MpiMessage : public Message {
 public:
  using Mpi = MpiFunctions<Handle>;

  /// `from` is -1 for one that is sent. `call(at, count, &request)` begins each part.
  template <class Call>
  MpiMessage(int64_t bytes, int64_t part, int from, const Call& call) : from_(from) {
    if (bytes > part) more_.resize(static_cast<size_t>((bytes - 1) / part));
    for (size_t k = 0; k <= more_.size(); ++k) {
      const int64_t at = static_cast<int64_t>(k) * part;
      at_place(k).bytes = static_cast<int>(std::min(bytes - at, part));
      call(at, at_place(k).bytes, &at_place(k).request);
    }
  }

  bool is_over(const Mpi& mpi) {
    for (; over_ <= more_.size(); ++over_) {
      int over = 0;
      MpiStatus status;
      mpi.test(&at_place(over_).request, &over, &status);
      if (over == 0) return false;
      if (from_ >= 0) check_size(mpi, at_place(over_).bytes, status);
    }
    return true;
  }

  /// For those that nobody waits for.
  bool is_over_or_failed(const Mpi& mpi) noexcept {
    try {
      return is_over(mpi);
    } catch (const std::exception&) {
      return true;
    }
  }

  /// Of a receive: it is over soon, whatever others do.
  void cancel(const Mpi& mpi) noexcept {
    for (size_t k = over_; from_ >= 0 && k <= more_.size(); ++k)
      mpi.cancel.unchecked(&at_place(k).request);
  }

 private:
  struct Part {
    Handle request{};
    int bytes = 0;
  };

  Part& at_place(size_t k) { return k == 0 ? first_ : more_[k - 1]; }

  void check_size(const Mpi& mpi, int wanted, const MpiStatus& status) const {
    int came = 0;
    mpi.get_count(&status, mpi.constants.byte, &came);
    if (came != wanted)
      fail(GPUARR_ERR_MISMATCH,
           "rank {} sent {} bytes where {} were expected; all must make the same calls", from_,
           came, wanted);
  }

  Part first_;  // of most it is all
  std::vector<Part> more_;
  size_t over_ = 0;
  int from_;
};

}  // namespace gpuarr::team
