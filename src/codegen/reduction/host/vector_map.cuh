// Stands before rows.cuh where map calls functions of libmvec, and in rows of half numbers: a call,
// or a conversion, of one element takes as long as one of a vector.
#define GPUARR_VECTOR_MAP 1
