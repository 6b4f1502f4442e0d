// Messages through functions of the user's.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "gpuarr/transport.h"
#include "team/transport/message.hpp"
#include "team/transport/transport.hpp"

namespace gpuarr::team {

/// What a gpuarr_transport has. Optional functions may be null.
struct TransportTable {
  TransportTable(int its_rank, int its_size, gpuarr_send_fn its_send, gpuarr_receive_fn its_receive,
                 gpuarr_test_fn its_test, void* its_user);
  ~TransportTable();
  TransportTable(const TransportTable&) = delete;
  TransportTable& operator=(const TransportTable&) = delete;

  const int rank, size;
  const gpuarr_send_fn send;
  const gpuarr_receive_fn receive;
  const gpuarr_test_fn test;
  void* const user;
  gpuarr_probe_fn probe = nullptr;
  gpuarr_abort_fn abort = nullptr;
  gpuarr_release_fn release = nullptr;
  std::string name = "functions of the program";

  struct Sent : Message {
    void* request = nullptr;  // the user's
  };
  Dropped<Sent> dropped;
  std::atomic<uint32_t> teams{0};  // that were made of it
};

/// All processes of the table call this equally often.
std::unique_ptr<Transport> table_transport(std::shared_ptr<TransportTable> table);

}  // namespace gpuarr::team
