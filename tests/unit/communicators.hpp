// For tests of communicators: members on some GPUs of this process, and what they send beside what
// has to come.
#pragma once

#include <algorithm>
#include <complex>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "check.hpp"
#include "core/half.hpp"
#include "device/device.hpp"

namespace communicators {

using gpuarr::Combine;
using gpuarr::Communicator;
using gpuarr::Device;
using gpuarr::DType;
using gpuarr::Patience;
using gpuarr::Stream;

/// A device's memory, with a stream that fills and reads it.
class Memory {
 public:
  Memory(Device& device, Stream& stream, int64_t bytes)
      : device_(device),
        stream_(stream),
        bytes_(bytes),
        data_(device.allocate(std::max<int64_t>(bytes, 1))) {}
  ~Memory() { device_.deallocate(data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  void* data() const { return data_; }
  char* at(int64_t byte) const { return static_cast<char*>(data_) + byte; }

  template <class T>
  void write(const std::vector<T>& values) {
    device_.copy_from_host(data_, values.data(), size_of(values), stream_);
    stream_.synchronize();
  }
  template <class T>
  std::vector<T> read() {
    std::vector<T> values(static_cast<size_t>(bytes_) / sizeof(T));
    device_.copy_to_host(values.data(), data_, size_of(values), stream_);
    stream_.synchronize();
    return values;
  }

 private:
  template <class T>
  static int64_t size_of(const std::vector<T>& values) {
    return static_cast<int64_t>(values.size() * sizeof(T));
  }
  Device& device_;
  Stream& stream_;
  int64_t bytes_;
  void* data_;
};

/// All members of a communicator.
struct Party {
  explicit Party(const std::vector<Device*>& its_devices, const Patience& patience = {})
      : devices(its_devices) {
    std::vector<gpuarr::CommunicatorMember> joining;
    for (Device* device : devices) {
      joining.push_back({device, static_cast<int>(joining.size())});
      streams.push_back(device->create_stream(0));
    }
    const gpuarr::CommunicatorId id = devices[0]->communicator_id();
    members = devices[0]->join(id, size(), joining, patience);
  }

  int size() const { return static_cast<int>(devices.size()); }
  void use_other_streams() {
    for (size_t k = 0; k < devices.size(); ++k) streams[k] = devices[k]->create_stream(0);
  }
  std::vector<std::unique_ptr<Memory>> allocate(int64_t bytes) const {
    std::vector<std::unique_ptr<Memory>> made;
    for (size_t k = 0; k < devices.size(); ++k)
      made.push_back(std::make_unique<Memory>(*devices[k], *streams[k], bytes));
    return made;
  }
  /// Calls body(member, its stream, its rank) for each as one group.
  template <class Body>
  void together(Body&& body) {
    members[0]->begin_group();
    for (int k = 0; k < size(); ++k) body(*members[k], *streams[k], k);
    members[0]->end_group();
  }

  std::vector<Device*> devices;
  std::vector<std::shared_ptr<Stream>> streams;
  std::vector<std::unique_ptr<Communicator>> members;
};

/// What member `rank` has at first: other bytes in each.
inline std::vector<uint8_t> bytes_of(int rank, int64_t count) {
  std::vector<uint8_t> bytes(static_cast<size_t>(count));
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<uint8_t>(i * 7 + i / 251 + 31 * static_cast<size_t>(rank) + 1);
  return bytes;
}

/// Each sends to the next, and the last to the first; one alone to itself.
inline void check_ring(Party& party, int64_t bytes) {
  auto from = party.allocate(bytes);
  auto to = party.allocate(bytes);
  for (int k = 0; k < party.size(); ++k) from[k]->write(bytes_of(k, bytes));
  const int n = party.size();
  party.together([&](Communicator& member, Stream& stream, int k) {
    member.send(from[k]->data(), bytes, (k + 1) % n, stream);
    member.receive(to[k]->data(), bytes, (k + n - 1) % n, stream);
  });
  for (int k = 0; k < n; ++k) CHECK(to[k]->read<uint8_t>() == bytes_of((k + n - 1) % n, bytes));
}

/// Also where what a member gives lies in its place.
inline void check_all_gather(Party& party, int64_t bytes, bool in_place) {
  const int n = party.size();
  auto from = party.allocate(bytes);
  auto to = party.allocate(n * bytes);
  std::vector<uint8_t> all;
  for (int k = 0; k < n; ++k) {
    const std::vector<uint8_t> mine = bytes_of(k, bytes);
    all.insert(all.end(), mine.begin(), mine.end());
    from[k]->write(mine);
    if (in_place)
      party.devices[k]->copy(to[k]->at(k * bytes), from[k]->data(), bytes, *party.streams[k]);
  }
  party.together([&](Communicator& member, Stream& stream, int k) {
    const void* data = in_place ? to[k]->at(k * bytes) : from[k]->data();
    member.all_gather(to[k]->data(), data, bytes, stream);
  });
  for (int k = 0; k < n; ++k) CHECK(to[k]->read<uint8_t>() == all);
}

inline void check_broadcast(Party& party, int64_t bytes, int root) {
  auto memory = party.allocate(bytes);
  for (int k = 0; k < party.size(); ++k) memory[k]->write(bytes_of(k, bytes));
  party.together([&](Communicator& member, Stream& stream, int k) {
    member.broadcast(memory[k]->data(), bytes, root, stream);
  });
  for (int k = 0; k < party.size(); ++k) CHECK(memory[k]->read<uint8_t>() == bytes_of(root, bytes));
}

/// A small number, exact in all types; other ones in each member.
template <class T>
T small(int rank, int64_t i) {
  const int value = static_cast<int>((i * 5 + rank * 3) % 4);
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(value);
  else
    return T(static_cast<float>(value));
}

template <class T>
T combined(Combine how, T a, T b) {
  if constexpr (std::is_same_v<T, gpuarr::Float16> || std::is_same_v<T, gpuarr::BFloat16>) {
    return T(combined(how, static_cast<float>(a), static_cast<float>(b)));
  } else {
    if (how == Combine::sum) return static_cast<T>(a + b);
    if (how == Combine::prod) return static_cast<T>(a * b);
    if constexpr (requires { a < b; })
      return how == Combine::min ? std::min(a, b) : std::max(a, b);
    else
      return a;  // no such thing for complex numbers
  }
}

template <class T>
void check_all_reduce(Party& party, DType dtype, Combine how, int64_t count, bool in_place) {
  const int n = party.size();
  const int64_t bytes = count * static_cast<int64_t>(sizeof(T));
  auto from = party.allocate(bytes);
  auto to = party.allocate(bytes);
  std::vector<T> expected(static_cast<size_t>(count));
  for (int k = 0; k < n; ++k) {
    std::vector<T> mine(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) {
      T& all = expected[static_cast<size_t>(i)];
      const T value = mine[static_cast<size_t>(i)] = small<T>(k, i);
      all = k == 0 ? value : combined(how, all, value);
    }
    from[k]->write(mine);
  }
  party.together([&](Communicator& member, Stream& stream, int k) {
    void* out = in_place ? from[k]->data() : to[k]->data();
    CHECK(member.all_reduce(out, from[k]->data(), count, dtype, how, stream));
  });
  for (int k = 0; k < n; ++k) {
    const std::vector<T> got = (in_place ? from : to)[k]->template read<T>();
    if (bytes > 0 && std::memcmp(got.data(), expected.data(), static_cast<size_t>(bytes)) != 0)
      check::report(__FILE__, __LINE__)
          << "all_reduce of " << count << ' ' << gpuarr::name(dtype) << ", operator "
          << static_cast<int>(how) << ", is wrong on member " << k << " of " << n << '\n';
  }
}

template <class T>
void check_operators(Party& party, DType dtype, int64_t count) {
  for (const Combine how : {Combine::sum, Combine::prod, Combine::min, Combine::max})
    for (const bool in_place : {false, true})
      check_all_reduce<T>(party, dtype, how, count, in_place);
}

/// What there is no all_reduce for; nothing is sent then.
inline void check_refused(Party& party) {
  auto memory = party.allocate(64);
  const auto refuses = [&](DType dtype, Combine how) {
    party.together([&](Communicator& member, Stream& stream, int k) {
      CHECK(!member.all_reduce(memory[k]->data(), memory[k]->data(), 4, dtype, how, stream));
    });
  };
  for (const DType dtype : {DType::boolean, DType::i16, DType::u16}) refuses(dtype, Combine::sum);
  for (const DType dtype : {DType::c64, DType::c128})
    for (const Combine how : {Combine::prod, Combine::min, Combine::max}) refuses(dtype, how);
}

inline void check_all_types(Party& party, int64_t count) {
  check_operators<int8_t>(party, DType::i8, count);
  check_operators<uint8_t>(party, DType::u8, count);
  check_operators<int32_t>(party, DType::i32, count);
  check_operators<uint32_t>(party, DType::u32, count);
  check_operators<int64_t>(party, DType::i64, count);
  check_operators<uint64_t>(party, DType::u64, count);
  check_operators<gpuarr::Float16>(party, DType::f16, count);
  check_operators<gpuarr::BFloat16>(party, DType::bf16, count);
  check_operators<float>(party, DType::f32, count);
  check_operators<double>(party, DType::f64, count);
  check_all_reduce<std::complex<float>>(party, DType::c64, Combine::sum, count, false);
  check_all_reduce<std::complex<double>>(party, DType::c128, Combine::sum, count, true);
  check_refused(party);
}

inline void check_sizes(Party& party, std::span<const int64_t> sizes) {
  for (const int64_t bytes : sizes) {
    check_ring(party, bytes);
    check_all_gather(party, bytes, false);
    check_all_gather(party, bytes, true);
    for (int root = 0; root < party.size(); ++root) check_broadcast(party, bytes, root);
    check_all_reduce<float>(party, DType::f32, Combine::sum, (bytes + 3) / 4, false);
    party.use_other_streams();
  }
}

}  // namespace communicators
