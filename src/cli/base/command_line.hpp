// Splits a command's words into options and the rest.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// Attached: "-DN=4" or "-D N=4", "--option=-w" or "--option -w", any number of times.
enum class Takes { nothing, value, list, attached };

struct OptionRule {
  std::string_view name;  // "--size"
  Takes takes = Takes::nothing;
};

class CommandLine {
 public:
  /// Takes the words after the command's name. A negative number is no option.
  CommandLine(std::span<const std::string> words, std::span<const OptionRule> rules);

  const std::vector<std::string>& positionals() const { return positionals_; }
  bool has(const std::string& option) const { return options_.contains(option); }

  /// The option's value; nothing if it is not there.
  std::optional<std::string> value(const std::string& option) const;
  std::vector<std::string> list(const std::string& option) const;

 private:
  std::vector<std::string> positionals_;
  std::map<std::string, std::vector<std::string>> options_;
};

}  // namespace cli
