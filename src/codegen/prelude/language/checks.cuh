// What kernels in other languages say when an index, an operation or an assertion is wrong. Without
// GPUARR_CHECK_MEMORY there are only places, which cost nothing.

namespace gpuarr_check {

struct Place {
  const char* file;
  int line;
};

// Where it stands as a parameter's default: the place of the call, by the text's #line.
__device__ constexpr Place here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return {file, line};
}

#ifdef GPUARR_CHECK_MEMORY
#define GPUARR_CHECK_PLACES 1

// A message, put together where there is no printf that could do it.
struct Message {
  static constexpr int most = 400;
  char text[most];
  int length;

  __device__ Message& operator<<(const char* what) {
    while (*what && length < most - 1) text[length++] = *what++;
    text[length] = 0;
    return *this;
  }
  __device__ Message& operator<<(long long number) {
    char digits[24];
    int count = 24;
    digits[--count] = 0;
    unsigned long long rest = number < 0 ? 0 - (unsigned long long)number : number;
    do digits[--count] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (number < 0) digits[--count] = '-';
    return *this << (const char*)(digits + count);
  }
};

#ifdef __CUDACC_RTC__

// The host reads the first report when the launch is done. The thread ends alone, since a trap
// would take the device from the process.
extern "C" {
__device__ struct gpuarr_check_report {
  unsigned state, is_index;
  char text[Message::most];
} gpuarr_check_reported;
}

__device__ inline void end(const char* what, bool is_index, Place place) {
  if (::atomicCAS(&gpuarr_check_reported.state, 0u, 1u) == 0) {
    Message message = {};
    message << ", block (" << blockIdx.x << "," << blockIdx.y << "," << blockIdx.z << "), thread ("
            << threadIdx.x << "," << threadIdx.y << "," << threadIdx.z << "): " << what << " at "
            << place.file << ":" << place.line;
    gpuarr_check_reported.is_index = is_index;
    for (int k = 0; k < Message::most; ++k) gpuarr_check_reported.text[k] = message.text[k];
  }
  asm volatile("exit;");
}

#else
[[noreturn]] void end(const char* what, bool is_index, Place place);  // of the glue
#endif

// Axes count from 1; 0 is for what has one.
__device__ inline __attribute__((noinline)) void bad_index(const char* array, int axis,
                                                           long long index, long long first,
                                                           long long last, Place place) {
  Message message = {};
  message << "index " << index;
  if (axis > 0) message << " of axis " << axis;
  message << " of " << array;
  if (last < first)
    message << ", which is empty";
  else
    message << " is outside of " << first << ".." << last;
  end(message.text, true, place);
}

__device__ inline __attribute__((noinline)) void fail(const char* what, Place place) {
  end(what, false, place);
}

#endif

}  // namespace gpuarr_check
