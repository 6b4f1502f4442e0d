// Reductions on the CPU device: against hand-written sums, and NumPy and Numba, which take turns
// with us where they are installed.
#include <cmath>
#include <string>

#include "host_bench.hpp"
#include "host_ceiling_reduction.hpp"
#include "numpy.hpp"

namespace {

constexpr int64_t size = 10000000;
constexpr int64_t rows = 4000, columns = 2500;  // as many elements

const ReductionText sum_of_squares = {"T x", "T y", "x * x"};
const ReductionText mean = {"T x", "T y", "x", "a + b",
                            "y = a / (_in_ind.size() / _out_ind.size())"};

Call prepare(const ReductionText& text, const Array& x, const std::vector<int32_t>& axes) {
  return prepare(make_reduction(text), {gpuarr_arg_array(x.get())}, axes);
}

bool all_right = true;

/// What is wrong is no figure: the program goes on, but fails at the end.
void expect_close(const char* what, const float* ours, const std::vector<float>& by_hand) {
  for (size_t k = 0; k < by_hand.size(); ++k)
    if (!(std::abs(ours[k] - by_hand[k]) <= 1e-4F * by_hand[k])) {
      std::fprintf(stderr, "%s: result %zu is %g, by hand %g\n", what, k, ours[k], by_hand[k]);
      all_right = false;
      return;
    }
}

void against_hand_written(const Report& report, gpuarr_device* device) {
  using ceiling::Columns;
  using ceiling::Split;
  const Array flat = random_array<float>(device, GPUARR_F32, size);
  const Array x = reshape(flat, rows, columns);
  const float* px = data<float>(flat);
  const Call full = prepare(sum_of_squares, flat, {}), of_columns = prepare(sum_of_squares, x, {0}),
             of_rows = prepare(sum_of_squares, x, {1});
  ceiling::Threads threads(thread_count(device));
  std::vector<float> sum(1), column_sums(columns), row_sums(rows);
  auto whole = [&](Split split) {
    return [&, split] {
      sum[0] = static_cast<float>(ceiling::sum_of_squares(threads, split, px, size));
    };
  };
  auto along_rows = [&](Columns how) {
    return [&, how] {
      ceiling::sum_of_squares_of_columns(threads, how, px, rows, columns, column_sums.data());
    };
  };
  const auto us = in_turns(
      {[&] { launch(full); }, whole(Split::even), whole(Split::chunks), [&] { launch(of_columns); },
       along_rows(Columns::strips), along_rows(Columns::rows), [&] { launch(of_rows); },
       [&] { ceiling::sum_of_squares_of_rows(threads, px, rows, columns, row_sums.data()); }},
      31);
  report.add(
      {"f32 sum of squares, against a hand-written loop", us[0], std::min(us[1], us[2]), 0.90});
  report.add(
      {"f32 sum of squares axis 0, against hand-written", us[3], std::min(us[4], us[5]), 0.90});
  report.add({"f32 sum of squares axis 1, against hand-written", us[6], us[7], 0.90});
  const gpuarr_arg inputs[] = {gpuarr_arg_array(x.get())};
  const Reduction kernel = make_reduction(sum_of_squares);
  expect_close("full", data<float>(reduce(kernel, {inputs[0]}, {})), sum);
  expect_close("axis 0", data<float>(reduce(kernel, {inputs[0]}, {0})), column_sums);
  expect_close("axis 1", data<float>(reduce(kernel, {inputs[0]}, {1})), row_sums);
}

/// The rows of peers_host.py, whose names these are.
void against_peers(const Report& report, gpuarr_device* device) {
  const Array flat = random_array<float>(device, GPUARR_F32, size);
  const Array wide = random_array<double>(device, GPUARR_F64, size);
  const Array x = reshape(flat, rows, columns);
  struct Work {
    const char* what;
    Call call;
  };
  const Work list[] = {
      {"f32 sum of squares", prepare(sum_of_squares, flat, {})},
      {"f32 sum of squares axis 0", prepare(sum_of_squares, x, {0})},
      {"f32 sum of squares axis 1", prepare(sum_of_squares, x, {1})},
      {"f32 sum", prepare({"T x", "T y", "x"}, flat, {})},
      {"f64 mean", prepare(mean, wide, {})},
      {"f32 argmax", prepare(argmax_text(), flat, {})},
      {"f32 argmax axis 0", prepare(argmax_text(), x, {0})},
      {"f32 argmax axis 1", prepare(argmax_text(), x, {1})},
  };
  std::vector<std::function<void()>> functions;
  for (const Work& work : list) functions.emplace_back([&work] { launch(work.call); });
  Numpy peers;
  std::vector<std::vector<double>> times(std::size(list));
  for (int round = 0; round < 5; ++round) {
    peers.run("reduction");
    const auto us = in_turns(functions, 3);
    for (size_t k = 0; k < us.size(); ++k) times[k].push_back(us[k]);
  }
  for (size_t k = 0; k < std::size(list); ++k)
    for (const std::string peer : {"NumPy", "Numba"}) {
      const double theirs = peers.us(peer + " " + list[k].what);
      if (theirs > 0 || peer == "NumPy")
        report.add({std::string(list[k].what) + ", against " + peer, median(times[k]), theirs});
    }
}

}  // namespace

int main() {
  gpuarr_device* device;
  check(gpuarr_device_open(&device, "host"));
  std::string machine = gpuarr_device_description(device);
  machine += ", " + std::to_string(thread_count(device)) + " threads, n = 10 000 000";
  const Report report("host_reduction", machine.c_str());
  against_hand_written(report, device);
  against_peers(report, device);
  return all_right ? 0 : 1;
}
