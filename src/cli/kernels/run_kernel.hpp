// Loads what a kernel of the command runs over, runs it, saves what it made.
#pragma once

#include "cli/kernels/job.hpp"
#include "cli/kernels/kernel.hpp"

namespace cli {

/// Does a job whose counts were checked with its kernel.
void run_kernel(const Job& job, const Kernel& kernel);

}  // namespace cli
