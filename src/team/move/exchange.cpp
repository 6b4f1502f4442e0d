#include "team/move/exchange.hpp"

#include <cstring>

#include "backends.hpp"
#include "core/error.hpp"
#include "device/pinned_pool.hpp"
#include "kernel/copy.hpp"
#include "ops/base/async_copy.hpp"
#include "ops/base/copy.hpp"
#include "ops/base/transfer.hpp"

namespace gpuarr::team {
namespace {

// From this many bytes on a piece is a message of its own, which need not be packed if its elements
// lie side by side. Between devices a message costs less than a kernel that packs.
constexpr int64_t large_piece = 64 * 1024;
constexpr int64_t large_piece_of_devices = 4 * 1024;

Array part_of(const Array& data, int64_t offset, const Dims& shape) {
  return data.view({shape, dense_strides(shape, Order::c)}, offset);
}

// Page-locked memory of a device, as an array of the host's.
Array page_locked(Device& device, DType dtype, int64_t size) {
  const int64_t bytes = size * size_of(dtype);
  void* const memory = device.pinned().allocate(bytes);
  std::shared_ptr<void> keeper(memory, [&device](void* m) { device.pinned().deallocate(m); });
  Array out = Array::borrow(host_device(), dtype, {Dims{size}, Dims{1}}, memory);
  out.buffer = Buffer::borrow(memory, bytes, host_device(), std::move(keeper));
  return out;
}

}  // namespace

Exchange::Exchange(Team& team, DType dtype, std::vector<Move> moves, Ends ends)
    : team_(team), dtype_(dtype), by_host_(ends == Ends::program || !team.devices_send()) {
  for (Move& move : moves) {
    if (move.size == 0) continue;
    const bool from_here = team.is_local(move.from);
    const bool to_here = team.is_local(move.to);
    if (from_here && to_here)
      here_.push_back(std::move(move));
    else if (from_here)
      add_message(out_, move.from, move.to, move.source);
    else
      add_message(in_, move.to, move.from, move.target);
  }
  for (Message& message : out_) take_memory(message, ends);
  for (Message& message : in_) take_memory(message, ends);
  plan_copies();
}

void Exchange::add(Fill fill, const Scalar& value) {
  if (fill.target.size() > 0) fills_.emplace_back(std::move(fill), value);
}

// Sender and receiver cut alike what goes from one to the other: it depends on sizes alone.
void Exchange::add_message(std::vector<Message>& list, int place, int other, const Array& piece) {
  const bool large =
      piece.size() * piece.itemsize() >= (by_host_ ? large_piece : large_piece_of_devices);
  for (auto last = list.rbegin(); !large && last != list.rend(); ++last)
    if (last->place == place && last->other == other) {
      if (last->in_place) break;  // a large one
      last->pieces.push_back(piece);
      return;
    }
  list.push_back({place, other, {piece}, {}, large});
}

void Exchange::take_memory(Message& message, Ends ends) {
  const Array& first = message.pieces.front();
  message.in_place = message.pieces.size() == 1 && is_contiguous(first.layout, Order::c) &&
                     !(ends == Ends::program && first.buffer->borrowed());
  int64_t size = 0;
  for (const Array& piece : message.pieces) size += piece.size();
  Device& device = first.device();
  message.data =
      message.in_place ? first : Array::empty(current_stream(device), dtype_, Dims{size});
  if (by_host_ && !device.has_host_memory()) message.on_host = page_locked(device, dtype_, size);
}

Stream& Exchange::stream_of(int place, bool apart) {
  Place& local = team_.local(place);
  return apart ? team_.apart(local) : *local.stream;
}

// A target or a source in the program's memory is none of the place's device.
Stream& Exchange::stream_for(const Array& end, int place, bool apart) {
  Device& device = end.device();
  return &device == team_.local(place).device ? stream_of(place, apart) : current_stream(device);
}

// Each target's stream waits for the source's, copies, and is waited for.
void Exchange::copy_here(bool apart) {
  for (const auto& [fill, value] : fills_)
    gpuarr::fill(fill.target, value, stream_of(fill.place, apart));
  for (const Move& move : here_) {
    Stream& to = stream_for(move.target, move.to, apart);
    Stream& from = stream_for(move.source, move.from, apart);
    if (&move.target.device() == &move.source.device()) {
      if (&to != &from) from.let_wait(to);
      convert(move.target, move.source, to);
    } else {
      transfer(move.target, to, move.source, from);
    }
    if (&to != &from) to.let_wait(from);
  }
}

// Small pieces of all messages are copied together. The arrays stay, and so do the plans of copies.
void Exchange::plan_copies() {
  const auto plan = [&](std::vector<Message>& messages, std::vector<PlaceCopies>& copies,
                        bool packs) {
    for (Message& message : messages) {
      if (message.in_place) continue;
      BoxCopies& boxes = copies_of(copies, message);
      int64_t offset = 0;
      for (const Array& piece : message.pieces) {
        const Array part = part_of(message.data, offset, piece.layout.shape);
        boxes.add(packs ? part : piece, packs ? piece : part);
        offset += piece.size();
      }
    }
  };
  plan(out_, packs_, true);
  plan(in_, unpacks_, false);
}

BoxCopies& Exchange::copies_of(std::vector<PlaceCopies>& copies, const Message& message) {
  Device* const device = &message.data.device();
  for (PlaceCopies& c : copies)
    if (c.place == message.place && c.device == device) return c.boxes;
  return copies.emplace_back(PlaceCopies{message.place, device, {}}).boxes;
}

void Exchange::run_copies(std::vector<PlaceCopies>& copies, bool apart) {
  for (PlaceCopies& c : copies) {
    Stream& stream = c.device == team_.local(c.place).device ? stream_of(c.place, apart)
                                                             : current_stream(*c.device);
    c.boxes.run(stream);
  }
}

void Exchange::send_by_devices(bool apart) {
  Communicator& communicator = team_.communicator(team_.places().front());
  run_copies(packs_, apart);
  communicator.begin_group();
  for (Message& message : out_) {
    Stream& stream = stream_for(message.data, message.place, apart);
    message.data.buffer->used_in(stream);
    team_.communicator(team_.local(message.place))
        .send(message.data.data, message.data.size() * message.data.itemsize(), message.other,
              stream);
  }
  for (Message& message : in_) {
    Stream& stream = stream_for(message.data, message.place, apart);
    message.data.buffer->used_in(stream);
    team_.communicator(team_.local(message.place))
        .receive(message.data.data, message.data.size() * message.data.itemsize(), message.other,
                 stream);
  }
  communicator.end_group();
}

// What is received is posted first, when earlier work no longer needs its memory. Nothing is sent
// before it is in the host's memory.
void Exchange::send_by_host() {
  Transport& transport = *team_.transport();
  for (Message& message : in_) {
    team_.wait_for(stream_for(message.data, message.place, false));
    const Array& data = message.in_host();
    message.request = transport.receive(data.data, data.size() * data.itemsize(),
                                        team_.process_of(message.other), Team::data_tag);
  }
  run_copies(packs_, false);
  for (Message& message : out_) {
    if (message.on_host.buffer == nullptr) continue;
    Stream& stream = stream_for(message.data, message.place, false);
    message.data.buffer->used_in(stream);
    message.data.device().copy_to_host(message.on_host.data, message.data.data,
                                       message.data.size() * message.data.itemsize(), stream);
    note_pinned_use(message.on_host.data, stream);
  }
  for (Message& message : out_) {
    team_.wait_for(stream_for(message.data, message.place, false));
    const Array& data = message.in_host();
    message.request = transport.send(data.data, data.size() * data.itemsize(),
                                     team_.process_of(message.other), Team::data_tag);
  }
}

void Exchange::receive_by_host() {
  for (Message& message : in_) {
    team_.wait_for(message.request, message.in_host().buffer);
    if (message.on_host.buffer == nullptr) continue;
    Stream& stream = stream_for(message.data, message.place, false);
    message.data.buffer->used_in(stream);
    message.data.device().copy_from_host(message.data.data, message.on_host.data,
                                         message.data.size() * message.data.itemsize(), stream);
    note_pinned_use(message.on_host.data, stream);
  }
  run_copies(unpacks_, false);
  for (Message& message : out_) team_.wait_for(message.request, message.in_host().buffer);
}

// Where a call has failed in between, messages are under way that nobody waits for.
Exchange::~Exchange() {
  for (auto* messages : {&in_, &out_})
    for (Message& message : *messages)
      if (message.request.handle != nullptr)
        team_.transport()->drop(message.request, message.in_host().buffer);
}

void Exchange::start(bool apart) {
  for (Place& place : team_.places())
    if (apart) place.stream->let_wait(team_.apart(place));
  if (out_.empty() && in_.empty()) return copy_here(apart);
  if (by_host_)
    send_by_host();
  else
    send_by_devices(apart);
  copy_here(apart);
}

void Exchange::finish(bool apart) {
  if (by_host_)
    receive_by_host();
  else
    run_copies(unpacks_, apart);
  for (Place& place : team_.places())
    if (apart) team_.apart(place).let_wait(*place.stream);
}

void Exchange::run() {
  start(false);
  finish(false);
}

void Exchange::begin() {
  start(true);
  begun_ = true;
}

void Exchange::end() {
  begun_ = false;
  finish(true);
}

}  // namespace gpuarr::team
