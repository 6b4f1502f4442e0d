#include "team/map/map.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace gpuarr::team {
namespace {

void check_threads(const int64_t* threads) {
  for (size_t k = 0; k < 3; ++k)
    if (threads[k] < 1)
      fail(GPUARR_ERR_ARGUMENT, "block[{}] is {}; give a number of threads", k, threads[k]);
}

// Neighbours along x are neighbours in memory, by the array's order: strides alone do not tell it
// of a block that is one element wide.
RawShape shape_of(const Dims& extents, Order order, const int64_t* threads) {
  RawShape out{{1, 1, 1}, {threads[0], threads[1], threads[2]}};
  std::array<int64_t, 3> sizes{1, 1, 1};
  const int ndim = extents.size();
  for (int k = 0; k < ndim; ++k)
    sizes[static_cast<size_t>(std::min(k, 2))] *= extents[order == Order::f ? k : ndim - 1 - k];
  for (size_t k = 0; k < 3; ++k) out.grid[k] = (sizes[k] - 1) / threads[k] + 1;
  return out;
}

// Where this process has no block with elements, one call of arrays without any: a wrong dtype or
// argument is found here as on the other places. What they fail with for lack of elements is none.
template <class Work>
void check_without_blocks(Blocked& over, Work&& work) {
  const auto has_elements = [](const Block& block) { return block.inner.size() > 0; };
  if (over.shape().empty() || std::ranges::any_of(over.blocks(), has_elements)) return;
  try {
    work(BlockCall{&over, nullptr, {}, {}, over.team().places().front().stream.get()});
  } catch (const Error& e) {
    if (e.status() == GPUARR_ERR_DTYPE || e.status() == GPUARR_ERR_ARGUMENT) throw;
  }
}

}  // namespace

void fail_in_block(const std::exception_ptr& error, const BlockCall& call) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& e) {
    throw Error(e.status(),
                formatted("block {} on place {}: {}", to_string(call.location), call.block->place,
                          e.message()),
                e.native());
  }
}

void map(const Alignment& alignment, size_t outputs, std::span<const MapInput> inputs,
         const BlockWork& work) {
  BlockArguments arguments(alignment, inputs);
  std::vector<const Array*> results(outputs);
  each_block(alignment.over(), [&](const BlockCall& call) {
    for (size_t k = 0; k < outputs; ++k) results[k] = &alignment.array(k, *call.block, false);
    work(call, arguments.of(call), results);
  });
  check_without_blocks(alignment.over(), [&](const BlockCall& call) {
    std::vector<Array> nothing;
    for (size_t k = 0; k < outputs; ++k) nothing.push_back(alignment.nothing(k, *call.stream));
    for (size_t k = 0; k < outputs; ++k) results[k] = &nothing[k];
    work(call, arguments.of(call), results);
  });
}

void map_raw(RawKernel& kernel, const Alignment& alignment, const int64_t* threads,
             std::span<const MapInput> inputs) {
  if (threads != nullptr) check_threads(threads);  // on places without blocks, too
  BlockArguments arguments(alignment, inputs);
  const Order order = alignment.over().layout().order;
  each_block(alignment.over(), [&](const BlockCall& call) {
    const Array& block = call.block->inner;
    const auto given = arguments.raw_of(call);
    if (threads == nullptr)
      kernel.launch_1d(block.size(), given, *call.stream);
    else
      kernel.launch(shape_of(block.layout.shape, order, threads), given, *call.stream);
  });
  check_without_blocks(alignment.over(), [&](const BlockCall& call) {
    kernel.launch_1d(0, arguments.raw_of(call), *call.stream);
  });
}

}  // namespace gpuarr::team
