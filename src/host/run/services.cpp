// What modules call.
#include "core/text.hpp"
#include "host/run/job.hpp"
#include "host/run/watcher.hpp"

namespace gpuarr::host {
namespace {

std::string place(const char* file, int line) {
  return file != nullptr ? formatted(" at {}:{}", file, line) : "";
}

// Out of a kernel, for good. Nothing on the stack may need a destructor.
[[noreturn]] void leave(gpuarr_fiber* self) {
  if (self->block != nullptr) static_cast<Block*>(self->block)->give_up(self);
  std::longjmp(current_worker()->landing, 1);
}

void note_failure(gpuarr_status status, const char* what, const char* file, int line,
                  gpuarr_dim block, gpuarr_dim thread) noexcept {
  RawJob& job = *current_worker()->job;
  try {
    job.fail(status, block,
             formatted(", thread ({},{},{}): {}{}", thread.x, thread.y, thread.z, what,
                       place(file, line)));
  } catch (...) {  // no memory for the message
    job.fail(std::current_exception());
  }
}

void fail_launch(gpuarr_fiber* self, gpuarr_failure why, const char* what, const char* file,
                 int line, gpuarr_dim block, gpuarr_dim thread) {
  note_failure(why == gpuarr_failed_index ? GPUARR_ERR_FAULT : GPUARR_ERR_ASSERT, what, file, line,
               block, thread);
  leave(self);
}

void overflow(gpuarr_fiber* self, gpuarr_dim block, gpuarr_dim thread) {
  note_failure(GPUARR_ERR_FAULT, self->block != nullptr ? too_much_stack : no_stack_left, nullptr,
               0, block, thread);
  leave(self);
}

// The block, or none if the kernel was compiled as a loop.
Block& block_of(gpuarr_fiber* self) {
  if (self->block == nullptr) {
    note_failure(GPUARR_ERR_INTERNAL, "it waits for others, which a loop over threads cannot",
                 nullptr, 0, {0, 0, 0}, {0, 0, 0});
    leave(self);
  }
  return *static_cast<Block*>(self->block);
}

void run(const gpuarr_launch* launch, void (*thread)(gpuarr_fiber*)) noexcept {
  auto& job = *static_cast<RawJob*>(launch->state);
  try {
    if (launch->cooperative != 0)
      run_grid(job, thread);
    else
      run_blocks(job, thread);
  } catch (...) {
    job.fail(std::current_exception());
  }
}

unsigned char* shared(const gpuarr_launch*) { return current_worker()->shared; }

Watcher* watcher_of(const gpuarr_fiber* self) {
  return self->block != nullptr ? current_worker()->job->watcher : nullptr;
}

gpuarr_fiber* barrier(gpuarr_fiber* self, int predicate, int line) {
  if (Watcher* watcher = watcher_of(self)) watcher->waits(self, line, __builtin_return_address(0));
  return block_of(self).barrier(self, predicate);
}

gpuarr_fiber* exchange(gpuarr_fiber* self, gpuarr_exchange* mine) {
  if (Watcher* watcher = watcher_of(self))
    watcher->waits(self, mine->line, __builtin_return_address(0));
  return block_of(self).exchange(self, mine);
}

gpuarr_fiber* end_thread(gpuarr_fiber* self) { return block_of(self).end_thread(self); }

gpuarr_fiber* leave_ring(gpuarr_fiber* self) { return block_of(self).leave_ring(self); }

gpuarr_fiber* grid_barrier(gpuarr_fiber* self) {
  if (Watcher* watcher = watcher_of(self)) watcher->waits(self, 0, __builtin_return_address(0));
  return block_of(self).grid_barrier(self);
}

gpuarr_fiber* yield(gpuarr_fiber* self) {
  return self->block != nullptr ? static_cast<Block*>(self->block)->yield(self) : self;
}

gpuarr_votes votes(const gpuarr_fiber* self) {
  return static_cast<const Block*>(self->block)->votes(self);
}

}  // namespace

const gpuarr_services& raw_services() {
  static const gpuarr_services services = {run,        shared,     barrier,      exchange,
                                           end_thread, leave_ring, grid_barrier, yield,
                                           votes,      overflow,   fail_launch};
  return services;
}

Worker*& current_worker() {
  thread_local Worker* worker = nullptr;
  return worker;
}

}  // namespace gpuarr::host
