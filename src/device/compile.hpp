// What a backend compiles, and what it says when it cannot.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/embedded_header.hpp"
#include "core/error.hpp"

namespace gpuarr {

/// Text that #include finds by a name without there being a file.
struct SourceHeader {
  std::string name;
  std::string text;
};

struct Source {
  std::string name;                  // of the kernel: a C identifier
  std::string text;                  // complete: it includes nothing but what the user asked for
  std::vector<std::string> options;  // as the user gave them
  std::vector<SourceHeader> headers = {};
  // Likewise, of a library that this one carries: no part of the key, so the text tells which
  // version it is. Nothing else is then looked for on the disk.
  std::span<const EmbeddedHeader> embedded = {};
  std::string types = {};  // of its arguments, for people; the text says all that counts
  std::optional<double> time_limit = {};  // in seconds, 0 for none; nothing: the usual one
  // Gets the files of the user's that the compiler read, if it tells them.
  std::vector<std::string>* reads = nullptr;
};

/// CUDA C++ as a user wrote it.
struct RawSource : Source {
  std::string file = "source";         // what messages call the text
  std::string directory;               // of the file it came from; "" for none
  std::string prelude;                 // to stand before the text, and no part of its lines
  std::vector<std::string> instances;  // templates to instantiate: "scale<float, 4>"
  int checks = 0;                      // GPUARR_CHECK_...
};

enum class Listing { ptx, assembly };

/// One message of a compiler. Generated text gives the user's pieces names with #line, such as
/// "body", so that `file` says whose line it is.
struct Diagnostic {
  std::string file;
  int line = 0;
  int column = 0;  // from 1; 0 where the compiler does not say
  bool is_error = true;
  std::string message;
};

/// Text that does not compile. The message is the compiler's log; who knows the user's text makes a
/// better one from the diagnostics.
class CompileError : public Error {
 public:
  CompileError(std::string log, std::vector<Diagnostic> diagnostics, int native = 0)
      : Error(GPUARR_ERR_COMPILE, std::move(log), native), diagnostics_(std::move(diagnostics)) {}
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace gpuarr
