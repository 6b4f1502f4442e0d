"""Kernels written in Fortran as CUDA C++, and the module that launches them: `gpuarr fortran`."""
