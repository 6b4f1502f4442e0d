// Tests of cuda/compile/stack.hpp: the size of the stack, what is thrown, where signals go.
#include <pthread.h>

#include <csignal>

#include "check.hpp"
#include "cuda/compile/stack.hpp"

using namespace gpuarr;

namespace {

// Touches 12 MiB of stack: more than a thread has by default.
int deep(int level) {
  volatile char page[64 << 10];
  page[0] = static_cast<char>(level);
  return level == 0 ? page[0] : deep(level - 1) + (page[0] != static_cast<char>(level));
}

}  // namespace

int main() {
  int result = -1;
  cuda::on_large_stack([&] { result = deep(192); });
  CHECK_EQ(result, 0);
  CHECK_FAILS(GPUARR_ERR_SHAPE, "from below",
              [] { cuda::on_large_stack([] { fail(GPUARR_ERR_SHAPE, "from below"); }); });

  sigset_t inside;
  sigset_t outside;
  cuda::on_large_stack([&] { pthread_sigmask(SIG_SETMASK, nullptr, &inside); });
  pthread_sigmask(SIG_SETMASK, nullptr, &outside);
  CHECK_EQ(sigismember(&inside, SIGUSR1), 1);
  CHECK_EQ(sigismember(&outside, SIGUSR1), 0);
  return check::result();
}
