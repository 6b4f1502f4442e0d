// Expressions on the CPU device beside JAX, Numba and PyTorch, which take turns with us where they
// are installed. Made once and then called, into arrays that are there.
#include <deque>
#include <string>
#include <thread>

#include "host_bench.hpp"
#include "peer_process.hpp"

namespace {

// As in peers_host_expr.py: each call takes other arrays than the last, a few sets in turns.
constexpr int64_t bytes_of_sets = int64_t{1} << 29, most_sets = 8;
constexpr double warm_us = 5e3, turn_us = 3e4;
constexpr size_t fewest_calls = 4;
constexpr int rounds = 5;

using Shape = std::vector<int64_t>;
using Times = std::map<std::string, std::vector<double>>;

struct Expression {
  std::string title;
  std::string name;  // of peers_host_expr.py
  const char* text;
  std::vector<const char*> inputs;  // w and b are as a row of x
};

const Expression exp_sin{"exp(-x*x)*sin(y)", "exp_sin", "exp(-x*x) * sin(y)", {"x", "y"}};
const Expression squared_error{"mean((x-y)**2)", "mse", "mean((x - y)**2)", {"x", "y"}};
const Expression mean_var{"mean, var", "mean_var", "mean(x), var(x)", {"x"}};
const Expression mean_var_of_rows{
    "mean, var", "mean_var", "mean(x, axis=1), var(x, axis=1)", {"x"}};
const Expression softmax{"softmax",
                         "softmax",
                         "y = exp(x - max(x, axis=1, keepdims=True))\n"
                         "y / sum(y, axis=1, keepdims=True)",
                         {"x"}};
const Expression layer_norm{"layer norm",
                            "layer_norm",
                            "d = x - mean(x, axis=1, keepdims=True)\n"
                            "d / sqrt(mean(d*d, axis=1, keepdims=True) + 1e-5) * w + b",
                            {"x", "w", "b"}};
const Expression z_score{"z-score",
                         "z_score",
                         "d = x - mean(x, axis=1, keepdims=True)\n"
                         "d / sqrt(mean(d*d, axis=1, keepdims=True))",
                         {"x"}};

/// An expression's arrays. Results go to where those of the first set are, as what malloc gives to
/// the peers is what they gave back.
template <class T>
class Set {
 public:
  static constexpr gpuarr_dtype dtype = sizeof(T) == 4 ? GPUARR_F32 : GPUARR_F64;

  Set(gpuarr_device* device, const Expression& expression, const Shape& shape,
      const Set* first = nullptr) {
    for (const std::string name : expression.inputs) {
      const Shape part = name == "w" || name == "b" ? Shape{shape.back()} : shape;
      int64_t size = 1;
      for (const int64_t n : part) size *= n;
      arrays_.push_back(reshape(random_array<T>(device, dtype, size), part));
      inputs_.push_back(gpuarr_arg_array(arrays_.back().get()));
    }
    int32_t results;
    check(gpuarr_eval_count(&results, expression.text));
    outputs_.resize(static_cast<size_t>(results));
    if (first != nullptr)
      for (size_t k = 0; k < outputs_.size(); ++k)
        outputs_[k] = gpuarr_array_retain(first->outputs_[k]);
    function_ = make_function(expression);
    call();
    for (gpuarr_array* output : outputs_) arrays_.emplace_back(output);
  }

  void call() {
    check(gpuarr_function_call(function_.get(), outputs_.data(),
                               static_cast<int32_t>(outputs_.size()), nullptr, 0, nullptr));
  }

  int64_t bytes() const {
    int64_t size = 0;
    for (const Array& array : arrays_) size += gpuarr_array_size(array.get());
    return size * static_cast<int64_t>(sizeof(T));
  }

 private:
  /// Of these arrays, which are no inputs: texts have none.
  Function make_function(const Expression& expression) const {
    std::vector<gpuarr_expr*> roots(outputs_.size());
    const auto count = static_cast<int32_t>(roots.size());
    check(gpuarr_expr_parse(roots.data(), count, expression.text, expression.inputs.data(),
                            inputs_.data(), static_cast<int32_t>(inputs_.size())));
    Function out;
    check(gpuarr_function_create(out.out(), roots.data(), count));
    for (gpuarr_expr* root : roots) gpuarr_expr_release(root);
    return out;
  }

  Function function_;
  std::vector<Array> arrays_;
  std::vector<gpuarr_arg> inputs_;
  std::vector<gpuarr_array*> outputs_;
};

class Bench {
 public:
  Bench(const Report& report, gpuarr_device* device) : report_(report), device_(device) {
    for (const char* name : {"jax", "numba", "torch"})
      peers_.emplace_back(GPUARR_PEERS_HOST_EXPR, name);
    for (PeerProcess& peer : peers_) peer.answer();
  }

  template <class T>
  void run(const Expression& expression, const Shape& shape) {
    const std::string dtype = sizeof(T) == 4 ? "f32" : "f64";
    for (PeerProcess& peer : peers_)
      peer.say("prepare " + expression.name + " " + dtype + " " + text_of(shape, " "));
    std::vector<Set<T>> sets;
    sets.emplace_back(device_, expression, shape);
    const int64_t count = std::min(bytes_of_sets / sets[0].bytes(), most_sets);
    sets.reserve(static_cast<size_t>(std::max<int64_t>(1, count)));
    while (static_cast<int64_t>(sets.size()) < count)
      sets.emplace_back(device_, expression, shape, &sets[0]);
    for (PeerProcess& peer : peers_) peer.answer();
    std::vector<double> ours;
    Times theirs;
    for (int round = 0; round < rounds; ++round) {
      for (PeerProcess& peer : peers_) {
        rest();
        peer.say("time");
        for (const auto& [form, us] : peer.answer()) theirs[form].push_back(us);
      }
      rest();
      ours.push_back(turn(sets));
    }
    add(expression.title + " " + dtype + " " + text_of(shape, "x"), median(ours), theirs);
  }

 private:
  /// Threads of the one before go on spinning for a while.
  static void rest() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

  static std::string text_of(const Shape& shape, const char* between) {
    std::string out;
    for (const int64_t n : shape) out += (out.empty() ? "" : between) + std::to_string(n);
    return out;
  }

  template <class T>
  static double turn(std::vector<Set<T>>& sets) {
    size_t k = 0;
    auto call = [&] {
      const double begin = now_us();
      sets[k++ % sets.size()].call();
      return now_us() - begin;
    };
    for (double sum = 0; sum < warm_us;) sum += call();
    std::vector<double> times;
    for (double sum = 0; sum < turn_us || times.size() < fewest_calls; sum += times.back())
      times.push_back(call());
    return median(times);
  }

  /// What is fast by other sums than it was told to take is no measure, but is shown.
  void add(const std::string& what, double ours, const Times& theirs) const {
    double best = 0;
    for (const auto& [form, times] : theirs)
      if (const double us = median(times); form != "Numba fast" && (best == 0 || us < best))
        best = us;
    report_.add({what + ", against the best", ours, best, best > 0 ? 1.0 : 0});
    for (const auto& [form, times] : theirs)
      report_.add({what + ", against " + form, ours, median(times)});
  }

  const Report& report_;
  gpuarr_device* const device_;
  std::deque<PeerProcess> peers_;
};

template <class T>
void run_all(Bench& bench, const std::vector<Shape>& matrices) {
  for (const int64_t n : {10'000'000, 1'000'000, 100'000}) bench.run<T>(exp_sin, {n});
  bench.run<T>(squared_error, {10'000'000});
  bench.run<T>(mean_var, {10'000'000});
  bench.run<T>(mean_var_of_rows, {8192, 1024});
  for (const Shape& shape : matrices)
    for (const Expression* rows : {&softmax, &layer_norm, &z_score}) bench.run<T>(*rows, shape);
}

}  // namespace

int main() {
  gpuarr_device* device;
  check(gpuarr_device_open(&device, "host"));
  std::string machine = gpuarr_device_description(device);
  machine += ", " + std::to_string(thread_count(device)) + " threads";
  const Report report("host_expr", machine.c_str());
  Bench bench(report, device);
  run_all<float>(bench, {{8192, 1024}, {20000, 300}, {500, 20000}, {1000, 100000}});
  run_all<double>(bench, {{8192, 1024}, {500, 20000}});
  return 0;
}
