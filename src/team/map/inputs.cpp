#include "team/map/inputs.hpp"

namespace gpuarr::team {

Scalar number_for(const MapInput& input, const BlockCall& call) {
  if (call.block == nullptr) return Scalar::of(int64_t{0});
  switch (input.kind) {
    case MapInput::Kind::start:
      return Scalar::of(call.box.low[input.axis]);
    case MapInput::Kind::extent:
      return Scalar::of(call.box.extent(input.axis));
    default:
      return Scalar::of(call.block->inner.size());
  }
}

BlockArguments::BlockArguments(const Alignment& alignment, std::span<const MapInput> inputs)
    : alignment_(alignment),
      inputs_(inputs),
      arrays_(inputs.size()),
      scalars_(inputs.size()),
      arguments_(inputs.size()),
      raw_(inputs.size()) {}

std::span<const Argument> BlockArguments::of(const BlockCall& call) {
  for (size_t k = 0; k < inputs_.size(); ++k) {
    const MapInput& input = inputs_[k];
    if (input.kind == MapInput::Kind::same) {
      arguments_[k] = input.same;
    } else if (input.kind == MapInput::Kind::blocked) {
      arrays_[k] = call.block == nullptr ? alignment_.nothing(input.aligned, *call.stream)
                   : input.with_halo     ? alignment_.array(input.aligned, *call.block, true)
                                         : alignment_.cut(input.aligned, *call.block);
      arguments_[k] = {&arrays_[k], nullptr};
    } else {
      scalars_[k] = number_for(input, call);
      arguments_[k] = {nullptr, &scalars_[k]};
    }
  }
  return arguments_;
}

std::span<const RawArgument> BlockArguments::raw_of(const BlockCall& call) {
  for (size_t k = 0; k < inputs_.size(); ++k) {
    const MapInput& input = inputs_[k];
    raw_[k] = input.raw;
    if (input.kind == MapInput::Kind::same) continue;
    if (input.kind == MapInput::Kind::blocked) {
      raw_[k].kind = input.as_view ? RawArgument::Kind::view : RawArgument::Kind::array;
      if (call.block == nullptr) arrays_[k] = alignment_.nothing(input.aligned, *call.stream);
      raw_[k].array = call.block == nullptr
                          ? &arrays_[k]
                          : &alignment_.array(input.aligned, *call.block, input.with_halo);
    } else {
      scalars_[k] = number_for(input, call);
      raw_[k].dtype = DType::i64;
      raw_[k].data = scalars_[k].bytes;
    }
  }
  return raw_;
}

}  // namespace gpuarr::team
