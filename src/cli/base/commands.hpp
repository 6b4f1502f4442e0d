// The commands: each gets the words after its name.
#pragma once

#include <span>
#include <string>

namespace cli {

void run_info(std::span<const std::string> words);
void run_cache(std::span<const std::string> words);
void run_elementwise(std::span<const std::string> words);
void run_gufunc(std::span<const std::string> words);
void run_reduce(std::span<const std::string> words);
void run_op(std::span<const std::string> words);
void run_eval(std::span<const std::string> words);
void run_raw(std::span<const std::string> words);
void run_embed(std::span<const std::string> words);
void run_check(std::span<const std::string> words);
void run_fortran(std::span<const std::string> words);
void run_run(std::span<const std::string> words);
void run_bench(std::span<const std::string> words);

}  // namespace cli
