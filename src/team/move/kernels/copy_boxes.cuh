// Copies boxes of elements, many of them in one launch: each has a source, a target and strides of
// its own. T is as large as an element. A box is 16 numbers: where it ends among all
// elements, the addresses of source and target, three inner extents, four strides of the source and
// four of the target, outermost first.

// Aligned as complex elements are.
struct eight_bytes {
  unsigned a, b;
};
struct sixteen_bytes {
  unsigned long long a, b;
};

template <class T>
__global__ void copy_boxes(const long long* boxes, int count, long long total) {
  const long long step = (long long)gridDim.x * blockDim.x;
  for (long long k = blockIdx.x * (long long)blockDim.x + threadIdx.x; k < total; k += step) {
    int low = 0;
    int high = count - 1;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (boxes[16 * middle] > k)
        high = middle;
      else
        low = middle + 1;
    }
    const long long* b = boxes + 16 * low;
    long long rest = k - (low > 0 ? b[-16] : 0);
    long long from = 0;
    long long to = 0;
    for (int axis = 3; axis > 0; --axis) {
      const long long extent = b[2 + axis];
      const long long at = rest % extent;
      rest /= extent;
      from += at * b[6 + axis];
      to += at * b[10 + axis];
    }
    from += rest * b[6];
    to += rest * b[10];
    ((T*)b[2])[to] = ((const T*)b[1])[from];
  }
}
