// Splits a command's words into options and the rest.
#include "cli/base/command_line.hpp"

#include "cli/base/error.hpp"
#include "cli/base/scalar.hpp"
#include "cli/base/text.hpp"

namespace cli {
namespace {

bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && !is_number(word);
}

struct Option {
  std::string name;
  Takes takes = Takes::nothing;
  std::optional<std::string> value;  // where it is in the same word
};

Option take_apart(const std::string& word, std::span<const OptionRule> rules) {
  size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
  std::string name = word.substr(0, equals);
  for (const OptionRule& rule : rules) {
    bool attached = rule.takes == Takes::attached && !rule.name.starts_with("--") &&
                    word.starts_with(rule.name);
    if (!attached && name != rule.name) continue;
    Option option = {std::string(rule.name), rule.takes, std::nullopt};
    if (equals != std::string::npos) option.value = word.substr(equals + 1);
    if (attached && word.size() > rule.name.size()) option.value = word.substr(rule.name.size());
    return option;
  }
  std::vector<std::string_view> names;
  for (const OptionRule& rule : rules) names.push_back(rule.name);
  throw UsageError("there is no option " + name + meant(name, names));
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
    Option option = take_apart(word, rules);
    bool once = option.takes == Takes::nothing || option.takes == Takes::value;
    if (once && has(option.name)) throw UsageError(option.name + " is given twice");
    std::vector<std::string>& values = options_[option.name];
    size_t before = values.size();
    if (option.value) {
      if (option.takes == Takes::nothing) throw UsageError(word + ": this option takes no value");
      values.push_back(*option.value);
    } else if (option.takes == Takes::list) {
      while (at < words.size() && !is_option(words[at])) values.push_back(words[at++]);
    } else if (option.takes != Takes::nothing && at < words.size()) {
      values.push_back(words[at++]);
    }
    if (option.takes != Takes::nothing && values.size() == before)
      throw UsageError(option.name + " needs a value after it");
  }
}

std::optional<std::string> CommandLine::value(const std::string& option) const {
  auto found = options_.find(option);
  return found == options_.end() ? std::nullopt : std::optional(found->second.front());
}

std::vector<std::string> CommandLine::list(const std::string& option) const {
  auto found = options_.find(option);
  return found == options_.end() ? std::vector<std::string>() : found->second;
}

}  // namespace cli
