// What the kernels take on the CPU.

typedef long long sort_long;
struct sort_args {
  const sort_bits* in;
  sort_bits* out;
  sort_long* index;
  sort_item *a, *b;
  int* flags;
  sort_long rows, n, group, chunks, chunk, run, turn, pieces;
};
static inline sort_long lesser(sort_long a, sort_long b) { return a < b ? a : b; }
