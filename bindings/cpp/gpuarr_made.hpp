/** @file gpuarr_made.hpp  libgpuarr for C++17: results of operations, for the headers that declare
 *  them. */
#ifndef GPUARR_MADE_HPP
#define GPUARR_MADE_HPP

#include <algorithm>

#include "gpuarr.hpp"

namespace gpuarr {
inline namespace wrapper {

using Arrays = std::vector<Array>;  ///< {x, y}

/// The result of a C function, in the thread's current stream.
template <class F, class... A> Array made(F function, const A&... arguments) {
  return get<Array>(function, arguments..., nullptr);
}

template <class R, std::size_t... I, class F, class... A>
R made_in_turn(std::index_sequence<I...>, F function, const A&... arguments) {
  Array results[sizeof...(I)];
  check(function(results[I].out()..., arguments..., nullptr));
  return R{std::move(results[I])...};
}

/// Several results of a C function, as a struct of arrays.
template <class R, class F, class... A> R made_as(F function, const A&... arguments) {
  return made_in_turn<R>(std::make_index_sequence<sizeof(R) / sizeof(Array)>(), function,
                         arguments...);
}

/// Puts the result of a C function into an array.
template <class F, class... A> void into(const Array& out, F function, const A&... arguments) {
  gpuarr_array* given = out;
  check(function(&given, passed(arguments)..., nullptr));
}

/// Several results of a C function that takes no stream, in a list.
template <class F, class... A> Arrays made_list(int64_t count, F function, const A&... arguments) {
  const auto some = static_cast<std::size_t>(std::max<int64_t>(count, 0));
  std::vector<gpuarr_array*> results(some + 1);  // C takes no NULL, also for none
  Arrays list(some);
  check(function(results.data(), arguments...));
  for (std::size_t k = 0; k < some; ++k) *list[k].out() = results[k];
  return list;
}

/// A list as C takes it.
inline std::vector<const gpuarr_array*> pointers(const Arrays& list) {
  return {list.begin(), list.end()};
}

/// Checks the length of a list, which C cannot see.
template <class List>
const typename List::value_type* counted(const List& list, int64_t wanted, const char* what) {
  if (static_cast<int64_t>(list.size()) == wanted) return list.data();
  throw Error(GPUARR_ERR_ARGUMENT, std::string(what) + " has " + std::to_string(list.size()) +
                                       " numbers; it takes " + std::to_string(wanted));
}

}  // namespace wrapper
}  // namespace gpuarr
#endif
