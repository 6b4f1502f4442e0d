// One socket to another process, over which frames go: a head, and bytes behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace gpuarr::team {

/// What is told the other side. Both run on the same machine.
struct Frame {
  enum class Kind : uint64_t {
    message,   // a short one, with its bytes
    announce,  // a long one, which waits to be called for
    call,      // for the long one of that number
    refuse,    // it, since it is of another size than is wanted
    bytes,     // of the long one of that number
  };
  Kind kind = Kind::message;
  uint64_t channel = 0;  // a team and a tag
  int64_t size = 0;      // of the message
  uint64_t number = 0;   // of a long message, among those of its sender

  int64_t behind() const { return kind == Kind::message || kind == Kind::bytes ? size : 0; }
};

/// Never waits. Bytes are read to where they belong, and from there written, without a copy where
/// they are many.
class Link {
 public:
  /// Descriptors that others close; they may be one.
  Link(int in, int out) : in_(in), out_(out), buffer_(room) {}

  /// To be written; `done` is what write() then returns, if it is not null.
  void put(const Frame& frame, const void* data, void* done);
  bool has_more() const { return !pieces_.empty(); }

  enum class Event { nothing, frame, end, gone };

  /// Writes what can be written, until something is `done`.
  Event write(void*& done);

  /// The next `done` of what will not be written, null for none.
  void* forget();

  /// Reads up to a frame, after which take() must say where its bytes go, or to their end.
  Event read();
  const Frame& frame() const { return frame_; }
  void take(void* data) { at_ = static_cast<char*>(data); }

  int in() const { return in_; }

 private:
  static constexpr size_t room = size_t{64} << 10;

  struct Piece {
    Frame frame;
    const char* data;
    void* done;
    int64_t written = 0;  // the frame included
  };

  bool use_buffer();
  Event fill();

  int in_, out_;
  std::deque<Piece> pieces_;
  std::vector<char> buffer_;  // what was read and not used, from begin_ to end_
  size_t begin_ = 0, end_ = 0;
  bool is_dry_ = false;  // there was no more when it was read last
  Frame frame_;
  bool in_frame_ = false;  // in the bytes behind it
  int64_t missing_ = 0;
  char* at_ = nullptr;
};

}  // namespace gpuarr::team
