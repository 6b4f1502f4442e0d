/** @file gpuarr_map_blocks.hpp  libgpuarr for C++17: functions, kernels and texts for each block of
 *  blocked arrays, reductions of one's own.
 *
 *  gpuarr_team.hpp includes it, and says what holds of them. */
#ifndef GPUARR_MAP_BLOCKS_HPP
#define GPUARR_MAP_BLOCKS_HPP

#include "gpuarr_blocked.hpp"
#include "gpuarr_function.hpp"

namespace gpuarr {
inline namespace wrapper {

/// The block that a function is called for: number, place; location in the grid, first index and
/// the one behind the last, along an axis; the stream to work in, which is the current one.
struct Block {
  int64_t number() const noexcept { return gpuarr_block_number(pointer); }
  int32_t place() const noexcept { return gpuarr_block_place(pointer); }
  int64_t location(int32_t axis) const noexcept { return gpuarr_block_location(pointer, axis); }
  int64_t start(int32_t axis) const noexcept { return gpuarr_block_start(pointer, axis); }
  int64_t stop(int32_t axis) const noexcept { return gpuarr_block_stop(pointer, axis); }
  Stream stream() const {
    Stream s;
    *s.out() = gpuarr_stream_retain(gpuarr_block_stream(pointer));
    return s;
  }
  const gpuarr_block* pointer;
};

using BlockedList = std::initializer_list<Blocked>;  ///< {x, y}

/// Blocked arrays as C takes them during a call.
inline std::vector<gpuarr_blocked*> pointers(BlockedList list) {
  return {list.begin(), list.end()};
}

/// A function of a block, its outputs and its inputs, which is no handle of a kernel.
template <class F>
using Callable = std::enable_if_t<!std::is_convertible_v<std::decay_t<F>&, const void*>>;

template <class F> struct ForBlocks {
  gpuarr_status operator()(const Block& block, gpuarr_array* const* out,
                           gpuarr_array* const* in) const {
    gpuarr_status status = GPUARR_ERR_INTERNAL;
    guarded(0, [&] {
      try {
        Arrays written = list(out, outputs), read = list(in, inputs);
        function(block, written, read);
        status = GPUARR_OK;
      } catch (const Error& error) {
        status = error.status;
        gpuarr_set_last_error(error.what());  // which other processes are told
        throw;
      } catch (const std::exception& exception) {
        gpuarr_set_last_error(exception.what());
        throw;
      } catch (...) {
        gpuarr_set_last_error("an exception that is none of std's");
        throw;
      }
      return 0;
    });
    return status;
  }
  static Arrays list(gpuarr_array* const* lent, std::size_t count) {
    Arrays arrays(count);
    for (std::size_t k = 0; k < count; ++k) *arrays[k].out() = gpuarr_array_retain(lent[k]);
    return arrays;
  }
  static gpuarr_status run(const gpuarr_block* block, gpuarr_array* const* out,
                           gpuarr_array* const* in, void* user) {
    return (*static_cast<const ForBlocks*>(user))(Block{block}, out, in);
  }
  F& function;
  std::size_t outputs, inputs;
};

/// Calls f(const Block&, Arrays& outputs, const Arrays& inputs) for each block of the first
/// output, with the blocks at the same location of all grids; flags are GPUARR_MAP_...
template <class F, class = Callable<F>>
void map_blocks(F&& f, BlockedList out, BlockedList in = {}, int32_t flags = 0) {
  using Calls = ForBlocks<std::remove_reference_t<F>>;
  Calls calls{f, out.size(), in.size()};
  const auto z = pointers(out), x = pointers(in);
  check(gpuarr_map_blocks(Calls::run, &calls, z.data(), len(z), x.data(), len(x), flags));
}

/// The same with inputs' ghost cells, which it brings up to date: stencils.
template <class F, class = Callable<F>> void map_overlap(F&& f, BlockedList out, BlockedList in) {
  using Calls = ForBlocks<std::remove_reference_t<F>>;
  Calls calls{f, out.size(), in.size()};
  const auto z = pointers(out), x = pointers(in);
  check(gpuarr_map_overlap(Calls::run, &calls, z.data(), len(z), x.data(), len(x)));
}

/// Runs a kernel for each block: elementwise; a function of expressions; a reduction, block by
/// block, into blocks of extent 1 along the axes.
inline void map_blocks(const Elementwise& kernel, BlockedList out, const Inputs& x) {
  const auto z = pointers(out);
  check(gpuarr_map_blocks_elementwise(kernel, z.data(), len(z), x.begin(), len(x)));
}
inline void map_blocks(const Function& function, BlockedList out, const Inputs& x) {
  const auto z = pointers(out);
  check(gpuarr_map_blocks_function(function, z.data(), len(z), x.begin(), len(x)));
}
inline void map_blocks(const Reduction& kernel, BlockedList out, const Inputs& x, const Axes& a) {
  const auto z = pointers(out);
  const int32_t n = len(x);
  check(gpuarr_map_blocks_reduction(kernel, z.data(), len(z), x.begin(), n, a.data(), along(a)));
}

/// Launches a raw kernel for each block of an array: a thread for each element, along x; or blocks
/// of so many threads that cover the last axis by x, the one before by y, all others by z.
inline void map_blocks(const Raw& kernel, const Blocked& over, const Inputs& args) {
  check(gpuarr_map_blocks_raw(kernel, over, nullptr, args.begin(), len(args)));
}
inline void map_blocks(const Raw& kernel, const Blocked& over, Grid threads, const Inputs& args) {
  check(gpuarr_map_blocks_raw(kernel, over, threads.xyz, args.begin(), len(args)));
}

/// Computes an expression from its text for each block: map_blocks("a * x", {z}, {"a", "x"}, {2,
/// x}).
inline void map_blocks(Text text, BlockedList out, const std::vector<const char*>& names,
                       const Inputs& x) {
  const auto z = pointers(out);
  const char* const* const list = counted(names, len(x), "names");
  check(gpuarr_map_blocks_eval(z.data(), len(z), text, list, x.begin(), len(x)));
}

/// Reduces blocked arrays by a kernel, as if they were whole, into outputs; empty ones are made, on
/// every place.
inline void reduce(const Reduction& kernel,
                   std::initializer_list<std::reference_wrapper<Blocked>> out, const Inputs& x,
                   const Axes& a = {}, bool keep = false) {
  std::vector<gpuarr_blocked*> z;
  for (const Blocked& blocked : out) z.push_back(blocked);
  const gpuarr_status status = gpuarr_blocked_reduction(kernel, z.data(), len(z), x.begin(), len(x),
                                                        a.data(), along(a), keep);
  auto made = z.begin();
  for (Blocked& blocked : out)
    if (gpuarr_blocked* const result = *made++; result != blocked) *blocked.out() = result;
  check(status);
}

}  // namespace wrapper
}  // namespace gpuarr
#endif
