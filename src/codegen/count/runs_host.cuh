// The kernels of runs on the CPU.

extern "C" void run_count(const run_args* q, long long first, long long last) {
  for (long long t = first; t < last; ++t) {
    const long long end = (t + 1) * tile < q->n ? (t + 1) * tile : q->n;
    long long count = 0;
    for (long long k = t * tile; k < end; ++k) count += begins(*q, k);
    q->counts[t] = count;
  }
}
extern "C" void run_sum(const run_args* q, long long, long long) {
  long long sum = 0;
  for (long long t = 0; t < q->tiles; ++t) {
    const long long count = q->counts[t];
    q->counts[t] = sum;
    sum += count;
  }
  *q->total = sum;
}
extern "C" void run_write(const run_args* q, long long first, long long last) {
  for (long long t = first; t < last; ++t) {
    const long long end = (t + 1) * tile < q->n ? (t + 1) * tile : q->n;
    long long run = q->counts[t] - 1;
    for (long long k = t * tile; k < end; ++k) {
      const bool is_first = begins(*q, k);
      run += is_first;
      note(*q, k, run, is_first);
    }
  }
}
