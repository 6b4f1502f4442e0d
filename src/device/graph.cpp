#include "device/graph.hpp"

#include <list>
#include <mutex>
#include <utility>

#include "core/error.hpp"
#include "core/once.hpp"
#include "device/device.hpp"

namespace gpuarr {
namespace {

// What a graph used that was launched and is gone.
struct Remains {
  std::shared_ptr<void> kept;
  LastUses uses;
};

struct Waiting {
  ForkSafeMutex mutex;
  std::list<Remains> list;
};

Waiting& waiting() {
  static Undying<Waiting> instance;
  return *instance;
}

// Whether no work uses it any more. Where events fail, the streams are waited for.
bool is_finished(Remains& remains) noexcept {
  if (host_function_runs) return false;
  try {
    return are_over(remains.uses, false);
  } catch (...) {
    for (const auto& end : remains.uses.ends) settle(*end);
    for (const auto& stream : remains.uses.streams) settle(*stream);
    return true;
  }
}

// Drops what a graph used when all work is done that the streams were given so far: at once if it
// is, else when graphs are made or dropped again, or memory is out.
void drop_after(std::shared_ptr<Kept> kept, const StreamList& streams) noexcept {
  try {
    std::list<Remains> one;
    one.push_back({kept, {streams, {}}});
    kept.reset();
    clear_finished_graphs();
    if (is_finished(one.front())) return;
    std::lock_guard lock(waiting().mutex);
    waiting().list.splice(waiting().list.end(), one);
  } catch (...) {  // no memory to remember it
    for (const auto& stream : streams) settle(*stream);
  }
}

}  // namespace

Graph::~Graph() { drop_after(std::move(kept_), {}); }

void GraphExec::note(Stream& stream) {
  if (stream.captures()) return stream.keep(kept_);
  StreamList left;
  {
    std::lock_guard lock(mutex_);
    left = add_stream(streams_, stream);
    last_.store(stream.id(), std::memory_order_relaxed);
  }
  if (left.empty()) return;
  keep_idle(left);
  std::lock_guard lock(mutex_);
  forget_streams(streams_, left);
}

void GraphExec::keep_instead(std::shared_ptr<Kept> kept) noexcept {
  StreamList streams;
  {
    std::lock_guard lock(mutex_);
    streams.swap(streams_);
    last_ = 0;
  }
  kept_.swap(kept);
  drop_after(std::move(kept), streams);
}

void fail_unjoined() {
  fail(GPUARR_ERR_ARGUMENT,
       "another stream joined the capture, and its work is not waited for; record an event in it "
       "and let stream wait for that before the end. No graph was created, and the streams run "
       "their work directly again");
}

void fail_update(const std::string& reason) {
  fail(GPUARR_ERR_ARGUMENT,
       "exec cannot be updated from graph: {}; exec is unchanged, instantiate graph instead",
       reason);
}

void clear_finished_graphs() noexcept {
  std::list<Remains> list;
  {
    std::lock_guard lock(waiting().mutex);
    list.swap(waiting().list);
  }
  list.remove_if(is_finished);
  std::lock_guard lock(waiting().mutex);
  waiting().list.splice(waiting().list.end(), list);
}

}  // namespace gpuarr
