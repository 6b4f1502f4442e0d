// The body of an elementwise kernel that takes along the one axis of the indices, with no branch at
// each element. Expects take_line_notes.cuh, and before the loop: from, extent, bad.

const unsigned long long where = (unsigned long long)(long long)k + (k < 0 ? extent : 0);
const bool outside = where >= (unsigned long long)extent;
NOTE_PLACE;
const T value = from[outside ? 0 : (long long)where];
y = outside ? T() : value;
