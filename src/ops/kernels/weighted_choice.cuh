// The body of an elementwise kernel: the first end above a number; where rounding led to something
// of no weight, its neighbour.

const double wanted = u * ends[count - 1];
long long low = 0, high = count - 1;
while (low < high) {
  const long long middle = low + (high - low) / 2;
  if (ends[middle] > wanted)
    high = middle;
  else
    low = middle + 1;
}
while (low > 0 && p[low] == 0) --low;
while (p[low] == 0) ++low;
out = low;
