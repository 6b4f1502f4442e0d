/* See fake_nccl.h: who sends what to whom, and what becomes of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

struct op* pending;

static const size_t sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};

/* Of numbers that a half has exactly, and no small ones. */
static float from_half(uint16_t half) {
  const int exponent = half >> 10 & 31;
  const float value = exponent == 0 ? 0 : ldexpf((float)(1024 + (half & 1023)), exponent - 25);
  return half >> 15 != 0 ? -value : value;
}
static uint16_t to_half(float value) {
  int exponent = 0;
  const float mantissa = frexpf(fabsf(value), &exponent);
  if (mantissa == 0) return 0;
  const int bits = (exponent + 14) << 10 | ((int)(mantissa * 2048) & 1023);
  return (uint16_t)(bits | (value < 0 ? 1 << 15 : 0));
}

static long double load(int type, const char* at) {
  union {
    int8_t i8;
    uint8_t u8;
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    uint64_t u64;
    float f32;
    double f64;
    uint16_t half[2];
  } v = {0};
  memcpy(type == 9 ? (void*)&v.half[1] : (void*)&v, at, sizes[type]);
  switch (type) {
    case 0:
      return v.i8;
    case 1:
      return v.u8;
    case 2:
      return v.i32;
    case 3:
      return v.u32;
    case 4:
      return v.i64;
    case 5:
      return v.u64;
    case 6:
      return from_half(v.half[0]);
    case 8:
      return (long double)v.f64;
    default:
      return v.f32; /* of which a bfloat16 is the upper half */
  }
}

/* Integers wrap around. */
static void store(int type, char* at, long double value) {
  const int64_t whole = type == 5 ? (int64_t)(uint64_t)value : type < 6 ? (int64_t)value : 0;
  const double f64 = (double)value;
  const float f32 = (float)value;
  const uint16_t f16 = to_half(f32);
  const void* from = type < 6    ? (const void*)&whole
                     : type == 6 ? (const void*)&f16
                     : type == 8 ? (const void*)&f64
                                 : (const void*)&f32;
  memcpy(at, type == 9 ? (const char*)from + 2 : from, sizes[type]);
}

static long double combined(int how, long double a, long double b) {
  switch (how) {
    case 0:
      return a + b;
    case 1:
      return a * b;
    case 2:
      return a > b ? a : b;
    default:
      return a < b ? a : b;
  }
}

static void all_reduce(struct op* const* of, int members) {
  const size_t size = sizes[of[0]->type];
  for (size_t i = 0; i < of[0]->count; ++i) {
    long double all = load(of[0]->type, of[0]->data + i * size);
    for (int m = 1; m < members; ++m)
      all = combined(of[0]->other, all, load(of[0]->type, of[m]->data + i * size));
    for (int m = 0; m < members; ++m) store(of[0]->type, of[m]->out + i * size, all);
  }
}

static void exchange(struct op* const* of, int members) {
  const size_t bytes = of[0]->count * sizes[of[0]->type];
  for (int to = 0; to < members; ++to)
    for (int from = 0; from < members; ++from)
      if (of[0]->kind == ALL_GATHER)
        memmove(of[to]->out + (size_t)from * bytes, of[from]->data, bytes);
      else if (from == of[0]->other)
        memmove(of[to]->out, of[from]->data, bytes);
}

static void forget(const struct op* op) {
  struct op** at = &pending;
  while (*at != op) at = &(*at)->next;
  *at = op->next;
}

static int is_of_two(const struct op* op) { return op->kind == SEND || op->kind == RECEIVE; }

/* Whether a send found its receive. */
static int run_send(struct op* send) {
  struct op* receive = pending;
  while (receive != NULL &&
         (receive->kind != RECEIVE || receive->comm->world != send->comm->world ||
          receive->comm->rank != send->other || receive->other != send->comm->rank))
    receive = receive->next;
  if (receive == NULL) return 0;
  if (receive->count != send->count)
    receive->comm->error = send->comm->error = USAGE;
  else
    memcpy(receive->out, send->data, send->count * sizes[send->type]);
  send->comm->world->met[send->comm->rank][send->other] = 1;
  forget(send);
  forget(receive);
  free(send);
  free(receive);
  return 1;
}

/* Whether all members had made the call of that turn. */
static int run_collective(const struct op* first) {
  struct op* of[MOST_MEMBERS] = {NULL};
  const int members = first->comm->world->size;
  int found = 0;
  for (struct op* op = pending; op != NULL; op = op->next)
    if (!is_of_two(op) && op->comm->world == first->comm->world && op->turn == first->turn) {
      of[op->comm->rank] = op;
      ++found;
    }
  if (found < members) return 0;
  int same = 1;
  for (int m = 1; m < members; ++m)
    same &= of[m]->kind == of[0]->kind && of[m]->count == of[0]->count &&
            of[m]->type == of[0]->type && of[m]->other == of[0]->other;
  if (same && of[0]->kind == ALL_REDUCE) all_reduce(of, members);
  if (same && of[0]->kind != ALL_REDUCE) exchange(of, members);
  of[0]->comm->world->met_in[of[0]->kind] = 1;
  for (int m = 0; m < members; ++m) {
    if (!same) of[m]->comm->error = USAGE;
    forget(of[m]);
    free(of[m]);
  }
  return 1;
}

void run_all(void) {
  for (struct op* op = pending; op != NULL;) {
    const int ran =
        op->kind == SEND ? run_send(op) : op->kind != RECEIVE && run_collective(op) != 0;
    op = ran ? pending : op->next;
  }
}

static int has_met(const struct op* op) {
  const struct world* world = op->comm->world;
  const int sends = op->kind == SEND;
  return is_of_two(op)
             ? world->met[sends ? op->comm->rank : op->other][sends ? op->other : op->comm->rank]
             : world->met_in[op->kind];
}

int is_waiting(const struct comm* comm) {
  if (comm->world->joined < comm->world->size) return 1;
  for (const struct op* op = pending; op != NULL; op = op->next)
    if (op->comm == comm && op->first) return 1;
  return 0;
}

void drop_work(const struct comm* comm) {
  for (struct op** at = &pending; *at != NULL;) {
    struct op* op = *at;
    if (op->comm != comm) {
      at = &op->next;
      continue;
    }
    *at = op->next;
    free(op);
  }
}

void post(struct op* op) {
  op->first = !has_met(op);
  if (!is_of_two(op)) op->turn = op->comm->collectives++;
  struct op** at = &pending;
  while (*at != NULL) at = &(*at)->next;
  *at = op;
}
