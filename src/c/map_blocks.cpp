// gpuarr/map_blocks.h: check, convert, call.
#include "gpuarr/map_blocks.h"

#include <cstring>

#include "c/blocked_arguments.hpp"
#include "c/expr_handles.hpp"
#include "c/guard.hpp"
#include "c/kernel_handles.hpp"
#include "c/map_texts.hpp"
#include "core/per_thread.hpp"
#include "team/map/map.hpp"
#include "team/move/halo.hpp"

using namespace gpuarr;

namespace {

// Handles that a user's function gets for the time of its call.
class BlockHandles {
 public:
  explicit BlockHandles(const team::BlockCall& call)
      : device_(call.stream->device()),
        before_(hold_current_stream(device_)),
        stream_(gpuarr_stream::make(call.stream->for_user())) {
    set_current_stream(device_, call.stream->shared_from_this());
  }
  ~BlockHandles() {
    set_current_stream(device_, before_);
    for (gpuarr_array* array : arrays_) release(array);
    release(stream_);
  }
  BlockHandles(const BlockHandles&) = delete;
  BlockHandles& operator=(const BlockHandles&) = delete;

  void add(const Array& array) {
    arrays_.reserve(arrays_.size() + 1);
    arrays_.push_back(wrap(array));
  }
  gpuarr_array* const* arrays() const { return arrays_.data(); }
  gpuarr_stream* stream() const { return stream_; }

 private:
  Device& device_;
  std::shared_ptr<Stream> before_;
  gpuarr_stream* stream_;
  std::vector<gpuarr_array*> arrays_;
};

struct UserFunction {
  gpuarr_block_fn function;
  void* user;
  size_t outputs;
  bool with_halo;
};

void call_for(const UserFunction& f, const team::Alignment& alignment,
              const team::BlockCall& call) {
  BlockHandles handles(call);
  for (size_t k = 0; k < alignment.size(); ++k)
    handles.add(alignment.array(k, *call.block, f.with_halo && k >= f.outputs));
  const gpuarr_block block{call, handles.stream()};
  const team::Team::InCallback runs(alignment.team());
  const gpuarr_status status =
      f.function(&block, handles.arrays(), handles.arrays() + f.outputs, f.user);
  if (status != GPUARR_OK)
    throw Error(status, formatted("the function returned {} ({}): {}", status, status_name(status),
                                  gpuarr_last_error()));
}

void run(const char* name, const UserFunction& f, std::vector<team::Aligned> arrays,
         team::Extents extents, bool exchanges) {
  if (f.function == nullptr) fail(GPUARR_ERR_ARGUMENT, "function is NULL; give one");
  team::Blocked& over = *arrays.front().blocked;
  const uint64_t digest = digest_of(arrays);
  const std::vector<team::Aligned> inputs(arrays.begin() + static_cast<ptrdiff_t>(f.outputs),
                                          arrays.end());
  team::Alignment alignment(over, std::move(arrays), extents);
  collective(over.team(), name, digest, [&] {
    for (const team::Aligned& input : inputs)
      if (exchanges && input.blocked->halo().any()) team::exchange_halo(*input.blocked);
    alignment.fetch();
    team::each_block(over, [&](const team::BlockCall& call) { call_for(f, alignment, call); });
  });
}

void run_kernel(const char* name, const MapArguments& arguments,
                const std::function<void(const team::Alignment&)>& work,
                team::Extents extents = team::Extents::broadcast) {
  team::Alignment alignment = arguments.alignment(extents);
  collective(
      arguments.over().team(), name, arguments.digest(),
      [&] {
        alignment.fetch();
        work(alignment);
      },
      true);
}

// The same where each block's call gets arguments and outputs.
void run_blocks(const char* name, const MapArguments& arguments, const team::BlockWork& work,
                team::Extents extents = team::Extents::broadcast) {
  const auto map = [&](const team::Alignment& alignment) {
    team::map(alignment, arguments.outputs(), arguments.inputs(), work);
  };
  run_kernel(name, arguments, map, extents);
}

// Axes of what the block's call was made over, negative from the last; -1 if there is none.
int64_t of_axis(const gpuarr_block* block, int32_t axis,
                int64_t (*get)(const team::BlockCall&, int)) {
  if (block == nullptr) return -1;
  const int ndim = block->call.location.size();
  const int at = axis < 0 ? axis + ndim : axis;
  return at >= 0 && at < ndim ? get(block->call, at) : -1;
}

}  // namespace

gpuarr_status gpuarr_map_blocks(gpuarr_block_fn function, void* user,
                                gpuarr_blocked* const* outputs, int32_t output_count,
                                gpuarr_blocked* const* inputs, int32_t input_count, int32_t flags) {
  return guard(__func__, [&] {
    if ((flags & ~(GPUARR_MAP_POSITION | GPUARR_MAP_HALO)) != 0)
      fail(GPUARR_ERR_ARGUMENT, "flags is {}; give 0 or a sum of GPUARR_MAP_...", flags);
    const bool free = (flags & GPUARR_MAP_POSITION) != 0;
    run("gpuarr_map_blocks",
        {function, user, static_cast<size_t>(output_count), (flags & GPUARR_MAP_HALO) != 0},
        aligned_of(outputs, output_count, inputs, input_count),
        free ? team::Extents::free : team::Extents::broadcast, false);
  });
}

gpuarr_status gpuarr_map_overlap(gpuarr_block_fn function, void* user,
                                 gpuarr_blocked* const* outputs, int32_t output_count,
                                 gpuarr_blocked* const* inputs, int32_t input_count) {
  return guard(__func__, [&] {
    run("gpuarr_map_overlap", {function, user, static_cast<size_t>(output_count), true},
        aligned_of(outputs, output_count, inputs, input_count), team::Extents::broadcast, true);
  });
}

int64_t gpuarr_block_number(const gpuarr_block* block) {
  return block != nullptr ? block->call.block->number : -1;
}

int32_t gpuarr_block_place(const gpuarr_block* block) {
  return block != nullptr ? block->call.block->place : -1;
}

int64_t gpuarr_block_location(const gpuarr_block* block, int32_t axis) {
  return of_axis(block, axis, [](const team::BlockCall& c, int at) { return c.location[at]; });
}

int64_t gpuarr_block_start(const gpuarr_block* block, int32_t axis) {
  return of_axis(block, axis, [](const team::BlockCall& c, int at) { return c.box.low[at]; });
}

int64_t gpuarr_block_stop(const gpuarr_block* block, int32_t axis) {
  return of_axis(block, axis, [](const team::BlockCall& c, int at) { return c.box.high[at]; });
}

gpuarr_stream* gpuarr_block_stream(const gpuarr_block* block) {
  return block != nullptr ? block->stream : nullptr;
}

gpuarr_arg gpuarr_arg_blocked(const gpuarr_blocked* blocked, int32_t kind) {
  gpuarr_arg arg{};
  arg.flags = kind;
  std::memcpy(arg.value, &blocked, sizeof(void*));
  return arg;
}

gpuarr_arg gpuarr_arg_block(int32_t what, int32_t axis) {
  gpuarr_arg arg{};
  arg.flags = what;
  std::memcpy(arg.value, &axis, sizeof axis);
  return arg;
}

gpuarr_status gpuarr_map_blocks_elementwise(gpuarr_elementwise* kernel,
                                            gpuarr_blocked* const* outputs, int32_t output_count,
                                            const gpuarr_arg* inputs, int32_t input_count) {
  return guard(__func__, [&] {
    Elementwise& k = *deref(kernel, "kernel");
    check_counts(k, output_count, input_count, "kernel");
    const MapArguments arguments(outputs, output_count, inputs, input_count, "input");
    run_blocks("gpuarr_map_blocks_elementwise", arguments,
               [&](const team::BlockCall& call, auto in, auto out) {
                 k.call(in, out, no_size, call.stream);
               });
  });
}

gpuarr_status gpuarr_map_blocks_reduction(gpuarr_reduction* kernel, gpuarr_blocked* const* outputs,
                                          int32_t output_count, const gpuarr_arg* inputs,
                                          int32_t input_count, const int32_t* axes,
                                          int32_t axis_count) {
  return guard(__func__, [&] {
    Reduction& k = *deref(kernel, "kernel");
    check_counts(k, output_count, input_count, "kernel");
    const AxisRequest request = axis_request(axes, axis_count, 1);
    const MapArguments arguments(outputs, output_count, inputs, input_count, "input");
    const auto work = [&](const team::BlockCall& call, auto in, auto out) {
      k.call(in, out, request, call.stream);
    };
    run_blocks("gpuarr_map_blocks_reduction", arguments, work, team::Extents::free);
  });
}

gpuarr_status gpuarr_map_blocks_raw(gpuarr_raw* kernel, gpuarr_blocked* over, const int64_t* block,
                                    const gpuarr_arg* args, int32_t arg_count) {
  return guard(__func__, [&] {
    RawKernel& k = *deref(kernel, "kernel");
    const MapArguments arguments(over, args, arg_count);
    run_kernel("gpuarr_map_blocks_raw", arguments, [&](const team::Alignment& alignment) {
      team::map_raw(k, alignment, block, arguments.inputs());
    });
  });
}

gpuarr_status gpuarr_map_blocks_eval(gpuarr_blocked* const* outputs, int32_t output_count,
                                     const char* text, const char* const* names,
                                     const gpuarr_arg* args, int32_t count) {
  return guard(__func__, [&] {
    const MapArguments arguments(outputs, output_count, args, count, "arg");
    const MapText work(text, names, count, output_count);
    run_blocks(
        "gpuarr_map_blocks_eval", arguments,
        [&](const team::BlockCall& call, auto in, auto out) { work.run(in, out, call.stream); });
  });
}

gpuarr_status gpuarr_map_blocks_function(const gpuarr_function* function,
                                         gpuarr_blocked* const* outputs, int32_t output_count,
                                         const gpuarr_arg* inputs, int32_t input_count) {
  return guard(__func__, [&] {
    const expr::Formula& f = *deref(function, "function");
    check_counts(f, output_count, input_count, "function");
    const MapArguments arguments(outputs, output_count, inputs, input_count, "input");
    run_blocks(
        "gpuarr_map_blocks_function", arguments,
        [&](const team::BlockCall& call, auto in, auto out) { f.call(in, out, call.stream); });
  });
}
