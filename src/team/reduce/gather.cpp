#include "team/reduce/gather.hpp"

namespace gpuarr::team {

void gather_rows(Team& team, Place& place, const Array& rows) {
  if (team.size() == 1) return;
  Stream& stream = *place.stream;
  const int64_t bytes = rows.size() * rows.itemsize();
  const int64_t row = bytes / team.size();
  if (place.device->has_host_memory()) {
    team.wait_for(stream);
    return team.all_gather(rows.data, row);
  }
  std::vector<std::byte> all(static_cast<size_t>(bytes));
  const int64_t mine = row * place.number;
  rows.buffer->used_in(stream);
  place.device->copy_to_host(all.data() + mine, static_cast<char*>(rows.data) + mine, row, stream);
  stream.synchronize();
  team.all_gather(all.data(), row);
  place.device->copy_from_host(rows.data, all.data(), bytes, stream);
  stream.synchronize();  // the host's memory goes
}

}  // namespace gpuarr::team
