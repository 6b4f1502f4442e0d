#include "core/narrow.hpp"

#include "core/error.hpp"

namespace gpuarr {

void refuse_wide(int64_t value, int64_t most) {
  fail(GPUARR_ERR_INTERNAL, "{} is no number from 0 to {}, for which there is room", value, most);
}

}  // namespace gpuarr
