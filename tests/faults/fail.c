/* See fail.h. The C library's own are asked by their other names or by number: looking them up
 * would allocate. */
#include "fail.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

const char* const fault_names[FAULT_KINDS] = {"malloc", "open",  "read",  "write",  "stat",
                                              "name",   "space", "child", "thread", "load"};

static atomic_int_fast64_t calls[FAULT_KINDS], live;
static atomic_int failing = -1, goes_on;
static atomic_int_fast64_t number_to_fail;

void fail_at(enum fault kind, int64_t number, int on) {
  failing = -1;
  for (int k = 0; k < FAULT_KINDS; ++k) calls[k] = 0;
  number_to_fail = number;
  goes_on = on;
  if (number > 0) failing = (int)kind;
}

int64_t calls_since(enum fault kind) { return calls[kind]; }
int64_t blocks_live(void) { return live; }

/* Where blocks came from, if that is asked for: a table by address. */
enum { places = 1 << 20, depth = 14 };
static struct place {
  void* block;
  void* frames[depth];
} * table;
static pthread_mutex_t table_mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int inside;

static void print_trace(const char* title) {
  void* frames[24];
  inside = 1;
  syscall(SYS_write, STDERR_FILENO, title, strlen(title));
  backtrace_symbols_fd(frames, backtrace(frames, 24), STDERR_FILENO);
  inside = 0;
}

/* What was loaded with the program: it, the C and C++ libraries and the loader. The failures of
 * what is loaded later, drivers, compilers and BLAS, are theirs to survive. */
static struct { uintptr_t begin, end; } with_program[32];
static int objects;

static int note_object(struct dl_phdr_info* info, size_t size, void* user) {
  (void)size, (void)user;
  uintptr_t end = info->dlpi_addr;
  for (int k = 0; k < info->dlpi_phnum; ++k) {
    const uintptr_t behind =
        info->dlpi_addr + info->dlpi_phdr[k].p_vaddr + info->dlpi_phdr[k].p_memsz;
    if (info->dlpi_phdr[k].p_type == PT_LOAD && behind > end) end = behind;
  }
  with_program[objects].begin = info->dlpi_addr;
  with_program[objects].end = end;
  return ++objects == 32;
}

static int came_with_program(const void* code) {
  for (int k = 0; k < objects; ++k)
    if ((uintptr_t)code - with_program[k].begin < with_program[k].end - with_program[k].begin)
      return 1;
  return 0;
}

/* A function would have its own caller for the code that calls. */
#define FAILS(kind, code) fails(kind, code, __builtin_return_address(0))

static int fails(enum fault kind, int code, const void* caller) {
  if (!came_with_program(caller)) return 0;
  const int64_t number = atomic_fetch_add(&calls[kind], 1) + 1;
  if (failing != (int)kind) return 0;
  if (number != number_to_fail && !(goes_on && number > number_to_fail)) return 0;
  if (table != NULL) print_trace("  fails:\n");
  errno = code;
  return 1;
}

static struct place* place_of(void* block) {
  size_t at = ((uintptr_t)block >> 4) * 0x9e3779b97f4a7c15U >> 44;
  while (table[at].block != NULL && table[at].block != block) at = (at + 1) % places;
  return &table[at];
}

static void note(void* block) {
  if (table == NULL || inside) return;
  inside = 1;
  pthread_mutex_lock(&table_mutex);
  struct place* p = place_of(block);
  p->block = block;
  memset(p->frames, 0, sizeof p->frames);
  backtrace(p->frames, depth);
  pthread_mutex_unlock(&table_mutex);
  inside = 0;
}

/* The place stays taken, so that those behind it are found. */
static void forget(void* block) {
  if (table == NULL || inside) return;
  pthread_mutex_lock(&table_mutex);
  struct place* p = place_of(block);
  if (p->block != NULL) p->frames[0] = NULL;
  pthread_mutex_unlock(&table_mutex);
}

void trace_blocks(void) {
  void* frames[2];
  backtrace(frames, 2); /* opens a library */
  table = mmap(NULL, places * sizeof *table, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
               -1, 0);
}

void print_new_blocks(void) {
  for (size_t k = 0; table != NULL && k < places; ++k) {
    if (table[k].block == NULL || table[k].frames[0] == NULL) continue;
    int count = 0;
    while (count < depth && table[k].frames[count] != NULL) ++count;
    inside = 1;
    fprintf(stderr, "  a block lives:\n");
    fflush(stderr);
    backtrace_symbols_fd(table[k].frames, count, STDERR_FILENO);
    inside = 0;
    table[k].frames[0] = NULL;
  }
}

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);

static void* counted(void* block) {
  if (block == NULL) return NULL;
  atomic_fetch_add(&live, 1);
  note(block);
  return block;
}

void* malloc(size_t bytes) {
  return FAILS(FAULT_MALLOC, ENOMEM) ? NULL : counted(__libc_malloc(bytes));
}
void* calloc(size_t count, size_t bytes) {
  return FAILS(FAULT_MALLOC, ENOMEM) ? NULL : counted(__libc_calloc(count, bytes));
}
void* realloc(void* block, size_t bytes) {
  if (FAILS(FAULT_MALLOC, ENOMEM)) return NULL;
  if (block == NULL) return counted(__libc_realloc(NULL, bytes));
  forget(block);
  void* moved = __libc_realloc(block, bytes);
  note(moved != NULL ? moved : block);
  return moved;
}
void* memalign(size_t alignment, size_t bytes) {
  return FAILS(FAULT_MALLOC, ENOMEM) ? NULL : counted(__libc_memalign(alignment, bytes));
}
void* aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** out, size_t alignment, size_t bytes) {
  void* block = memalign(alignment, bytes);
  if (block == NULL) return ENOMEM;
  *out = block;
  return 0;
}
void free(void* block) {
  if (block == NULL) return;
  atomic_fetch_add(&live, -1);
  forget(block);
  __libc_free(block);
}

static int opened(int directory, const char* path, int flags, va_list more, const void* caller) {
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  if (fails(FAULT_OPEN, EMFILE, caller)) return -1;
  return (int)syscall(SYS_openat, directory, path, flags, mode);
}
int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const int file = opened(AT_FDCWD, path, flags, more, __builtin_return_address(0));
  va_end(more);
  return file;
}
int openat(int directory, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const int file = opened(directory, path, flags, more, __builtin_return_address(0));
  va_end(more);
  return file;
}
ssize_t read(int file, void* data, size_t bytes) {
  return FAILS(FAULT_READ, EIO) ? -1 : syscall(SYS_read, file, data, bytes);
}
ssize_t pread(int file, void* data, size_t bytes, off_t at) {
  return FAILS(FAULT_READ, EIO) ? -1 : syscall(SYS_pread64, file, data, bytes, at);
}
ssize_t write(int file, const void* data, size_t bytes) {
  return FAILS(FAULT_WRITE, ENOSPC) ? -1 : syscall(SYS_write, file, data, bytes);
}
int fstat(int file, struct stat* facts) {
  return FAILS(FAULT_STAT, EIO) ? -1 : (int)syscall(SYS_newfstatat, file, "", facts, AT_EMPTY_PATH);
}
int fstatat(int directory, const char* path, struct stat* facts, int flags) {
  if (FAILS(FAULT_STAT, EIO)) return -1;
  return (int)syscall(SYS_newfstatat, directory, path, facts, flags);
}
int stat(const char* path, struct stat* facts) { return fstatat(AT_FDCWD, path, facts, 0); }

/* What fails is not done. */
#define NAMED(...) (FAILS(FAULT_NAME, EIO) ? -1 : (int)syscall(__VA_ARGS__))
int rename(const char* from, const char* to) {
  return NAMED(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int renameat(int a, const char* from, int b, const char* to) {
  return NAMED(SYS_renameat2, a, from, b, to, 0);
}
int unlink(const char* path) { return NAMED(SYS_unlinkat, AT_FDCWD, path, 0); }
int unlinkat(int directory, const char* path, int flags) {
  return NAMED(SYS_unlinkat, directory, path, flags);
}
int mkdir(const char* path, mode_t mode) { return NAMED(SYS_mkdirat, AT_FDCWD, path, mode); }
int flock(int file, int operation) { return NAMED(SYS_flock, file, operation); }
int fsync(int file) { return NAMED(SYS_fsync, file); }
off_t lseek(int file, off_t at, int from) {
  return FAILS(FAULT_NAME, EIO) ? -1 : syscall(SYS_lseek, file, at, from);
}

void* mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset) {
  if (FAILS(FAULT_SPACE, ENOMEM)) return MAP_FAILED;
  return (void*)syscall(SYS_mmap, at, bytes, protection, flags, file, offset);
}
int memfd_create(const char* name, unsigned flags) {
  return FAILS(FAULT_SPACE, ENOMEM) ? -1 : (int)syscall(SYS_memfd_create, name, flags);
}
pid_t waitpid(pid_t child, int* status, int options) {
  if (FAILS(FAULT_CHILD, ECHILD)) return -1;
  return (pid_t)syscall(SYS_wait4, child, status, options, NULL);
}

/* Found before anything fails. */
static int (*real_spawn)(pid_t*, const char*, const posix_spawn_file_actions_t*,
                         const posix_spawnattr_t*, char* const[], char* const[]);
static int (*real_thread)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
static void* (*real_dlopen)(const char*, int);

__attribute__((constructor)) static void find_real(void) {
  *(void**)&real_spawn = dlsym(RTLD_NEXT, "posix_spawn");
  *(void**)&real_thread = dlsym(RTLD_NEXT, "pthread_create");
  *(void**)&real_dlopen = dlsym(RTLD_NEXT, "dlopen");
  if (objects == 0) dl_iterate_phdr(note_object, NULL);
}

int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const arguments[],
                char* const environment[]) {
  if (FAILS(FAULT_CHILD, EAGAIN)) return EAGAIN;
  return real_spawn(child, path, actions, attributes, arguments, environment);
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                   void* argument) {
  if (FAILS(FAULT_THREAD, EAGAIN)) return EAGAIN;
  return real_thread(thread, attributes, body, argument);
}
void* dlopen(const char* name, int flags) {
  if (real_dlopen == NULL) find_real(); /* a constructor may come first */
  return FAILS(FAULT_LOAD, ENOMEM) ? real_dlopen("/nowhere/library.so", flags)
                                   : real_dlopen(name, flags);
}
