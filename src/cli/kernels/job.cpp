// What a command that runs a kernel is asked to do, whatever the kind of kernel.
#include "cli/kernels/job.hpp"

#include <sstream>

#include "cli/base/error.hpp"
#include "cli/base/scalar.hpp"
#include "cli/base/text.hpp"

namespace cli {
namespace {

// "IN_PARAMS, OUT_PARAMS and BODY"
std::string enumerated(const std::vector<std::string>& words) {
  std::string text = words[0];
  for (size_t i = 1; i < words.size(); ++i)
    text += (i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
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

}  // namespace

std::vector<OptionRule> job_rules(std::vector<OptionRule> own) {
  own.insert(own.end(), {{"-o", Takes::list},
                         {"-D", Takes::attached},
                         {"--preamble", Takes::value},
                         {"--device", Takes::value},
                         {"--time"},
                         {"--show-source"}});
  return own;
}

Job parse_job(const CommandLine& line, Form form) {
  const std::vector<std::string>& given = line.positionals();
  if (given.size() < form.words.size())
    throw UsageError(form.command + " needs " + enumerated(form.words));
  Job job;
  auto arguments = given.begin() + static_cast<std::ptrdiff_t>(form.words.size());
  auto word = given.begin();
  if (form.words[0] == "SIGNATURE") job.signature = *word++;
  job.in_params = *word++;
  job.out_params = *word++;
  job.texts.assign(word, arguments);
  job.arguments.assign(arguments, given.end());
  job.form = std::move(form);
  for (const std::string& argument : job.arguments) job.scalars.push_back(parse_scalar(argument));
  job.outputs = line.list("-o");
  job.preamble = line.value("--preamble");
  for (const std::string& definition : line.list("-D"))
    job.definitions.push_back("-D" + definition);
  job.device = line.value("--device");
  job.time = line.has("--time");
  job.show_source = line.has("--show-source");
  if (job.time && job.show_source)
    throw UsageError("--show-source runs nothing that --time could measure");
  return job;
}

Options kernel_options(const Job& job) {
  Options options;
  check(gpuarr_kernel_options_create(options.out()));
  if (job.preamble) check(gpuarr_kernel_options_set_preamble(options.get(), job.preamble->c_str()));
  for (const std::string& definition : job.definitions)
    check(gpuarr_kernel_options_add(options.get(), definition.c_str()));
  return options;
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
    throw UsageError("IN_PARAMS has " + listed(inputs) + ", but the arguments after " +
                     job.form.words.back() + " are " + listed(job.arguments));
  bool may_leave_out = job.outputs.empty() && (job.time || job.show_source);
  if (outputs.size() != job.outputs.size() && !may_leave_out)
    throw UsageError("OUT_PARAMS has " + listed(outputs) + ", but the files after -o are " +
                     listed(job.outputs));
  for (size_t i = 0; i < job.outputs.size(); ++i) {
    if (job.outputs[i].empty()) throw UsageError("-o names a file \"\"; give a file's name");
    for (size_t j = 0; j < i; ++j)
      if (job.outputs[i] == job.outputs[j])
        throw UsageError("-o names " + in_quotes(job.outputs[i]) + " for two outputs");
  }
}

bool has_plain_array(const Job& job) {
  std::vector<Parameter> inputs = parameters(job.in_params);
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!job.scalars[i] && !inputs[i].raw) return true;
  return false;
}

}  // namespace cli
