// What --help prints.
#pragma once

namespace cli {

extern const char* const main_usage;
extern const char* const info_usage;
extern const char* const cache_usage;
extern const char* const elementwise_usage;
extern const char* const gufunc_usage;
extern const char* const reduce_usage;
extern const char* const raw_usage;
extern const char* const op_usage;
extern const char* const eval_usage;
extern const char* const embed_usage;
extern const char* const check_usage;
extern const char* const fortran_usage;
extern const char* const run_usage;
extern const char* const bench_usage;

}  // namespace cli
