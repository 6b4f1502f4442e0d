#include "c/blocked_arguments.hpp"

#include <cstring>

#include "c/raw_arguments.hpp"
#include "gpuarr/map_blocks.h"
#include "ops/base/transfer.hpp"

namespace gpuarr {
namespace {

void check_list(const char* what, int32_t count, const void* list) {
  constexpr int32_t most = 1024;
  if (count < 0 || count > most)
    fail(GPUARR_ERR_ARGUMENT, "{}_count is {}; give 0 to {}", what, count, most);
  if (count > 0 && list == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "{}s is NULL; give {} of them", what, count);
}

void add_all(std::vector<team::Aligned>& out, gpuarr_blocked* const* list, int32_t count,
             const char* what) {
  check_list(what, count, list);
  const std::string name = formatted("{}s", what);
  for (int32_t k = 0; k < count; ++k)
    out.push_back({deref_item(list[k], name.c_str(), k).get(), formatted("{}[{}]", name, k),
                   name == "outputs"});
}

bool is_blocked(const gpuarr_arg& arg) {
  return arg.array == nullptr && arg.flags >= GPUARR_ARG_BLOCKED &&
         arg.flags <= GPUARR_ARG_BLOCKED_HALO_VIEW;
}

bool is_number_of_block(const gpuarr_arg& arg) {
  return arg.array == nullptr && arg.flags >= GPUARR_ARG_BLOCK_START &&
         arg.flags <= GPUARR_ARG_BLOCK_SIZE;
}

team::Blocked& first_of(gpuarr_blocked* const* outputs, int32_t count) {
  check_list("output", count, outputs);
  if (count < 1) fail(GPUARR_ERR_ARGUMENT, "output_count is {}; give at least one output", count);
  return *deref_item(outputs[0], "outputs", 0);
}

}  // namespace

std::vector<team::Aligned> aligned_of(gpuarr_blocked* const* outputs, int32_t output_count,
                                      gpuarr_blocked* const* inputs, int32_t input_count) {
  first_of(outputs, output_count);
  std::vector<team::Aligned> out;
  add_all(out, outputs, output_count, "output");
  add_all(out, inputs, input_count, "input");
  return out;
}

MapArguments::MapArguments(gpuarr_blocked* const* outputs, int32_t output_count,
                           const gpuarr_arg* args, int32_t arg_count, const char* list)
    : over_(&first_of(outputs, output_count)), outputs_(static_cast<size_t>(output_count)) {
  add_all(arrays_, outputs, output_count, "output");
  check_list(list, arg_count, args);
  for (int32_t k = 0; k < arg_count; ++k) add(args[k], list, k, false);
}

MapArguments::MapArguments(gpuarr_blocked* over, const gpuarr_arg* args, int32_t arg_count)
    : over_(deref(over, "over").get()) {
  check_list("arg", arg_count, args);
  for (int32_t k = 0; k < arg_count; ++k) add(args[k], "arg", k, true);
}

MapArguments::MapArguments(const gpuarr_arg* args, int32_t arg_count) {
  check_list("input", arg_count, args);
  for (int32_t k = 0; k < arg_count; ++k) {
    if (!is_number_of_block(args[k])) {
      add(args[k], "input", k, false);
      continue;
    }
    fail(GPUARR_ERR_ARGUMENT, "inputs[{}] stands for a block's number; give a scalar, or an array",
         k);
  }
  for (const team::Aligned& a : arrays_)
    if (over_ == nullptr || a.blocked->grid().size() > over_->grid().size() ||
        (a.blocked->grid().size() == over_->grid().size() &&
         a.blocked->grid().ndim() > over_->grid().ndim()))
      over_ = a.blocked;
  if (over_ == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "no input is a blocked array; make one by gpuarr_arg_blocked");
}

void MapArguments::add(const gpuarr_arg& arg, const char* list, int32_t k, bool is_raw) {
  const std::string label = formatted("{}s[{}]", list, k);
  team::MapInput& input = inputs_.emplace_back();
  if (is_blocked(arg)) return add_blocked(arg, label);
  if (is_number_of_block(arg)) return add_number(arg, label);
  if (is_raw) {
    input.raw = RawArguments(&arg, 1).span()[0];
  } else if (arg.array != nullptr && arg.flags == 0) {
    input.same = {&deref(arg.array, label.c_str()), nullptr};
  } else {
    scalars_.push_back(std::make_unique<Scalar>(Scalar::from(arg, label.c_str())));
    input.same = {nullptr, scalars_.back().get()};
  }
}

void MapArguments::add_blocked(const gpuarr_arg& arg, const std::string& label) {
  const gpuarr_blocked* blocked = nullptr;
  std::memcpy(&blocked, arg.value, sizeof(void*));
  team::MapInput& input = inputs_.back();
  input.kind = team::MapInput::Kind::blocked;
  input.aligned = arrays_.size();
  input.with_halo =
      arg.flags == GPUARR_ARG_BLOCKED_HALO || arg.flags == GPUARR_ARG_BLOCKED_HALO_VIEW;
  input.as_view = arg.flags >= GPUARR_ARG_BLOCKED_VIEW;
  arrays_.push_back({deref(blocked, label.c_str()).get(), label});
}

void MapArguments::add_number(const gpuarr_arg& arg, const std::string& label) {
  int32_t axis = 0;
  std::memcpy(&axis, arg.value, sizeof axis);
  team::MapInput& input = inputs_.back();
  input.kind = arg.flags == GPUARR_ARG_BLOCK_START    ? team::MapInput::Kind::start
               : arg.flags == GPUARR_ARG_BLOCK_EXTENT ? team::MapInput::Kind::extent
                                                      : team::MapInput::Kind::size;
  if (arg.flags != GPUARR_ARG_BLOCK_SIZE)
    input.axis = checked_axis(axis, over_->grid().ndim(), (label + "'s axis").c_str());
}

uint64_t digest_of(std::span<const team::Aligned> arrays) {
  uint64_t digest = arrays.size();
  for (const team::Aligned& a : arrays) digest = digest * 1099511628211U + a.blocked->digest();
  return digest;
}

uint64_t MapArguments::digest() const { return digest_of(arrays_); }

namespace {

team::Slab slab_of(const team::Blocked& blocked, const int64_t* start, const int64_t* stop,
                   int32_t place) {
  team::Team& team = blocked.team();
  if (place < -1 || place >= team.size())
    fail(GPUARR_ERR_ARGUMENT, "place is {}; give one of 0 to {}, or -1 for all", place,
         team.size() - 1);
  team::Slab slab{{}, place, {}};
  for (int axis = 0; axis < blocked.grid().ndim(); ++axis) {
    const int64_t extent = blocked.shape()[axis];
    slab.box.low.push_back(start != nullptr ? start[axis] : 0);
    slab.box.high.push_back(stop != nullptr ? stop[axis] : extent);
    if (slab.box.low[axis] < 0 || slab.box.extent(axis) < 0 || slab.box.high[axis] > extent)
      fail(GPUARR_ERR_AXIS, "start[{0}] is {1} and stop[{0}] is {2}, but axis {0} has extent {3}",
           axis, slab.box.low[axis], slab.box.high[axis], extent);
  }
  return slab;
}

}  // namespace

void with_slab(const char* function, const team::Blocked& blocked, const int64_t* start,
               const int64_t* stop, int32_t place, const SlabMemory& memory,
               const std::function<void(const team::Slab&)>& call) {
  team::Slab slab = slab_of(blocked, start, stop, place);
  const auto take_memory = [&] {
    slab.memory =
        user_memory(blocked.dtype(), slab.box.extents(), memory.strides, memory.data, memory.bytes);
  };
  if (place < 0) take_memory();
  collective(blocked.team(), function, blocked.digest(), [&] {
    if (place >= 0 && blocked.team().is_local(place)) take_memory();
    call(slab);
  });
}

}  // namespace gpuarr
