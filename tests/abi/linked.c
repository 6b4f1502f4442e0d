/* One program of two C sources and a C++ one, all with the public header: they must link. */
#include "frozen.h"

int second_source(void);
int cxx_source(void);

int main(void) {
  int same = gpuarr_dtype_size(GPUARR_F32) == 4 && second_source() == 4 && cxx_source() == 4;
  return same ? 0 : 1;
}
