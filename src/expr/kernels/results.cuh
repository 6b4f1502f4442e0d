// What the texts of reductions ask about their results: how many there are.
struct gpuarr_results {
  long long count;
  long long size() const { return count; }
};
