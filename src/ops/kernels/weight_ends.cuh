// The body of an elementwise kernel: the sums of weights up to each of a chunk.

double sum = starts[i];
const double end = i + 1 < starts.size() ? starts[i + 1] : total;
for (long long k = i * chunk; k < (i + 1) * chunk && k < count; ++k) {
  sum += p[k];
  ends[k] = sum < end ? sum : end;
}
out = 0;
