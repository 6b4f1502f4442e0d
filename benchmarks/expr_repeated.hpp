// What it costs to compute an expression again and again, by the C functions alone.
#pragma once

#include <vector>

#include "measure.hpp"

/// Of ten nodes, built anew each time, as text and as a function, beside the launch of the same
/// call that was prepared; on the device of this name.
std::vector<Figure> repeated_expressions(const char* device);
