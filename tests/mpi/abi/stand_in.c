/* A stand-in for a library with MPI 5's binary interface: MPICH behind it, opened for itself alone.
 * It has what abi/mpi.h declares. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi.h"

/* MPICH's side: its handles are numbers, and a status begins with a count of 64 bits. */
typedef struct {
  int count_low, count_high, source, tag, error;
} theirs;

static const struct {
  uintptr_t ours;
  unsigned theirs;
} constants[] = {
    {0x100, 0x04000000}, {0x101, 0x44000000}, {0x102, 0x44000001}, {0x141, 0x54000000},
    {0x142, 0x54000001}, {0x180, 0x2c000000}, {0x209, 0x4c000405}, {0x247, 0x4c00010d},
};
enum { CONSTANTS = sizeof constants / sizeof *constants };

static const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                             MPI_THREAD_MULTIPLE};

static void* mpich(const char* name) {
  static void* library;
  if (library == NULL) library = dlopen("libmpich.so.12", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  void* symbol = library != NULL ? dlsym(library, name) : NULL;
  if (symbol == NULL) {
    fprintf(stderr, "skipped: no %s of MPICH\n", name);
    exit(77);
  }
  return symbol;
}

/* The function of MPICH, as the last one of these parameters. */
#define CALL(name, types, ...) (((int(*) types)mpich(name))(__VA_ARGS__))

static int in(const void* handle) {
  for (int k = 0; k < CONSTANTS; ++k)
    if (constants[k].ours == (uintptr_t)handle) return (int)constants[k].theirs;
  return (int)(uintptr_t)handle;
}

static void* out(int handle) {
  for (int k = 0; k < CONSTANTS; ++k)
    if (constants[k].theirs == (unsigned)handle) return (void*)constants[k].ours;
  return (void*)(uintptr_t)(unsigned)handle;
}

static int source_in(int source) { return source == MPI_ANY_SOURCE ? -2 : source; }
static int tag_in(int tag) { return tag == MPI_ANY_TAG ? -1 : tag; }

static void status_out(MPI_Status* ours, const theirs* status) {
  if (ours == MPI_STATUS_IGNORE) return;
  memset(ours, 0, sizeof *ours);
  ours->MPI_SOURCE = status->source;
  ours->MPI_TAG = status->tag;
  ours->MPI_ERROR = status->error;
  ours->MPI_internal[0] = status->count_low;
  ours->MPI_internal[1] = status->count_high;
}

#ifndef NO_ABI_VERSION /* as MPICH 4.3 has none */
int MPI_Abi_get_version(int* major, int* minor) {
  *major = 1;
  *minor = 0;
  return MPI_SUCCESS;
}
#endif

int MPI_Get_library_version(char* version, int* length) {
  strcpy(version, "MPICH behind the standard interface 1.0\nof the tests");
  *length = (int)strlen(version);
  return MPI_SUCCESS;
}

int MPI_Init_thread(int* argc, char*** argv, int wanted, int* given) {
  int level = 0;
  while (level < 3 && levels[level] < wanted) ++level;
  const int code = CALL("MPI_Init_thread", (int*, char***, int, int*), argc, argv, level, given);
  *given = levels[*given];
  return code;
}

int MPI_Query_thread(int* given) {
  const int code = CALL("MPI_Query_thread", (int*), given);
  *given = levels[*given];
  return code;
}

int MPI_Init(int* argc, char*** argv) { return CALL("MPI_Init", (int*, char***), argc, argv); }
int MPI_Finalize(void) { return CALL("MPI_Finalize", (void)); }
int MPI_Initialized(int* flag) { return CALL("MPI_Initialized", (int*), flag); }
int MPI_Finalized(int* flag) { return CALL("MPI_Finalized", (int*), flag); }
int MPI_Is_thread_main(int* flag) { return CALL("MPI_Is_thread_main", (int*), flag); }
int MPI_Abort(MPI_Comm comm, int code) { return CALL("MPI_Abort", (int, int), in(comm), code); }
double MPI_Wtime(void) { return ((double (*)(void))mpich("MPI_Wtime"))(); }

int MPI_Error_string(int code, char* text, int* length) {
  return CALL("MPI_Error_string", (int, char*, int*), code, text, length);
}

int MPI_Comm_size(MPI_Comm comm, int* size) {
  return CALL("MPI_Comm_size", (int, int*), in(comm), size);
}

int MPI_Comm_rank(MPI_Comm comm, int* rank) {
  return CALL("MPI_Comm_rank", (int, int*), in(comm), rank);
}

int MPI_Comm_test_inter(MPI_Comm comm, int* flag) {
  return CALL("MPI_Comm_test_inter", (int, int*), in(comm), flag);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  int made = 0;
  const int code = CALL("MPI_Comm_dup", (int, int*), in(comm), &made);
  *copy = out(made);
  return code;
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* part) {
  int made = 0;
  const int code = CALL("MPI_Comm_split", (int, int, int, int*), in(comm), color, key, &made);
  *part = out(made);
  return code;
}

int MPI_Intercomm_create(MPI_Comm local, int leader, MPI_Comm peers, int remote, int tag,
                         MPI_Comm* between) {
  int made = 0;
  const int code = CALL("MPI_Intercomm_create", (int, int, int, int, int, int*), in(local), leader,
                        in(peers), remote, tag, &made);
  *between = out(made);
  return code;
}

int MPI_Comm_free(MPI_Comm* comm) {
  int handle = in(*comm);
  const int code = CALL("MPI_Comm_free", (int*), &handle);
  *comm = out(handle);
  return code;
}

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
  return CALL("MPI_Comm_set_errhandler", (int, int), in(comm), in(handler));
}

/* In Fortran, what is predefined has the numbers of its constants. */
int MPI_Comm_toint(MPI_Comm comm) {
  return (uintptr_t)comm < 0x1000 ? (int)(uintptr_t)comm : in(comm);
}

MPI_Comm MPI_Comm_fromint(int comm) {
  return comm >= 0 && comm < 0x1000 ? (MPI_Comm)(uintptr_t)comm : out(comm);
}

struct callbacks {
  MPI_Comm_copy_attr_function* copy;
  MPI_Comm_delete_attr_function* forget;
  void* extra;
};

static int copy_attribute(int comm, int keyval, void* extra, void* value, void* copy, int* flag) {
  const struct callbacks* user = extra;
  return user->copy(out(comm), keyval, user->extra, value, copy, flag);
}

static int forget_attribute(int comm, int keyval, void* value, void* extra) {
  const struct callbacks* user = extra;
  return user->forget(out(comm), keyval, value, user->extra);
}

int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* forget,
                           int* keyval, void* extra) {
  static struct callbacks user; /* one is enough here */
  user = (struct callbacks){copy, forget, extra};
  return CALL("MPI_Comm_create_keyval", (void*, void*, int*, void*), (void*)copy_attribute,
              (void*)forget_attribute, keyval, &user);
}

int MPI_Comm_set_attr(MPI_Comm comm, int keyval, void* value) {
  return CALL("MPI_Comm_set_attr", (int, int, void*), in(comm), keyval, value);
}

int MPI_Comm_get_attr(MPI_Comm comm, int keyval, void* value, int* flag) {
  return CALL("MPI_Comm_get_attr", (int, int, void*, int*), in(comm), keyval, value, flag);
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  int made = 0;
  const int code = CALL("MPI_Isend", (const void*, int, int, int, int, int, int*), data, count,
                        in(type), to, tag, in(comm), &made);
  *request = out(made);
  return code;
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  int made = 0;
  const int code = CALL("MPI_Irecv", (void*, int, int, int, int, int, int*), data, count, in(type),
                        source_in(from), tag_in(tag), in(comm), &made);
  *request = out(made);
  return code;
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  return CALL("MPI_Send", (const void*, int, int, int, int, int), data, count, in(type), to, tag,
              in(comm));
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
  theirs its = {0};
  const int code = CALL("MPI_Recv", (void*, int, int, int, int, int, theirs*), data, count,
                        in(type), source_in(from), tag_in(tag), in(comm), &its);
  status_out(status, &its);
  return code;
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  theirs its = {0};
  int handle = in(*request);
  const int code = CALL("MPI_Test", (int*, int*, theirs*), &handle, flag, &its);
  *request = out(handle);
  status_out(status, &its);
  return code;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  theirs its = {0};
  int handle = in(*request);
  const int code = CALL("MPI_Wait", (int*, theirs*), &handle, &its);
  *request = out(handle);
  status_out(status, &its);
  return code;
}

int MPI_Cancel(MPI_Request* request) {
  int handle = in(*request);
  return CALL("MPI_Cancel", (int*), &handle);
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  theirs its = {0};
  const int code = CALL("MPI_Iprobe", (int, int, int, int*, theirs*), source_in(from), tag_in(tag),
                        in(comm), flag, &its);
  status_out(status, &its);
  return code;
}

int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count) {
  const theirs its = {status->MPI_internal[0], status->MPI_internal[1], 0, 0, 0};
  return CALL("MPI_Get_count", (const theirs*, int, int*), &its, in(type), count);
}
