// A GPU's kernel that copies runs of words. Expects T, the word, and most_runs. A thread finds the
// run that its word is in, and copies it.

struct _run {
  const T* from;
  T* to;
  long long end;
};
struct _params {
  long long total, count;
  _run runs[most_runs];
};
extern "C" __global__ void __launch_bounds__(256) copy_runs(const __grid_constant__ _params _p) {
  const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
  if (i >= _p.total) return;
  int low = 0, high = (int)_p.count - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (_p.runs[middle].end <= i)
      low = middle + 1;
    else
      high = middle;
  }
  const long long begin = low > 0 ? _p.runs[low - 1].end : 0;
  _p.runs[low].to[i - begin] = _p.runs[low].from[i - begin];
}
