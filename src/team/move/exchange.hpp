// Copies between places, planned once and done as often as wanted: what stays in a process is
// copied, what leaves it is packed, sent and unpacked.
#pragma once

#include <memory>
#include <vector>

#include "team/blocked/blocked.hpp"
#include "team/move/boxes.hpp"

namespace gpuarr::team {

/// Elements that go from a place to another. Views are of equal shape; that of a place of another
/// process is empty.
struct Move {
  int from, to;
  int64_t size;
  Array source, target;
};

/// Elements that become a constant.
struct Fill {
  int place;
  Array target;
};

class Exchange {
 public:
  /// Whose memory the moves are between. The program's is the host's, so that messages go by that
  /// though devices could send them; and it may be gone after a call that failed, while messages
  /// are still under way, so that they have memory of their own.
  enum class Ends { blocks, program };

  /// All processes give the moves that they have an end of in one order. Memory for messages is
  /// taken here.
  Exchange(Team& team, DType dtype, std::vector<Move> moves, Ends ends = Ends::blocks);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  void add(Fill fill, const Scalar& value);

  /// In the places' streams.
  void run();
  /// The same in two parts, between which the places' streams may work on what is not moved. All
  /// that was done before begin() is what is sent, and after end() the targets may be read.
  void begin();
  void end();
  bool has_begun() const { return begun_; }

 private:
  // What goes to a place, or comes from one, at once.
  struct Message {
    int place, other;  // of this process; of another
    std::vector<Array> pieces;
    Array data;             // all of them, one behind the other; may be the piece itself
    bool in_place = false;  // it is
    Array on_host = {};     // the same in the host's memory, where it goes that way
    Request request = {};

    const Array& in_host() const { return on_host.buffer != nullptr ? on_host : data; }
  };

  struct PlaceCopies {
    int place;
    Device* device;  // of the place, or the host's
    BoxCopies boxes;
  };

  void add_message(std::vector<Message>& list, int place, int other, const Array& piece);
  void take_memory(Message& message, Ends ends);
  void copy_here(bool apart);
  void plan_copies();
  BoxCopies& copies_of(std::vector<PlaceCopies>& copies, const Message& message);
  void run_copies(std::vector<PlaceCopies>& copies, bool apart);
  void send_by_devices(bool apart);
  void send_by_host();
  void receive_by_host();
  void start(bool apart);
  void finish(bool apart);
  Stream& stream_of(int place, bool apart);
  Stream& stream_for(const Array& end, int place, bool apart);

  Team& team_;
  DType dtype_;
  bool by_host_;
  bool begun_ = false;  // and not ended
  std::vector<Move> here_;
  std::vector<std::pair<Fill, Scalar>> fills_;
  std::vector<Message> out_, in_;
  std::vector<PlaceCopies> packs_, unpacks_;
};

}  // namespace gpuarr::team
