// Members of communicators on GPUs, by NCCL.
#include "device/communicator.hpp"

#include <cstring>
#include <optional>

#include "cuda/libraries/local_members.hpp"

namespace gpuarr::cuda {
namespace {

constexpr int bytes_type = 1;  // ncclUint8

// ncclDataType_t; complex numbers are two of what they are made of.
std::optional<int> type_of(DType dtype) {
  switch (dtype) {
    case DType::i8:
      return 0;
    case DType::u8:
      return 1;
    case DType::i32:
      return 2;
    case DType::u32:
      return 3;
    case DType::i64:
      return 4;
    case DType::u64:
      return 5;
    case DType::f16:
      return 6;
    case DType::f32:
    case DType::c64:
      return 7;
    case DType::f64:
    case DType::c128:
      return 8;
    case DType::bf16:
      return 9;
    default:
      return std::nullopt;
  }
}

// ncclRedOp_t.
int operator_of(Combine how) {
  switch (how) {
    case Combine::sum:
      return 0;
    case Combine::prod:
      return 1;
    case Combine::max:
      return 2;
    case Combine::min:
      return 3;
  }
  return 0;
}

class NcclCommunicator final : public Communicator {
 public:
  NcclCommunicator(std::shared_ptr<LocalMembers> members, size_t member, const Patience& patience)
      : Communicator(patience), members_(std::move(members)), member_(member) {}

  void begin_group() override { members_->begin_group(); }
  void end_group() override { members_->end_group(patience()); }

  void send(const void* data, int64_t bytes, int to, Stream& stream) override {
    add(Message::Kind::send, data, nullptr, bytes, bytes_type, to, stream);
  }
  void receive(void* data, int64_t bytes, int from, Stream& stream) override {
    add(Message::Kind::receive, nullptr, data, bytes, bytes_type, from, stream);
  }
  void all_gather(void* out, const void* data, int64_t bytes, Stream& stream) override {
    add(Message::Kind::all_gather, data, out, bytes, bytes_type, 0, stream);
  }
  void broadcast(void* data, int64_t bytes, int from, Stream& stream) override {
    add(Message::Kind::broadcast, data, data, bytes, bytes_type, from, stream);
  }
  bool all_reduce(void* out, const void* data, int64_t count, DType dtype, Combine how,
                  Stream& stream) override {
    const bool is_complex = dtype == DType::c64 || dtype == DType::c128;
    const std::optional<int> type = type_of(dtype);
    if (!type || (is_complex && how != Combine::sum)) return false;
    add(Message::Kind::all_reduce, data, out, is_complex ? 2 * count : count, *type,
        operator_of(how), stream);
    return true;
  }

  void check() override { members_->check(member_); }
  void finish() override { members_->finish(patience()); }
  void abort() noexcept override {
    members_->abort(Error(GPUARR_ERR_PEER, "the communicator was aborted"));
  }

  void* native() const override { return members_->handle(member_); }
  std::string description() const override { return members_->description(); }

 private:
  void add(Message::Kind kind, const void* data, void* out, int64_t count, int type, int other,
           Stream& stream) {
    if (stream.captures())
      fail(GPUARR_ERR_UNSUPPORTED,
           "stream is being captured, and messages between GPUs cannot be part of a graph");
    members_->send(
        {kind, member_, data, out, static_cast<size_t>(count), type, other, cuda::native(stream)},
        patience());
  }

  std::shared_ptr<LocalMembers> members_;
  size_t member_;
};

}  // namespace

CommunicatorId CudaDevice::communicator_id() {
  enter();
  Nccl::Id made{};
  nccl().get_unique_id(&made);
  CommunicatorId id;
  std::memcpy(id.data(), made.bytes, sizeof made.bytes);
  return id;
}

std::vector<std::unique_ptr<Communicator>> CudaDevice::join(
    const CommunicatorId& id, int size, std::span<const CommunicatorMember> members,
    const Patience& patience) {
  enter();
  auto together = std::make_shared<LocalMembers>(id, size, members, patience);
  std::vector<std::unique_ptr<Communicator>> made;
  for (size_t k = 0; k < members.size(); ++k)
    made.push_back(std::make_unique<NcclCommunicator>(together, k, patience));
  return made;
}

}  // namespace gpuarr::cuda
