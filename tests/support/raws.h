/* Raw kernels and modules made and launched in one line each. */
#ifndef GPUARR_TEST_RAWS_H
#define GPUARR_TEST_RAWS_H

#include "support.h"

gpuarr_module* make_module(const char* source);
gpuarr_raw* kernel_of(gpuarr_module* module, const char* name);

/* A kernel from text of its own. */
gpuarr_raw* make_raw(const char* source, const char* name);

/* Blocks and threads along x. */
gpuarr_status try_launch(gpuarr_raw* kernel, int64_t blocks, int64_t threads,
                         const gpuarr_arg* args, int32_t count);
void launch(gpuarr_raw* kernel, int64_t blocks, int64_t threads, const gpuarr_arg* args,
            int32_t count);

/* Writes a text to a file in the folder for temporary files; the path is the caller's to free. */
char* write_text(const char* name, const char* text);

#endif
