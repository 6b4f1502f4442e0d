#include "team/transport/link.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace gpuarr::team {
namespace {

constexpr int64_t frame_bytes = sizeof(Frame);

bool would_wait(int code) { return code == EAGAIN || code == EWOULDBLOCK || code == ENOBUFS; }

}  // namespace

void Link::put(const Frame& frame, const void* data, void* done) {
  pieces_.push_back({frame, static_cast<const char*>(data), done});
}

Link::Event Link::write(void*& done) {
  while (!pieces_.empty()) {
    Piece& piece = pieces_.front();
    const int64_t head = std::max<int64_t>(frame_bytes - piece.written, 0);
    const int64_t before = std::max<int64_t>(piece.written - frame_bytes, 0);
    const int64_t rest = piece.frame.behind() - before;
    iovec parts[] = {
        {reinterpret_cast<char*>(&piece.frame) + (frame_bytes - head), static_cast<size_t>(head)},
        {const_cast<char*>(piece.data) + (rest > 0 ? before : 0), static_cast<size_t>(rest)}};
    msghdr message = {};
    message.msg_iov = head > 0 ? parts : parts + 1;
    message.msg_iovlen = head > 0 ? 2 : 1;
    const ssize_t count = ::sendmsg(out_, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return would_wait(errno) ? Event::nothing : Event::gone;
    piece.written += count;
    if (count < head + rest) return Event::nothing;
    done = piece.done;
    pieces_.pop_front();
    if (done != nullptr) return Event::end;
  }
  return Event::nothing;
}

void* Link::forget() {
  void* done = nullptr;
  while (done == nullptr && !pieces_.empty()) {
    done = pieces_.front().done;
    pieces_.pop_front();
  }
  return done;
}

Link::Event Link::read() {
  for (;;) {
    if (in_frame_ && missing_ > 0 && at_ == nullptr) return Event::frame;  // not taken for an error
    if (use_buffer()) return in_frame_ ? Event::frame : Event::end;
    if (std::exchange(is_dry_, false)) return Event::nothing;
    if (const Event event = fill(); event != Event::frame) return event;
  }
}

// Whether a frame begins or ends.
bool Link::use_buffer() {
  if (!in_frame_) {
    if (end_ - begin_ < sizeof(Frame)) return false;
    std::memcpy(&frame_, buffer_.data() + begin_, sizeof(Frame));
    begin_ += sizeof(Frame);
    missing_ = frame_.behind();
    at_ = nullptr;
    in_frame_ = true;
    return true;
  }
  const size_t count = std::min(static_cast<size_t>(missing_), end_ - begin_);
  if (count > 0) {
    std::memcpy(at_, buffer_.data() + begin_, count);
    begin_ += count;
    at_ += count;
  }
  missing_ -= static_cast<int64_t>(count);
  if (missing_ == 0) in_frame_ = false;
  return missing_ == 0;
}

// Event::frame if there is something to use.
Link::Event Link::fill() {
  std::copy(buffer_.begin() + static_cast<ptrdiff_t>(begin_),
            buffer_.begin() + static_cast<ptrdiff_t>(end_), buffer_.begin());
  end_ -= std::exchange(begin_, 0);
  const bool straight = in_frame_ && missing_ >= static_cast<int64_t>(room);
  const size_t wanted = straight ? static_cast<size_t>(missing_) : room - end_;
  ssize_t count = 0;
  do count = ::recv(in_, straight ? at_ : buffer_.data() + end_, wanted, MSG_DONTWAIT);
  while (count < 0 && errno == EINTR);
  if (count < 0 && would_wait(errno)) return Event::nothing;
  if (count <= 0) return Event::gone;
  is_dry_ = static_cast<size_t>(count) < wanted;
  if (straight) {
    at_ += count;
    missing_ -= count;
  } else {
    end_ += static_cast<size_t>(count);
  }
  return Event::frame;
}

}  // namespace gpuarr::team
