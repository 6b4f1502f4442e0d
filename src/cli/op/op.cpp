// gpuarr op: one operation over .npy files.
#include "cli/op/op.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <sstream>

#include "cli/base/command_line.hpp"
#include "cli/base/commands.hpp"
#include "cli/base/device.hpp"
#include "cli/base/error.hpp"
#include "cli/base/interrupt.hpp"
#include "cli/base/numbers.hpp"
#include "cli/base/objects.hpp"
#include "cli/base/progress.hpp"
#include "cli/base/results.hpp"
#include "cli/base/scalar.hpp"
#include "cli/base/text.hpp"
#include "cli/base/timing.hpp"

namespace cli {
namespace {

struct Request {
  OpCall call;                     // without its arrays
  std::vector<std::string> files;  // after -o
  std::optional<std::string> device;
  bool time = false;
};

const Op& find_op(const std::string& name) {
  std::vector<std::string_view> names;
  for (std::span<const Op> table : all_ops())
    for (const Op& op : table) {
      if (name == op.name) return op;
      names.emplace_back(op.name);
    }
  throw UsageError("there is no operation " + in_quotes(name) + meant(name, names) +
                   (meant(name, names).empty() ? "; " : " ") + "gpuarr op --list shows them");
}

// "X [K]" is {1, 2}; "X..." has no upper bound.
std::pair<size_t, size_t> argument_counts(const std::string& form) {
  std::istringstream words(form);
  std::pair<size_t, size_t> counts = {0, 0};
  for (std::string word; words >> word;) {
    counts.first += word[0] == '[' ? 0 : 1;
    counts.second = word.ends_with("...") ? SIZE_MAX : counts.second + 1;
  }
  return counts;
}

void check_op_counts(const Request& request) {
  const Op& op = *request.call.op;
  const auto [least, most] = argument_counts(op.arguments);
  const size_t given = request.call.words.size();
  if (given < least || given > most)
    throw UsageError(std::string(op.name) + " takes " + op.arguments + ", but " +
                     count_text(static_cast<int64_t>(given), "argument") +
                     (given == 1 ? " was given" : " were given"));
  const size_t files = request.files.size();
  if ((files == 0 && !request.time) || files > static_cast<size_t>(op.outputs))
    throw UsageError(std::string(op.name) + " has " + count_text(op.outputs, "output") +
                     ", but after -o there are " + count_text(static_cast<int64_t>(files), "file"));
  for (auto file = request.files.begin(); file != request.files.end(); ++file)
    if (std::find(request.files.begin(), file, *file) != file)
      throw UsageError("-o names " + in_quotes(*file) + " for two outputs");
}

// What random numbers need besides; no other operation has a use for it.
Draw parse_draw(const CommandLine& line, const Op& op) {
  Draw draw;
  const auto shape = line.value("--shape"), dtype = line.value("--dtype"),
             seed = line.value("--seed");
  if (!std::string(op.name).starts_with("random_") && (shape || dtype || seed))
    throw UsageError("--shape, --dtype and --seed are for random numbers, which " +
                     std::string(op.name) + " are not");
  if (!shape && op.draws)
    throw UsageError(std::string(op.name) +
                     " needs --shape, such as 1000,3; --shape 1 is a single number");
  if (shape) {
    auto extents = parse_numbers(*shape);
    if (!extents) throw UsageError("--shape is " + in_quotes(*shape) + "; give one such as 3,4");
    draw.shape = *extents;
  }
  if (dtype) check(gpuarr_dtype_from_name(&draw.dtype, dtype->c_str()));
  if (seed) {
    auto number = parse_number(*seed);
    if (!number) throw UsageError("--seed is " + in_quotes(*seed) + "; give a whole number");
    draw.seed = static_cast<uint64_t>(*number);
  }
  return draw;
}

Request parse_request(const CommandLine& line) {
  const std::vector<std::string>& words = line.positionals();
  if (words.empty()) throw UsageError("op needs NAME; gpuarr op --list shows all of them");
  Request request;
  request.call.op = &find_op(words[0]);
  request.call.words.assign(words.begin() + 1, words.end());
  request.files = line.list("-o");
  request.call.keepdims = line.has("--keepdims");
  request.call.axes = parse_axes(line);
  request.device = line.value("--device");
  request.call.draw = parse_draw(line, *request.call.op);
  request.time = line.has("--time");
  check_op_counts(request);
  return request;
}

void list_ops() {
  size_t width = 0;
  auto form = [](const Op& op) { return std::string(op.name) + ' ' + op.arguments; };
  for (std::span<const Op> table : all_ops())
    for (const Op& op : table) width = std::max(width, form(op).size());
  for (std::span<const Op> table : all_ops())
    for (const Op& op : table)
      std::printf("%-*s  %s\n", static_cast<int>(width), form(op).c_str(), op.does);
}

// The arguments as the operation takes them; the arrays live as long as `arrays`.
std::vector<gpuarr_arg> load(const OpCall& call, Progress& progress, std::vector<Array>& arrays) {
  std::vector<gpuarr_arg> inputs;
  const bool has_text = std::string(call.op->arguments).starts_with("TEXT");
  for (const std::string& word : call.words) {
    if (has_text && inputs.empty()) {
      inputs.push_back({});
      continue;
    }
    if (auto scalar = parse_scalar(word)) {
      inputs.push_back(*scalar);
      continue;
    }
    progress.show("loading " + word);
    check(gpuarr_npy_load(arrays.emplace_back().out(), call.device, word.c_str(), call.stream));
    inputs.push_back(gpuarr_arg_array(arrays.back().get()));
  }
  return inputs;
}

std::vector<Array> run_once(OpCall call) {
  {
    HoldSignals for_a_moment(1);
    call.op->run(call);
    check(gpuarr_stream_synchronize(call.stream));
  }
  std::vector<Array> results;
  for (gpuarr_array* output : call.outputs) results.emplace_back(output);
  return results;
}

// Of whole calls, which make their outputs anew.
void print_times(const OpCall& call, const std::vector<Array>& arrays,
                 const std::vector<Array>& results) {
  int64_t bytes = 0;
  for (const auto* list : {&arrays, &results})
    for (const Array& array : *list) bytes += bytes_of(array.get());
  const Timing timing = time_launches(
      [&] {
        OpCall again = call;
        again.op->run(again);
        for (gpuarr_array* output : again.outputs) gpuarr_array_release(output);
      },
      {}, {}, call.stream);
  std::printf("%s: %s; %s, %s if each array is gone over once\n", gpuarr_device_name(call.device),
              timing_text(timing).c_str(), bytes_text(bytes).c_str(),
              rate_text(timing, bytes).c_str());
}

void run(const Request& request, gpuarr_device* device) {
  Progress progress;
  Stream stream;
  check(gpuarr_stream_current(stream.out(), device));
  std::vector<Array> arrays;
  OpCall call = request.call;
  call.device = device;
  call.stream = stream.get();
  call.inputs = load(call, progress, arrays);
  call.outputs.resize(static_cast<size_t>(call.op->outputs));
  progress.show("compiling and running");
  const std::vector<Array> results = run_once(call);
  for (size_t k = 0; k < request.files.size(); ++k)
    save(request.files[k], results[k].get(), stream.get(), progress);
  progress.clear();
  if (request.time) print_times(call, arrays, results);
}

}  // namespace

std::vector<std::span<const Op>> all_ops() {
  return {function_ops(), reduction_ops(), moving_ops(), array_ops(),
          matrix_ops(),   solver_ops(),    random_ops()};
}

bool is_operation(std::string_view name) {
  return std::ranges::any_of(all_ops(), [&](std::span<const Op> table) {
    return std::ranges::find(table, name, &Op::name) != table.end();
  });
}

void run_op(std::span<const std::string> words) {
  constexpr OptionRule rules[] = {{"-o", Takes::list},
                                  {"--axis", Takes::value},
                                  {"--keepdims"},
                                  {"--shape", Takes::value},
                                  {"--dtype", Takes::value},
                                  {"--seed", Takes::value},
                                  {"--device", Takes::value},
                                  {"--time"},
                                  {"--list"}};
  CommandLine line(words, rules);
  if (line.has("--list")) {
    list_ops();
    return;
  }
  const Request request = parse_request(line);
  for (const std::string& file : request.files) check_can_save(file);
  run(request, open_device(request.device));
}

}  // namespace cli
