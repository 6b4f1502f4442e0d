// The body of an elementwise kernel: the sums of chunks before each chunk, by one thread, and of
// all.

double sum = 0;
for (long long k = 0; k < count; ++k) {
  starts[k] = sum;
  sum += sums[k];
}
out = sum;
