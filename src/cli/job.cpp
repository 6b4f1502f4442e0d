// What `gpuarr elementwise` is asked to do.
#include "job.hpp"

#include <charconv>
#include <sstream>

#include "command_line.hpp"
#include "error.hpp"
#include "scalar.hpp"
#include "text.hpp"

namespace cli {
namespace {

constexpr OptionRule rules[] = {
    {"-o", Takes::list},        {"--preamble", Takes::value}, {"--size", Takes::value},
    {"--device", Takes::value}, {"--time", Takes::nothing},   {"--show-source", Takes::nothing},
};

std::optional<std::string> optional_value(const CommandLine& line, const std::string& option) {
  const std::string* value = line.value(option);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

int64_t parse_size(const std::string& text) {
  int64_t size = 0;
  auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error != std::errc() || rest != text.data() + text.size() || size < 0)
    throw UsageError("--size is " + quoted(text) + "; it is a number of elements, 0 or more");
  return size;
}

std::vector<std::string> names(const std::string& list) {
  std::vector<std::string> found;
  for (const Parameter& parameter : parameters(list)) found.push_back(parameter.name);
  return found;
}

// "2 (x, y)"
std::string listed(const std::vector<std::string>& words) {
  std::string text = std::to_string(words.size());
  for (size_t i = 0; i < words.size(); ++i) text += (i == 0 ? " (" : ", ") + words[i];
  return words.empty() ? text : text + ')';
}

void check_size(const Job& job) {
  std::vector<Parameter> inputs = parameters(job.in_params);
  bool has_array = false;
  for (size_t i = 0; i < inputs.size(); ++i) has_array |= !job.scalars[i] && !inputs[i].raw;
  if (!has_array && job.size == GPUARR_NO_SIZE)
    throw UsageError("--size is needed, since no argument is an array that is not raw");
  if (has_array && job.size != GPUARR_NO_SIZE)
    throw UsageError("--size is " + std::to_string(job.size) +
                     ", but the arrays give the size; leave it out");
}

}  // namespace

Job parse_job(std::span<const std::string> words) {
  CommandLine line(words, rules);
  const std::vector<std::string>& given = line.positionals();
  if (given.size() < 3) throw UsageError("elementwise needs IN_PARAMS, OUT_PARAMS and BODY");
  Job job;
  job.in_params = given[0];
  job.out_params = given[1];
  job.body = given[2];
  job.arguments.assign(given.begin() + 3, given.end());
  for (const std::string& argument : job.arguments) job.scalars.push_back(parse_scalar(argument));
  job.outputs = line.list("-o");
  job.preamble = optional_value(line, "--preamble");
  job.device = optional_value(line, "--device");
  if (const std::string* size = line.value("--size")) job.size = parse_size(*size);
  job.time = line.has("--time");
  job.show_source = line.has("--show-source");
  if (job.time && job.show_source)
    throw UsageError("--show-source runs nothing that --time could measure");
  return job;
}

std::vector<Parameter> parameters(const std::string& list) {
  std::vector<Parameter> found;
  std::istringstream items(list);
  for (std::string item; std::getline(items, item, ',');) {
    Parameter parameter;
    std::istringstream words(item);
    for (std::string word; words >> word;) {
      parameter.name = word;
      parameter.raw |= word == "raw";
    }
    if (!parameter.name.empty()) found.push_back(parameter);
  }
  return found;
}

void check_counts(const Job& job) {
  std::vector<std::string> inputs = names(job.in_params);
  std::vector<std::string> outputs = names(job.out_params);
  if (inputs.size() != job.arguments.size())
    throw UsageError("IN_PARAMS has " + listed(inputs) + ", but the arguments after BODY are " +
                     listed(job.arguments));
  bool may_leave_out = job.outputs.empty() && (job.time || job.show_source);
  if (outputs.size() != job.outputs.size() && !may_leave_out)
    throw UsageError("OUT_PARAMS has " + listed(outputs) + ", but the files after -o are " +
                     listed(job.outputs));
  for (size_t i = 0; i < job.outputs.size(); ++i) {
    if (job.outputs[i].empty()) throw UsageError("-o names a file \"\", which cannot be");
    for (size_t j = 0; j < i; ++j)
      if (job.outputs[i] == job.outputs[j])
        throw UsageError("-o names " + quoted(job.outputs[i]) + " for two outputs");
  }
  check_size(job);
}

}  // namespace cli
