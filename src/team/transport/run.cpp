#include "team/transport/run.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/once.hpp"
#include "core/settings.hpp"
#include "team/transport/sockets.hpp"

namespace gpuarr::team {
namespace {

// The descriptor and the file that it had when it was opened: programs in between may have closed
// it, and another file may have its number.
struct Given {
  int descriptor = -1;
  unsigned long long file = 0;

  bool is_open() const {
    struct stat facts = {};
    return fstat(descriptor, &facts) == 0 && S_ISSOCK(facts.st_mode) && facts.st_ino == file;
  }
};

int number_of(const char* name) { return std::stoi(setting(name).value_or("0")); }

// "-,5/1234,6/1240": one for each process, none for this one.
std::vector<Given> parse_given(std::string_view text) {
  std::vector<Given> out;
  for (size_t end = 0; end != std::string_view::npos;) {
    end = text.find(',');
    const std::string word(text.substr(0, end));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    Given given;
    if (std::sscanf(word.c_str(), "%d/%llu", &given.descriptor, &given.file) != 2) given = {};
    out.push_back(given);
  }
  return out;
}

std::unique_ptr<Sockets> open_sockets() {
  const int rank = number_of("GPUARR_RUN_RANK"), size = number_of("GPUARR_RUN_SIZE");
  const std::string text = setting("GPUARR_RUN_FDS").value_or("");
  const std::vector<Given> given = parse_given(text);
  if (rank >= size || static_cast<int>(given.size()) != size)
    fail(GPUARR_ERR_ARGUMENT,
         "$GPUARR_RUN_RANK is {}, $GPUARR_RUN_SIZE {} and $GPUARR_RUN_FDS \"{}\", which do not go "
         "together; leave them to gpuarr run, or unset all of them",
         rank, size, text);
  std::vector<int> sockets;
  for (int other = 0; other < size; ++other) {
    const Given& socket = given[static_cast<size_t>(other)];
    sockets.push_back(other == rank ? -1 : socket.descriptor);
    if (other == rank) continue;
    if (!socket.is_open())
      fail(GPUARR_ERR_PEER,
           "process {} of gpuarr run has lost its socket to process {}: a program between them "
           "closed it, or one of the processes started this one; unset GPUARR_RUN_RANK for a "
           "process by itself",
           rank, other);
    fcntl(socket.descriptor, F_SETFD, FD_CLOEXEC);
  }
  return std::make_unique<Sockets>(rank, sockets);
}

}  // namespace

std::unique_ptr<Transport> run_transport() {
  if (!setting("GPUARR_RUN_RANK")) return nullptr;
  static auto* once = new Once<Sockets>;
  return sockets_transport(once->get(open_sockets));
}

}  // namespace gpuarr::team
