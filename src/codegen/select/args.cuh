// What the kernels take that choose elements by a mask: SelectArgs. The chain's names are its own.

struct alignas(16) u128 {
  u64 low, high;
};
struct _params {
  const mask_type* mask;
  const element* from;
  element* to;
  long long n, room;
  long long* count;
  long long _chunks, _per_row;
  void* _states;
  long long ahead;
};
