/* faults [PART [KIND NUMBER[+] [WARM]]]: the functions of the API, by tests/sweep, on the CPU or on
 * $FAULTS_DEVICE, while malloc or calls of the system fail: README.md. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../sweep/sweep.h"
#include "fail.h"

char poison_[1];

/* What a child tells its parent. */
static struct {
  int64_t calls[FAULT_KINDS], blocks[3], used[3];
  int complaints;
} * seen;

static const char* device_name = "host";
static char folder[] = "/tmp/gpuarr_faults_XXXXXX";

static void complain(const char* what, const char* more) {
  if (seen->complaints++ < 5) fprintf(stderr, "  %s%s%s\n", what, *more ? ": " : "", more);
}

void check(int condition, const char* what) { (void)condition, (void)what; /* of a GPU */ }

int ok(gpuarr_status status) {
  const char* message = gpuarr_last_error();
  if (status == GPUARR_OK) return 1;
  if (strlen(message) < 20) complain("a failure without a message", gpuarr_status_name(status));
  if (status == GPUARR_ERR_INTERNAL) complain("failed", message);
  return 0;
}

int made(gpuarr_status status, const void* out) {
  const void* object = NULL;
  memcpy(&object, out, sizeof object);
  if (status == GPUARR_OK && object == POISON)
    complain("success, but the output was not written", "");
  if (status != GPUARR_OK && object != NULL && object != POISON)
    complain("an output is not NULL after a failure", gpuarr_last_error());
  return ok(status);
}

int got(gpuarr_status status, const void* out, size_t bytes) {
  (void)out, (void)bytes;
  return ok(status);
}

struct part {
  const char* name;
  void (*exercises[20])(const struct stage* s);
};
static const struct part parts[] = {
    {"ground",
     {exercise_base, exercise_devices, exercise_streams, exercise_arrays, exercise_transfers,
      exercise_interop, exercise_memory}},
    {"kernels", {exercise_elementwise, exercise_reductions, exercise_profile, exercise_graphs}},
    {"raw", {exercise_raw, exercise_modules}},
    {"ready", {exercise_ready_made}},
    {"sort", {exercise_sort, exercise_order}},
    {"indices", {exercise_indices, exercise_moving}},
    {"functions", {exercise_functions}},
    {"scans", {exercise_scans, exercise_gufuncs}},
    {"random", {exercise_random}},
    {"compute", {exercise_compute}},
    {"linalg", {exercise_solvers, exercise_linalg}},
};

/* What a stage lacks, functions are given all the same: NULL is refused. */
static void exercise(const struct part* part) {
  static const int64_t shape[] = {4, 6};
  static const float values[24] = {1, 2, 3};
  struct stage s = {.folder = folder};
  ok(gpuarr_objects_track(0));
  made(gpuarr_device_open(&s.device, device_name), &s.device);
  s.second = s.device;
  made(gpuarr_stream_create(&s.stream, s.device, 0, 0), &s.stream);
  made(gpuarr_array_from_host(&s.x, s.device, GPUARR_F32, 2, shape, NULL, values, sizeof values,
                              NULL),
       &s.x);
  made(gpuarr_array_zeros(&s.y, s.device, GPUARR_F32, 2, shape, GPUARR_ORDER_C, s.stream), &s.y);
  for (int k = 0; part->exercises[k] != NULL; ++k) part->exercises[k](&s);
  gpuarr_array_release(s.x);
  gpuarr_array_release(s.y);
  gpuarr_stream_release(s.stream);
}

struct trial {
  const struct part* part;
  enum fault kind;
  int64_t number; /* 0: nothing fails */
  int on, warm;
};

/* How much memory of the device is in use then. */
static int64_t end_round(const struct trial* t) {
  fail_at(t->kind, 0, 0);
  ok(gpuarr_log_set(""));
  gpuarr_device* device = NULL;
  int64_t used = 0;
  if (!ok(gpuarr_device_open(&device, device_name))) return used;
  ok(gpuarr_pinned_trim(device)); /* what waited for streams that could not be asked */
  ok(gpuarr_memory_trim(device));
  ok(gpuarr_memory_statistic(&used, device, GPUARR_MEMORY_USED));
  return used;
}

/* Cold: the first round fails, two go well. Warm: one goes well, and three fail, so that what each
 * leaves is seen to grow. */
static void run_trial(const struct trial* t) {
  if (t->warm) exercise(t->part);
  for (int round = 0; round < 3; ++round) {
    fail_at(t->kind, t->warm || round == 0 ? t->number : 0, t->on);
    exercise(t->part);
    if (round == 0)
      for (int k = 0; k < FAULT_KINDS; ++k) seen->calls[k] = calls_since((enum fault)k);
    seen->used[round] = end_round(t);
    seen->blocks[round] = blocks_live();
    if (round == 1 && t->number > 0 && getenv("FAULTS_TRACE") != NULL) trace_blocks();
  }
  print_new_blocks();
  if (gpuarr_live_objects() != 0) complain("objects were not released", "");
}

/* By how much each round grows; what only grew once is kept. */
struct growth {
  int64_t blocks, used;
};
static int64_t least_growth(const int64_t after[3]) {
  const int64_t second = after[1] - after[0], third = after[2] - after[1];
  return second < third ? second : third;
}

/* Where nothing fails: the log's settings are kept, and counters of streams that are gone. */
static struct growth usual;

/* 0 if all is well. */
static int run_child(const struct trial* t) {
  memset(seen, 0, sizeof *seen);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    run_trial(t);
    exit(seen->complaints > 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  struct growth grown = {0, 0};
  if (t->warm) grown = (struct growth){least_growth(seen->blocks), least_growth(seen->used)};
  if (t->number == 0) usual = grown;
  grown.blocks -= usual.blocks;
  grown.used -= usual.used;
  if (status == 0 && grown.blocks <= 0 && grown.used <= 0) return 0;
  fprintf(stderr,
          "faults %s %s %" PRId64 "%s %s: wait status %d, %" PRId64 " blocks more, %" PRId64
          " bytes of the device\n",
          t->part->name, fault_names[t->kind], t->number, t->on ? "+" : "",
          t->warm ? "warm" : "cold", status, grown.blocks, grown.used);
  return 1;
}

static int64_t trials, bad;

/* Of several processes with FAULTS_SHARE=K/N each does the trials of its own remainder. */
static int64_t share, shares = 1;

static int read_share(void) {
  const char* wanted = getenv("FAULTS_SHARE");
  if (wanted == NULL) return 1;
  char* end;
  share = strtoll(wanted, &end, 10);
  if (*end != '/') return 0;
  shares = strtoll(end + 1, &end, 10);
  return *end == '\0' && share >= 0 && share < shares;
}

/* One call in so many fails. */
static int64_t step_of(int64_t count) {
  const char* wanted = getenv("FAULTS_TRIALS"); /* of each kind and way; all without */
  const int64_t most = wanted != NULL ? atoll(wanted) : count;
  return most < 1 || count <= most ? 1 : count / most;
}

static void sweep_part(const struct part* part, const struct timespec* begin) {
  int64_t all = 0;
  for (int way = 0; way < 4; ++way) {
    struct trial t = {.part = part, .on = way % 2, .warm = way / 2};
    run_child(&t); /* compiles what is not in the cache */
    if (run_child(&t)) ++bad;
    int64_t counts[FAULT_KINDS];
    memcpy(counts, seen->calls, sizeof counts);
    for (int kind = 0; kind < FAULT_KINDS; ++kind) {
      const int64_t step = step_of(counts[kind]);
      t.kind = (enum fault)kind;
      for (t.number = 1 + (7 * way + kind) % step; t.number <= counts[kind]; t.number += step) {
        if (all++ % shares != share) continue;
        ++trials;
        bad += run_child(&t);
      }
    }
  }
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  printf("%s: %" PRId64 " faults so far, %" PRId64 " were not survived, %ld s\n", part->name,
         trials, bad, (long)(now.tv_sec - begin->tv_sec));
  fflush(stdout);
}

static int one_trial(const struct part* part, char** words, int count) {
  struct trial t = {.part = part, .warm = count > 2};
  while (t.kind < FAULT_KINDS && strcmp(fault_names[t.kind], words[0]) != 0) ++t.kind;
  if (t.kind == FAULT_KINDS) return 2;
  t.number = atoll(words[1]);
  t.on = strchr(words[1], '+') != NULL;
  if (getenv("FAULTS_HERE") == NULL) {
    const struct trial well = {.part = part, .warm = t.warm};
    return run_child(&well) + run_child(&t);
  }
  run_trial(&t); /* for a debugger */
  return seen->complaints > 0;
}

int main(int argc, char** argv) {
  seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (getenv("FAULTS_DEVICE") != NULL)
    device_name = getenv("FAULTS_DEVICE");
  else
    setenv("GPUARR_LIBCUDA", "/nowhere/libcuda.so", 0); /* asking a real one takes a second */
  if (!read_share()) {
    fprintf(stderr, "$FAULTS_SHARE is to be K/N with 0 <= K < N\n");
    return 2;
  }
  /* Which of many threads takes part is chance, and each keeps blocks from its first time on. */
  setenv("GPUARR_NUM_THREADS", "2", 0);
  if (mkdtemp(folder) == NULL) return 1;
  struct timespec begin;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
    if (argc > 1 && strcmp(argv[1], parts[k].name) != 0) continue;
    if (argc > 3)
      bad += one_trial(&parts[k], argv + 2, argc - 2);
    else
      sweep_part(&parts[k], &begin);
  }
  rmdir(folder);
  return bad > 0;
}
