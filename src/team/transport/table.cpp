#include "team/transport/table.hpp"

#include "core/error.hpp"

namespace gpuarr::team {
namespace {

class TableTransport final : public Transport {
 public:
  explicit TableTransport(std::shared_ptr<TransportTable> table)
      : Transport(table->rank, table->size),
        table_(std::move(table)),
        first_tag_(first_tag(table_->teams++)) {}

  Request send(const void* data, int64_t bytes, int to, int tag) override {
    return begin("send", bytes, "to", to, tag, [&](void** out) {
      return table_->send(out, data, bytes, to, first_tag_ + tag, table_->user);
    });
  }

  Request receive(void* data, int64_t bytes, int from, int tag) override {
    return begin("receive", bytes, "from", from, tag, [&](void** out) {
      return table_->receive(out, data, bytes, from, first_tag_ + tag, table_->user);
    });
  }

  bool test(Request& request) override {
    int32_t over = 0;
    auto* message = static_cast<TransportTable::Sent*>(request.handle);
    require(table_->test(&over, message->request, table_->user), "test");
    if (over == 0) return false;
    delete message;
    request.handle = nullptr;
    return true;
  }

  void drop(Request& request, std::shared_ptr<void> keeper) noexcept override {
    table_->dropped.add(request, std::move(keeper));
  }

  bool probe(int tag, int& from) override {
    int32_t found = -1;
    if (table_->probe != nullptr)
      require(table_->probe(&found, first_tag_ + tag, table_->user), "probe");
    if (found < 0) return false;
    if (found >= size())
      fail(GPUARR_ERR_PEER, "probe of {} found a message of process {}, of {} processes",
           table_->name, found, size());
    from = found;
    return true;
  }

  void abort(int code) noexcept override {
    if (table_->abort != nullptr) table_->abort(code, table_->user);
  }

  std::string description() const override { return table_->name; }

 private:
  template <class Call>
  Request begin(const char* what, int64_t bytes, const char* direction, int other, int tag,
                const Call& call) {
    table_->dropped.sweep([this](const TransportTable::Sent& message) {
      int32_t over = 0;
      return table_->test(&over, message.request, table_->user) == 0 && over != 0;
    });
    auto message = std::make_unique<TransportTable::Sent>();
    if (const int32_t code = call(&message->request); code != 0)
      throw Error(GPUARR_ERR_PEER,
                  formatted("{} of {} returned {}, for {} bytes {} process {} with tag {}", what,
                            table_->name, code, bytes, direction, other, first_tag_ + tag),
                  code);
    return {message.release()};
  }

  void require(int32_t code, const char* what) const {
    if (code != 0)
      throw Error(GPUARR_ERR_PEER, formatted("{} of {} returned {}", what, table_->name, code),
                  code);
  }

  const std::shared_ptr<TransportTable> table_;
  const int first_tag_;
};

void check_function(bool is_there, const char* name) {
  if (!is_there) fail(GPUARR_ERR_ARGUMENT, "{} is NULL; give a function", name);
}

}  // namespace

TransportTable::TransportTable(int its_rank, int its_size, gpuarr_send_fn its_send,
                               gpuarr_receive_fn its_receive, gpuarr_test_fn its_test,
                               void* its_user)
    : rank(its_rank),
      size(its_size),
      send(its_send),
      receive(its_receive),
      test(its_test),
      user(its_user) {
  if (size < 1) fail(GPUARR_ERR_ARGUMENT, "size is {}; give the number of processes", size);
  if (rank < 0 || rank >= size)
    fail(GPUARR_ERR_ARGUMENT, "rank is {}; give a number from 0 to {}", rank, size - 1);
  check_function(send != nullptr, "send");
  check_function(receive != nullptr, "receive");
  check_function(test != nullptr, "test");
}

TransportTable::~TransportTable() {
  if (release != nullptr) release(user);
}

std::unique_ptr<Transport> table_transport(std::shared_ptr<TransportTable> table) {
  return std::make_unique<TableTransport>(std::move(table));
}

}  // namespace gpuarr::team
