// Compiles kernels with g++, without its vectors: as they are, or behind the glue for raw ones.
#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "backend/serial.hpp"
#include "backend_text.hpp"
#include "core/error.hpp"
#include "core/line_name.hpp"
#include "core/process.hpp"
#include "core/scratch.hpp"
#include "core/settings.hpp"
#include "core/tokens.hpp"
#include "device/standard.hpp"

namespace gpuarr::serial {
namespace {

using Strings = std::vector<std::string>;

Strings command(const Strings& arguments) {
  Strings out = {"/usr/bin/env", setting("GPUARR_CXX").value_or("g++")};
  out.insert(out.end(), arguments.begin(), arguments.end());
  return out;
}

// "body:1:5: error: message"
std::vector<Diagnostic> parse_diagnostics(const std::string& log) {
  std::vector<Diagnostic> out;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    char file[256] = {};
    Diagnostic found;
    if (std::sscanf(line.c_str(), "%255[^:]:%d:%d:", file, &found.line, &found.column) != 3)
      continue;
    const size_t error = line.find(" error: ");
    if (error == std::string::npos) continue;
    found.file = file;
    found.message = line.substr(error + 8);
    out.push_back(std::move(found));
  }
  return out;
}

std::string compile(const std::string& text, const Strings& options,
                    const std::vector<SourceHeader>& headers) {
  const ScratchDirectory scratch(scratch_parents().front());
  if (!scratch) fail(GPUARR_ERR_IO, "no directory for temporary files: {}", errno_text(errno));
  for (const SourceHeader& header : headers) {
    const std::filesystem::path path = scratch.path() + "/" + header.name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << header.text;
  }
  const std::string output = scratch.path() + "/image.so";
  Strings arguments = {"-x",
                       "c++",
                       "-std=c++17",
                       "-O1",
                       "-fPIC",
                       "-shared",
                       "-w",
                       "-fno-strict-aliasing",
                       "-fdiagnostics-color=never",
                       "-fno-diagnostics-show-caret",
                       "-DGPUARR_LIBMVEC=0",
                       "-I" + scratch.path(),
                       "-o",
                       output,
                       "-"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Outcome outcome = run_program(command(arguments), text, scratch.path());
  if (!outcome.exited_well()) throw CompileError(outcome.log, parse_diagnostics(outcome.log));
  return File(open(output.c_str(), O_RDONLY | O_CLOEXEC)).read_all();
}

// Threads run one after the other, so none can wait for another.
void check_alone(const std::vector<Token>& tokens) {
  for (const Token& token : tokens)
    if (token.is("__syncthreads") || token.is("__shared__"))
      fail(GPUARR_ERR_UNSUPPORTED, "line {}: the serial device has no {}; use another device",
           token.line, token.text);
}

// Those that are no templates: the name before the first parenthesis behind __global__, but for
// that of __launch_bounds__.
Strings kernels_in(const std::vector<Token>& tokens) {
  Strings out;
  bool in_template = false;
  for (size_t k = 0; k < tokens.size(); ++k) {
    if (tokens[k].is(";") || tokens[k].is("}")) in_template = false;
    if (tokens[k].is("template")) in_template = true;
    if (!tokens[k].is("__global__") || in_template) continue;
    while (k + 1 < tokens.size() && (!tokens[k + 1].is("(") || tokens[k].is("__launch_bounds__")))
      ++k;
    out.emplace_back(tokens[k].text);
  }
  return out;
}

std::string table_of(const Strings& kernels) {
  std::string out = "\nextern \"C\" const gpuarr_serial::Kernel gpuarr_serial_kernels[] = {\n";
  for (const std::string& kernel : kernels)
    out += formatted(
        "#line 1 {0}\n{{{0}, gpuarr_serial::entry<&{1}>::parameters,"
        " gpuarr_serial::entry<&{1}>::run}},\n",
        line_name(kernel), kernel);
  return out + "{}};\n";
}

}  // namespace

std::string compiler_version() {
  const Outcome outcome = run_program(command({"--version"}), "", "/tmp");
  if (!outcome.exited_well())
    fail(GPUARR_ERR_NO_COMPILER, "g++ --version came to {}: {}", outcome.how(), outcome.log);
  return outcome.log.substr(0, outcome.log.find('\n'));
}

std::string compile_source(const Source& source) {
  return compile(source.text, at_least_17(source.options), source.headers);
}

std::string compile_raw_source(const RawSource& source) {
  const std::vector<Token> tokens = tokenize(source.text);
  check_alone(tokens);
  Strings kernels = kernels_in(tokens);
  kernels.insert(kernels.end(), source.instances.begin(), source.instances.end());
  Strings options = at_least_17(source.options);
  if (!source.directory.empty()) options.push_back("-I" + source.directory);
  return compile(formatted("{}\n{}\n#line 1 {}\n{}{}", source.prelude, backend_parts::glue,
                           line_name(source.file), source.text, table_of(kernels)),
                 options, source.headers);
}

}  // namespace gpuarr::serial
