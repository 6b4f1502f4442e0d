#include "team/reduce/sets.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "team/reduce/gather.hpp"

namespace gpuarr::team {
namespace {

constexpr int64_t part_alignment = 256;

Array bytes_of(const Array& memory, int64_t offset, int64_t sets, int64_t bytes) {
  return memory.view({Dims{sets, bytes}, Dims{bytes, 1}}, offset);
}

}  // namespace

GatheredSets::GatheredSets(Combiners combiners) : combiners_(std::move(combiners)) {
  for (size_t part = 0; part < combiners_.parts.size(); ++part)
    for (size_t k = 0; k < combiners_.parts[part].blocks.size(); ++k)
      places_[combiners_.parts[part].blocks[k]] = {part, k};
  for (Place& place : combiners_.team->places()) take_memory(place.number);
  if (!is_even()) plan_messages();
}

// The sets that a place combines, by parts, without gaps; then those that it sends.
void GatheredSets::take_memory(int place) {
  const Owners& owners = combiners_.owners;
  std::vector<Row> rows;
  std::vector<int64_t> offsets;
  int64_t end = 0;
  for (size_t part = 0; part < combiners_.parts.size(); ++part) {
    const KeptBlock& kept = combiners_.parts[part];
    const bool combines = combiners_.combines(place, part);
    for (size_t block = 0; block < kept.blocks.size(); ++block) {
      if (!combines && !owners.has(place, kept.blocks[block])) continue;
      rows.push_back({place, part, block, {}});
      offsets.push_back(end);
      end += kept.set_bytes;
    }
    end = (end + part_alignment - 1) / part_alignment * part_alignment;
  }
  Stream& stream = *combiners_.team->local(place).stream;
  memory_.push_back(Array::empty(stream, DType::u8, Dims{end}));
  for (size_t k = 0; k < rows.size(); ++k) {
    const int64_t bytes = combiners_.parts[rows[k].part].set_bytes;
    rows[k].set = bytes_of(memory_.back(), offsets[k], 1, bytes);
    rows_.push_back(std::move(rows[k]));
  }
}

// Whether there is one part that all places combine, and each has as many of its blocks, in order:
// then all gather from all at once.
bool GatheredSets::is_even() const {
  Team& team = *combiners_.team;
  const Owners& owners = combiners_.owners;
  if (combiners_.parts.size() != 1 || !combiners_.places.empty() || owners.everywhere())
    return false;
  const auto& blocks = combiners_.parts[0].blocks;
  const auto each = static_cast<int64_t>(blocks.size()) / team.size();
  if (each * team.size() != static_cast<int64_t>(blocks.size())) return false;
  for (size_t k = 0; k < blocks.size(); ++k)
    if (owners.of(blocks[k]) != static_cast<int64_t>(k) / each) return false;
  return team.transport() != nullptr;
}

void GatheredSets::plan_messages() {
  Team& team = *combiners_.team;
  const Owners& owners = combiners_.owners;
  std::vector<Move> moves;
  for (size_t part = 0; !owners.everywhere() && part < combiners_.parts.size(); ++part) {
    const KeptBlock& kept = combiners_.parts[part];
    for (size_t block = 0; block < kept.blocks.size(); ++block) {
      const int from = owners.of(kept.blocks[block]);
      for (int place = 0; place < team.size(); ++place) {
        if (place == from || !combiners_.combines(place, part)) continue;
        if (!team.is_local(from) && !team.is_local(place)) continue;
        Move& move = moves.emplace_back(Move{from, place, kept.set_bytes, {}, {}});
        if (const Row* row = find(from, part, block); row != nullptr) move.source = row->set;
        if (const Row* row = find(place, part, block); row != nullptr) move.target = row->set;
      }
    }
  }
  moves_ = std::make_unique<Exchange>(team, DType::u8, std::move(moves));
}

const GatheredSets::Row* GatheredSets::find(int place, size_t part, size_t block) const {
  const auto before = [](const Row& row, const std::tuple<int, size_t, size_t>& at) {
    return std::tuple(row.place, row.part, row.block) < at;
  };
  const std::tuple at{place, part, block};
  const auto found = std::lower_bound(rows_.begin(), rows_.end(), at, before);
  return found != rows_.end() && std::tuple(found->place, found->part, found->block) == at
             ? &*found
             : nullptr;
}

const Array& GatheredSets::set(int place, int64_t number) const {
  const auto [part, block] = places_.at(number);
  return find(place, part, block)->set;
}

Array GatheredSets::all(int place, size_t part) const {
  const KeptBlock& kept = combiners_.parts[part];
  const auto sets = static_cast<int64_t>(kept.blocks.size());
  return find(place, part, 0)->set.view({Dims{sets, kept.set_bytes}, Dims{kept.set_bytes, 1}});
}

bool GatheredSets::every_place_has_blocks() const {
  const auto& blocks = combiners_.parts[0].blocks;
  int expected = 0;
  for (int64_t block : blocks) {
    const int owner = combiners_.owners.of(block);
    if (owner != expected && owner != expected - 1) return false;
    if (owner == expected) ++expected;
  }
  return expected == combiners_.team->size();
}

Array GatheredSets::own(int place) const {
  const KeptBlock& kept = combiners_.parts[0];
  int64_t first = -1;
  int64_t count = 0;
  for (size_t block = 0; block < kept.blocks.size(); ++block) {
    if (combiners_.owners.of(kept.blocks[block]) != place) continue;
    if (first < 0) first = static_cast<int64_t>(block);
    ++count;
  }
  return find(place, 0, static_cast<size_t>(first))
      ->set.view({Dims{count, kept.set_bytes}, Dims{kept.set_bytes, 1}});
}

void GatheredSets::gather() {
  if (moves_ != nullptr) return moves_->run();
  Team& team = *combiners_.team;
  Place& place = team.places().front();
  Array& memory = memory_.front();
  const KeptBlock& kept = combiners_.parts[0];
  const int64_t own = static_cast<int64_t>(kept.blocks.size()) / team.size() * kept.set_bytes;
  if (place.communicator == nullptr)
    return gather_rows(team, place, memory.view({Dims{team.size(), own}, Dims{own, 1}}));
  memory.buffer->used_in(*place.stream);
  team.communicator(place).all_gather(
      memory.data, static_cast<char*>(memory.data) + own * place.number, own, *place.stream);
}

}  // namespace gpuarr::team
