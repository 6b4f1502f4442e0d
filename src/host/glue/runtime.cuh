// What compilers expect of a C++ library behind new, delete and virtual functions: modules have
// none. Memory is the C library's, so that a kernel may free what another one allocated.

void* operator new(decltype(sizeof 0) bytes) { return __builtin_malloc(bytes > 0 ? bytes : 1); }
void* operator new[](decltype(sizeof 0) bytes) { return __builtin_malloc(bytes > 0 ? bytes : 1); }
void operator delete(void* p) noexcept { __builtin_free(p); }
void operator delete[](void* p) noexcept { __builtin_free(p); }
void operator delete(void* p, decltype(sizeof 0)) noexcept { __builtin_free(p); }
void operator delete[](void* p, decltype(sizeof 0)) noexcept { __builtin_free(p); }

extern "C" void __cxa_pure_virtual() { __trap(); }
