/* kills [N]: processes are killed while they compile and write into the cache, N times (10). The
 * cache must work as if nothing had been, and nothing that they left may stay for ever. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gpuarr.h"

static char top[] = "/tmp/gpuarr-kills-XXXXXX", cache[64], scratch[64];

/* Whether the kernel gives what its text says. */
static int kernel_works(int number) {
  char body[60];
  snprintf(body, sizeof body, "y = %d + sqrt(float(m))", number);
  gpuarr_elementwise* kernel = NULL;
  gpuarr_array* y = NULL;
  gpuarr_device* device = NULL;
  const int64_t size = 5;
  float values[5] = {0};
  const gpuarr_arg four = gpuarr_arg_i32(4);
  const int done =
      gpuarr_device_open(&device, "host") == GPUARR_OK &&
      gpuarr_array_zeros(&y, device, GPUARR_F32, 1, &size, GPUARR_ORDER_C, NULL) == GPUARR_OK &&
      gpuarr_elementwise_create(&kernel, "int32 m", "float32 y", body, NULL) == GPUARR_OK &&
      gpuarr_elementwise_call(kernel, &y, 1, &four, 1, GPUARR_NO_SIZE, NULL) == GPUARR_OK;
  if (done) memcpy(values, gpuarr_array_data(y), sizeof values);
  gpuarr_elementwise_release(kernel);
  gpuarr_array_release(y);
  return done && values[4] == (float)number + 2;
}

static void compile_and_write(int first) {
  setpgid(0, 0);
  for (int k = first;; ++k) kernel_works(k);
}

static void pause_for(unsigned microseconds) {
  const struct timespec time = {0, (long)microseconds * 1000};
  nanosleep(&time, NULL);
}

/* With its compiler, or alone. */
static void kill_one(int n) {
  const pid_t child = fork();
  if (child == 0) compile_and_write(n);
  pause_for(5000 + (unsigned)rand() % 150000);
  kill(n % 2 == 0 ? -child : child, SIGKILL);
  waitpid(child, NULL, 0);
}

/* In a process of its own; 0 if the kernels work. */
static int check_kernels(int first, int last) {
  const pid_t child = fork();
  if (child == 0) {
    int bad = 0;
    for (int k = first; k < last; ++k)
      if (!kernel_works(k)) bad += fprintf(stderr, "kernel %d: %s\n", k, gpuarr_last_error());
    exit(bad != 0 || strcmp(gpuarr_cache_problem(), "") != 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

/* How many things with such a name there are; they become some hours old. */
static int count_and_age(const char* folder, const char* part) {
  DIR* listing = opendir(folder);
  int count = 0;
  for (const struct dirent* item; listing != NULL && (item = readdir(listing)) != NULL;) {
    if (strstr(item->d_name, part) == NULL) continue;
    const struct timespec old = {time(NULL) - 10000, 0}, times[2] = {old, old};
    utimensat(dirfd(listing), item->d_name, times, 0);
    ++count;
  }
  if (listing != NULL) closedir(listing);
  return count;
}

static int leftovers(void) {
  return count_and_age(scratch, "gpuarr-") + count_and_age(cache, ".tmp-") +
         count_and_age(cache, ".lock");
}

int main(int argc, char** argv) {
  const int kills = argc > 1 ? atoi(argv[1]) : 10;
  if (mkdtemp(top) == NULL) return 1;
  snprintf(cache, sizeof cache, "%s/cache", top);
  snprintf(scratch, sizeof scratch, "%s/scratch", top);
  if (mkdir(scratch, 0700) != 0) return 1;
  setenv("GPUARR_CACHE_DIR", cache, 1);
  setenv("TMPDIR", scratch, 1);
  setenv("GPUARR_NUM_THREADS", "1", 1);
  for (int n = 0; n < kills; ++n) kill_one(n);
  pause_for(900000); /* compilers that outlived their processes end */
  int bad = check_kernels(0, kills < 5 ? kills : 5);
  const int left = leftovers();
  bad |= check_kernels(1000, 1001); /* the first that a process compiles sweeps */
  const int still_left = leftovers();
  printf("%d kills left %d things behind, of which %d stayed; the kernels %s\n", kills, left,
         still_left, bad ? "do not work" : "work");
  char command[100];
  snprintf(command, sizeof command, "rm -r %s", top);
  return system(command) != 0 || bad != 0 || still_left != 0;
}
