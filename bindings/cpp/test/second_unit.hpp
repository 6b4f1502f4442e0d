// What the second unit of the test `handles` has.
#pragma once

#include "gpuarr.hpp"

gpuarr::Array made_in_the_second_unit();
void thrown_in_the_second_unit();
const void* sum_of_the_second_unit();
const void* pending_of_the_second_unit();
int64_t counted_in_the_second_unit(const gpuarr::Array& x);
