#include "team/transport/mpi.hpp"

#include <atomic>
#include <cstring>
#include <mutex>

#include "core/error.hpp"
#include "core/fork.hpp"
#include "core/once.hpp"
#include "team/transport/message.hpp"
#include "team/transport/mpi_functions.hpp"
#include "team/transport/mpi_message.hpp"

namespace gpuarr::team {
namespace {

// Of a process in which MPI allows calls of any thread, but of one at a time.
ForkSafeMutex& calls_mutex() {
  static Undying<ForkSafeMutex> mutex;
  return *mutex;
}

/// The duplicate of a communicator, and what all transports on it share.
template <class Handle>
struct MpiDuplicate {
  MpiDuplicate(const MpiFunctions<Handle>& its_mpi, Handle its_comm, int its_level, int32_t users)
      : mpi(its_mpi), comm(its_comm), level(its_level), fortran(users) {}

  const MpiFunctions<Handle>& mpi;
  Handle comm;
  const int level;        // of threads
  const int32_t fortran;  // the user's communicator
  const uint32_t forks = fork_generation();
  std::atomic<bool> is_kept{true};  // by that
  std::atomic<uint32_t> teams{0};
  Dropped<MpiMessage<Handle>> dropped;
};

template <class Handle>
void require_not_finalized(const MpiFunctions<Handle>& mpi) {
  int finalized = 0;
  mpi.finalized(&finalized);
  if (finalized != 0)
    fail(GPUARR_ERR_PEER, "{} was finalised; nothing can be sent any more", mpi.library.name);
}

template <class Handle>
void require_running(const MpiFunctions<Handle>& mpi) {
  int initialized = 0;
  mpi.initialized(&initialized);
  if (initialized == 0)
    fail(GPUARR_ERR_PEER, "{} is not initialised; call MPI_Init_thread first", mpi.library.name);
  require_not_finalized(mpi);
}

template <class Handle>
void require_allowed_thread(const MpiFunctions<Handle>& mpi, int level) {
  if (level >= mpi.constants.serialized) return;
  int is_main = 0;
  mpi.is_thread_main(&is_main);
  if (is_main == 0)
    fail(GPUARR_ERR_UNSUPPORTED,
         "{} was initialised for calls from one thread, and this is another; ask MPI_Init_thread "
         "for MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE",
         mpi.library.name);
}

/// While it lives, this thread may call MPI.
template <class Handle>
class MpiTurn {
 public:
  MpiTurn(const MpiFunctions<Handle>& mpi, int level) {
    require_allowed_thread(mpi, level);
    if (level < mpi.constants.multiple && level >= mpi.constants.serialized)
      lock_ = std::unique_lock(calls_mutex());
  }

 private:
  std::unique_lock<ForkSafeMutex> lock_;
};

template <class Handle>
class MpiTransport final : public Transport {
 public:
  using Sent = MpiMessage<Handle>;
  using Shared = std::shared_ptr<MpiDuplicate<Handle>>;

  MpiTransport(Shared shared, int rank, int size, int64_t part)
      : Transport(rank, size),
        shared_(std::move(shared)),
        first_tag_(first_tag(shared_->teams++)),
        part_(part) {}

  Request send(const void* data, int64_t bytes, int to, int tag) override {
    return begin(bytes, -1, [&](int64_t at, int count, Handle* request) {
      mpi().isend(static_cast<const char*>(data) + at, count, mpi().constants.byte, to,
                  first_tag_ + tag, shared_->comm, request);
    });
  }

  Request receive(void* data, int64_t bytes, int from, int tag) override {
    return begin(bytes, from, [&](int64_t at, int count, Handle* request) {
      mpi().irecv(static_cast<char*>(data) + at, count, mpi().constants.byte, from,
                  first_tag_ + tag, shared_->comm, request);
    });
  }

  bool test(Request& request) override {
    check();
    const MpiTurn turn(mpi(), shared_->level);
    std::unique_ptr<Sent> message(static_cast<Sent*>(request.handle));
    request.handle = nullptr;  // where it fails, it is over too
    const bool over = message->is_over(mpi());
    if (!over) request.handle = message.release();
    return over;
  }

  void drop(Request& request, std::shared_ptr<void> keeper) noexcept override {
    shared_->dropped.add(request, std::move(keeper));
  }

  bool probe(int tag, int& from) override {
    check();
    const MpiTurn turn(mpi(), shared_->level);
    int found = 0;
    MpiStatus status;
    mpi().iprobe(mpi().constants.any_source, first_tag_ + tag, shared_->comm, &found, &status);
    if (found != 0) from = status.words[mpi().constants.source];
    return found != 0;
  }

  void abort(int code) noexcept override {
    try {
      check();
      // Of another communicator MPICH 4.0 waits, in MPI_Abort, for the process that does not
      // answer.
      mpi().abort.unchecked(mpi().constants.comm_world, code);
    } catch (const std::exception&) {
      // Not where MPI is over.
    }
  }

  void check() override {
    require_not_finalized(mpi());
    if (shared_->forks != fork_generation())
      fail(GPUARR_ERR_FORKED, "this process was forked by one of {}, whose messages are not for it",
           mpi().library.name);
    require_allowed_thread(mpi(), shared_->level);
  }

  std::string description() const override { return mpi().library.name; }
  int fortran_handle() override { return shared_->is_kept ? shared_->fortran : -1; }

 private:
  const MpiFunctions<Handle>& mpi() const { return shared_->mpi; }

  template <class Call>
  Request begin(int64_t bytes, int from, const Call& call) {
    check();
    const MpiTurn turn(mpi(), shared_->level);
    shared_->dropped.sweep([this](Sent& message) { return message.is_over_or_failed(mpi()); });
    return {new Sent(bytes, part_, from, call)};
  }

  const Shared shared_;
  const int first_tag_;
  const int64_t part_;
};

// A communicator keeps its duplicate as an attribute: a pointer to this.
template <class Handle>
using KeptDuplicate = std::shared_ptr<MpiDuplicate<Handle>>;

template <class Handle>
int copy_nothing(Handle, int, void*, void*, void*, int* flag) {
  *flag = 0;
  return 0;
}

// What was never sent: libraries below MPI complain of receives that are left.
template <class Handle>
void give_up_dropped(MpiDuplicate<Handle>& duplicate) noexcept {
  duplicate.dropped.sweep([&](MpiMessage<Handle>& message) {
    message.cancel(duplicate.mpi);
    return false;
  });
  for (int k = 0; k < 100; ++k)
    duplicate.dropped.sweep(
        [&](MpiMessage<Handle>& message) { return message.is_over_or_failed(duplicate.mpi); });
}

// The user's communicator goes, in all of its processes. A duplicate that transports are on stays:
// when the last of them goes, the others may be elsewhere.
template <class Handle>
int forget_duplicate(Handle, int, void* value, void*) {
  const std::unique_ptr<KeptDuplicate<Handle>> kept(static_cast<KeptDuplicate<Handle>*>(value));
  MpiDuplicate<Handle>& duplicate = **kept;
  duplicate.is_kept = false;
  give_up_dropped(duplicate);
  if (kept->use_count() == 1) duplicate.mpi.free.unchecked(&duplicate.comm);
  return 0;
}

template <class Handle>
int keyval(const MpiFunctions<Handle>& mpi) {
  static constinit std::atomic<int*> once{nullptr};
  return made_once(once, [&] {
    auto made = std::make_unique<int>();
    mpi.create_keyval(copy_nothing<Handle>, forget_duplicate<Handle>, made.get(), nullptr);
    return made;
  });
}

template <class Handle>
KeptDuplicate<Handle> duplicate_of(const MpiFunctions<Handle>& mpi, Handle comm, int level) {
  const int key = keyval(mpi);
  void* value = nullptr;
  int is_there = 0;
  mpi.get_attribute(comm, key, static_cast<void*>(&value), &is_there);
  if (is_there != 0) return *static_cast<KeptDuplicate<Handle>*>(value);
  Handle copy = mpi.constants.comm_null;
  mpi.duplicate(comm, &copy);
  mpi.set_errhandler(copy, mpi.constants.errors_return);
  auto kept = std::make_unique<KeptDuplicate<Handle>>(
      std::make_shared<MpiDuplicate<Handle>>(mpi, copy, level, mpi.to_fortran(comm)));
  mpi.set_attribute(comm, key, kept.get());
  return *kept.release();
}

// As far as it can be seen: MPI itself would end the process.
void check_comm(const MpiLibrary& library, int comm, int null) {
  if (comm == null)
    fail(GPUARR_ERR_ARGUMENT, "comm is MPI_COMM_NULL; give a communicator of this process");
  if ((comm & 0x3c000000) != null)  // the bits of a handle that say of what
    fail(GPUARR_ERR_ARGUMENT, "comm is {:#x}, which is no communicator of {}",
         static_cast<unsigned>(comm), library.name);
}

void check_comm(const MpiLibrary& library, const void* comm, const void* null) {
  if (comm == null)
    fail(GPUARR_ERR_ARGUMENT, "comm is MPI_COMM_NULL; give a communicator of this process");
  if (comm == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "comm is a null pointer, which is no communicator of {}",
         library.name);
}

template <class Handle>
std::unique_ptr<Transport> on_comm(const MpiFunctions<Handle>& mpi, Handle comm, int64_t part) {
  int level = 0;
  mpi.query_thread(&level);
  const MpiTurn turn(mpi, level);
  check_comm(mpi.library, comm, mpi.constants.comm_null);
  int is_inter = 0;
  mpi.test_inter(comm, &is_inter);
  if (is_inter != 0)
    fail(GPUARR_ERR_ARGUMENT,
         "comm is an intercommunicator; give one of a single group, as MPI_Intercomm_merge makes");
  int rank = 0;
  int size = 0;
  mpi.rank(comm, &rank);
  mpi.size(comm, &size);
  return std::make_unique<MpiTransport<Handle>>(duplicate_of(mpi, comm, level), rank, size, part);
}

// `use` gets the functions, of whichever kind the handles are.
template <class Use>
std::unique_ptr<Transport> with_mpi(const MpiLibrary& library, const Use& use) {
  return library.abi == MpiAbi::mpich ? use(mpi_functions<int>()) : use(mpi_functions<void*>());
}

}  // namespace

std::unique_ptr<Transport> mpi_transport(const void* comm, size_t bytes, int64_t part) {
  const MpiLibrary& library = mpi_library();
  const auto wanted = static_cast<size_t>(library.handle_bytes());
  if (bytes != wanted)
    fail(
        GPUARR_ERR_ARGUMENT,
        "comm is an MPI_Comm of {} bytes, but the loaded MPI is {}, whose handles have {}; compile "
        "with its own mpi.h, and pass sizeof(MPI_Comm)",
        bytes, library.name, wanted);
  if (comm == nullptr) fail(GPUARR_ERR_ARGUMENT, "comm is NULL; give the address of an MPI_Comm");
  return with_mpi(library, [&]<class Handle>(const MpiFunctions<Handle>& mpi) {
    require_running(mpi);
    Handle handle{};
    std::memcpy(&handle, comm, sizeof handle);
    return on_comm(mpi, handle, part);
  });
}

std::unique_ptr<Transport> mpi_transport_of_fortran(int32_t comm) {
  return with_mpi(mpi_library(), [&]<class Handle>(const MpiFunctions<Handle>& mpi) {
    require_running(mpi);
    return on_comm(mpi, mpi.of_fortran(comm), mpi_part);
  });
}

std::unique_ptr<Transport> mpi_transport_of_world() {
  return with_mpi(mpi_library(), [&]<class Handle>(const MpiFunctions<Handle>& mpi) {
    require_running(mpi);
    return on_comm(mpi, mpi.constants.comm_world, mpi_part);
  });
}

}  // namespace gpuarr::team
