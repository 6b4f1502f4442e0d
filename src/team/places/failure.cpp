#include "team/places/failure.hpp"

#include <algorithm>

namespace gpuarr::team {
namespace {

template <size_t N>
void put(std::array<char, N>& to, std::string_view text) {
  const size_t length = std::min(text.size(), N - 1);
  std::copy_n(text.data(), length, to.data());
  to[length] = '\0';
}

}  // namespace

Failure Failure::of(gpuarr_status status, int place, int64_t operation, const char* name,
                    const std::string& cause) {
  Failure failure;
  failure.status = status;
  failure.place = place;
  failure.operation = operation;
  put(failure.name, name);
  put(failure.cause, cause);
  return failure;
}

std::string Failure::text() const {
  return formatted("place {} failed in {}, call {} of the team, with {}: {}", place, name.data(),
                   operation, status_name(status), cause.data());
}

}  // namespace gpuarr::team
