/* What the files of the stand-in share. */
#ifndef FAKE_NCCL_STATE_H
#define FAKE_NCCL_STATE_H

#include <cuda.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_MEMBERS = 8, KINDS = 5 };
enum { SUCCESS = 0, CUDA = 1, INTERNAL = 3, ARGUMENT = 4, USAGE = 5, IN_PROGRESS = 7 };
enum kind { SEND, RECEIVE, ALL_GATHER, BROADCAST, ALL_REDUCE };

typedef struct {
  char bytes[128];
} id;

struct world { /* of the members that share an id */
  id name;
  int size, joined;
  int met[MOST_MEMBERS][MOST_MEMBERS]; /* sender, receiver */
  int met_in[KINDS];
  struct world* next;
};

struct comm {
  struct world* world;
  int rank, blocking;
  CUcontext context;
  int joins; /* with the group that is being made */
  int aborted, error, collectives, in_progress;
  struct comm* next;
};

struct op {
  enum kind kind;
  struct comm* comm;
  const char* data;
  char* out;
  size_t count;
  int type, other;
  int turn;  /* of the member's collective calls */
  int first; /* it waits to meet others */
  struct op* next;
};

extern pthread_mutex_t mutex; /* over all but what is a thread's; held around what follows */
extern struct op* pending;    /* in the order in which they came */

void post(struct op* op);
void run_all(void);                      /* what has its counterparts */
int is_waiting(const struct comm* comm); /* to meet others */
void drop_work(const struct comm* comm);

#endif
