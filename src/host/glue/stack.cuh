// What becomes of threads that have no stack left (see limit_stack()).

#ifdef GPUARR_LIMIT_STACKS

extern "C" __attribute__((visibility("hidden"), no_split_stack)) void __morestack();
extern "C" __attribute__((visibility("hidden"), no_split_stack)) void*
__morestack_allocate_stack_space(unsigned long);

// Where functions begin the stack is not aligned as it is for calls.
extern "C" __attribute__((used, cold, force_align_arg_pointer)) void __morestack() {
  gpuarr_glue::limit_stack(nullptr);
  gpuarr_glue::services->overflow(gpuarr_glue::self, gpuarr_glue::this_block(),
                                  gpuarr_glue::this_thread());
  __builtin_unreachable();
}

// For arrays whose length is not known.
extern "C" __attribute__((used, cold)) void* __morestack_allocate_stack_space(unsigned long) {
  __morestack();
  __builtin_unreachable();
}

#endif
