/* copies PLUG-IN: several copies of the library in one process, which is what a program gets whose
 * plug-ins have the static archive: the program's own, the plug-in's, and another file's of the
 * same content. Each runs its own kernels, and a plug-in that is closed leaves nothing behind that
 * goes wrong. With GPUARR_TEST_MORE, a hundred kernels of each instead of two. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpuarr.h"

enum { elements = 100000, most_kernels = 100 };

static const char* plug_in;
static int kernels = 2;
static int failures;

/* The functions of one copy, and what it made. */
struct copy {
  int number;
  void* handle;
  gpuarr_status (*open)(gpuarr_device**, const char*);
  gpuarr_status (*zeros)(gpuarr_array**, gpuarr_device*, gpuarr_dtype, int32_t, const int64_t*,
                         int32_t, gpuarr_stream*);
  void* (*data)(const gpuarr_array*);
  gpuarr_status (*create)(gpuarr_elementwise**, const char*, const char*, const char*,
                          const gpuarr_kernel_options*);
  gpuarr_status (*call)(gpuarr_elementwise*, gpuarr_array**, int32_t, const gpuarr_arg*, int32_t,
                        int64_t, gpuarr_stream*);
  const char* (*last_error)(void);
  gpuarr_array* y;
  gpuarr_elementwise* kernels[most_kernels];
};

static int good(const struct copy* c, gpuarr_status status) {
  if (status == GPUARR_OK) return 1;
  fprintf(stderr, "copy %d: %s\n", c->number, c->last_error());
  ++failures;
  return 0;
}

static void expect(int condition, const char* what) {
  if (!condition) fprintf(stderr, "not so: %s\n", what);
  failures += !condition;
}

/* ISO C has no conversion of object pointers to those of functions. */
static void find(void* function, void* handle, const char* name) {
  void* symbol = dlsym(handle, name);
  if (symbol == NULL) fprintf(stderr, "%s\n", dlerror());
  if (symbol == NULL) exit(1);
  memcpy(function, &symbol, sizeof symbol);
}

static struct copy of_program(void) {
  const struct copy c = {.number = 1,
                         .open = gpuarr_device_open,
                         .zeros = gpuarr_array_zeros,
                         .data = gpuarr_array_data,
                         .create = gpuarr_elementwise_create,
                         .call = gpuarr_elementwise_call,
                         .last_error = gpuarr_last_error};
  return c;
}

static struct copy of_plug_in(int number, const char* file) {
  struct copy c = {.number = number, .handle = dlopen(file, RTLD_NOW | RTLD_LOCAL)};
  if (c.handle == NULL) fprintf(stderr, "%s\n", dlerror());
  if (c.handle == NULL) exit(1);
  find(&c.open, c.handle, "gpuarr_device_open");
  find(&c.zeros, c.handle, "gpuarr_array_zeros");
  find(&c.data, c.handle, "gpuarr_array_data");
  find(&c.create, c.handle, "gpuarr_elementwise_create");
  find(&c.call, c.handle, "gpuarr_elementwise_call");
  find(&c.last_error, c.handle, "gpuarr_last_error");
  return c;
}

static int expected(const struct copy* c, int k) { return 1000 * c->number + k; }

static void make_kernel(struct copy* c, int k) {
  static const int64_t size = elements;
  char body[40];
  snprintf(body, sizeof body, "y = %d", expected(c, k));
  gpuarr_device* device = NULL;
  if (!good(c, c->open(&device, "host"))) return;
  if (c->y == NULL) good(c, c->zeros(&c->y, device, GPUARR_I32, 1, &size, GPUARR_ORDER_C, NULL));
  good(c, c->create(&c->kernels[k], "", "int32 y", body, NULL));
}

static void run_kernel(struct copy* c, int k) {
  if (!good(c, c->call(c->kernels[k], &c->y, 1, NULL, 0, GPUARR_NO_SIZE, NULL))) return;
  const int32_t* y = c->data(c->y);
  for (int i = 0; i < elements; ++i) {
    if (y[i] == expected(c, k)) continue;
    fprintf(stderr, "copy %d, kernel %d gives %d\n", c->number, k, y[i]);
    ++failures;
    return;
  }
}

/* In turns, twice. */
static void run_kernels(struct copy* copies, int count) {
  for (int k = 0; k < kernels; ++k)
    for (int i = 0; i < count; ++i) make_kernel(&copies[i], k);
  for (int round = 0; round < 2; ++round)
    for (int k = 0; k < kernels; ++k)
      for (int i = 0; i < count; ++i) run_kernel(&copies[i], k);
}

static void copy_file(const char* from, const char* to) {
  char buffer[1 << 16];
  FILE* in = fopen(from, "rb");
  FILE* out = fopen(to, "wb");
  if (in == NULL || out == NULL) exit(1);
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, in)) > 0;) fwrite(buffer, 1, n, out);
  fclose(in);
  fclose(out);
}

static void each_runs_its_own(void) {
  char other[] = "/tmp/gpuarr-copies-XXXXXX";
  const int file = mkstemp(other);
  if (file < 0) exit(1);
  close(file);
  copy_file(plug_in, other);
  struct copy copies[] = {of_program(), of_plug_in(2, plug_in), of_plug_in(3, other)};
  unlink(other);
  run_kernels(copies, 3);
}

static void loaded_again(void) {
  for (int round = 0; round < 3; ++round) {
    struct copy copies[] = {of_plug_in(2 + round, plug_in), of_program()};
    run_kernels(copies, 2);
    dlclose(copies[0].handle);
  }
}

static pthread_barrier_t closed;

static void* use_and_outlive(void* plug) {
  struct copy* c = plug;
  run_kernels(c, 1);
  gpuarr_device* device = NULL;
  expect(c->open(&device, "nowhere") != GPUARR_OK, "there is no such device"); /* keeps a text */
  pthread_barrier_wait(&closed);
  pthread_barrier_wait(&closed);
  return NULL;
}

/* Its own threads, those that called it, forks and the end of the process go on. */
static void closed_before_its_threads(void) {
  struct copy c = of_plug_in(2, plug_in);
  pthread_t thread;
  pthread_barrier_init(&closed, NULL, 2);
  if (pthread_create(&thread, NULL, use_and_outlive, &c) != 0) exit(1);
  pthread_barrier_wait(&closed);
  dlclose(c.handle);
  pthread_barrier_wait(&closed);
  pthread_join(thread, NULL);
  const pid_t child = fork();
  if (child == 0) _exit(0);
  int status = -1;
  waitpid(child, &status, 0);
  expect(status == 0, "a fork goes well");
}

static void* use_and_end(void* plug) {
  run_kernels(plug, 1);
  return NULL;
}

static void closed_after_its_threads(void) {
  struct copy c = of_plug_in(2, plug_in);
  pthread_t thread;
  if (pthread_create(&thread, NULL, use_and_end, &c) != 0) exit(1);
  pthread_join(thread, NULL);
  dlclose(c.handle);
}

/* Where the process has no key left for data of threads, nobody else's is taken. */
static void no_keys_left(void) {
  pthread_key_t first = 0, key = 0;
  if (pthread_key_create(&first, NULL) != 0) exit(1);
  while (pthread_key_create(&key, NULL) == 0) continue;
  pthread_setspecific(first, &key);
  struct copy c = of_program();
  run_kernels(&c, 1);
  gpuarr_device* device = NULL;
  expect(gpuarr_device_open(&device, "nowhere") != GPUARR_OK, "there is no such device");
  expect(pthread_getspecific(first) == &key, "another's data are as they were");
}

static void run(const char* name, void (*part)(void)) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(200);
    part();
    exit(failures > 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  if (status != 0) fprintf(stderr, "%s: wait status %d\n", name, status);
  failures += status != 0;
}

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  plug_in = argv[1];
  setenv("GPUARR_NUM_THREADS", "3", 1);
  if (getenv("GPUARR_TEST_MORE") != NULL) kernels = most_kernels;
  run("each copy runs its own kernels", each_runs_its_own);
  run("a plug-in is loaded again", loaded_again);
  run("a plug-in is closed before threads end", closed_before_its_threads);
  run("a plug-in is closed after threads end", closed_after_its_threads);
  run("the process has no keys left", no_keys_left);
  return failures > 0;
}
