// What templates of rows know of a call's types, which stand behind them and the user's text.
struct _place;   // where an element of each array is
struct _row;     // what is known of a row
struct _values;  // GPU: what a thread has of a pack
namespace gpuarr_kernel {

// One of them; `P` are the call's _params, so that it is asked for when it is complete.
template <class P, class T>
struct of_call {
  typedef T type;
};
template <class P>
using PlaceOf = typename of_call<P, ::_place>::type;
template <class P>
using RowOf = typename of_call<P, ::_row>::type;
template <class P>
using ValuesOf = typename of_call<P, ::_values>::type;

}  // namespace gpuarr_kernel
