#include "team/reduce/reduce.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "team/move/redistribute.hpp"

namespace gpuarr::team {
namespace {

// An array that is only asked what it is like.
Array nowhere(Device& device, DType dtype, const Dims& shape) {
  Array out;
  out.buffer = Buffer::borrow(nullptr, 0, device);
  out.dtype = dtype;
  out.layout = {shape, dense_strides(shape, Order::c)};
  return out;
}

// The arguments of a block, or of the whole, none of which is here.
class Stand {
 public:
  Stand(const ReductionCall& call, Device& device, const Box& box, const Dims& whole)
      : arrays_(call.inputs.size()) {
    for (size_t k = 0; k < call.inputs.size(); ++k) {
      const MapInput& input = call.inputs[k];
      if (input.kind != MapInput::Kind::blocked) {
        arguments_.push_back(input.same);
        continue;
      }
      const Blocked& from = call.alignment.blocked(input.aligned);
      Dims shape = from.shape();
      const int shift = box.ndim() - shape.size();
      for (int axis = 0; axis < shape.size(); ++axis)
        if (shape[axis] == whole[axis + shift]) shape[axis] = box.extent(axis + shift);
      arrays_[k] = nowhere(device, from.dtype(), shape);
      arguments_.push_back({&arrays_[k], nullptr});
    }
  }
  std::span<const Argument> arguments() const { return arguments_; }

 private:
  std::vector<Array> arrays_;
  std::vector<Argument> arguments_;
};

Box all_of(const Dims& shape) { return {Dims::filled(shape.size(), 0), shape}; }

std::vector<bool> reduced_axes(const AxisRequest& request, int ndim) {
  std::vector<bool> out(static_cast<size_t>(ndim), request.all);
  if (request.all) return out;
  for (size_t k = 0; k < request.axes.size(); ++k)
    out[static_cast<size_t>(checked_axis_of(request.axes, k, ndim))] = true;
  return out;
}

Grid kept_grid(const Grid& grid, const std::vector<bool>& reduced, bool keepdims) {
  std::vector<std::vector<int64_t>> cuts;
  for (int axis = 0; axis < grid.ndim(); ++axis) {
    if (!reduced[static_cast<size_t>(axis)])
      cuts.push_back(grid.cuts(axis));
    else if (keepdims)
      cuts.push_back({0, 1});
  }
  return Grid(std::move(cuts));
}

// An operator that is not commutative meets the elements in C order along the reduced axes.
void check_order(const ReductionCall& call, const std::vector<bool>& reduced) {
  if (!call.kernel.is_ordered()) return;
  const Grid& grid = call.alignment.over().grid();
  int first = -1;
  for (int axis = 0; axis < grid.ndim(); ++axis) {
    if (!reduced[static_cast<size_t>(axis)] || grid.shape()[axis] <= 1) continue;
    if (first >= 0 && grid.counts()[axis] > 1)
      fail(GPUARR_ERR_LAYOUT,
           "the operator is not commutative, and the blocks along axis {} do not follow each other "
           "in order, as axis {} is reduced too; divide axis {} only, by gpuarr_redistribute",
           axis, first, first);
    if (first < 0) first = axis;
  }
}

// The location in the results' grid of a block of the inputs.
Dims kept_location(const Dims& location, const std::vector<bool>& reduced, bool keepdims) {
  Dims out;
  for (int axis = 0; axis < location.size(); ++axis) {
    if (!reduced[static_cast<size_t>(axis)])
      out.push_back(location[axis]);
    else if (keepdims)
      out.push_back(0);
  }
  return out;
}

}  // namespace

ResultFacts facts_of(const ReductionCall& call) {
  const Blocked& over = call.alignment.over();
  ResultFacts facts;
  facts.reduced = reduced_axes(call.axes, over.grid().ndim());
  check_order(call, facts.reduced);
  facts.grid = kept_grid(over.grid(), facts.reduced, call.axes.keepdims);
  Device& device = *over.team().places().front().device;
  const Stand whole(call, device, all_of(over.shape()), over.shape());
  const auto [found, text] = call.kernel.facts_of(whole.arguments(), call.axes);
  if (!(found.shape == facts.grid.shape()))
    fail(
        GPUARR_ERR_SHAPE,
        "the inputs together have another shape than {} of the one with the most blocks; give that "
        "all axes of the others",
        to_string(over.shape()));
  facts.dtypes.assign(found.dtypes.begin() + static_cast<std::ptrdiff_t>(call.inputs.size()),
                      found.dtypes.end());
  return facts;
}

std::shared_ptr<Blocked> make_result(Team& team, const ResultFacts& facts, size_t output) {
  std::vector<std::vector<int64_t>> cuts;
  for (int64_t extent : facts.grid.shape()) cuts.push_back({0, extent});
  BlockedLayout layout{facts.dtypes[output], Grid(std::move(cuts)), Owners::replicated()};
  return Blocked::create(team.shared_from_this(), std::move(layout));
}

namespace {

bool is_one_block(const Blocked& blocked) {
  return blocked.owners().everywhere() && blocked.grid().size() == 1;
}

// One reduction, from its blocks to its outputs.
class Running {
 public:
  Running(const ReductionCall& call, const ResultFacts& facts,
          std::span<const std::shared_ptr<Blocked>> outputs, std::optional<FastCombine> fast)
      : call_(call), facts_(facts), over_(call.alignment.over()), fast_(fast) {
    take_outputs(outputs);
    find_sets();
  }

  void run() {
    for (const Block& block : over_.blocks())
      if (block.inner.size() > 0) reduce_block(block);
    if (!combine_fast()) sets_->gather();
    for (Place& place : over_.team().places())
      for (size_t part = 0; part < sets_->combiners().parts.size(); ++part)
        if (sets_->combiners().combines(place.number, part)) finish(place, part);
    for (auto& [out, made] : redistributed_) redistribute(*out, *made);
  }

 private:
  // Results are written where they are wanted if outputs are in one block on every place, or in
  // the kept blocks; others get them from there.
  void take_outputs(std::span<const std::shared_ptr<Blocked>> outputs) {
    const Blocked& first = *outputs.front();
    in_one_ = is_one_block(first);
    const auto fits = [&](const Blocked& out) {
      if (in_one_) return is_one_block(out);
      return out.grid() == facts_.grid &&
             (outputs_.size() == 1 || out.owners() == outputs_.front()->owners());
    };
    for (size_t k = 0; k < outputs.size(); ++k) {
      outputs_.push_back(outputs[k]);
      if (fits(*outputs[k])) continue;
      outputs_.back() = make_kept(k);
      redistributed_.emplace_back(outputs[k], outputs_.back());
    }
  }

  std::shared_ptr<Blocked> make_kept(size_t output) {
    if (in_one_) return make_result(over_.team(), facts_, output);
    Owners owners = outputs_.front()->owners();
    if (output == 0) owners = Owners::balanced(facts_.grid.size(), over_.team().size());
    return Blocked::create(over_.shared_team(), {facts_.dtypes[output], facts_.grid, owners});
  }

  std::vector<KeptBlock> kept_blocks() const {
    std::vector<KeptBlock> parts(static_cast<size_t>(facts_.grid.size()));
    for (int64_t number = 0; number < over_.grid().size(); ++number) {
      const Dims location = over_.grid().location(number);
      if (over_.grid().box(location).empty()) continue;
      const int64_t part =
          facts_.grid.number(kept_location(location, facts_.reduced, call_.axes.keepdims));
      parts[static_cast<size_t>(part)].blocks.push_back(number);
    }
    for (KeptBlock& part : parts)
      if (!part.blocks.empty()) part.set_bytes = set_bytes(part.blocks.front());
    return parts;
  }

  // Of one part in which every place has blocks: each combines its own, and the devices those.
  bool combine_fast() {
    if (!fast_ || !over_.team().devices_send() || !in_one_ || over_.owners().everywhere())
      return false;
    if (sets_->combiners().parts.size() != 1 || !sets_->every_place_has_blocks()) return false;
    Place& place = over_.team().places().front();
    const Array own = sets_->own(place.number);
    const KeptBlock& part = sets_->combiners().parts[0];
    const Box box = over_.grid().box(part.blocks.front());
    const Stand stand(call_, *place.device, box, over_.shape());
    fast_set_ =
        own.layout.shape[0] == 1
            ? own
            : call_.kernel.combine(own, part_of(stand.arguments(), box), place.stream.get());
    const int64_t count = part.set_bytes / size_of(fast_->partial);
    fast_set_->buffer->used_in(*place.stream);
    if (over_.team().communicator(place).all_reduce(fast_set_->data, fast_set_->data, count,
                                                    fast_->partial, fast_->how, *place.stream))
      return true;
    fast_set_.reset();
    return false;
  }

  // Where they are gathered is kept for the next call of the kind.
  void find_sets() {
    Team::Key key{over_.digest(), outputs_.front()->digest(), in_one_, call_.axes.keepdims,
                  static_cast<uint64_t>(bytes_of_first())};
    for (bool reduced : facts_.reduced) key.push_back(reduced);
    sets_ = over_.team().keep<GatheredSets>(key, [&] {
      auto made = std::make_shared<GatheredSets>(combiners());
      over_.team().agree();
      return made;
    });
  }

  Combiners combiners() const {
    Combiners out{&over_.team(), over_.owners(), kept_blocks(), {}};
    std::erase_if(out.parts, [](const KeptBlock& part) { return part.blocks.empty(); });
    const Owners& owners = outputs_.front()->owners();
    for (const KeptBlock& part : out.parts)
      if (!in_one_ && !owners.everywhere()) out.places.push_back(owners.of(result_number(part)));
    return out;
  }

  // Of the partial results of the first block that has elements.
  int64_t bytes_of_first() const {
    int64_t number = 0;
    while (over_.grid().box(number).empty()) ++number;
    return set_bytes(number);
  }

  int64_t set_bytes(int64_t number) const {
    const Box box = over_.grid().box(number);
    const Stand stand(call_, *over_.team().places().front().device, box, over_.shape());
    return call_.kernel.set_bytes(part_of(stand.arguments(), box));
  }

  int64_t result_number(const KeptBlock& part) const {
    return facts_.grid.number(kept_location(over_.grid().location(part.blocks.front()),
                                            facts_.reduced, call_.axes.keepdims));
  }

  Reduction::Part part_of(std::span<const Argument> arguments, const Box& box) const {
    return {arguments, call_.axes, {box.low, over_.shape()}};
  }

  void reduce_block(const Block& block) {
    Stream& stream = *over_.team().local(block.place).stream;
    const Dims location = over_.grid().location(block.number);
    const BlockCall at{&over_, &block, location, over_.grid().box(location), &stream};
    BlockArguments arguments(call_.alignment, call_.inputs);
    call_.kernel.partial_into(sets_->set(block.place, block.number),
                              part_of(arguments.of(at), at.box), &stream);
  }

  void finish(Place& place, size_t part) {
    const KeptBlock& kept = sets_->combiners().parts[part];
    const Box box = over_.grid().box(kept.blocks.front());
    const Stand stand(call_, *place.device, box, over_.shape());
    std::vector<Array> results;
    for (const auto& output : outputs_) results.push_back(result_of(*output, place.number, kept));
    std::vector<const Array*> given;
    given.reserve(results.size());
    for (const Array& result : results) given.push_back(&result);
    const Array sets = fast_set_ ? *fast_set_ : sets_->all(place.number, part);
    call_.kernel.finish(sets, part_of(stand.arguments(), box), given, place.stream.get());
  }

  // The part of an output at a place.
  Array result_of(Blocked& output, int place, const KeptBlock& kept) const {
    const int64_t number = result_number(kept);
    const Array& whole = output.find(in_one_ ? 0 : number, place)->inner;
    if (!in_one_) return whole;
    const Box box = facts_.grid.box(number);
    Layout layout = whole.layout;
    int64_t offset = 0;
    for (int axis = 0; axis < box.ndim(); ++axis) {
      offset += box.low[axis] * layout.strides[axis];
      layout.shape[axis] = box.extent(axis);
    }
    return whole.view(layout, offset);
  }

  const ReductionCall& call_;
  const ResultFacts& facts_;
  Blocked& over_;
  std::optional<FastCombine> fast_;
  bool in_one_ = false;
  std::vector<std::shared_ptr<Blocked>> outputs_;
  std::vector<std::pair<std::shared_ptr<Blocked>, std::shared_ptr<Blocked>>> redistributed_;
  std::shared_ptr<GatheredSets> sets_;
  std::optional<Array> fast_set_;  // of all places together
};

// Of no elements, results are what the kernel makes of none.
void reduce_nothing(const ReductionCall& call, const ResultFacts& facts,
                    std::span<const std::shared_ptr<Blocked>> outputs) {
  Team& team = call.alignment.team();
  const Dims& whole = call.alignment.over().shape();
  std::vector<std::shared_ptr<Blocked>> made;
  for (size_t k = 0; k < outputs.size(); ++k) made.push_back(make_result(team, facts, k));
  for (Place& place : team.places()) {
    const Stand stand(call, *place.device, all_of(whole), whole);
    std::vector<const Array*> given;
    given.reserve(made.size());
    for (const auto& one : made) given.push_back(&one->find(0, place.number)->inner);
    call.kernel.call(stand.arguments(), given, call.axes, place.stream.get());
  }
  for (size_t k = 0; k < outputs.size(); ++k) redistribute(*outputs[k], *made[k]);
}

}  // namespace

void reduce(const ReductionCall& call, const ResultFacts& facts,
            std::span<const std::shared_ptr<Blocked>> outputs, std::optional<FastCombine> fast) {
  if (size_of(facts.grid.shape()) == 0) return;
  if (size_of(call.alignment.over().shape()) == 0) return reduce_nothing(call, facts, outputs);
  Running(call, facts, outputs, fast).run();
}

}  // namespace gpuarr::team
