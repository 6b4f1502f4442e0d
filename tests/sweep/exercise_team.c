/* See sweep.h: teams of one process, blocked arrays, what is called for each block. */
#include "sweep.h"

static void hear(const char* operation, int64_t done, int64_t total, void* user) {
  (void)operation, (void)done, (void)total, (void)user;
}

static gpuarr_team* exercise_who(const struct stage* s) {
  gpuarr_team *team = POISON, *world = POISON;
  gpuarr_device* devices[] = {s->device, s->device};
  gpuarr_stream* stream = POISON;
  const char* text = POISON;
  made(gpuarr_team_world(&world, s->device), &world);
  gpuarr_team_release(world);
  made(gpuarr_team_local(&team, devices, 2), &team);
  if (team == NULL) return NULL;
  check(gpuarr_team_size(team) == 2 && gpuarr_team_first(team) == 0, "two places");
  check(gpuarr_team_local_count(team) == 2, "of this process");
  check(gpuarr_team_device(team, 1) == s->device, "the device that was given");
  check(gpuarr_team_nccl(team, 0) == NULL && gpuarr_team_mpi_f(team) == -1, "one process");
  made(gpuarr_team_stream(&stream, team, 0), &stream);
  gpuarr_stream_release(stream);
  made(gpuarr_team_describe(&text, team), &text);
  ok(gpuarr_team_set_timeout(team, 10, GPUARR_TIMEOUT_RETURN));
  ok(gpuarr_team_set_progress(team, hear, NULL, 0));
  ok(gpuarr_team_synchronize(team));
  made(gpuarr_team_profile(&text, team), &text);
  check(gpuarr_team_retain(team) == team, "retained");
  gpuarr_team_release(team);
  return team;
}

/* What needs processes that are not there. */
static void exercise_others(const struct stage* s) {
  gpuarr_team* team = POISON;
  int none = 0;
  check(gpuarr_team_from_mpi(&team, &none, sizeof none, s->device) != GPUARR_OK, "no MPI");
  check(team == NULL, "no team");
  check(gpuarr_team_from_mpi_f(&team, 0, s->device) != GPUARR_OK, "no MPI");
  check(gpuarr_team_from_transport(&team, NULL, s->device) != GPUARR_OK, "no transport");
}

static gpuarr_blocked_options* options_of(void) {
  gpuarr_blocked_options* options = POISON;
  const int64_t cells[] = {1, 1};
  const int32_t owners[] = {0, 1}, kinds[] = {1, 1};
  made(gpuarr_blocked_options_create(&options), &options);
  if (options == NULL) return NULL;
  ok(gpuarr_blocked_options_set_placement(options, GPUARR_PLACEMENT_CYCLIC));
  ok(gpuarr_blocked_options_set_owners(options, owners, 2));
  ok(gpuarr_blocked_options_set_halo(options, 2, cells, cells, kinds));
  ok(gpuarr_blocked_options_set_fill(options, gpuarr_arg_f32(0)));
  ok(gpuarr_blocked_options_set_order(options, GPUARR_ORDER_C));
  return options;
}

static void exercise_places_of(gpuarr_blocked* x) {
  gpuarr_array* local = POISON;
  check(gpuarr_blocked_dtype(x) == GPUARR_F32 && gpuarr_blocked_ndim(x) == 2, "what it is");
  check(gpuarr_blocked_extent(x, 0) == 4 && gpuarr_blocked_count(x, 0) == 2, "its grid");
  check(gpuarr_blocked_start(x, 1, 0) == 2 && gpuarr_blocked_stop(x, 1, 0) == 4, "its blocks");
  check(gpuarr_blocked_owner(x, 1) == 1 && gpuarr_blocked_local_count(x) == 2, "its places");
  check(gpuarr_blocked_local_number(x, 1) == 1 && gpuarr_blocked_local_place(x, 1) == 1, "both");
  made(gpuarr_blocked_local(&local, x, 0, 1), &local);
  gpuarr_array_release(local);
  check(gpuarr_blocked_retain(x) == x, "retained");
  gpuarr_blocked_release(x);
}

static void exercise_moves(gpuarr_team* team, gpuarr_blocked* x) {
  gpuarr_blocked *like = POISON, *turned = POISON;
  float numbers[24] = {0};
  ok(gpuarr_blocked_fill(x, gpuarr_arg_f32(1)));
  ok(gpuarr_blocked_arange(x, gpuarr_arg_i64(0), gpuarr_arg_i64(1)));
  ok(gpuarr_blocked_write(x, NULL, NULL, 0, numbers, sizeof numbers, NULL));
  ok(gpuarr_blocked_read(numbers, sizeof numbers, NULL, x, NULL, NULL, 0));
  ok(gpuarr_halo_exchange(x));
  ok(gpuarr_halo_begin(x));
  ok(gpuarr_halo_end(x));
  made(gpuarr_blocked_empty_like(&like, x, 0), &like);
  ok(gpuarr_redistribute(like, x));
  made(gpuarr_blocked_transpose(&turned, x, 0, NULL), &turned);
  gpuarr_blocked_release(turned);
  gpuarr_blocked_release(like);
  ok(gpuarr_team_synchronize(team));
}

static gpuarr_status work(const gpuarr_block* block, gpuarr_array* const* outputs,
                          gpuarr_array* const* inputs, void* user) {
  (void)outputs, (void)inputs, (void)user;
  check(gpuarr_block_number(block) == gpuarr_block_place(block), "a block for each place");
  check(gpuarr_block_location(block, 1) == 0, "of one column");
  check(gpuarr_block_stop(block, 0) - gpuarr_block_start(block, 0) == 2, "of two rows");
  check(gpuarr_block_stream(block) != NULL, "a stream");
  return GPUARR_OK;
}

static void exercise_kernels(gpuarr_team* team, gpuarr_blocked* x) {
  const int64_t shape[] = {4, 1}, chunk[] = {2, 1};
  gpuarr_blocked* sums = POISON;
  gpuarr_elementwise* twice = POISON;
  gpuarr_reduction* sum = POISON;
  gpuarr_raw* raw = POISON;
  gpuarr_expr* input = POISON;
  gpuarr_function* same = POISON;
  const gpuarr_arg args[] = {gpuarr_arg_blocked(x, GPUARR_ARG_BLOCKED),
                             gpuarr_arg_block(GPUARR_ARG_BLOCK_SIZE, 0)};
  const char* names[] = {"x", "n"};
  made(gpuarr_elementwise_create(&twice, "T x", "T y", "y = x + x;", NULL), &twice);
  ok(gpuarr_map_blocks_elementwise(twice, &x, 1, args, 1));
  made(gpuarr_blocked_empty(&sums, team, GPUARR_F32, 2, shape, chunk, NULL), &sums);
  made(gpuarr_reduction_create(&sum, "T x", "T y", "x", "a + b", "y = a", "0", NULL), &sum);
  if (sums != NULL) ok(gpuarr_map_blocks_reduction(sum, &sums, 1, args, 1, (int32_t[]){1}, 1));
  made(gpuarr_raw_create(&raw, "extern \"C\" __global__ void k(float* x, long long n) {}", "k",
                         NULL, NULL),
       &raw);
  ok(gpuarr_map_blocks_raw(raw, x, NULL, args, 2));
  ok(gpuarr_map_blocks_eval(&x, 1, "x + x", names, args, 2));
  made(gpuarr_expr_input(&input, 0), &input);
  made(gpuarr_function_create(&same, (const gpuarr_expr* const*)&input, 1), &same);
  ok(gpuarr_map_blocks_function(same, &x, 1, args, 1));
  gpuarr_blocked_release(sums);
  gpuarr_function_release(same);
  gpuarr_expr_release(input);
  gpuarr_raw_release(raw);
  gpuarr_reduction_release(sum);
  gpuarr_elementwise_release(twice);
}

static void exercise_sums(gpuarr_blocked* x) {
  gpuarr_blocked *sum = NULL, *own = NULL;
  gpuarr_reduction* kernel = POISON;
  const gpuarr_arg input = gpuarr_arg_blocked(x, GPUARR_ARG_BLOCKED);
  made(gpuarr_blocked_reduce(&sum, "sum", x, NULL, 0, 0, 0, GPUARR_REDUCE_FAST), &sum);
  if (sum != NULL) ok(gpuarr_all_reduce(sum, GPUARR_COMBINE_SUM));
  made(gpuarr_reduction_create(&kernel, "T x", "T y", "x", "a + b", "y = a", "0", NULL), &kernel);
  made(gpuarr_blocked_reduction(kernel, &own, 1, &input, 1, NULL, 0, 0), &own);
  gpuarr_reduction_release(kernel);
  gpuarr_blocked_release(own);
  gpuarr_blocked_release(sum);
}

static void exercise_files(const struct stage* s, gpuarr_team* team, gpuarr_blocked* x) {
  char path[600];
  gpuarr_blocked* loaded = POISON;
  const int64_t shape[] = {4, 6}, chunk[] = {2, 6};
  snprintf(path, sizeof path, "%s/blocked.zarr", s->folder);
  ok(gpuarr_blocked_save(path, x, GPUARR_FILE_ZARR));
  made(gpuarr_blocked_load(&loaded, team, path, 0, NULL, NULL), &loaded);
  gpuarr_blocked_release(loaded);
  snprintf(path, sizeof path, "%s/blocked.npy", s->folder);
  ok(gpuarr_file_create(team, path, GPUARR_FILE_NPY, GPUARR_F32, 2, shape, chunk));
  ok(gpuarr_blocked_save_part(path, x, NULL));
  ok(gpuarr_blocked_load_part(x, path, NULL));
}

void exercise_team(const struct stage* s) {
  exercise_others(s);
  gpuarr_team* team = exercise_who(s);
  gpuarr_blocked_options* options = options_of();
  gpuarr_blocked *x = POISON, *mine = POISON;
  const int64_t shape[] = {4, 6}, chunk[] = {2, 6}, grid[] = {2, 1};
  made(gpuarr_blocked_empty(&x, team, GPUARR_F32, 2, shape, chunk, options), &x);
  gpuarr_blocked_options_release(options);
  gpuarr_array* arrays[] = {s->x, s->y};
  made(gpuarr_blocked_from_local(&mine, team, arrays, 2, grid, NULL), &mine);
  gpuarr_blocked_release(mine);
  if (x != NULL) {
    exercise_places_of(x);
    exercise_moves(team, x);
    ok(gpuarr_map_blocks(work, NULL, &x, 1, &x, 1, 0));
    ok(gpuarr_map_overlap(work, NULL, &x, 1, &x, 1));
    exercise_kernels(team, x);
    exercise_sums(x);
    exercise_files(s, team, x);
  }
  gpuarr_team_release(team);
  gpuarr_blocked_release(x);
}
