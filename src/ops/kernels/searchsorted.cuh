// The body of an elementwise kernel: the place of x in what is sorted, before or behind its equals.
// Expects before.cuh.

long long low = 0, high = count;
while (low < high) {
  const long long middle = low + (high - low) / 2;
  const T there = sorted[middle];
  if (right ? !before(x, there) : before(there, x))
    low = middle + 1;
  else
    high = middle;
}
place = low;
