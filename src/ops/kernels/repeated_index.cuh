// The body of an elementwise kernel: which old index a new one repeats: the first whose end lies
// behind it.

long long low = 0, high = ends.size();
while (low < high) {
  const long long middle = (low + high) / 2;
  if (ends[middle] <= i)
    low = middle + 1;
  else
    high = middle;
}
k = low;
