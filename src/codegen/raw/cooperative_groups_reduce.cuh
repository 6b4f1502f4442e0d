// cooperative_groups/reduce.h and scan.h on the host.
#pragma once

#include <cooperative_groups.h>

namespace cooperative_groups {

template <class T>
struct plus {
  T operator()(const T& x, const T& y) const { return x + y; }
};
template <class T>
struct less {
  T operator()(const T& x, const T& y) const { return y < x ? y : x; }
};
template <class T>
struct greater {
  T operator()(const T& x, const T& y) const { return x < y ? y : x; }
};
template <class T>
struct bit_and {
  T operator()(const T& x, const T& y) const { return x & y; }
};
template <class T>
struct bit_or {
  T operator()(const T& x, const T& y) const { return x | y; }
};
template <class T>
struct bit_xor {
  T operator()(const T& x, const T& y) const { return x ^ y; }
};

// Every lane gets the same: the value of each in turn is taken in the same order.
template <class Group, class T, class Op>
inline T reduce(const Group& group, T value, Op op) {
  const coalesced_group lanes(group.lanes());
  const unsigned size = lanes.size();
  if ((size & (size - 1)) != 0) {
    T result = lanes.shfl(value, 0);
    for (unsigned i = 1; i < size; ++i) result = op(result, lanes.shfl(value, (int)i));
    return result;
  }
  for (unsigned d = size / 2; d != 0; d /= 2)
    value = op(value, lanes.shfl(value, (int)(lanes.thread_rank() ^ d)));
  return value;
}

template <class Group, class T, class Op>
inline T inclusive_scan(const Group& group, T value, Op op) {
  const coalesced_group lanes(group.lanes());
  const unsigned rank = lanes.thread_rank();
  for (unsigned d = 1; d < lanes.size(); d *= 2) {
    const T before = lanes.shfl_up(value, d);
    if (rank >= d) value = op(before, value);
  }
  return value;
}
template <class Group, class T>
inline T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
template <class Group, class T, class Op>
inline T exclusive_scan(const Group& group, T value, Op op) {
  const coalesced_group lanes(group.lanes());
  const T before = lanes.shfl_up(inclusive_scan(group, value, op), 1);
  return lanes.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
inline T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups
