// What comes after the loop of take_line.cuh: it reports an index outside.

if (bad >= 0) {
#ifndef __CUDACC_RTC__
  bad = first_outside(all, extent);
#endif
  _report(reports, code, (long long)all(bad), bad, axis, extent);
}
