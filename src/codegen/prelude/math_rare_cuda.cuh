// Rare functions of real numbers on CUDA, for any type: the toolkit has them for float and double.

GPUARR_MATH1(, j0)
GPUARR_MATH1(, j1)
GPUARR_MATH1(, y0)
GPUARR_MATH1(, y1)
GPUARR_MATH1(, erfinv)
GPUARR_MATH1(, erfcinv)
GPUARR_MATH1(, erfcx)
GPUARR_MATH1(, normcdfinv)
GPUARR_MATH1(, cyl_bessel_i0)
GPUARR_MATH1(, cyl_bessel_i1)
