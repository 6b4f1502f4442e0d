// Items that are numbers.

// An item is a number, sorted as it is: an element's, or that with the index below it.
typedef W sort_item;
enum { first_digit = SORT_INDEXED ? 4 : 0 };
static inline W rank_of(sort_item e) { return e; }
#if SORT_INDEXED
static inline sort_item item_of(sort_bits x, long long i) {
  return (W)compared(ordered(x)) << 32 | (unsigned)i;
}
static inline long long index_of(sort_item e) { return (unsigned)e; }
static inline sort_bits element_of(const sort_bits* in, sort_item e) { return in[index_of(e)]; }
#else
static inline sort_item item_of(sort_bits x, long long) { return ordered(x); }
static inline long long index_of(sort_item) { return 0; }
static inline sort_bits element_of(const sort_bits*, sort_item e) { return original((sort_bits)e); }
#endif
