/* What goes wrong on one place of a team, as the others see it. Knows nothing of MPI: started by a
 * launcher of MPI or by gpuarr run.
 * usage: failures CASE */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "place.h"

/* Whoever is out of this may fail in the next call while others are still in it. */
static int are_ready(void) {
  const gpuarr_status status = gpuarr_team_synchronize(team);
  REQUIRE(status == GPUARR_OK || (status == GPUARR_ERR_PEER && rank != bad));
  return status == GPUARR_OK;
}

/* From now on every call says the same, and soon. */
static void all_is_over(const char* message) {
  const double begin = now();
  REQUIRE(gpuarr_team_synchronize(team) == GPUARR_ERR_PEER);
  require_text(message);
  gpuarr_blocked* other = NULL;
  const int64_t shape[] = {4};
  REQUIRE(gpuarr_blocked_empty(&other, team, GPUARR_I64, 1, shape, NULL, NULL) == GPUARR_ERR_PEER);
  require_text(message);
  REQUIRE(other == NULL);
  REQUIRE(now() - begin < 5); /* NCCL takes half a second to let go */
}

/* ---- failures of one place ---- */

static gpuarr_status fail_here(const gpuarr_block* block, gpuarr_array* const* outputs,
                               gpuarr_array* const* inputs, void* user) {
  (void)inputs, (void)user;
  if (gpuarr_block_number(block) != 2 * bad + 1) return GPUARR_OK;
  return gpuarr_array_fill(outputs[0], gpuarr_arg_f64(0.5), NULL);
}

static void callback(void) {
  char message[200];
  gpuarr_blocked* x = numbers(3);
  const int ready = are_ready();
  const double begin = now();
  const gpuarr_status status = gpuarr_map_blocks(fail_here, NULL, &x, 1, NULL, 0, 0);
  if (rank == bad)
    REQUIRE(status == GPUARR_ERR_DTYPE);
  else
    REQUIRE(status == GPUARR_ERR_PEER || (status == GPUARR_OK && ready));
  snprintf(message, sizeof message,
           "place %d failed in gpuarr_map_blocks, call 4 of the team, with GPUARR_ERR_DTYPE: block "
           "(%d, 0) on place %d: the function returned 103",
           bad, 2 * bad + 1, bad);
  all_is_over(message);
  const double took = now() - begin;
  if (took > 1) fprintf(stderr, "place %d learnt it after %.2f s\n", rank, took);
  REQUIRE(took < 5); /* a second, where CPUs are not short */
  gpuarr_blocked_release(x);
}

/* Everything that takes memory, on arrays that are there. */
struct scene {
  gpuarr_blocked *x, *y, *all, *made;
};

static gpuarr_status work(struct scene* s) {
  gpuarr_status status;
  const int64_t shape[] = {6 * size, 50}, chunk[] = {5, 17};
  gpuarr_blocked_options* options = NULL;
  OK(gpuarr_blocked_options_create(&options));
  OK(gpuarr_blocked_options_set_halo(
      options, 2, (const int64_t[]){1, 2}, (const int64_t[]){2, 1},
      (const int32_t[]){GPUARR_BOUNDARY_PERIODIC, GPUARR_BOUNDARY_REFLECT}));
  status = gpuarr_blocked_empty(&s->x, team, GPUARR_I64, 2, shape, chunk, options);
  OK(gpuarr_blocked_options_set_placement(options, GPUARR_PLACEMENT_REPLICATED));
  if (status == GPUARR_OK)
    status = gpuarr_blocked_empty(&s->all, team, GPUARR_I64, 2, shape, chunk, options);
  gpuarr_blocked_options_release(options);
  if (status == GPUARR_OK)
    status = gpuarr_blocked_empty(&s->y, team, GPUARR_I64, 2, shape, NULL, NULL);
  if (status == GPUARR_OK)
    status = gpuarr_blocked_arange(s->x, gpuarr_arg_i64(0), gpuarr_arg_i64(1));
  if (status == GPUARR_OK) status = gpuarr_halo_exchange(s->x);
  if (status == GPUARR_OK) status = gpuarr_redistribute(s->y, s->x);
  if (status == GPUARR_OK) status = gpuarr_redistribute(s->all, s->y);
  if (status == GPUARR_OK) status = gpuarr_all_reduce(s->all, GPUARR_COMBINE_SUM);
  const int32_t axis = 0;
  if (status == GPUARR_OK) status = gpuarr_blocked_reduce(&s->made, "sum", s->x, &axis, 1, 0, 0, 0);
  int64_t* memory = malloc((size_t)size * 300 * 8);
  if (status == GPUARR_OK)
    status = gpuarr_blocked_read(memory, (int64_t)size * 300 * 8, NULL, s->y, NULL, NULL, -1);
  if (status == GPUARR_OK && memory[size * 300 - 1] != size * 300 - 1) exit(1);
  if (status == GPUARR_OK)
    status = gpuarr_blocked_write(s->x, NULL, NULL, 0, memory, (int64_t)size * 300 * 8, NULL);
  if (status == GPUARR_OK) status = gpuarr_team_synchronize(team);
  free(memory);
  return status;
}

static void release_scene(struct scene* s) {
  gpuarr_blocked_release(s->x);
  gpuarr_blocked_release(s->y);
  gpuarr_blocked_release(s->all);
  gpuarr_blocked_release(s->made);
}

static int64_t allocations, fails_at;

static gpuarr_status count_allocations(int32_t event, void* data, int64_t bytes,
                                       gpuarr_device* device, gpuarr_stream* stream, void* user) {
  (void)data, (void)bytes, (void)device, (void)stream, (void)user;
  if (event != GPUARR_MEMORY_ALLOCATING || ++allocations != fails_at) return GPUARR_OK;
  return GPUARR_ERR_OUT_OF_MEMORY;
}

/* Each of its allocations fails in turn. */
static void memory(void) {
  int64_t hook = 0, failed = 0;
  char message[100];
  if (rank == bad) OK(gpuarr_memory_add_hook(&hook, count_allocations, NULL));
  end_team();
  for (fails_at = 1;; ++fails_at) {
    struct scene scene = {0};
    allocations = 0;
    gpuarr_status status = gpuarr_team_world(&team, NULL);
    if (status == GPUARR_OK) status = work(&scene);
    if (status == GPUARR_OK) {
      REQUIRE(rank != bad || allocations < fails_at);
      release_scene(&scene);
      break;
    }
    ++failed;
    REQUIRE(status == (rank == bad ? GPUARR_ERR_OUT_OF_MEMORY : GPUARR_ERR_PEER));
    snprintf(message, sizeof message, "place %d failed in gpuarr_", bad);
    if (team != NULL) { /* others may be in the next call before it is made here */
      all_is_over(message);
      require_text("with GPUARR_ERR_OUT_OF_MEMORY: ");
    }
    release_scene(&scene);
    end_team();
  }
  REQUIRE(failed > 10);
  if (rank == 0) printf("%d allocations failed, one by one\n", (int)failed);
  if (rank == bad) OK(gpuarr_memory_remove_hook(hook));
}

/* A kernel that is in no cache, and no compiler on one place. */
static void compiler(void) {
  char body[100], message[100];
  gpuarr_elementwise* kernel = NULL;
  gpuarr_blocked* x = numbers(3);
  const gpuarr_arg input = gpuarr_arg_blocked(x, GPUARR_ARG_BLOCKED);
  snprintf(body, sizeof body, "y = x + %ldLL; /* %d */", (long)time(NULL), (int)getpid());
  if (rank == bad) setenv("GPUARR_CXX", "/nowhere/c++", 1);
  OK(gpuarr_elementwise_create(&kernel, "T x", "T y", body, NULL));
  are_ready();
  const gpuarr_status status = gpuarr_map_blocks_elementwise(kernel, &x, 1, &input, 1);
  if (rank == bad)
    REQUIRE(status / 100 == 3 || status / 100 == 5);
  else
    REQUIRE(status == GPUARR_OK || status == GPUARR_ERR_PEER);
  snprintf(message, sizeof message, "place %d failed in gpuarr_map_blocks_elementwise", bad);
  all_is_over(message);
  require_text("/nowhere/c++");
  gpuarr_elementwise_release(kernel);
  gpuarr_blocked_release(x);
}

/* A wrong argument that only the place has whose memory it is. */
static void one_sided(void) {
  gpuarr_blocked* x = numbers(3);
  int64_t memory[3] = {0};
  are_ready();
  const gpuarr_status status = random_below(2)
                                   ? gpuarr_blocked_read(memory, 8, NULL, x, NULL, NULL, bad)
                                   : gpuarr_blocked_write(x, NULL, NULL, bad, memory, 8, NULL);
  REQUIRE(status == (rank == bad ? GPUARR_ERR_SHAPE : GPUARR_ERR_PEER));
  require_text("bytes is 8");
  gpuarr_blocked_release(x);
}

/* ---- what is wrong everywhere ---- */

static void goes_on(void) { OK(gpuarr_team_synchronize(team)); }

/* The team goes on after each. */
static void wrong(void) {
  gpuarr_blocked *x = numbers(3), *few = NULL, *none = NULL, *made = NULL;
  const int64_t one[] = {1}, huge[] = {INT64_C(1) << 61}, nothing[] = {0, 3}, negative[] = {-1};
  OK(gpuarr_blocked_empty(&few, team, GPUARR_I64, 1, one, NULL, NULL)); /* most have no block */
  OK(gpuarr_blocked_empty(&none, team, GPUARR_I64, 2, nothing, NULL, NULL));
  REQUIRE(gpuarr_blocked_fill(x, gpuarr_arg_f64(0.5)) == GPUARR_ERR_DTYPE);
  goes_on();
  REQUIRE(gpuarr_blocked_fill(few, gpuarr_arg_f64(0.5)) == GPUARR_ERR_DTYPE);
  goes_on();
  REQUIRE(gpuarr_blocked_empty(&made, team, GPUARR_I64, 1, huge, NULL, NULL) == GPUARR_ERR_SHAPE);
  goes_on();
  REQUIRE(gpuarr_blocked_empty(&made, team, GPUARR_I64, 1, negative, NULL, NULL) ==
          GPUARR_ERR_SHAPE);
  goes_on();
  REQUIRE(gpuarr_redistribute(x, few) == GPUARR_ERR_SHAPE);
  goes_on();
  REQUIRE(gpuarr_blocked_reduce(&made, "max", none, NULL, -1, 0, 0, 0) == GPUARR_ERR_EMPTY);
  goes_on();
  REQUIRE(gpuarr_blocked_read(NULL, 0, NULL, x, NULL, NULL, size) == GPUARR_ERR_ARGUMENT);
  goes_on();
  gpuarr_elementwise* kernel = NULL;
  OK(gpuarr_elementwise_create(&kernel, "float32 x", "float32 y", "y = x;", NULL));
  const gpuarr_arg of_few = gpuarr_arg_blocked(few, GPUARR_ARG_BLOCKED);
  REQUIRE(gpuarr_map_blocks_elementwise(kernel, &few, 1, &of_few, 1) == GPUARR_ERR_DTYPE);
  goes_on();
  gpuarr_elementwise_release(kernel);
  char path[60];
  snprintf(path, sizeof path, "wrong_%d_%d.npy", size, (int)random_below(1000000));
  REQUIRE(gpuarr_blocked_load(&made, team, path, 0, NULL, NULL) == GPUARR_ERR_IO);
  goes_on();
  OK(gpuarr_file_create(team, path, GPUARR_FILE_NPY, GPUARR_I64, 1, (const int64_t[]){4}, NULL));
  REQUIRE(gpuarr_blocked_load(&made, team, path, 2, nothing, NULL) == GPUARR_ERR_SHAPE);
  goes_on();
  REQUIRE(gpuarr_blocked_load_part(few, path, (const int64_t[]){4}) == GPUARR_ERR_SHAPE);
  goes_on();
  REQUIRE(gpuarr_blocked_save_part(path, few, (const int64_t[]){-1}) == GPUARR_ERR_SHAPE);
  goes_on();
  if (rank == 0) remove(path);
  gpuarr_blocked_release(none);
  gpuarr_blocked_release(few);
  gpuarr_blocked_release(x);
}

/* One place makes another call. With $GPUARR_CHECK=team all learn who, and what. */
static void mismatch(void) {
  const char* checks = getenv("GPUARR_CHECK");
  const int compares = checks != NULL && strcmp(checks, "team") == 0;
  char message[200];
  gpuarr_blocked *x = numbers(3), *y = NULL;
  const int64_t shape[] = {2 * size, 3};
  OK(gpuarr_blocked_empty(&y, team, GPUARR_I64, 2, shape, shape, NULL));
  if (!compares) OK(gpuarr_team_set_timeout(team, 2, GPUARR_TIMEOUT_RETURN));
  const double begin = now();
  const gpuarr_status status =
      rank == bad ? gpuarr_team_synchronize(team) : gpuarr_redistribute(y, x);
  if (compares) {
    REQUIRE(status == GPUARR_ERR_MISMATCH);
    require_text("call 4 of the team is ");
    require_text("gpuarr_redistribute");
    require_text("gpuarr_team_synchronize");
    snprintf(message, sizeof message, "on place %d", bad);
    require_text(message);
  } else {
    gpuarr_status last = status;
    for (int k = 0; k < 3 && last == GPUARR_OK; ++k) last = gpuarr_team_synchronize(team);
    REQUIRE(last == GPUARR_ERR_TIMEOUT || last == GPUARR_ERR_PEER || last == GPUARR_ERR_MISMATCH);
    REQUIRE(now() - begin < 10);
    REQUIRE(gpuarr_team_synchronize(team) != GPUARR_OK);
  }
  if (compares) OK(gpuarr_team_synchronize(team)); /* nothing was sent */
  gpuarr_blocked_release(y);
  gpuarr_blocked_release(x);
}

/* The same call on another array. */
static void other_array(void) {
  gpuarr_blocked *x = numbers(3), *y = numbers(5);
  REQUIRE(gpuarr_blocked_fill(rank == bad ? x : y, gpuarr_arg_i64(1)) == GPUARR_ERR_MISMATCH);
  require_text("gpuarr_blocked_fill");
  require_text("with other arguments");
  gpuarr_blocked_release(y);
  gpuarr_blocked_release(x);
}

/* ---- places that are gone ---- */

/* One place makes no more calls. */
static void leaves(void) {
  const double begin = now();
  OK(gpuarr_team_set_timeout(team, 2, GPUARR_TIMEOUT_RETURN));
  if (rank == bad) {
    sleep(4);
    return;
  }
  const gpuarr_status status = gpuarr_team_synchronize(team);
  REQUIRE(status == GPUARR_ERR_TIMEOUT || status == GPUARR_ERR_PEER); /* of who came first */
  require_text("no answer within 2 s; another place is gone, or makes other calls");
  const double took = now() - begin;
  REQUIRE(took > 1.9 && took < 8);
  REQUIRE(gpuarr_team_synchronize(team) == GPUARR_ERR_PEER);
}

/* Ways to wait for what a place was given, beside the team's own calls. */
static gpuarr_status wait_by(int way, gpuarr_blocked* x) {
  gpuarr_stream* stream = NULL;
  gpuarr_event* event = NULL;
  gpuarr_array* own = NULL;
  int64_t values[3];
  OK(gpuarr_team_stream(&stream, team, rank));
  OK(gpuarr_blocked_local(&own, x, 2 * rank, 0));
  OK(gpuarr_event_create(&event, gpuarr_array_device(own), 0));
  OK(gpuarr_event_record(event, stream));
  const gpuarr_status status = way == 0   ? gpuarr_stream_synchronize(stream)
                               : way == 1 ? gpuarr_event_synchronize(event)
                               : way == 2
                                   ? gpuarr_array_read(values, sizeof values, NULL, own, stream)
                                   : gpuarr_device_synchronize(gpuarr_array_device(own));
  gpuarr_event_release(event);
  gpuarr_array_release(own);
  gpuarr_stream_release(stream);
  return status;
}

/* One place makes no more calls, and the others wait for their devices alone: where devices send to
 * each other a call has returned by then. */
static void unanswered(void) {
  for (int way = 0; way < 4; ++way) {
    gpuarr_blocked *x = numbers(3), *y = NULL;
    const int64_t shape[] = {2 * size, 3};
    OK(gpuarr_blocked_empty(&y, team, GPUARR_I64, 2, shape, shape, NULL)); /* on place 0 */
    OK(gpuarr_redistribute(y, x)); /* from now on messages are known */
    OK(gpuarr_team_synchronize(team));
    OK(gpuarr_team_set_timeout(team, 2, GPUARR_TIMEOUT_RETURN));
    const double begin = now();
    if (rank == bad) {
      sleep(4);
    } else if (rank == 0) {
      gpuarr_status status = gpuarr_redistribute(y, x);
      if (status == GPUARR_OK) status = wait_by(way, x);
      REQUIRE(status == GPUARR_ERR_TIMEOUT);
      require_text("no answer within 2 s; another place is gone, or makes other calls");
      REQUIRE(now() - begin > 1.9 && now() - begin < 8);
      REQUIRE(gpuarr_team_synchronize(team) == GPUARR_ERR_PEER);
    }
    gpuarr_blocked_release(y);
    gpuarr_blocked_release(x);
    end_team();
    if (way < 3) make_team();
  }
}

/* The same where the others then end all processes. */
static void deserted(void) {
  OK(gpuarr_team_set_timeout(team, 2, GPUARR_TIMEOUT_ABORT));
  if (rank == bad) sleep(30);
  gpuarr_team_synchronize(team);
  REQUIRE(0);
}

/* SIGKILL in some time, whatever the process does then. */
static void be_killed(void) {
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
  struct itimerspec time = {.it_value = {.tv_nsec = 1 + random_below(300000000)}};
  REQUIRE(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  REQUIRE(timer_settime(timer, 0, &time, NULL) == 0);
}

/* The launcher lets the others go on. */
static void work_until_one_is_killed(int32_t action) {
  double begin = now();
  gpuarr_status status = GPUARR_OK;
  signal(SIGUSR1, SIG_IGN); /* by which MPICH's launcher tells the others */
  OK(gpuarr_team_set_timeout(team, 2, action));
  if (rank == bad) be_killed();
  while (status == GPUARR_OK) {
    struct scene scene = {0};
    begin = now();
    status = work(&scene);
    release_scene(&scene);
  }
  const double took = now() - begin;
  REQUIRE(status == GPUARR_ERR_TIMEOUT || status == GPUARR_ERR_PEER);
  REQUIRE(took < 10);
  gpuarr_team_release(team);
  printf("place %d survived: %s after %.1f s\n", rank, gpuarr_status_name(status), took);
  fflush(stdout);
  _exit(0); /* an MPI that lost a process may wait for it when it is finalized */
}

static void killed(void) { work_until_one_is_killed(GPUARR_TIMEOUT_RETURN); }

static void aborted(void) { work_until_one_is_killed(GPUARR_TIMEOUT_ABORT); }

static const struct {
  const char* name;
  void (*run)(void);
} cases[] = {{"callback", callback},       {"memory", memory},     {"compiler", compiler},
             {"one_sided", one_sided},     {"wrong", wrong},       {"mismatch", mismatch},
             {"other_array", other_array}, {"leaves", leaves},     {"killed", killed},
             {"aborted", aborted},         {"deserted", deserted}, {"unanswered", unanswered}};

int main(int argc, char** argv) {
  size_t k = 0;
  while (k < sizeof cases / sizeof *cases && (argc < 2 || strcmp(cases[k].name, argv[1]) != 0)) ++k;
  if (k == sizeof cases / sizeof *cases) return 2;
  make_team();
  take_seed();
  cases[k].run();
  end_team();
  return 0;
}
