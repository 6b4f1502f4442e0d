// The C++ source of linked.c.
#include "frozen.h"

extern "C" int cxx_source(void);
int cxx_source(void) { return static_cast<int>(gpuarr_dtype_size(GPUARR_F32)); }
