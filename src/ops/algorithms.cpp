#include "ops/base/algorithms.hpp"

#include "ops/index/select_job.hpp"
#include "ops/sort/rank.hpp"
#include "ops/sort/rows.hpp"

namespace gpuarr {

constinit const Algorithms gpu_algorithms = {
    .sort_rows = sort_rows_on_gpu,
    .rank_rows = rank_rows_on_gpu,
    .select = select_on_gpu,
    .least_ranked = 2048,
    .joins_copies = true,
    .moves_rows = false,
    .tile_threads = 256,
};

constinit const Algorithms cpu_algorithms = {
    .sort_rows = sort_rows_on_host,
    .rank_rows = rank_rows_on_host,
    .select = select_on_host,
    .least_ranked = 1000,
    .joins_copies = false,
    .moves_rows = true,
    .tile_threads = 1,
};

}  // namespace gpuarr
