// The preamble of take_line.cuh: how an index outside is noted in `bad`, and found. On the CPU a
// number to keep beside costs the loop a third of its speed: what was wrong is looked for again.

#ifdef __CUDACC_RTC__
#define NOTE_PLACE bad = outside ? i : bad
#else
#define NOTE_PLACE bad &= -1LL + outside
template <class View>
static inline long long first_outside(const View& all, unsigned long long extent) {
  for (long long at = 0; at < all.size(); ++at)
    if ((unsigned long long)(long long)all(at) + (all(at) < 0 ? extent : 0) >= extent) return at;
  return 0;
}
#endif
