// Tiled loops on the CPU. A block is a band of tiles along the inner axis: within a tile the lines
// of an operand that lies along the other axis stay in the cache.
namespace gpuarr_kernel {

static inline long long _least(long long x, long long y) { return x < y ? x : y; }

template <class P>
struct _band {
  long long _first, _last;  // lines, along the tiles' axis
  typename P::_place _base;

  __forceinline__ _band(const P& p, long long block)
      : _first(gpuarr_kernel::_take_index(block, p._cross_tiles) * P::_edge),
        _last(gpuarr_kernel::_least(_first + P::_edge, p._extent[P::_tile_axis])),
        _base(_at_row(p, block)) {}
};

}  // namespace gpuarr_kernel
