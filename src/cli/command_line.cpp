// Splits a command's words into options and the rest.
#include "command_line.hpp"

#include <algorithm>

#include "error.hpp"
#include "scalar.hpp"

namespace cli {
namespace {

bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && !is_number(word);
}

const OptionRule& find_rule(std::span<const OptionRule> rules, const std::string& name) {
  auto rule = std::find_if(rules.begin(), rules.end(),
                           [&](const OptionRule& candidate) { return candidate.name == name; });
  if (rule == rules.end()) throw UsageError("there is no option " + name);
  return *rule;
}

}  // namespace

CommandLine::CommandLine(std::span<const std::string> words, std::span<const OptionRule> rules) {
  for (size_t at = 0; at < words.size();) {
    const std::string& word = words[at++];
    if (word == "--") {
      positionals_.insert(positionals_.end(), words.begin() + at, words.end());
      return;
    }
    if (!is_option(word)) {
      positionals_.push_back(word);
      continue;
    }
    size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    std::string name = word.substr(0, equals);
    Takes takes = find_rule(rules, name).takes;
    if (takes != Takes::list && has(name)) throw UsageError(name + " is given twice");
    std::vector<std::string>& values = options_[name];
    size_t before = values.size();
    if (equals != std::string::npos) {
      if (takes == Takes::nothing) throw UsageError(word + ": this option takes no value");
      values.push_back(word.substr(equals + 1));
    } else if (takes == Takes::value && at < words.size()) {
      values.push_back(words[at++]);
    } else if (takes == Takes::list) {
      while (at < words.size() && !is_option(words[at])) values.push_back(words[at++]);
    }
    if (takes != Takes::nothing && values.size() == before)
      throw UsageError(name + " needs a value after it");
  }
}

const std::string* CommandLine::value(const std::string& option) const {
  auto found = options_.find(option);
  return found == options_.end() ? nullptr : &found->second.front();
}

std::vector<std::string> CommandLine::list(const std::string& option) const {
  auto found = options_.find(option);
  return found == options_.end() ? std::vector<std::string>() : found->second;
}

}  // namespace cli
