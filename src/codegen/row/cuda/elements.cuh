// The elements of a thread's pack, one after the other. Stands before the forms.
//
// Of a call these templates know its _params, which have types and the plan's constants, the struct
// _row (what is known of a row), _values (what a thread has of a pack) and a struct for each stage:
//   Stage::_read(p, place, item, values)     has what the stage reads of pack `item`, as far as the
//                                            thread does not have it already
//   Pass::_take(p, place, row, values, item, k)   what element k of it counts as; it sets the
//                                            values that are kept
//   Pass::_reduce(p, a, b), Pass::_finish(p, sum, row)
//   Body::_put(p, place, row, values, item, k)    sets an element of the outputs
// and _store(p, place, item, values), which stores a pack of them.
namespace gpuarr_kernel {

template <class Partial>
struct _pass {
  typedef Partial _partial;
};

template <class Pass, class P, class Place, class Row, class Values>
static __device__ __forceinline__ typename Pass::_partial take_pack(const P& p, const Place& place,
                                                                    const Row& row, Values& values,
                                                                    int item) {
  typename Pass::_partial sum = Pass::_take(p, place, row, values, item, 0);
#pragma unroll
  for (int k = 1; k < P::_width; ++k)
    sum = Pass::_reduce(p, sum, Pass::_take(p, place, row, values, item, k));
  return sum;
}

template <class Body, class P, class Place, class Row, class Values>
static __device__ __forceinline__ void put_pack(const P& p, const Place& place, const Row& row,
                                                Values& values, int item) {
#pragma unroll
  for (int k = 0; k < P::_width; ++k) Body::_put(p, place, row, values, item, k);
  _store(p, place, item, values);
}

}  // namespace gpuarr_kernel
