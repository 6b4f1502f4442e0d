// Rust's meaning of operators and functions, for kernels that are written in it.

namespace gpuarr_rust {}
