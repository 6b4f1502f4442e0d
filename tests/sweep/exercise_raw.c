/* See sweep.h: raw kernels and modules. */
#include <string.h>

#include "sweep.h"

static const char source[] =
    "extern \"C\" __global__ void scale(float* x, float a, int n) {\n"
    "  extern __shared__ float tile[];\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) x[i] = a * x[i] + tile[0];\n"
    "}\n"
    "struct pair { int a, b; };\n"
    "__constant__ float table[8];\n"
    "extern \"C\" __global__ void mix(gpuarr_view<float, 2> v, pair p, const void* q) {\n"
    "  if (q == nullptr) v(0, 0) = p.a + p.b + table[0];\n"
    "}\n"
    "template <class T> __global__ void late(T* x) { x[0] = 1; }\n";

static const char ptx[] =
    ".version 8.3\n.target sm_80\n.address_size 64\n"
    ".visible .entry none() { ret; }\n";

static void exercise_attributes(const struct stage* s, gpuarr_raw* kernel) {
  int64_t threads = -1;
  int32_t blocks = -1, best = -1;
  const char* signature = POISON;
  got(gpuarr_raw_attribute(&threads, kernel, GPUARR_ATTRIBUTE_MAX_THREADS, s->device), &threads,
      sizeof threads);
  ok(gpuarr_raw_set_attribute(kernel, GPUARR_ATTRIBUTE_SHARED_CARVEOUT, 50));
  made(gpuarr_raw_signature(&signature, kernel, s->device), &signature);
  got(gpuarr_raw_occupancy(&blocks, kernel, 128, 0, s->device), &blocks, sizeof blocks);
  got(gpuarr_raw_best_block(&best, kernel, 0, s->device), &best, sizeof best);
}

void exercise_raw(const struct stage* s) {
  gpuarr_raw* kernel = POISON;
  gpuarr_kernel_options* options = POISON;
  /* Unchecked, a launch without shared memory would read what is nobody's. */
  if (!made(gpuarr_kernel_options_create(&options), &options)) return;
  ok(gpuarr_kernel_options_set_check(options, GPUARR_CHECK_MEMORY));
  made(gpuarr_raw_create(&kernel, source, "scale", "float32* x, float32 a, int32 n", options),
       &kernel);
  gpuarr_kernel_options_release(options);
  const int64_t grid[] = {1, 1, 1}, block[] = {32, 1, 1};
  const gpuarr_arg args[] = {gpuarr_arg_array(s->x), gpuarr_arg_f32(2), gpuarr_arg_i32(24)};
  ok(gpuarr_raw_launch(kernel, grid, block, 100000, args, 3, s->stream));
  ok(gpuarr_raw_launch_1d(kernel, 24, args, 3, NULL));
  exercise_attributes(s, kernel);
  gpuarr_call* call = POISON;
  made(gpuarr_raw_prepare(&call, kernel, grid, block, 0, args, 3, s->device), &call);
  ok(gpuarr_call_launch(call, s->stream));
  check(gpuarr_raw_retain(kernel) == kernel, "retained");
  gpuarr_raw_release(kernel);
  gpuarr_raw_release(kernel);
  gpuarr_call_release(call);
}

static void exercise_mixed_arguments(const struct stage* s, gpuarr_module* module) {
  gpuarr_raw* mix = POISON;
  const int pair[] = {1, 2};
  const int64_t one[] = {1, 1, 1};
  made(gpuarr_module_kernel(&mix, module, "mix", NULL), &mix);
  const gpuarr_arg args[] = {gpuarr_arg_view(s->x), gpuarr_arg_bytes(pair, sizeof pair),
                             gpuarr_arg_pointer(NULL)};
  ok(gpuarr_raw_launch(mix, one, one, 0, args, 3, NULL));
  gpuarr_raw_release(mix);
}

static void exercise_source(const struct stage* s) {
  gpuarr_module* module = POISON;
  gpuarr_kernel_options* options = POISON;
  made(gpuarr_kernel_options_create(&options), &options);
  ok(gpuarr_kernel_options_add_kernel(options, "late<float>"));
  made(gpuarr_module_create(&module, source, options), &module);
  gpuarr_kernel_options_release(options);
  ok(gpuarr_module_build(module, s->device));
  /* It compiles in each child again, and asks the driver nothing. */
  if (s->all_is_well) ok(gpuarr_module_check(module, "host"));
  exercise_mixed_arguments(s, module);
  gpuarr_array* table = POISON;
  const char* name = POISON;
  int32_t count = -1;
  made(gpuarr_module_global(&table, module, "table", 0, s->device), &table);
  got(gpuarr_module_kernel_count(&count, module, s->device), &count, sizeof count);
  made(gpuarr_module_kernel_name(&name, module, 0, s->device), &name);
  check(gpuarr_module_retain(module) == module, "retained");
  gpuarr_module_release(module);
  gpuarr_module_release(module);
  ok(gpuarr_array_fill(table, gpuarr_arg_f32(1), NULL)); /* it keeps the module */
  gpuarr_array_release(table);
}

static void exercise_file(const struct stage* s) {
  char path[300];
  snprintf(path, sizeof path, "%s/kernel.ptx", s->folder);
  FILE* file = fopen(path, "w");
  check(file != NULL && fputs(ptx, file) >= 0 && fclose(file) == 0, "a file can be written");
  gpuarr_module *opened = POISON, *loaded = POISON;
  gpuarr_raw* kernel = POISON;
  const char* listing = POISON; /* of source it would be compiled, in each child again */
  made(gpuarr_module_open(&opened, path, NULL), &opened);
  made(gpuarr_module_load(&loaded, ptx, (int64_t)strlen(ptx)), &loaded);
  made(gpuarr_module_kernel(&kernel, loaded, "none", NULL), &kernel);
  ok(gpuarr_module_build(opened, s->device));
  ok(gpuarr_raw_launch_1d(kernel, 5, NULL, 0, s->stream));
  made(gpuarr_module_listing(&listing, loaded, GPUARR_LISTING_PTX, s->device), &listing);
  gpuarr_raw_release(kernel);
  gpuarr_module_release(loaded);
  gpuarr_module_release(opened);
  remove(path);
}

void exercise_modules(const struct stage* s) {
  exercise_source(s);
  exercise_file(s);
}
