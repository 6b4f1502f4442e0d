// cooperative_groups/memcpy_async.h on the host: plain copies, of which each thread does a part.
#pragma once

#include <cooperative_groups.h>

namespace cooperative_groups {

template <class Group>
inline void memcpy_async(const Group& group, void* to, const void* from, size_t bytes) {
  const size_t rank = group.thread_rank(), size = group.size();
  const size_t first = bytes / size * rank + (rank < bytes % size ? rank : bytes % size);
  const size_t count = bytes / size + (rank < bytes % size);
  __builtin_memcpy((char*)to + first, (const char*)from + first, count);
}
template <class Group, class T>
inline void memcpy_async(const Group& group, T* to, size_t room, const T* from, size_t count) {
  memcpy_async(group, (void*)to, (const void*)from, (room < count ? room : count) * sizeof(T));
}
template <class Group>
inline void wait(const Group& group) {
  group.sync();
}
template <unsigned Stages, class Group>
inline void wait_prior(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups
