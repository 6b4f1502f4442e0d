#include "team/reduce/all_reduce.hpp"

#include <array>
#include <atomic>
#include <memory>

#include "core/once.hpp"
#include "kernel/copy.hpp"
#include "kernel/reduction.hpp"
#include "team/move/exchange.hpp"
#include "team/reduce/gather.hpp"

namespace gpuarr::team {
namespace {

Reduction& kernel_for(Combine how) {
  static std::atomic<Reduction*> kernels[4];
  constexpr const char* texts[] = {"a + b", "a * b", "b < a || b != b ? b : a",
                                   "b > a || b != b ? b : a"};
  const auto k = static_cast<size_t>(how);
  return made_once(kernels[k], [&] {
    KernelOptions options;
    options.name = "all_reduce";
    return std::make_unique<Reduction>(
        MapReduceSpec{"T x", "T y", UserText("x"), UserText(texts[k]), UserText("y = a"), {}},
        options);
  });
}

// One output of one row of elements for each place.
void combine_rows(const Array& out, const Array& rows, Combine how, Stream& stream) {
  const Argument input{&rows, nullptr};
  const Array* const output = &out;
  constexpr std::array<int32_t, 1> axis{0};
  kernel_for(how).call({&input, 1}, {&output, 1}, {axis, false, false}, &stream);
}

Array flat_part(const Array& flat, int64_t first, int64_t last) {
  return flat.view({Dims{last - first}, Dims{1}}, first);
}

// One block: each place combines a part of it, and sends that to all others.
class BlockAllReduce {
 public:
  BlockAllReduce(Blocked& blocked, int64_t number) : blocked_(blocked), team_(blocked.team()) {
    for (Place& place : team_.places()) {
      const Array& own = blocked.find(number, place.number)->inner;
      size_ = own.size();
      const bool flat = is_contiguous(own.layout, Order::c);
      if (!flat) copied_.emplace_back(place.number, own);
      copies_.push_back(flat ? own.view({Dims{size_}, Dims{1}})
                             : Array::empty(*place.stream, own.dtype, Dims{size_}));
      rows_.push_back(
          Array::empty(*place.stream, own.dtype,
                       Dims{team_.size(), first(place.number + 1) - first(place.number)}));
    }
  }

  void run(Combine how) {
    for (const auto& [place, own] : copied_) convert(shaped(place, own), own, stream(place));
    Exchange scatter(team_, blocked_.dtype(), scatter_moves());
    Exchange gather(team_, blocked_.dtype(), gather_moves());
    team_.agree();
    scatter.run();
    for (Place& place : team_.places()) combine(place, how);
    gather.run();
    for (const auto& [place, own] : copied_) convert(own, shaped(place, own), stream(place));
  }

 private:
  int64_t first(int place) const {
    return size_ / team_.size() * place + std::min<int64_t>(place, size_ % team_.size());
  }
  Stream& stream(int place) { return *team_.local(place).stream; }
  const Array& copy(int place) const { return copies_[static_cast<size_t>(place - team_.first())]; }
  Array shaped(int place, const Array& like) const {
    return copy(place).view({like.layout.shape, dense_strides(like.layout.shape, Order::c)});
  }

  std::vector<Move> scatter_moves() {
    std::vector<Move> moves;
    for (int to = 0; to < team_.size(); ++to)
      for (int from = 0; from < team_.size(); ++from) {
        const int64_t length = first(to + 1) - first(to);
        if (length == 0 || (!team_.is_local(to) && !team_.is_local(from))) continue;
        Move& move = moves.emplace_back(Move{from, to, length, {}, {}});
        if (team_.is_local(from)) move.source = flat_part(copy(from), first(to), first(to + 1));
        if (team_.is_local(to)) {
          const Array& rows = rows_[static_cast<size_t>(to - team_.first())];
          move.target = rows.view({Dims{length}, Dims{1}}, from * length);
        }
      }
    return moves;
  }

  std::vector<Move> gather_moves() {
    std::vector<Move> moves;
    for (int from = 0; from < team_.size(); ++from)
      for (int to = 0; to < team_.size(); ++to) {
        const int64_t length = first(from + 1) - first(from);
        if (length == 0 || to == from || (!team_.is_local(to) && !team_.is_local(from))) continue;
        Move& move = moves.emplace_back(Move{from, to, length, {}, {}});
        if (team_.is_local(from)) move.source = flat_part(copy(from), first(from), first(from + 1));
        if (team_.is_local(to)) move.target = flat_part(copy(to), first(from), first(from + 1));
      }
    return moves;
  }

  void combine(Place& place, Combine how) {
    const Array& rows = rows_[static_cast<size_t>(place.number - team_.first())];
    if (rows.size() == 0) return;
    const Array part = flat_part(copy(place.number), first(place.number), first(place.number + 1));
    combine_rows(part, rows, how, *place.stream);
  }

  Blocked& blocked_;
  Team& team_;
  int64_t size_ = 0;
  std::vector<std::pair<int, Array>> copied_;  // places whose block has gaps, and the block
  std::vector<Array> copies_;                  // flat, of each place of this process
  std::vector<Array> rows_;                    // every place's copy of the part that it combines
};

// Few elements: every process gets all copies, and combines them. That takes a round of messages
// for each doubling of the processes, and not a message to and from each.
bool by_gathering(Blocked& blocked, const Block& block, Combine how) {
  constexpr int64_t most = 64 * 1024;  // bytes, of all copies
  Team& team = blocked.team();
  const Array& own = block.inner;
  if (team.transport() == nullptr || own.size() * own.itemsize() > most / team.size()) return false;
  Place& place = team.local(block.place);
  Stream& stream = *place.stream;
  const Layout shaped = {own.layout.shape, dense_strides(own.layout.shape, Order::c)};
  const Array rows = Array::empty(stream, own.dtype, Dims{team.size(), own.size()});
  convert(rows.view(shaped, place.number * own.size()), own, stream);
  gather_rows(team, place, rows);
  const bool flat = is_contiguous(own.layout, Order::c);
  const Array result = flat ? own.view({Dims{own.size()}, Dims{1}})
                            : Array::empty(stream, own.dtype, Dims{own.size()});
  combine_rows(result, rows, how, stream);
  if (!flat) convert(own, result.view(shaped), stream);
  return true;
}

// By what devices have for it, where they have.
bool by_devices(Blocked& blocked, const Block& block, Combine how) {
  Team& team = blocked.team();
  Place& place = team.local(block.place);
  const Array& own = block.inner;
  if (place.communicator == nullptr || !is_contiguous(own.layout, Order::c)) return false;
  own.buffer->used_in(*place.stream);
  return team.communicator(place).all_reduce(own.data, own.data, own.size(), own.dtype, how,
                                             *place.stream);
}

}  // namespace

void all_reduce(Blocked& blocked, Combine how) {
  for (int64_t number = 0; number < blocked.grid().size(); ++number) {
    if (blocked.grid().box(number).empty()) continue;
    const Block& own = *blocked.find(number, blocked.team().first());
    if (!by_devices(blocked, own, how) && !by_gathering(blocked, own, how))
      BlockAllReduce(blocked, number).run(how);
  }
}

}  // namespace gpuarr::team
