#include "device/capture.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "core/error.hpp"
#include "core/once.hpp"
#include "device/device.hpp"
#include "device/graph.hpp"
#include "device/pool.hpp"

namespace gpuarr {
namespace {

// Over the captures of streams and the places of events; both are looked at only where a stream is
// being captured, or an event was recorded in one.
ForkSafeMutex& places_mutex() {
  static Undying<ForkSafeMutex> mutex;
  return *mutex;
}

}  // namespace

void Kept::add(const std::shared_ptr<void>& thing) {
  std::lock_guard lock(mutex_);
  things_.try_emplace(thing.get(), thing);
}

Capture::Capture(Stream& origin) : origin_(origin), device_(origin.device()) {
  device_.begin_capture();
}

Capture::~Capture() { device_.end_capture(); }

bool Capture::is_over() const {
  std::lock_guard lock(mutex_);
  return over_;
}

bool Capture::owns(const Allocator* memory) const {
  std::lock_guard lock(mutex_);
  return std::ranges::any_of(members_, [&](const Member& m) { return m.memory.get() == memory; });
}

std::shared_ptr<Allocator> Capture::memory_of(Device& device) {
  {
    std::lock_guard lock(mutex_);
    for (const Member& m : members_)
      if (&m.stream->device() == &device) return m.memory;
  }
  auto pool = make_allocator<Pool>(device);
  pool->hold();
  kept_->add(pool);
  return pool;
}

void Capture::admit(const std::shared_ptr<Capture>& capture, Stream& stream,
                    const Progress& point) {
  const bool member = stream.capture() == capture;
  std::shared_ptr<Allocator> memory = member ? nullptr : capture->memory_of(stream.device());
  {
    std::lock_guard lock(capture->mutex_);
    Progress& known = capture->progress_[stream.id()];
    for (auto [id, work] : point) known[id] = std::max(known[id], work);
    // The last that may fail: of what is a member, end() takes all the rest back.
    if (!member) capture->members_.push_back({stream.shared_from_this(), memory, nullptr});
  }
  if (member) return;
  std::shared_ptr<Allocator> before = set_current_allocator(stream, std::move(memory));
  {
    std::lock_guard lock(capture->mutex_);
    for (Member& m : capture->members_)
      if (m.stream.get() == &stream) m.before = std::move(before);
  }
  ++stream.device().capturing;
  std::lock_guard lock(places_mutex());
  stream.capture_ = capture;
  stream.capturing = true;
}

void Capture::end() noexcept {
  std::vector<Member> members;
  {
    std::lock_guard lock(mutex_);
    over_ = true;
    members.swap(members_);
  }
  for (Member& m : members) {
    std::shared_ptr<Capture> self;  // dropped after the lock
    {
      std::lock_guard lock(places_mutex());
      m.stream->capturing = false;
      self.swap(m.stream->capture_);
    }
    --m.stream->device().capturing;
    auto last = set_current_allocator(*m.stream, std::move(m.before));
    if (last != m.memory) set_current_allocator(*m.stream, std::move(last));  // set meanwhile
  }
}

void Capture::advance(const Stream& stream) {
  std::lock_guard lock(mutex_);
  ++progress_[stream.id()][stream.id()];
}

Progress Capture::progress(const Stream& stream) const {
  std::lock_guard lock(mutex_);
  auto found = progress_.find(stream.id());
  return found != progress_.end() ? found->second : Progress{};
}

bool Capture::is_joined() const {
  std::lock_guard lock(mutex_);
  auto of_origin = progress_.find(origin_.id());
  return std::ranges::all_of(progress_, [&](const auto& entry) {
    const auto& [id, known] = entry;
    auto done = known.find(id);
    if (done == known.end()) return true;
    auto seen = of_origin->second.find(id);
    return seen != of_origin->second.end() && seen->second >= done->second;
  });
}

void check_not_captured(const Stream& stream) {
  if (stream.captures()) [[unlikely]]
    fail(GPUARR_ERR_UNSUPPORTED,
         "stream is being captured into a graph, so its work is not done now and cannot be waited "
         "for; call this before gpuarr_stream_begin_capture or after gpuarr_stream_end_capture");
}

std::shared_ptr<Capture> Stream::capture() const {
  std::lock_guard lock(places_mutex());
  return capture_;
}

void Stream::keep(const std::shared_ptr<void>& thing) const {
  if (auto current = capture()) current->kept()->add(thing);
}

std::shared_ptr<Capture> Stream::start_capture() {
  fail(GPUARR_ERR_UNSUPPORTED, "{} does not support graphs", device_.facts().name);
}

std::shared_ptr<Graph> Stream::finish_capture(Capture& /*capture*/) {
  fail(GPUARR_ERR_UNSUPPORTED, "{} does not support graphs", device_.facts().name);
}

// The stream works again; what there is of a graph is gone.
void Stream::discard(Capture& capture) noexcept {
  capture.end();
  try {
    finish_capture(capture);
  } catch (...) {
    // Nor is there a graph then.
  }
}

void Stream::begin_capture() {
  if (captures())
    fail(GPUARR_ERR_ARGUMENT,
         "stream is being captured already; end that with gpuarr_stream_end_capture first");
  if (is_capturing())
    fail(GPUARR_ERR_ARGUMENT,
         "stream is being captured by another library, with the driver's own functions");
  clear_finished_graphs();
  const CaptureEntry entry(*this);
  std::shared_ptr<Capture> capture = start_capture();
  try {
    Capture::admit(capture, *this, {});
  } catch (...) {
    discard(*capture);
    throw;
  }
}

std::shared_ptr<Graph> Stream::end_capture() {
  auto current = capture();
  if (!current)
    fail(GPUARR_ERR_ARGUMENT,
         "stream is not being captured; begin with gpuarr_stream_begin_capture");
  if (&current->origin() != this)
    fail(GPUARR_ERR_ARGUMENT,
         "the capture began in another stream, which this one joined; end it in that stream");
  current->end();
  return finish_capture(*current);
}

// Who orders counts himself before he looks for captures, and who captures says so before he looks
// for those who order: one of two that meet sees the other.
Stream::Ordering::Ordering(Stream& first, Stream& second) : first_(first), second_(second) {
  first.orderings_.enter();
  second.orderings_.enter();
  if (!first.capturing && !second.capturing) [[likely]]
    return;
  leave();
  holds_ = false;  // the capture may end, and what waits in it joins it
  if (auto capture = first.capture(); capture && capture == second.capture()) return;
  fail(GPUARR_ERR_UNSUPPORTED,
       "one of two streams is being captured into a graph, which cannot wait for work outside of "
       "it; order them before gpuarr_stream_begin_capture");
}

Stream::Ordering::~Ordering() {
  if (holds_) leave();
}

void Stream::Ordering::leave() noexcept {
  second_.orderings_.leave();
  first_.orderings_.leave();
}

Stream::CaptureEntry::CaptureEntry(Stream& stream) : stream_(stream) {
  stream.capturing = true;
  stream.orderings_.wait_for_none();
}

Stream::CaptureEntry::~CaptureEntry() {
  std::lock_guard lock(places_mutex());
  if (!stream_.capture_) stream_.capturing = false;
}

void Stream::note_record(Event& event) const {
  event.reports.store(reports.load(std::memory_order_relaxed), std::memory_order_relaxed);
  if (!captures() && event.state_.load(std::memory_order_relaxed) != Event::State::captured) {
    event.state_.store(Event::State::recorded, std::memory_order_release);
    return;
  }
  std::shared_ptr<Capture> current = capture();
  Progress progress = current ? current->progress(*this) : Progress{};
  std::lock_guard lock(places_mutex());
  event.state_ = current ? Event::State::captured : Event::State::recorded;
  event.capture_ = current;
  event.progress_.swap(progress);
}

Stream::Joining Stream::check_wait(Event& event) {
  if (event.state_.load(std::memory_order_acquire) != Event::State::captured) {
    if (captures() && event.state_ == Event::State::recorded)
      fail(GPUARR_ERR_UNSUPPORTED,
           "stream is being captured, and event was recorded outside of the capture; wait for it "
           "before gpuarr_stream_begin_capture, or record it again in a stream of the capture");
    return {};
  }
  Joining joining;
  {
    std::lock_guard lock(places_mutex());
    joining = {event.capture_.lock(), event.progress_, nullptr};
  }
  event.check_outside();
  if (captures() && capture() != joining.capture)
    fail(GPUARR_ERR_UNSUPPORTED,
         "stream and event are of two captures; record the event in the capture of stream");
  if (&event.device() != &device_ && event.device().facts().kind != device_.facts().kind)
    fail(GPUARR_ERR_UNSUPPORTED, "a capture on {} cannot include a stream of {}",
         event.device().facts().name, device_.facts().name);
  if (!captures()) joining.entry = std::make_unique<CaptureEntry>(*this);
  return joining;
}

void Stream::take_part(const Joining& joining) {
  if (joining.capture) Capture::admit(joining.capture, *this, joining.progress);
}

void Event::check_outside() const {
  if (state_.load(std::memory_order_acquire) != State::captured) return;
  std::shared_ptr<Capture> capture;
  {
    std::lock_guard lock(places_mutex());
    capture = capture_.lock();
  }
  if (!capture || capture->is_over())
    fail(GPUARR_ERR_ARGUMENT,
         "event was recorded in a capture that has ended, so it marks a point in a graph, not in a "
         "stream; record it again");
}

void Event::check_real() const {
  check_outside();
  if (state_.load(std::memory_order_acquire) == State::captured)
    fail(GPUARR_ERR_UNSUPPORTED,
         "event was recorded in a stream that is being captured, so its point is not reached yet; "
         "record it again after gpuarr_stream_end_capture");
}

}  // namespace gpuarr
