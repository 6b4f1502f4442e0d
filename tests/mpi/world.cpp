// A program that knows nothing of MPI and is started by a launcher, or by gpuarr run, or alone.
// usage: world NAME SIZE [fail]: what the processes send by, as its description begins, and how
// many there are
#include "team/transport/world.hpp"

#include <cstdlib>
#include <cstring>

#include "check.hpp"
#include "seed.hpp"
#include "team_messages.hpp"

using namespace gpuarr;
using namespace gpuarr::team;

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const int size = std::atoi(argv[2]);
  try {
    const std::unique_ptr<Transport> transport = world_transport();
    if (transport == nullptr) {
      CHECK_EQ(size, 1);
      return check::result();
    }
    CHECK(transport->description().starts_with(argv[1]));
    CHECK_EQ(transport->size(), size);
    if (argc > 3 && transport->rank() == 1) return 5;
    if (argc > 3) {  // the others wait, and are ended
      char byte = 0;
      Request request = transport->receive(&byte, 1, 1, 0);
      messages::finish(*transport, request);
    }
    messages::all_of_it(world_transport, test_seed());
  } catch (const Error& error) {
    check::report(__FILE__, __LINE__) << error.what() << '\n';
  }
  return check::result();
}
