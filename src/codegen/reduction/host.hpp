// The parts of a reduction's source for the CPU. host.md has the ideas.
//
//   _along(_p, _r, _k)      what the element counts as that lies _k further along the inner axis
//   _after(_p, _r, _k)      the place _k further along the inner reduced axis
//   _start(_p, _r, _k)      rows: where row _k of a result begins; columns: where line _k does
//   _climb(_p, _u, _s, _x, _width)  says that task _s of unit _u is done, which left a line of so
//   many
//                           partial results in _x; whether all are done and combined, in the first
//   _task(_p, _u, _s)       does task _s of unit _u: of a result, or of a tile of results
#pragma once

#include <string>

#include "codegen/reduction/plan.hpp"

namespace gpuarr {

// _task of each form.
std::string host_rows(const ReductionPlan& plan);
std::string host_columns(const ReductionPlan& plan);

}  // namespace gpuarr
