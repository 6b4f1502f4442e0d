// An element and its place: the first of two. Expects A and N.
//
// A NaN wins, as the first one; so does the first of equals. The threads of a GPU would part at a
// branch, also one of && and ||; a CPU foresees that the best so far mostly stays.

struct found {
  A value;
  N place;
};
static inline found first_of(const found& a, const found& b, bool a_is_better) {
#ifndef __CUDACC_RTC__
  if (a_is_better) return a;
#endif
  const bool a_is_nan = a.value != a.value, both_are = a_is_nan & (b.value != b.value);
  const bool tie = (a.value == b.value) | both_are;
  const bool first = a_is_better | (a_is_nan & !both_are) | (tie & (a.place < b.place));
  return {first ? a.value : b.value, first ? a.place : b.place};
}
