// The body of an elementwise kernel: the sum of a chunk of weights, in order, so that it has the
// same bits on every device. What is no weight makes it NaN.

double sum = 0;
for (long long k = i * chunk; k < (i + 1) * chunk && k < count; ++k)
  sum += p[k] >= 0 ? p[k] : (double)NAN;
out = sum;
