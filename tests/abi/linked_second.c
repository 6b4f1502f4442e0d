/* The second C source of linked.c. */
#include "gpuarr.h"

int second_source(void);
int second_source(void) { return (int)gpuarr_dtype_size(GPUARR_F32); }
