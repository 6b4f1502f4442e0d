/** @file gpuarr_team.hpp  libgpuarr for C++17: teams, blocked arrays, and what is computed on
 *  them: map_blocks, reductions, products, order.
 *
 *      const gpuarr::Team team = gpuarr::Team::world();  // all processes; alone, this one
 *      gpuarr::Blocked x(team, GPUARR_F32, {1000, 300}, {400, 100}), z = x.like();
 *      x.arange(0, 1);
 *      gpuarr::map_blocks(gpuarr::Elementwise("T x", "T z", "z = 2 * x"), {z}, {x});
 *      float most = z.reduce("max").item<float>();  // on every place
 *
 *  Processes  All make the same calls on a team and its arrays, in the same order; one thread does.
 *  Arguments  Kernels of map_blocks take Blocked as they take Array, and what begins with block_.
 *  Callbacks  What a function throws comes out of the call that ran it, and is GPUARR_ERR_PEER in
 *             other processes.
 */
#ifndef GPUARR_TEAM_HPP
#define GPUARR_TEAM_HPP

#include "gpuarr_map_blocks.hpp"

namespace gpuarr {
inline namespace wrapper {

/// Puts the result of a C function into a blocked array, in whatever blocks that is divided:
/// into(z, gpuarr_blocked_matmul, x, y).
template <class F, class... A> void into(const Blocked& out, F function, const A&... arguments) {
  gpuarr_blocked* given = out;
  check(function(&given, arguments...));
}

/// The product of matrices, or of one and a vector, which may be in different blocks.
inline Blocked matmul(const Blocked& x, const Blocked& y) {
  return get<Blocked>(gpuarr_blocked_matmul, x, y);
}

/// A sorted vector, NaN last: the same bits at any number of places.
inline Blocked sort(const Blocked& x, bool descending = false) {
  return get<Blocked>(gpuarr_blocked_sort, x, descending);
}

/// @name Cumulative sums and the like along an axis, inclusive or exclusive.
///@{
inline Blocked cumsum(const Blocked& x, int axis = -1, bool exclusive = false) {
  return get<Blocked>(gpuarr_blocked_scan, "cumsum", x, axis, exclusive);
}
inline Blocked cumprod(const Blocked& x, int axis = -1, bool exclusive = false) {
  return get<Blocked>(gpuarr_blocked_scan, "cumprod", x, axis, exclusive);
}
inline Blocked cummin(const Blocked& x, int axis = -1, bool exclusive = false) {
  return get<Blocked>(gpuarr_blocked_scan, "cummin", x, axis, exclusive);
}
inline Blocked cummax(const Blocked& x, int axis = -1, bool exclusive = false) {
  return get<Blocked>(gpuarr_blocked_scan, "cummax", x, axis, exclusive);
}
///@}

}  // namespace wrapper
}  // namespace gpuarr
#endif
