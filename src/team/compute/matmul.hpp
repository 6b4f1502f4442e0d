// Products of blocked matrices.
#pragma once

#include "team/blocked/blocked.hpp"

namespace gpuarr::team {

/// What the product of two is where it is made: rows in x's blocks, columns in y's. Fails where
/// there is none, alike on all places. A vector is a row on the left and a column on the right, an
/// axis that the product does not have.
BlockedLayout product_layout(const Blocked& x, const Blocked& y);

/// out = x y, of the product's shape and dtype, in any blocks; memory may be shared. Collective.
void matmul(Blocked& out, Blocked& x, Blocked& y);

}  // namespace gpuarr::team
