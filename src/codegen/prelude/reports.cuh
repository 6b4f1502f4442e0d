// _report(): tells the host of a wrong value, such as an index out of range. Of several reports the
// first is kept until it is told; src/device/reports.md says how.

struct gpuarr_report {
  unsigned state, code;
  long long values[4];
};

#ifdef __CUDACC_RTC__
// The memory is the host's, which the plain load spares most of the atomic operations.
static inline void _report(unsigned long long place, unsigned code, long long a, long long b = 0,
                           long long c = 0, long long d = 0) {
  gpuarr_report* report = (gpuarr_report*)place;
  if (*(volatile unsigned*)&report->state != 0) return;
  if (::atomicCAS(&report->state, 0u, 1u) != 0) return;
  report->code = code;
  report->values[0] = a;
  report->values[1] = b;
  report->values[2] = c;
  report->values[3] = d;
  __threadfence_system();
  *(volatile unsigned*)&report->state = 2;
}
#else
__attribute__((noinline, cold)) static void _report(unsigned long long place, unsigned code,
                                                    long long a, long long b = 0, long long c = 0,
                                                    long long d = 0) {
  gpuarr_report* report = (gpuarr_report*)place;
  unsigned none = 0;
  if (!__atomic_compare_exchange_n(&report->state, &none, 1u, false, __ATOMIC_ACQUIRE,
                                   __ATOMIC_RELAXED))
    return;
  report->code = code;
  report->values[0] = a;
  report->values[1] = b;
  report->values[2] = c;
  report->values[3] = d;
  __atomic_store_n(&report->state, 2u, __ATOMIC_RELEASE);
}
#endif
