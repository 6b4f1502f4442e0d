/* See sweep.h: one forked child for each call of the driver that fails, since a process opens the
 * driver once. */
#include "sweep.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_cuda.h"

#if defined(__SANITIZE_ADDRESS__)
enum { sanitized = 1 };
#else
enum { sanitized = 0 };
#endif

char poison_[1];

/* What a child tells its parent. */
static struct {
  int64_t calls, left; /* of the driver; its objects at the end */
  int complaints;
  char failed[64]; /* the function that was the first to fail */
} * seen;

static int must_succeed; /* nothing fails but what the library does wrong */

static void complain(const char* what, const char* more) {
  if (seen->complaints++ < 5) fprintf(stderr, "  %s%s%s\n", what, *more ? ": " : "", more);
}

void check(int condition, const char* what) {
  if (!condition) complain("not so any more", what);
}

int ok(gpuarr_status status) {
  const char* message = gpuarr_last_error();
  if (status == GPUARR_OK) return 1;
  if (strncmp(message, "gpuarr_", 7) != 0 || strlen(message) < 20)
    complain("a failure without a message", gpuarr_status_name(status));
  if (status == GPUARR_ERR_INTERNAL || must_succeed) complain("failed", message);
  return 0;
}

int made(gpuarr_status status, const void* out) {
  const void* object = NULL;
  memcpy(&object, out, sizeof object);
  if (status == GPUARR_OK && (object == NULL || object == POISON))
    complain("success, but the output was not written", "");
  if (status != GPUARR_OK && object != NULL)
    complain("an output is not NULL after a failure", gpuarr_last_error());
  return ok(status);
}

int got(gpuarr_status status, const void* out, size_t bytes) {
  static const char zeros[8];
  if (status != GPUARR_OK && memcmp(out, zeros, bytes) != 0)
    complain("an output is not 0 after a failure", gpuarr_last_error());
  return ok(status);
}

/* What one child does, since the time that all of it takes grows with the square of the calls: the
 * nouns that everything stands on together, then each of those above for itself. */
struct part {
  const char* name;
  int64_t step; /* of the calls to let fail, one in so many does */
  void (*exercises[20])(const struct stage* s);
};
static const struct part parts[] = {
    {"ground",
     1,
     {exercise_base, exercise_devices, exercise_streams, exercise_arrays, exercise_transfers,
      exercise_elementwise, exercise_reductions, exercise_ready_made, exercise_raw,
      exercise_modules, exercise_interop, exercise_profile, exercise_memory, exercise_graphs}},
    {"sort", 4, {exercise_sort, exercise_order}},
    {"indices", 4, {exercise_indices, exercise_moving}},
    {"functions", 4, {exercise_functions, exercise_exprs}},
    {"scans", 4, {exercise_scans, exercise_gufuncs}},
    {"random", 4, {exercise_random}},
    {"team", 5, {exercise_team}},
    {"compute", 4, {exercise_compute}},
    {"linalg", 4, {exercise_solvers, exercise_linalg}},
};

static void exercise_all(const struct part* part, const char* folder) {
  static const int64_t shape[] = {4, 6};
  static const float values[24] = {1, 2, 3};
  struct stage s = {.folder = folder, .all_is_well = must_succeed};
  ok(gpuarr_objects_track(0));
  if (!made(gpuarr_device_open(&s.device, "cuda:0"), &s.device))
    made(gpuarr_device_open(&s.device, "cuda:0"), &s.device); /* it may go now */
  made(gpuarr_device_open(&s.second, "cuda:1"), &s.second);
  made(gpuarr_stream_create(&s.stream, s.device, 0, 0), &s.stream);
  made(gpuarr_array_from_host(&s.x, s.device, GPUARR_F32, 2, shape, NULL, values, sizeof values,
                              NULL),
       &s.x);
  made(gpuarr_array_zeros(&s.y, s.device, GPUARR_F32, 2, shape, GPUARR_ORDER_C, s.stream), &s.y);
  for (int k = 0; part->exercises[k] != NULL; ++k) part->exercises[k](&s);
  gpuarr_array_release(s.x);
  gpuarr_array_release(s.y);
  gpuarr_stream_release(s.stream);
  for (int i = 0; i < 2; ++i) { /* what failed in the first round may go in the second */
    ok(gpuarr_memory_trim(s.device));
    ok(gpuarr_memory_trim(s.second));
  }
  if (gpuarr_live_objects() != 0) complain("objects were not released", "");
}

static void* hook(const char* name) {
  return dlsym(dlopen(getenv("GPUARR_LIBCUDA"), RTLD_NOW), name);
}

static void note_what_the_driver_saw(void) {
  fake_cuda_all_calls_fn* calls = NULL;
  fake_cuda_live_fn* live = NULL;
  fake_cuda_failed_fn* failed = NULL;
  *(void**)&calls = hook("fake_cuda_all_calls");
  *(void**)&live = hook("fake_cuda_live");
  *(void**)&failed = hook("fake_cuda_failed");
  seen->calls = calls();
  seen->left = live();
  snprintf(seen->failed, sizeof seen->failed, "%s", failed());
}

/* 0 if all is well in a child where calls fail as the setting says. */
static int run_child(const struct part* part, const char* setting, const char* value,
                     const char* folder) {
  memset(seen, 0, sizeof *seen);
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    if (setting != NULL) setenv(setting, value, 1);
    exercise_all(part, folder);
    note_what_the_driver_saw();
    exit(seen->complaints > 0); /* and what runs at the end */
  }
  int status = -1;
  waitpid(child, &status, 0);
  if (status == 0) return 0;
  fprintf(stderr, "%s: %s=%s (%s): wait status %d\n", part->name,
          setting != NULL ? setting : "nothing fails", value, seen->failed, status);
  return 1;
}

/* What cannot be given back stays, nor what is in a context that cannot be entered. */
static int may_leave(const char* failed) {
  return strstr(failed, "Destroy") != NULL || strstr(failed, "Free") != NULL ||
         strstr(failed, "Unload") != NULL || strstr(failed, "CtxGet") != NULL ||
         strstr(failed, "CtxSet") != NULL;
}

static int is_lost(int code) { return code == 700 || code == 719; }

static int sweep(const struct part* part, const char* setting, int64_t calls, int64_t left,
                 int code, const char* folder) {
  int failures = 0;
  int single = strcmp(setting, "FAKE_CUDA_FAIL_AT") == 0;
  int64_t step = getenv("SWEEP_ALL") ? 1 : part->step * ((single ? 1 : 2) + (code != 999 ? 3 : 0));
  if (sanitized) step += 20 * part->step;
  for (int64_t n = 1 + code % step; n <= calls && failures < 10; n += step) {
    char value[40];
    snprintf(value, sizeof value, "%" PRId64 ":%d", n, code);
    failures += run_child(part, setting, value, folder);
    if (single && !is_lost(code) && !may_leave(seen->failed) && seen->left > left) {
      fprintf(stderr, "%s=%s (%s): %" PRId64 " objects of the driver are left, not %" PRId64 "\n",
              setting, value, seen->failed, seen->left, left);
      ++failures;
    }
  }
  return failures;
}

/* Until it is as it stays: the first child compiles the kernels for all others. */
static int count_calls(const struct part* part, const char* folder, int64_t* calls, int64_t* left) {
  must_succeed = 1;
  int failures = 0;
  for (int i = 0; i < 2; ++i) failures += run_child(part, NULL, "", folder);
  must_succeed = 0;
  *calls = seen->calls;
  *left = seen->left;
  printf("%s: %" PRId64 " calls of the driver, which keeps %" PRId64 " objects\n", part->name,
         *calls, *left);
  fflush(stdout);
  return failures;
}

static int sweep_part(const struct part* part, const char* folder) {
  static const int codes[] = {999, 2, 700}; /* unknown, out of memory, illegal address */
  int64_t calls = 0, left = 0;
  int failures = count_calls(part, folder, &calls, &left);
  for (size_t k = 0; k < sizeof codes / sizeof *codes && failures < 10; ++k) {
    failures += sweep(part, "FAKE_CUDA_FAIL_AT", calls, left, codes[k], folder);
    failures += sweep(part, "FAKE_CUDA_FAIL_FROM", calls, left, codes[k], folder);
  }
  return failures;
}

/* sweep [PART [SETTING VALUE]]: one child, with what it writes, one part, or all, where $SWEEP_ALL
 * leaves out none of the calls for none of the codes. */
int main(int argc, char** argv) {
  if (getenv("GPUARR_LIBCUDA") == NULL) return 77;
  seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  char folder[] = "/tmp/gpuarr_sweep_XXXXXX";
  if (mkdtemp(folder) == NULL) return 1;
  setenv("FAKE_CUDA_DEVICES", "2", 1);
  int failures = 0;
  for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
    if (argc > 1 && strcmp(argv[1], parts[k].name) != 0) continue;
    failures +=
        argc == 4 ? run_child(&parts[k], argv[2], argv[3], folder) : sweep_part(&parts[k], folder);
  }
  rmdir(folder);
  return failures > 0;
}
