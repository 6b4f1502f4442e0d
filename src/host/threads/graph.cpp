#include "host/threads/graph.hpp"

#include <exception>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "device/device.hpp"
#include "host/threads/stream.hpp"

namespace gpuarr::host {
namespace {

struct Node {
  std::string_view kind;
  std::function<void()> work;
};
using Nodes = std::vector<Node>;

class HostCapture final : public Capture {
 public:
  using Capture::Capture;

  void add(Node node) {
    std::lock_guard lock(mutex_);
    nodes_.push_back(std::move(node));
  }
  Nodes take() {
    std::lock_guard lock(mutex_);
    return std::move(nodes_);
  }

 private:
  ForkSafeMutex mutex_;
  Nodes nodes_;
};

// What launches share with the exec that they came from, which may be gone before they are done.
struct Program {
  std::shared_ptr<const Nodes> nodes;
  // Launches follow each other, as they use the same memory. A child of a fork has another one: its
  // parent's may be held by a thread that it does not have.
  std::shared_ptr<std::mutex> turn = std::make_shared<std::mutex>();
  uint32_t generation = fork_generation();

  // All of it, like a stream, which goes on after an error; the first is thrown.
  void run() const {
    std::lock_guard lock(*turn);
    std::exception_ptr error;
    for (const Node& node : *nodes) {
      try {
        node.work();
      } catch (...) {
        if (!error) error = std::current_exception();
      }
    }
    if (error) std::rethrow_exception(error);
  }
};

class HostGraphExec final : public GraphExec {
 public:
  HostGraphExec(Device& device, std::shared_ptr<const Nodes> nodes, std::shared_ptr<Kept> kept)
      : GraphExec(device, std::move(kept)), program_{std::move(nodes)} {}

  const Nodes& nodes() const { return *program_.nodes; }
  void put(std::shared_ptr<const Nodes> nodes, std::shared_ptr<Kept> kept) {
    program_.nodes = std::move(nodes);
    keep_instead(std::move(kept));
  }

 private:
  void run(Stream& stream) override {
    static_cast<HostStream&>(stream).submit("graph", [program = current()] { program.run(); });
  }
  Program current() {
    if (program_.generation != fork_generation()) {
      program_.turn = std::make_shared<std::mutex>();
      program_.generation = fork_generation();
    }
    return program_;
  }

  Program program_;
};

class HostGraph final : public Graph {
 public:
  HostGraph(Device& device, Nodes nodes, std::shared_ptr<Kept> kept)
      : Graph(device, std::move(kept)), nodes_(std::make_shared<Nodes>(std::move(nodes))) {}

  int64_t nodes() override { return static_cast<int64_t>(nodes_->size()); }

  std::shared_ptr<GraphExec> instantiate() override {
    return std::make_shared<HostGraphExec>(device(), nodes_, kept());
  }

  void update(GraphExec& exec) override {
    auto& target = static_cast<HostGraphExec&>(exec);
    const Nodes& old = target.nodes();
    if (old.size() != nodes_->size())
      fail_update(formatted("it has other nodes, {} instead of {}", nodes_->size(), old.size()));
    for (size_t k = 0; k < old.size(); ++k)
      if (old[k].kind != (*nodes_)[k].kind)
        fail_update(formatted("node {} is of another type, a {} instead of a {}", k,
                              (*nodes_)[k].kind, old[k].kind));
    target.put(nodes_, kept());
  }

 private:
  std::shared_ptr<const Nodes> nodes_;
};

}  // namespace

std::shared_ptr<Capture> make_capture(Stream& origin) {
  return std::make_shared<HostCapture>(origin);
}

void note_work(Capture& capture, const Stream& stream, const char* kind,
               std::function<void()> work) {
  capture.advance(stream);
  static_cast<HostCapture&>(capture).add({kind, std::move(work)});
}

std::shared_ptr<Graph> make_graph(Capture& capture) {
  if (!capture.is_joined()) fail_unjoined();
  return std::make_shared<HostGraph>(capture.origin().device(),
                                     static_cast<HostCapture&>(capture).take(), capture.kept());
}

}  // namespace gpuarr::host
