// What a command that runs a kernel is asked to do, whatever the kind of kernel.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/base/command_line.hpp"
#include "cli/base/objects.hpp"

namespace cli {

/// A command's words before the arguments: the two parameter lists and the kernel's texts, and a
/// gufunc's signature before them.
struct Form {
  std::string command;             // "elementwise"
  std::vector<std::string> words;  // "IN_PARAMS", "OUT_PARAMS", "BODY"
};

struct Job {
  Form form;
  std::string signature;
  std::string in_params;
  std::string out_params;
  std::vector<std::string> texts;  // for the words of the form after the two lists
  std::vector<std::string> arguments;
  std::vector<std::optional<gpuarr_arg>> scalars;  // of the arguments; nothing for a file
  std::vector<std::string> outputs;                // files
  std::optional<std::string> preamble;
  std::vector<std::string> definitions;  // "-DN=4"
  std::optional<std::string> device;
  bool time = false;
  bool show_source = false;
};

/// The options that every such command has, and some of its own.
std::vector<OptionRule> job_rules(std::vector<OptionRule> own);

Job parse_job(const CommandLine& line, Form form);

/// The build options that a job gives.
Options kernel_options(const Job& job);

struct Parameter {
  std::string name;
  bool raw = false;
};

/// The parameters of a list that the library has taken.
std::vector<Parameter> parameters(const std::string& list);

/// Checks that there is an argument and a file for each parameter, before any work is done.
void check_counts(const Job& job);

/// Whether an argument is an array, and its parameter not raw; the counts must be right.
bool has_plain_array(const Job& job);

}  // namespace cli
