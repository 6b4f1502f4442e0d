// The body of an elementwise kernel: a number's rank by its key. Of equal keys the first comes
// first.

const uint64 own = keys[i];
long long before = 0;
for (long long k = 0; k < count; ++k) {
  const uint64 key = keys[k];
  before += (key < own) | ((key == own) & (k < i));
}
out = before;
