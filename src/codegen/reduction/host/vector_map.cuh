// Stands before rows.cuh where map calls functions of libmvec: a call for one element takes as long
// as one for a vector.
#define GPUARR_VECTOR_MAP 1
