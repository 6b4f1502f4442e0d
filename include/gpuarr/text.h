/** @file gpuarr/text.h  Kernel text that is written in place, in C and C++, without quotes.
 *
 *      const char* body = GPUARR_TEXT(T d = x - y; z = d < 0 ? 0 : d * d;);
 *      gpuarr_elementwise_create(&kernel, "T x, T y", "T z", body, NULL);
 *
 *  Brackets, commas, quotes and templates stay as they are, and errors name the program's own file
 *  and line. Editors see code, not a string. Longer texts, with directives or comments that matter,
 *  are files of their own: `gpuarr embed` makes a header of them. */
#ifndef GPUARR_TEXT_H
#define GPUARR_TEXT_H

/** The text between the parentheses, as a string literal that begins with a #line.
 *
 *  What the preprocessor does to it: lines are joined, so that a message names the first line of
 *  the text (clang's the last one); comments are removed; macros of the program are not replaced.
 *  Directives (#define, #if, #pragma) cannot stand in it. Every text of this library's kernels can
 *  be given like this: bodies, preambles, expressions of reductions and scans, and the source of
 *  raw kernels. Moving the line in its file makes another text, which is compiled once more. */
#define GPUARR_TEXT(...) GPUARR_TEXT_PLACE_(__LINE__, GPUARR_TEXT_FILE_) #__VA_ARGS__

#define GPUARR_TEXT_PLACE_(line, file) "#line " GPUARR_TEXT_QUOTED_(line) " \"" file "\"\n"
#define GPUARR_TEXT_QUOTED_(line) #line
/* Without folders, the text is the same wherever the program is built. */
#ifdef __FILE_NAME__
#define GPUARR_TEXT_FILE_ __FILE_NAME__
#else
#define GPUARR_TEXT_FILE_ __FILE__
#endif

#endif
