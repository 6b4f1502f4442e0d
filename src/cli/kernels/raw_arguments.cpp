// The arguments of a raw kernel: what the words say, and what becomes of them.
#include "cli/kernels/raw_arguments.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "cli/base/error.hpp"
#include "cli/base/numbers.hpp"
#include "cli/base/results.hpp"
#include "cli/base/scalar.hpp"
#include "cli/base/text.hpp"

namespace cli {
namespace {

// The word up to the next colon; the rest has what is behind it.
std::string take_field(std::string_view& rest) {
  size_t colon = std::min(rest.find(':'), rest.size());
  std::string field(rest.substr(0, colon));
  rest.remove_prefix(std::min(colon + 1, rest.size()));
  return field;
}

RawArgument parse_output(std::string_view rest, const std::string& word) {
  RawArgument argument;
  std::string type = take_field(rest);
  std::string shape = take_field(rest);
  argument.save = rest;
  if (argument.save.empty())
    throw UsageError(word + ": an output is out:DTYPE:SHAPE:FILE, such as out:f32:10,20:y.npy");
  if (gpuarr_dtype_from_name(&argument.dtype, type.c_str()) != GPUARR_OK)
    throw UsageError(word + ": there is no type " + in_quotes(type));
  auto extents = parse_numbers(shape);
  if (!extents || std::any_of(extents->begin(), extents->end(), [](int64_t n) { return n < 0; }))
    throw UsageError(word + ": " + in_quotes(shape) +
                     " is no shape; it is extents with commas in between, such as 10,20");
  argument.shape = *extents;
  return argument;
}

RawArgument parse_in_place(std::string_view rest, const std::string& word) {
  RawArgument argument;
  argument.load = take_field(rest);
  argument.save = rest;
  if (argument.load.empty() || argument.save.empty())
    throw UsageError(word + ": an array to change is inout:FILE:FILE, such as inout:x.npy:y.npy");
  return argument;
}

RawArgument parse_array(const std::string& word) {
  std::string_view rest = word;
  std::string first = take_field(rest);
  if (first == "out") return parse_output(rest, word);
  if (first == "inout") return parse_in_place(rest, word);
  RawArgument argument;
  argument.load = word;
  return argument;
}

// "float a" and "const float* x" of "saxpy(float a, const float* x)".
std::vector<std::string_view> parameters_of(std::string_view signature) {
  std::vector<std::string_view> parameters;
  size_t end = signature.rfind(')');
  int depth = 0;
  for (size_t at = end; end != signature.npos && at-- > 0;) {
    const char c = signature[at];
    if (c == ')' || c == '>') ++depth;
    if (depth == 0 && (c == ',' || c == '(')) {
      const size_t begin = at + (c == ',' ? 2 : 1);
      parameters.insert(parameters.begin(), signature.substr(begin, end - begin));
      end = at;
    }
    if (c == '(' && depth == 0) break;
    if (c == '(' || c == '<') --depth;
  }
  return parameters;
}

bool is_read_only(std::string_view parameter) {
  return parameter.starts_with("const ") || parameter.find("<const ") != parameter.npos;
}

Array make_array(const RawArgument& argument, gpuarr_device* device, gpuarr_stream* stream,
                 Progress& progress) {
  Array array;
  if (argument.load.empty()) {
    check(gpuarr_array_zeros(array.out(), device, argument.dtype,
                             static_cast<int32_t>(argument.shape.size()), argument.shape.data(),
                             GPUARR_ORDER_C, stream));
  } else {
    progress.show("loading " + argument.load);
    check(gpuarr_npy_load(array.out(), device, argument.load.c_str(), stream));
  }
  return array;
}

}  // namespace

RawArgument parse_raw_argument(const std::string& word) {
  constexpr std::string_view view = "view:";
  if (word.empty()) throw UsageError("an argument is \"\", which names no file");
  if (word.starts_with(view)) {
    RawArgument argument = parse_raw_argument(word.substr(view.size()));
    if (argument.value || argument.view)
      throw UsageError(word + ": what follows \"view:\" is an array; a file is ./" + word);
    argument.view = true;
    return argument;
  }
  bool array = word.starts_with("out:") || word.starts_with("inout:");
  RawArgument argument;
  if (word == "null")
    argument.value = gpuarr_arg_pointer(nullptr);
  else if (!array)
    argument.value = parse_scalar(word);
  return argument.value ? argument : parse_array(word);
}

RawOperands::RawOperands(const std::vector<RawArgument>& arguments, gpuarr_device* device,
                         gpuarr_stream* stream, Progress& progress) {
  for (const RawArgument& argument : arguments) {
    if (argument.value) {
      args_.push_back(*argument.value);
      continue;
    }
    Array array = make_array(argument, device, stream, progress);
    bool twice = !argument.load.empty() && !argument.save.empty();
    bytes_ += bytes_of(array.get()) * (twice ? 2 : 1);
    args_.push_back(argument.view ? gpuarr_arg_view(array.get()) : gpuarr_arg_array(array.get()));
    if (argument.save.empty())
      inputs_.push_back({std::move(array), argument.load, args_.size() - 1});
    else
      results_.push_back({std::move(array), argument.save, args_.size() - 1});
  }
}

std::vector<gpuarr_array*> RawOperands::changed() const {
  std::vector<gpuarr_array*> arrays;
  for (const Named& result : results_) arrays.push_back(result.array.get());
  return arrays;
}

void RawOperands::save(gpuarr_stream* stream, Progress& progress) const {
  for (const Named& result : results_) cli::save(result.path, result.array.get(), stream, progress);
}

std::vector<std::string> RawOperands::lost(std::string_view signature,
                                           gpuarr_stream* stream) const {
  gpuarr_device* host = nullptr;
  check(gpuarr_device_open(&host, "host"));
  const std::vector<std::string_view> parameters = parameters_of(signature);
  std::vector<std::string> paths;
  check(gpuarr_stream_synchronize(stream));
  for (const Named& input : inputs_) {
    if (parameters.size() == args_.size() && is_read_only(parameters[input.place])) continue;
    Array before, after;
    check(gpuarr_npy_load(before.out(), host, input.path.c_str(), nullptr));
    check(gpuarr_array_to_device(after.out(), input.array.get(), host, nullptr));
    check(gpuarr_device_synchronize(host));
    const auto bytes = static_cast<size_t>(bytes_of(before.get()));
    if (bytes_of(after.get()) != bytes_of(before.get()) ||
        (bytes > 0 &&
         std::memcmp(gpuarr_array_data(before.get()), gpuarr_array_data(after.get()), bytes) != 0))
      paths.push_back(input.path);
  }
  return paths;
}

}  // namespace cli
