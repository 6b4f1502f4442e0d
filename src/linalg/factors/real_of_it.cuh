// The part of a number that tells whether it is above 0. Expects R, the type of the parts.

static inline R real_of_it(const R& x) { return x; }
#ifdef GPUARR_COMPLEX
static inline R real_of_it(const complex<R>& z) { return z.re; }
#endif
