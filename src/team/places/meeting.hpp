// What processes tell each other of themselves when they make a team.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "team/transport/transport.hpp"

namespace gpuarr::team {

/// A message of fixed size, which is sent as it lies in memory.
struct Introduction {
  std::array<char, 128> machine{};
  std::array<char, 64> device{};       // "cuda:0"
  std::array<char, 96> description{};  // "NVIDIA H200"
  std::array<char, 64> identity{};     // of the device, "" if that means nothing
  int32_t kind = 0;                    // of the device
  uint64_t cpus = 0;                   // digest of those that the process may run on
  int32_t sends = 0;                   // it has what devices send to each other with

  static Introduction of(const Device* device);
};

/// Processes of a machine.
struct Neighbours {
  int before = 0;   // this one
  int sharing = 0;  // its CPUs, this one among them
};
Neighbours neighbours_of(const std::vector<Introduction>& everyone, int process);

/// The device of a process that was given none.
Device& device_for(const Neighbours& neighbours);

/// Whether all have a device that can send, and none has another's.
bool have_devices_of_their_own(const std::vector<Introduction>& everyone);

/// "4 places in 4 processes on 1 machine; devices: cuda:0 ... "
std::string list_of(const std::vector<Introduction>& everyone);

}  // namespace gpuarr::team
