// The gpuarr command: finds the command, runs it, reports what went wrong.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "cli/base/commands.hpp"
#include "cli/base/error.hpp"
#include "cli/base/text.hpp"
#include "cli/usage.hpp"

namespace cli {
namespace {

struct Command {
  const char* name;
  void (*run)(std::span<const std::string> words);
  const char* usage;
};

constexpr const Command* no_command = nullptr;

const Command commands[] = {
    {"info", run_info, info_usage},
    {"cache", run_cache, cache_usage},
    {"elementwise", run_elementwise, elementwise_usage},
    {"gufunc", run_gufunc, gufunc_usage},
    {"reduce", run_reduce, reduce_usage},
    {"raw", run_raw, raw_usage},
    {"op", run_op, op_usage},
    {"eval", run_eval, eval_usage},
    {"embed", run_embed, embed_usage},
    {"check", run_check, check_usage},
    {"fortran", run_fortran, fortran_usage},
    {"run", run_run, run_usage},
    {"bench", run_bench, bench_usage},
};

const Command* find_command(const std::string& name) {
  for (const Command& command : commands)
    if (name == command.name) return &command;
  return no_command;
}

std::string command_meant(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Command& command : commands) names.emplace_back(command.name);
  return meant(name, names);
}

// Help may be asked for anywhere before "--", but for words of another program.
bool asks_for_help(std::span<const std::string> words) {
  for (const std::string& word : words) {
    if (word == "--") return false;
    if (word == "--help" || word == "-h") return true;
  }
  return false;
}

void dispatch(std::span<const std::string> words) {
  if (words.empty()) throw UsageError("no command");
  if (words[0] == "--version") {
    std::printf("gpuarr %s\n", gpuarr_version());
    return;
  }
  if (asks_for_help(words.first(1))) {
    std::fputs(main_usage, stdout);
    return;
  }
  const Command* command = find_command(words[0]);
  if (command == no_command)
    throw UsageError("there is no command " + in_quotes(words[0]) + command_meant(words[0]));
  if (command->run != run_run && asks_for_help(words.subspan(1)))
    std::fputs(command->usage, stdout);
  else
    command->run(words.subspan(1));
}

void flush_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw Failure(std::string("cannot write to standard output: ") + std::strerror(errno));
}

int report(const char* message, int status) {
  std::fflush(stdout);
  std::fprintf(stderr, "gpuarr: %s\n", message);
  return status;
}

int run(const std::vector<std::string>& words) {
  try {
    dispatch(words);
    flush_output();
    return 0;
  } catch (const UsageError& error) {
    int status = report(error.what(), 2);
    const Command* command = words.empty() ? no_command : find_command(words[0]);
    std::string name = command != no_command ? std::string(" ") + command->name : std::string();
    std::fprintf(stderr, "Try \"gpuarr%s --help\".\n", name.c_str());
    return status;
  } catch (const Failure& failure) {
    return report(failure.what(), failure.status);
  } catch (const std::bad_alloc&) {
    return report("out of memory", 1);
  } catch (const std::exception& error) {
    return report(error.what(), 1);
  }
}

}  // namespace
}  // namespace cli

int main(int argc, char** argv) {
  return cli::run(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
}
