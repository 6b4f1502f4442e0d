// Items that are a key and an index.

struct sort_item {
  sort_bits key;
  sort_index index;
};
enum { first_digit = 0 };
static inline sort_bits rank_of(sort_item e) { return compared(e.key); }
static inline sort_item item_of(sort_bits x, long long i) { return {ordered(x), (sort_index)i}; }
static inline long long index_of(sort_item e) { return (long long)e.index; }
static inline sort_bits element_of(const sort_bits*, sort_item e) { return original(e.key); }
