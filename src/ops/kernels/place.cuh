// The first lines of bodies that move elements to or from indexed places. Expects INDEXED_AXIS, the
// axis of x that is indexed, which is its last.
//
// What does not lie there is read at index 0, which is there, so that a thread has its reads under
// way together.

const long long extent = x.shape()[INDEXED_AXIS];
const unsigned long long where = (unsigned long long)(long long)k + (k < 0 ? extent : 0);
const bool outside = where >= (unsigned long long)extent;
