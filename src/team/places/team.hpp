// A team: places, each a device of a process, that make the same calls in the same order.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "device/communicator.hpp"
#include "device/device.hpp"
#include "team/places/failure.hpp"
#include "team/transport/transport.hpp"

namespace gpuarr::team {

/// A place of this process.
struct Place {
  int number;
  Device* device;
  std::shared_ptr<Stream> stream;  // where its blocks are worked on
  std::shared_ptr<Stream> apart;   // where messages go on beside that; null until they do
  std::unique_ptr<Communicator> communicator = nullptr;  // null: messages go by the host's memory
};

/// How long a call waits for other places, and what happens then.
struct Deadline {
  double seconds;
  bool aborts;  // ends all processes; otherwise the call fails with GPUARR_ERR_TIMEOUT
};

/// What a collective call is: every place has to make the same one.
struct CallFacts {
  const char* name;        // "gpuarr_map_blocks"
  uint64_t arguments = 0;  // a digest of what has to be the same everywhere
  bool alike = false;      // a wrong argument that is found later fails alike on all places
};

/// Whom to tell how far a call has come.
struct Progress {
  void (*tell)(const char* operation, int64_t done, int64_t total, void* user) = nullptr;
  void* user = nullptr;
  double seconds = 0;  // at most once in this time
  double last = 0;
  bool told = false;  // of the call under way
};

/// Waits for work of its devices look whether the messages in it still come.
class Team : public Lookout, public std::enable_shared_from_this<Team> {
  struct Making {
    explicit Making() = default;
  };

 public:
  /// Places of this process alone.
  static std::shared_ptr<Team> local(std::span<Device* const> devices);
  /// One place for each process of the transport. Collective; a null device is one that no other
  /// process of the machine has, if there are as many GPUs, or else the CPU.
  static std::shared_ptr<Team> of(std::unique_ptr<Transport> transport, Device* device);

  Team(Making /*ours*/, std::unique_ptr<Transport> transport);
  ~Team() override;

  int size() const { return size_; }
  std::span<Place> places() { return places_; }  // of this process
  int first() const { return places_.front().number; }
  bool is_local(int place) const { return local_of(place) < places_.size(); }
  Place& local(int place) { return places_[local_of(place)]; }
  int process_of(int place) const { return transport_ != nullptr ? place : 0; }

  /// Null where all places are of this process.
  Transport* transport() { return transport_.get(); }
  /// Whether devices send to each other; otherwise elements go by the host's memory.
  bool devices_send() const { return places_.front().communicator != nullptr; }
  /// Where they do, for messages that are given to a stream now.
  Communicator& communicator(Place& place) {
    has_messages_ = true;
    return *place.communicator;
  }
  std::string describe();
  /// The reports of all processes' profiles, on all of them. Collective.
  std::string profile();

  Deadline deadline() const { return deadline_; }
  void set_deadline(const Deadline& deadline);

  /// Runs a collective call, whose arguments have been checked: what they are is the same on every
  /// place. If it fails here, the others are told, and the team does nothing more.
  template <class Body>
  void collective(const CallFacts& call, Body&& body) {
    const Use use(*this, true);
    enter(call);
    try {
      body();
    } catch (...) {
      tell_of(std::current_exception(), call.alike);
      throw;
    }
  }

  /// Returns when all places have come here and none had failed.
  void agree();
  /// The same where this place may have failed: if all have, nothing was done anywhere, and each
  /// fails with its own error, but the team goes on.
  void agree_or_fail(const std::exception_ptr& failure);
  /// The same once all work of the places' streams is done.
  void synchronize();

  /// Waits until `done()`. Fails where another place has failed, or after the deadline.
  template <class Done>
  void wait_until(Done&& done) {
    if (done()) return;
    Watch watch(*this);
    while (!done()) watch.pause();
  }
  void wait_for(Stream& stream);
  void wait_for(Request& request, const std::shared_ptr<void>& memory);

  bool has_messages() override;
  void look(double seconds) override;

  /// `all` has room for as many bytes of every process, in their order; this one's are in it.
  void all_gather(void* all, int64_t bytes);

  /// While a function of the user's runs, which must not make collective calls.
  class InCallback {
   public:
    explicit InCallback(Team& team) : team_(team) { team_.in_callback_ = true; }
    ~InCallback() { team_.in_callback_ = false; }
    InCallback(const InCallback&) = delete;
    InCallback& operator=(const InCallback&) = delete;

   private:
    Team& team_;
  };

  void set_progress(const Progress& progress) { progress_ = progress; }
  void tell_progress(int64_t done, int64_t total) {
    if (progress_.tell != nullptr) tell_progress_slowly(done, total);
  }

  /// What calls keep for others of their kind, by all that it depends on. Bounded: at some point
  /// all is forgotten, on all places at the same one. `make` is collective.
  using Key = std::vector<uint64_t>;
  template <class Kept, class Make>
  std::shared_ptr<Kept> keep(const Key& key, Make&& make) {
    if (const auto found = kept_.find(key); found != kept_.end())
      return std::static_pointer_cast<Kept>(found->second);
    constexpr size_t most = 64;
    if (kept_.size() >= most) kept_.clear();
    std::shared_ptr<Kept> made = make();
    kept_.emplace(key, made);
    return made;
  }

  /// Where messages of the place are sent while its stream goes on.
  Stream& apart(Place& place);

  static constexpr int control_tag = 0;
  static constexpr int failure_tag = 1;
  static constexpr int data_tag = 2;

 private:
  // While a thread is in a call of the team's, or looks at it from a wait for a stream: one at a
  // time, but a thread as often as it likes.
  class Use {
   public:
    Use(Team& team, bool waits);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    explicit operator bool() const { return is_mine_; }

   private:
    Team& team_;
    bool began_ = false;
    bool is_mine_;
  };

  // One wait, between two looks at whether it is over.
  class Watch {
   public:
    explicit Watch(Team& team);
    void pause();

   private:
    Team& team_;
    int64_t turns_ = 0;
    bool yields_ = false;
    double begin_;
  };

  size_t local_of(int place) const {
    return static_cast<size_t>(static_cast<uint32_t>(place - places_.front().number));
  }
  void add_place(int number, Device& device);
  void enter(const CallFacts& call);
  void tell_progress_slowly(int64_t done, int64_t total);
  void compare(const CallFacts& call);
  void tell_of(const std::exception_ptr& error, bool alike);
  [[noreturn]] void fail_there() const;
  void give_up(const Failure& failure) noexcept;
  void look_for_failures();
  void look_at_communicators();
  bool may_send() noexcept;  // this thread, now
  bool has_heard_of_failure() noexcept;
  void expire();
  void meet(Device* device);
  void connect_devices();
  Patience patience();
  // `memory` holds what `data` and `out` point to.
  void exchange(const void* data, int to, void* out, int from, int64_t bytes,
                const std::shared_ptr<void>& memory);

  std::unique_ptr<Transport> transport_;
  int size_ = 0;
  std::vector<Place> places_;
  Deadline deadline_;
  Progress progress_;
  std::atomic<bool> in_callback_{false};
  bool compares_ = false;                // each call with those of the others
  std::optional<Failure> failure_;       // from then on nothing can be sent
  std::atomic<std::thread::id> user_{};  // the thread of Use
  std::atomic<bool> has_messages_{false};
  bool all_failed_ = false;  // in the call under way
  int64_t calls_ = 0;
  double looked_ = 0;                 // when for failures
  const char* call_ = "gpuarr_team";  // that is under way, or was last
  std::string facts_;                 // of describe()
  std::map<Key, std::shared_ptr<void>> kept_;
};

}  // namespace gpuarr::team
