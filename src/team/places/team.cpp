#include "team/places/team.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/settings.hpp"
#include "kernel/launch/profile.hpp"
#include "team/places/meeting.hpp"

namespace gpuarr::team {
namespace {

// Whether elements go by the host's memory although devices could send them.
bool wants_staging() {
  const auto wished = setting("GPUARR_TEAM_TRANSPORT");
  return wished && *wished == "staged";
}

bool wants_checks() {
  const auto list = setting("GPUARR_CHECK");
  return list && (*parse_checks(*list) & check_team) != 0;
}

Deadline default_deadline() {
  const auto seconds = setting("GPUARR_TIMEOUT");
  return {seconds ? *parse_seconds(*seconds) : 300.0, true};
}

}  // namespace

Team::Team(Making /*ours*/, std::unique_ptr<Transport> transport)
    : transport_(std::move(transport)), deadline_(default_deadline()), compares_(wants_checks()) {}

// What others are still to be sent is sent; whoever does not take it is not waited for beyond the
// deadline.
Team::~Team() {
  for (Place& place : places_) {
    if (place.communicator == nullptr || failure_) continue;
    try {
      if (place.apart != nullptr) wait_for(*place.apart);
      wait_for(*place.stream);
      place.communicator->finish();
    } catch (const std::exception& e) {
      log(Topic::library, "a team ends with work that is not done: {}", e.what());
    }
  }
}

std::shared_ptr<Team> Team::local(std::span<Device* const> devices) {
  auto team = std::make_shared<Team>(Making{}, nullptr);
  std::vector<Introduction> everyone;
  for (Device* device : devices) {
    everyone.push_back(Introduction::of(device));
    team->add_place(team->size_++, *device);
  }
  team->facts_ = formatted("{} place{} in one process: {}", team->size_,
                           team->size_ == 1 ? "" : "s", list_of(everyone));
  return team;
}

std::shared_ptr<Team> Team::of(std::unique_ptr<Transport> transport, Device* device) {
  auto team = std::make_shared<Team>(Making{}, std::move(transport));
  team->size_ = team->transport_->size();
  team->collective({"gpuarr_team"}, [&] { team->meet(device); });
  return team;
}

void Team::add_place(int number, Device& device) {
  places_.push_back({number, &device, hold_current_stream(device), nullptr});
}

void Team::meet(Device* device) {
  const int rank = transport_->rank();
  std::vector<Introduction> everyone(static_cast<size_t>(size_));
  Introduction& mine = everyone[static_cast<size_t>(rank)];
  const auto tell = [&] {
    mine = Introduction::of(device);
    all_gather(everyone.data(), sizeof(Introduction));
  };
  tell();
  const Neighbours neighbours = neighbours_of(everyone, rank);
  if (device == nullptr) device = &device_for(neighbours);
  tell();
  device->share(neighbours.sharing);
  set_profile_place(rank);
  add_place(rank, *device);
  facts_ = formatted("{} places in {} processes: {}; host: {}", size_, size_, list_of(everyone),
                     transport_->description());
  if (size_ > 1 && have_devices_of_their_own(everyone) && !wants_staging()) connect_devices();
  facts_ += "; device: " + (devices_send() ? places_.front().communicator->description()
                            : device->has_host_memory() ? "the host's memory"
                                                        : "by page-locked memory of the host");
}

void Team::connect_devices() {
  Place& place = places_.front();
  CommunicatorId id{};
  std::vector<CommunicatorId> ids(static_cast<size_t>(size_));
  if (place.number == 0) ids[0] = place.device->communicator_id();
  all_gather(ids.data(), sizeof(id));
  const CommunicatorMember member{place.device, place.number};
  place.communicator =
      std::move(place.device->join(ids[0], size_, {&member, 1}, patience()).front());
  apart(place);  // who looks from another thread finds it
  place.device->lookouts().add(weak_from_this());
}

Patience Team::patience() {
  return {deadline_.seconds, [this] { look_for_failures(); }};
}

std::string Team::describe() { return facts_; }

std::string Team::profile() {
  std::string own = profile_text(profile_rows());
  if (transport_ == nullptr) return own;
  const auto rank = static_cast<size_t>(transport_->rank());
  std::vector<uint64_t> sizes(static_cast<size_t>(size_));
  sizes[rank] = own.size();
  all_gather(sizes.data(), sizeof sizes[0]);
  const uint64_t longest = *std::ranges::max_element(sizes);
  std::string all(longest * sizes.size(), ' ');
  std::ranges::copy(own, all.begin() + static_cast<std::ptrdiff_t>(rank * longest));
  all_gather(all.data(), static_cast<int64_t>(longest));
  std::string out;
  for (size_t k = 0; k < sizes.size(); ++k)
    out += formatted("place {}:\n{}", k, all.substr(k * longest, sizes[k]));
  return out;
}

void Team::set_deadline(const Deadline& deadline) {
  deadline_ = deadline;
  for (Place& place : places_)
    if (place.communicator != nullptr) place.communicator->set_patience(patience());
}

Stream& Team::apart(Place& place) {
  if (place.apart == nullptr)
    place.apart = place.device->create_stream(place.device->facts().highest_priority);
  return *place.apart;
}

}  // namespace gpuarr::team
