/* See fake_nccl.h: groups of calls, and what the library exports. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_nccl.h"
#include "state.h"

#define SHOWN __attribute__((visibility("default")))

enum { MOST_OF_GROUP = 256 };

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct world* worlds;
static struct comm* comms;
static int64_t live, aborted, finalized, waits, blocking, ids;

/* A thread's group. */
static _Thread_local int depth, failed, count, touched_count, leaving_count;
static _Thread_local struct op* ops[MOST_OF_GROUP];
static _Thread_local struct comm *touched[MOST_OF_GROUP], *leaving[MOST_MEMBERS];

static int64_t read_locked(const int64_t* value) {
  pthread_mutex_lock(&mutex);
  int64_t copy = *value;
  pthread_mutex_unlock(&mutex);
  return copy;
}
SHOWN int64_t fake_nccl_live(void);
int64_t fake_nccl_live(void) { return read_locked(&live); }
SHOWN int64_t fake_nccl_aborted(void);
int64_t fake_nccl_aborted(void) { return read_locked(&aborted); }
SHOWN int64_t fake_nccl_finalized(void);
int64_t fake_nccl_finalized(void) { return read_locked(&finalized); }
SHOWN int64_t fake_nccl_waits(void);
int64_t fake_nccl_waits(void) { return read_locked(&waits); }
SHOWN int64_t fake_nccl_blocking(void);
int64_t fake_nccl_blocking(void) { return read_locked(&blocking); }

static int setting(const char* name, int otherwise) {
  const char* value = getenv(name);
  return value != NULL && *value != '\0' ? atoi(value) : otherwise;
}

static int answer(const char* name) {
  const char* wanted = getenv("FAKE_NCCL_FAIL");
  size_t length = strlen(name);
  if (wanted == NULL || strncmp(wanted, name, length) != 0 || wanted[length] != ':') return SUCCESS;
  return atoi(wanted + length + 1);
}

static CUcontext current_context(void) {
  void* address = NULL;
  cuGetProcAddress("cuCtxGetCurrent", &address, 4000, 1, NULL);
  CUresult (*get)(CUcontext*) = NULL;
  memcpy(&get, &address, sizeof get);
  CUcontext context = NULL;
  get(&context);
  return context;
}

/* ---- groups ---- */

/* Returns when all members have met whom they had to, or when one is to end. */
static int wait_for(struct comm* const* these, int number) {
  for (int k = 0, waited = 0; k < number;) {
    pthread_mutex_lock(&mutex);
    const int ends = these[k]->aborted;
    const int waiting = is_waiting(these[k]);
    if (waiting && !waited) ++waits;
    waited |= waiting;
    pthread_mutex_unlock(&mutex);
    if (ends) return INTERNAL;
    if (waiting)
      usleep(100);
    else
      ++k;
  }
  return SUCCESS;
}

static void release(struct comm* comm) {
  struct comm** at = &comms;
  while (*at != comm) at = &(*at)->next;
  *at = comm->next;
  drop_work(comm);
  --live;
  free(comm);
}

/* Whether a communicator does not block, and goes on behind the call. */
static int goes_on(struct comm* comm) {
  if (comm->blocking) return 0;
  comm->in_progress = setting("FAKE_NCCL_PROGRESS", 1);
  return 1;
}

static int end_group(void) {
  int later = 0;
  const int result = failed;
  pthread_mutex_lock(&mutex);
  for (int k = 0; k < touched_count; ++k) {
    if (result == SUCCESS) touched[k]->world->joined += touched[k]->joins;
    touched[k]->joins = 0;
  }
  for (int k = 0; k < count; ++k)
    if (result == SUCCESS)
      post(ops[k]);
    else
      free(ops[k]);
  run_all();
  for (int k = 0; k < touched_count; ++k) later |= goes_on(touched[k]);
  for (int k = 0; k < leaving_count; ++k) release(leaving[k]);
  pthread_mutex_unlock(&mutex);
  const int number = touched_count;
  count = touched_count = leaving_count = failed = 0;
  if (result != SUCCESS) return result;
  return later ? IN_PROGRESS : wait_for(touched, number);
}

SHOWN int ncclGroupStart(void);
int ncclGroupStart(void) {
  ++depth;
  return SUCCESS;
}

SHOWN int ncclGroupEnd(void);
int ncclGroupEnd(void) {
  const int told = answer("ncclGroupEnd");
  if (told != SUCCESS && failed == SUCCESS) failed = told;
  return --depth == 0 ? end_group() : SUCCESS;
}

/* ---- the other functions ---- */

SHOWN int ncclGetVersion(int* version);
int ncclGetVersion(int* version) {
  *version = setting("FAKE_NCCL_VERSION", 22809);
  return answer("ncclGetVersion");
}

SHOWN const char* ncclGetErrorString(int result);
const char* ncclGetErrorString(int result) { return result == 6 ? "far" : "near"; }

SHOWN const char* ncclGetLastError(struct comm* comm);
const char* ncclGetLastError(struct comm* comm) {
  (void)comm;
  return getenv("FAKE_NCCL_FAIL") != NULL ? "told to" : "";
}

SHOWN int ncclGetUniqueId(id* out);
int ncclGetUniqueId(id* out) {
  memset(out, 7, sizeof *out);
  pthread_mutex_lock(&mutex);
  memcpy(out->bytes, &ids, sizeof ids);
  ++ids;
  pthread_mutex_unlock(&mutex);
  return answer("ncclGetUniqueId");
}

static struct world* world_of(const id* name, int size) {
  struct world* world = worlds;
  while (world != NULL && memcmp(&world->name, name, sizeof *name) != 0) world = world->next;
  if (world != NULL) return world;
  world = calloc(1, sizeof *world);
  *world = (struct world){.name = *name, .size = size, .next = worlds};
  worlds = world;
  return world;
}

struct config { /* how that of 2.14 begins */
  size_t size;
  unsigned magic, version;
  int blocking, cluster;
};

SHOWN int ncclCommInitRankConfig(struct comm** out, int size, id name, int rank,
                                 const struct config* config);
int ncclCommInitRankConfig(struct comm** out, int size, id name, int rank,
                           const struct config* config) {
  int result = answer("ncclCommInitRankConfig");
  /* Later versions would read what stands behind it, if it did not say that it is of 2.14. */
  if (config->size != 24 || config->magic != 0xcafebeef || config->version != 21400 ||
      rank >= size || depth == 0)
    result = ARGUMENT;
  if (current_context() == NULL) result = CUDA;
  if (result != SUCCESS) return failed = result;
  struct comm* comm = calloc(1, sizeof *comm);
  *comm = (struct comm){
      .rank = rank, .blocking = config->blocking, .context = current_context(), .joins = 1};
  pthread_mutex_lock(&mutex);
  comm->world = world_of(&name, size);
  blocking = comm->blocking;
  comm->next = comms;
  comms = comm;
  ++live;
  pthread_mutex_unlock(&mutex);
  touched[touched_count++] = comm;
  *out = comm;
  return SUCCESS;
}

SHOWN int ncclCommGetAsyncError(struct comm* comm, int* out);
int ncclCommGetAsyncError(struct comm* comm, int* out) {
  pthread_mutex_lock(&mutex);
  run_all();
  *out = setting("FAKE_NCCL_ASYNC", comm->error);
  if (*out == SUCCESS && !comm->blocking && (comm->in_progress > 0 || is_waiting(comm))) {
    --comm->in_progress;
    *out = IN_PROGRESS;
  }
  pthread_mutex_unlock(&mutex);
  return answer("ncclCommGetAsyncError");
}

/* It waits for nothing, since all that can be done was done. */
SHOWN int ncclCommFinalize(struct comm* comm);
int ncclCommFinalize(struct comm* comm) {
  pthread_mutex_lock(&mutex);
  ++finalized;
  pthread_mutex_unlock(&mutex);
  touched[touched_count++] = comm;
  return answer("ncclCommFinalize");
}

SHOWN int ncclCommAbort(struct comm* comm);
int ncclCommAbort(struct comm* comm) {
  pthread_mutex_lock(&mutex);
  comm->aborted = 1;
  ++aborted;
  if (depth > 0 && setting("FAKE_NCCL_VERSION", 22809) >= 22200)
    leaving[leaving_count++] = comm;
  else
    release(comm);
  pthread_mutex_unlock(&mutex);
  return answer("ncclCommAbort");
}

/* NCCL would take any current context; ours is to be the member's, like its stream. */
static int note(const char* name, struct op op, CUstream stream) {
  int result = answer(name);
  CUcontext streams = NULL; /* what a stream of the stand-in begins with */
  memcpy(&streams, stream, sizeof streams);
  if (current_context() != op.comm->context) result = CUDA;
  if (streams != op.comm->context || op.type > 9 || op.other >= MOST_MEMBERS) result = ARGUMENT;
  pthread_mutex_lock(&mutex);
  const int ends = op.comm->aborted;
  pthread_mutex_unlock(&mutex);
  if (depth == 0 || ends || touched_count == MOST_OF_GROUP) result = USAGE;
  if (result != SUCCESS) return failed = result;
  ops[count] = malloc(sizeof op);
  *ops[count++] = op;
  touched[touched_count++] = op.comm;
  return SUCCESS;
}

SHOWN int ncclSend(const char* data, size_t n, int type, int peer, struct comm* comm, CUstream s);
int ncclSend(const char* data, size_t n, int type, int peer, struct comm* comm, CUstream s) {
  return note("ncclSend", (struct op){SEND, comm, data, NULL, n, type, peer, 0, 0, NULL}, s);
}

SHOWN int ncclRecv(char* out, size_t n, int type, int peer, struct comm* comm, CUstream s);
int ncclRecv(char* out, size_t n, int type, int peer, struct comm* comm, CUstream s) {
  return note("ncclRecv", (struct op){RECEIVE, comm, NULL, out, n, type, peer, 0, 0, NULL}, s);
}

SHOWN int ncclAllGather(const char* data, char* out, size_t n, int type, struct comm* comm,
                        CUstream s);
int ncclAllGather(const char* data, char* out, size_t n, int type, struct comm* comm, CUstream s) {
  return note("ncclAllGather", (struct op){ALL_GATHER, comm, data, out, n, type, 0, 0, 0, NULL}, s);
}

SHOWN int ncclBroadcast(const char* data, char* out, size_t n, int type, int root,
                        struct comm* comm, CUstream s);
int ncclBroadcast(const char* data, char* out, size_t n, int type, int root, struct comm* comm,
                  CUstream s) {
  return note("ncclBroadcast", (struct op){BROADCAST, comm, data, out, n, type, root, 0, 0, NULL},
              s);
}

SHOWN int ncclAllReduce(const char* data, char* out, size_t n, int type, int how, struct comm* comm,
                        CUstream s);
int ncclAllReduce(const char* data, char* out, size_t n, int type, int how, struct comm* comm,
                  CUstream s) {
  return note("ncclAllReduce", (struct op){ALL_REDUCE, comm, data, out, n, type, how, 0, 0, NULL},
              s);
}
