// gpuarr eval: an expression over .npy files.
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "cli/base/command_line.hpp"
#include "cli/base/commands.hpp"
#include "cli/base/device.hpp"
#include "cli/base/elements.hpp"
#include "cli/base/error.hpp"
#include "cli/base/interrupt.hpp"
#include "cli/base/objects.hpp"
#include "cli/base/progress.hpp"
#include "cli/base/results.hpp"
#include "cli/base/scalar.hpp"
#include "cli/base/text.hpp"

namespace cli {
namespace {

struct EvalRequest {
  std::string text;
  std::vector<std::string> names, values;  // of the arguments
  std::vector<std::string> files;          // after -o
  int32_t results = 0;
  std::optional<std::string> device;
  bool explain = false;
};

void add_argument(EvalRequest& request, const std::string& word) {
  const size_t equals = word.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == word.size())
    throw UsageError(in_quotes(word) + " is no argument; give NAME=FILE.npy or NAME=NUMBER");
  request.names.push_back(word.substr(0, equals));
  request.values.push_back(word.substr(equals + 1));
}

EvalRequest parse_eval(const CommandLine& line) {
  const std::vector<std::string>& words = line.positionals();
  if (words.empty()) throw UsageError("eval needs TEXT, such as 'sum(x*x)'");
  EvalRequest request;
  request.text = words[0];
  std::for_each(words.begin() + 1, words.end(),
                [&](const std::string& word) { add_argument(request, word); });
  request.files = line.list("-o");
  request.device = line.value("--device");
  request.explain = line.has("--explain");
  check(gpuarr_eval_count(&request.results, request.text.c_str()));
  const auto files = static_cast<int64_t>(request.files.size());
  if (files > 0 && files != request.results)
    throw UsageError(in_quotes(request.text) + " has " + count_text(request.results, "result") +
                     ", but after -o there " + (files == 1 ? "is " : "are ") +
                     count_text(files, "file"));
  for (auto file = request.files.begin(); file != request.files.end(); ++file)
    if (std::find(request.files.begin(), file, *file) != file)
      throw UsageError("-o names " + in_quotes(*file) + " for two results");
  return request;
}

// The arguments as the library takes them.
class EvalArguments {
 public:
  EvalArguments(const EvalRequest& request, gpuarr_device* device, gpuarr_stream* stream,
                Progress& progress) {
    for (size_t k = 0; k < request.names.size(); ++k) {
      const std::string& value = request.values[k];
      names_.push_back(request.names[k].c_str());
      if (auto scalar = parse_scalar(value)) {
        args_.push_back(*scalar);
        continue;
      }
      progress.show("loading " + value);
      check(gpuarr_npy_load(arrays_.emplace_back().out(), device, value.c_str(), stream));
      args_.push_back(gpuarr_arg_array(arrays_.back().get()));
    }
  }

  const char* const* names() const { return names_.data(); }
  const gpuarr_arg* args() const { return args_.data(); }
  int32_t count() const { return static_cast<int32_t>(args_.size()); }

 private:
  std::vector<const char*> names_;
  std::vector<gpuarr_arg> args_;
  std::vector<Array> arrays_;
};

void print_plan(const EvalRequest& request, const EvalArguments& arguments) {
  std::vector<gpuarr_expr*> made(static_cast<size_t>(request.results));
  check(gpuarr_expr_parse(made.data(), request.results, request.text.c_str(), arguments.names(),
                          arguments.args(), arguments.count()));
  const std::vector<Expression> owned(made.begin(), made.end());
  const char* plan = nullptr;
  check(gpuarr_expr_explain(&plan, made.data(), request.results));
  std::fputs(plan, stdout);
}

std::vector<Array> evaluate(const EvalRequest& request, const EvalArguments& arguments,
                            gpuarr_stream* stream) {
  HoldSignals for_a_moment(1);
  std::vector<gpuarr_array*> outputs(static_cast<size_t>(request.results));
  check(gpuarr_eval_all(outputs.data(), request.results, request.text.c_str(), arguments.names(),
                        arguments.args(), arguments.count(), stream));
  std::vector<Array> results(outputs.begin(), outputs.end());
  check(gpuarr_stream_synchronize(stream));
  return results;
}

void run(const EvalRequest& request, gpuarr_device* device) {
  Progress progress;
  Stream stream;
  check(gpuarr_stream_current(stream.out(), device));
  const EvalArguments arguments(request, device, stream.get(), progress);
  if (request.explain) {
    progress.clear();
    print_plan(request, arguments);
    if (request.files.empty()) return;
  }
  progress.show("compiling and running");
  const std::vector<Array> results = evaluate(request, arguments, stream.get());
  for (size_t k = 0; k < request.files.size(); ++k)
    save(request.files[k], results[k].get(), stream.get(), progress);
  progress.clear();
  if (!request.files.empty()) return;
  for (const Array& result : results)
    std::printf("%s\n", elements_text(result.get(), stream.get()).c_str());
}

}  // namespace

void run_eval(std::span<const std::string> words) {
  constexpr OptionRule rules[] = {{"-o", Takes::list}, {"--device", Takes::value}, {"--explain"}};
  const EvalRequest request = parse_eval(CommandLine(words, rules));
  for (const std::string& file : request.files) check_can_save(file);
  run(request, open_device(request.device));
}

}  // namespace cli
