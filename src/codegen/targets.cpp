#include "codegen/targets.hpp"

#include "codegen/count_text.hpp"
#include "codegen/elementwise/elementwise.hpp"
#include "codegen/gufunc/gufunc.hpp"
#include "codegen/random_text.hpp"
#include "codegen/raw/raw.hpp"
#include "codegen/reduction/host/cut.hpp"
#include "codegen/reduction/writers.hpp"
#include "codegen/row/writers.hpp"
#include "codegen/scan/scan.hpp"
#include "codegen/select/select.hpp"

namespace gpuarr {

constinit const Target cuda_target = {
    .simt = true,
    .suffix = "cu",
    .no_contraction = "--fmad=false",
    .random_steps = 4,
    .prelude = cuda_prelude,
    .elementwise = {cuda_loop_algorithm, cuda_loop_constants, cuda_loop},
    .gufunc = {cuda_gufunc_algorithm, cuda_gufunc},
    .reduction = {cuda_algorithm, cuda_constants, cuda_reduction, cut_for_cuda},
    .row = {cuda_row_algorithm, cuda_row_constants, cuda_row},
    .scan = {cuda_scan_algorithms, cuda_scan},
    .select = cuda_select,
    .bins = count_parts::bins_cuda,
    .runs = count_parts::runs_cuda,
    .random_fill = random_parts::fill_cuda,
    .raw = cuda_environment,
};

constinit const Target host_target = {
    .simt = false,
    .suffix = "cpp",
    .no_contraction = "-ffp-contract=off",
    .random_steps = 4096,
    .prelude = host_prelude,
    .elementwise = {host_loop_algorithm, host_loop_constants, host_loop},
    .gufunc = {host_gufunc_algorithm, host_gufunc},
    .reduction = {host_algorithm, host_constants, host_reduction, cut_for_host},
    .row = {host_row_algorithm, host_row_constants, host_row},
    .scan = {host_scan_algorithms, host_scan},
    .select = host_select,
    .bins = count_parts::bins_host,
    .runs = count_parts::runs_host,
    .random_fill = random_parts::fill_host,
    .raw = host_environment,
};

}  // namespace gpuarr
