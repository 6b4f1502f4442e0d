// Warps of 32 threads that exchange values. Lanes bring what they have to the library; when the
// last one has come, it does what `complete` says for all of them.

namespace gpuarr_glue {

typedef void (*completion)(gpuarr_exchange* const* lanes, unsigned arrived);

inline __attribute__((always_inline)) void exchange(gpuarr_exchange& mine) {
  gpuarr_fiber* me = self;
  go_on_as(let_run(me, services->exchange(me, &mine)));
}

template <class Body>
inline void for_each_lane(unsigned lanes, const Body& body) {
  for (; lanes != 0; lanes &= lanes - 1) body((unsigned)__builtin_ctz(lanes));
}

template <class T>
inline const T& value_of(const gpuarr_exchange& lane) {
  return *(const T*)lane.value;
}
template <class T>
inline T& result_of(const gpuarr_exchange& lane) {
  return *(T*)lane.result;
}

// Where a lane's value comes from. As on the GPU, one that would come from outside of its part of
// the warp is its own, and one of a lane that does not take part is 0.
struct from_index {
  static unsigned source(unsigned lane, unsigned by, unsigned width) {
    return (lane & ~(width - 1)) | (by & (width - 1));
  }
};
struct from_below {
  static unsigned source(unsigned lane, unsigned by, unsigned width) {
    return (lane & (width - 1)) >= by ? lane - by : lane;
  }
};
struct from_above {
  static unsigned source(unsigned lane, unsigned by, unsigned width) {
    return (lane & (width - 1)) + by < width ? lane + by : lane;
  }
};
struct from_other {
  static unsigned source(unsigned lane, unsigned by, unsigned width) {
    return (lane ^ by) <= (lane | (width - 1)) ? lane ^ by : lane;
  }
};

template <class T, class From>
void complete_shuffle(gpuarr_exchange* const* lanes, unsigned arrived) {
  for_each_lane(arrived, [=](unsigned i) {
    gpuarr_exchange& lane = *lanes[i];
    const unsigned source = From::source(i, (unsigned)lane.argument & 31, (unsigned)lane.width);
    if (arrived >> source & 1) {
      result_of<T>(lane) = value_of<T>(*lanes[source]);
    } else {
      __builtin_memset(lane.result, 0, sizeof(T));
      lane.missed = (int)source;
    }
  });
}

template <class From, class T>
inline __attribute__((always_inline)) T shuffle(const char* name, unsigned mask, const T& value,
                                                int by, int width, int line) {
  static_assert(__is_trivially_copyable(T), "what is shuffled must be plain bytes");
  alignas(T) unsigned char result[sizeof(T)];
  gpuarr_exchange mine = {name, mask, line, complete_shuffle<T, From>, &value, result, by, width};
  exchange(mine);
  return *(T*)result;
}

struct ballot {
  unsigned arrived, set;
};
inline void complete_ballot(gpuarr_exchange* const* lanes, unsigned arrived) {
  ballot all = {arrived, 0};
  for_each_lane(arrived, [&](unsigned i) { all.set |= (lanes[i]->argument != 0 ? 1u : 0u) << i; });
  for_each_lane(arrived, [&](unsigned i) { result_of<ballot>(*lanes[i]) = all; });
}
inline __attribute__((always_inline)) ballot vote_of_warp(const char* name, unsigned mask,
                                                          int predicate, int line) {
  ballot result;
  gpuarr_exchange mine = {name, mask, line, complete_ballot, nullptr, &result, predicate, 0};
  exchange(mine);
  return result;
}

inline void complete_sync(gpuarr_exchange* const*, unsigned) {}

template <class T>
inline bool same_bits(const gpuarr_exchange& a, const gpuarr_exchange& b) {
  return __builtin_memcmp(a.value, b.value, sizeof(T)) == 0;
}
template <class T>
void complete_match(gpuarr_exchange* const* lanes, unsigned arrived) {
  for_each_lane(arrived, [=](unsigned i) {
    ballot same = {arrived, 0};
    for_each_lane(arrived, [&](unsigned j) {
      same.set |= (same_bits<T>(*lanes[i], *lanes[j]) ? 1u : 0u) << j;
    });
    result_of<ballot>(*lanes[i]) = same;
  });
}
template <class T>
inline __attribute__((always_inline)) ballot match(const char* name, unsigned mask, const T& value,
                                                   int line) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "values of 4 or 8 bytes are matched");
  ballot result;
  gpuarr_exchange mine = {name, mask, line, complete_match<T>, &value, &result, 0, 0};
  exchange(mine);
  return result;
}

template <class T, class Combine>
void complete_reduce(gpuarr_exchange* const* lanes, unsigned arrived) {
  T result = value_of<T>(*lanes[__builtin_ctz(arrived)]);
  for_each_lane(arrived & (arrived - 1),
                [&](unsigned i) { result = Combine()(result, value_of<T>(*lanes[i])); });
  for_each_lane(arrived, [&](unsigned i) { result_of<T>(*lanes[i]) = result; });
}
template <class Combine, class T>
inline __attribute__((always_inline)) T reduce(const char* name, unsigned mask, T value, int line) {
  T result;
  gpuarr_exchange mine = {name, mask, line, complete_reduce<T, Combine>, &value, &result, 0, 0};
  exchange(mine);
  return result;
}

}  // namespace gpuarr_glue

inline __attribute__((always_inline)) void __syncwarp(unsigned mask = 0xffffffffu,
                                                      int line = GPUARR_LINE) {
  gpuarr_exchange mine = {"__syncwarp", mask,    line, gpuarr_glue::complete_sync,
                          nullptr,      nullptr, 0,    0};
  gpuarr_glue::exchange(mine);
}

// With _sync the lanes of a mask, without it those that come to the line together.
#define GPUARR_SHUFFLE(name, from, type)                                                       \
  template <class T>                                                                           \
  inline __attribute__((always_inline))                                                        \
  T name##_sync(unsigned mask, T value, type by, int width = 32, int line = GPUARR_LINE) {     \
    return gpuarr_glue::shuffle<gpuarr_glue::from>(#name "_sync", mask, value, (int)by, width, \
                                                   line);                                      \
  }                                                                                            \
  template <class T>                                                                           \
  inline __attribute__((always_inline)) T name(T value, type by, int width = 32,               \
                                               int line = __builtin_LINE()) {                  \
    return gpuarr_glue::shuffle<gpuarr_glue::from>(#name, 0, value, (int)by, width, line);     \
  }
GPUARR_SHUFFLE(__shfl, from_index, int)
GPUARR_SHUFFLE(__shfl_up, from_below, unsigned)
GPUARR_SHUFFLE(__shfl_down, from_above, unsigned)
GPUARR_SHUFFLE(__shfl_xor, from_other, int)
#undef GPUARR_SHUFFLE

#define GPUARR_VOTE(name, type, result)                                                         \
  inline __attribute__((always_inline))                                                         \
  type name##_sync(unsigned mask, int predicate, int line = GPUARR_LINE) {                      \
    const gpuarr_glue::ballot all =                                                             \
        gpuarr_glue::vote_of_warp(#name "_sync", mask, predicate, line);                        \
    return result;                                                                              \
  }                                                                                             \
  inline __attribute__((always_inline)) type name(int predicate, int line = __builtin_LINE()) { \
    const gpuarr_glue::ballot all = gpuarr_glue::vote_of_warp(#name, 0, predicate, line);       \
    return result;                                                                              \
  }
GPUARR_VOTE(__all, int, all.set == all.arrived)
GPUARR_VOTE(__any, int, all.set != 0)
GPUARR_VOTE(__ballot, unsigned, all.set)
#undef GPUARR_VOTE

inline unsigned __activemask(int line = __builtin_LINE()) {
  return gpuarr_glue::vote_of_warp("__activemask", 0, 1, line).arrived;
}

template <class T>
inline unsigned __match_any_sync(unsigned mask, T value, int line = GPUARR_LINE) {
  return gpuarr_glue::match("__match_any_sync", mask, value, line).set;
}
template <class T>
inline unsigned __match_all_sync(unsigned mask, T value, int* all, int line = GPUARR_LINE) {
  const gpuarr_glue::ballot same = gpuarr_glue::match("__match_all_sync", mask, value, line);
  *all = same.set == same.arrived;
  return *all ? same.set : 0;
}

#define GPUARR_REDUCE(name, type, result)                                    \
  inline __attribute__((always_inline)) type name(unsigned mask, type value, \
                                                  int line = GPUARR_LINE) {  \
    struct combine {                                                         \
      type operator()(type a, type b) const { return result; }               \
    };                                                                       \
    return gpuarr_glue::reduce<combine>(#name, mask, value, line);           \
  }
GPUARR_REDUCE(__reduce_add_sync, unsigned, a + b)
GPUARR_REDUCE(__reduce_add_sync, int, (int)((unsigned)a + (unsigned)b))
GPUARR_REDUCE(__reduce_min_sync, unsigned, a < b ? a : b)
GPUARR_REDUCE(__reduce_min_sync, int, a < b ? a : b)
GPUARR_REDUCE(__reduce_max_sync, unsigned, a > b ? a : b)
GPUARR_REDUCE(__reduce_max_sync, int, a > b ? a : b)
GPUARR_REDUCE(__reduce_and_sync, unsigned, a& b)
GPUARR_REDUCE(__reduce_or_sync, unsigned, a | b)
GPUARR_REDUCE(__reduce_xor_sync, unsigned, a ^ b)
#undef GPUARR_REDUCE
