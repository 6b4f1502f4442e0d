// What a kernel sees of a raw parameter, and of the loop's index; the same on both devices.

template <int N>
struct gpuarr_indices {
  long long at[N ? N : 1];
  long long operator[](int axis) const { return at[axis]; }
};

// The indices of element k in C order. 64-bit division is slow on a GPU, and seldom needed.
template <int N>
inline gpuarr_indices<N> gpuarr_indices_of(long long k, const long long* shape) {
  gpuarr_indices<N> found = {};
  if (k >> 32) {
    for (int axis = N - 1; axis > 0; --axis) {
      found.at[axis] = k % shape[axis];
      k /= shape[axis];
    }
    if (N) found.at[0] = k;
    return found;
  }
  unsigned rest = (unsigned)k;
  for (int axis = N - 1; axis > 0; --axis) {
    const unsigned long long extent = shape[axis];
    const unsigned next = extent >> 32 ? 0 : rest / (unsigned)extent;
    found.at[axis] = rest - next * (unsigned)extent;
    rest = next;
  }
  if (N) found.at[0] = rest;
  return found;
}

// A whole array: x[k] is element k in C order, x(i, j) or x[_ind.get()] that at indices. Extents
// and strides are in elements. If Contiguous, the elements lie in C order without gaps.
template <class T, int N, bool Contiguous = false>
struct gpuarr_view {
  T* data_;
  long long size_;
  long long shape_[N ? N : 1];
  long long strides_[N ? N : 1];

  static constexpr int ndim = N;
  T* data() const { return data_; }
  long long size() const { return size_; }
  const long long* shape() const { return shape_; }
  const long long* strides() const { return strides_; }

  T& operator[](long long k) const {
    if constexpr (Contiguous || N == 0)
      return data_[k];
    else if constexpr (N == 1)
      return data_[k * strides_[0]];
    else
      return (*this)[gpuarr_indices_of<N>(k, shape_)];
  }
  T& operator[](const gpuarr_indices<N>& indices) const { return at(indices.at); }
  template <class Int>
  T& operator[](const Int (&indices)[N ? N : 1]) const {
    return at(indices);
  }
  template <class... Int>
  T& operator()(Int... index) const {
    static_assert(sizeof...(Int) == N, "give one index for each axis of the array");
    const long long indices[N + 1] = {(long long)index...};
    return at(indices);
  }

 private:
  template <class Int>
  T& at(const Int* indices) const {
    long long offset = 0;
    for (int axis = 0; axis < N; ++axis) offset += indices[axis] * strides_[axis];
    return data_[offset];
  }
};

// _ind: where in the loop the element is.
template <int N>
struct gpuarr_index {
  long long i;
  long long n;
  long long shape_[N ? N : 1];

  static constexpr int ndim = N;
  long long size() const { return n; }
  const long long* shape() const { return shape_; }
  gpuarr_indices<N> get() const { return gpuarr_indices_of<N>(i, shape_); }
};
