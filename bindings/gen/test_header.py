#!/usr/bin/env python3
"""The reader of headers takes the subset apart rightly, and refuses all else with file and line."""
import pathlib
import sys
import tempfile

import header
import rust

GOOD = """/** @file gpuarr/x.h  A header. */
#ifndef GPUARR_X_H
#define GPUARR_X_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A thing. */
typedef struct gpuarr_thing gpuarr_thing;
struct Foreign;
/** A number. */
typedef int32_t gpuarr_code;

/** Constants. */
enum {
  GPUARR_A = 1, /**< the first,
                     in two lines */
  /** The second. */
  GPUARR_B = -2
};
/** None. */
#define GPUARR_NONE INT64_MIN

/** By value. */
typedef struct gpuarr_pair {
  const gpuarr_thing* thing; /**< borrowed */
  uint8_t bytes[16];
} gpuarr_pair;

/** Is called.
 *  @param user  as given */
typedef void (*gpuarr_fn)(void* user);

/** Make it from @p name. More
 *  text.
 *  @param[out] out   the thing, owned by the caller
 *  @param      name  its
 *                    name, not [@p out] or `a<b>`
 *  Others are
 *  as they are.
 *  @return GPUARR_A
 *  @threadsafe mostly */
GPUARR_API gpuarr_code gpuarr_make(gpuarr_thing** out, const char* GPUARR_NULLABLE name,
                                   gpuarr_thing* const* list, gpuarr_pair pair, gpuarr_fn fn,
                                   struct Foreign* foreign);

#ifdef __cplusplus
}
#endif
#endif
"""

FUNCTION = "/** Do.\n *  @threadsafe */\nGPUARR_API "
BAD = {
    "/** Do. */\nGPUARR_API void gpuarr_x(void);": "without @threadsafe",
    "GPUARR_API void gpuarr_x(void);": "without a comment",
    FUNCTION + "void gpuarr_x(unsigned long n);": "the type 'unsigned long'",
    FUNCTION + "void gpuarr_x(size_t n);": "uses size_t",
    FUNCTION + "void gpuarr_x(gpuarr_nothing* n);": "uses gpuarr_nothing",
    FUNCTION + "void gpuarr_x(int32_t);": "the parameter 'int32_t'",
    FUNCTION + "void gpuarr_x(void (*f)(void));": "the parameter",
    FUNCTION + "void gpuarr_x(int32_t n, ...);": "the parameter '...'",
    FUNCTION + "void other_x(void);": "the name other_x",
    FUNCTION + "void gpuarr_x(void) { return; }": "'GPUARR_API void gpuarr_x(void)'",
    FUNCTION.replace("@th", "@param y  it\n *  @th") + "void gpuarr_x(int32_t x);": "@param y",
    FUNCTION.replace("Do", "Do @p y") + "void gpuarr_x(int32_t x);": "@p y, which is no parameter",
    FUNCTION.replace("Do", "Do @c x") + "void gpuarr_x(int32_t x);": "@c, which is no tag",
    "static int x;": "'static int x;'",
    "extern int gpuarr_data;": "'extern int gpuarr_data;'",
    "#define GPUARR_MAX(a, b) a": "'#define GPUARR_MAX(a, b) a'",
    "#pragma once": "'#pragma once'",
    "enum { GPUARR_A };": "'GPUARR_A' in an enum",
    "enum gpuarr_e { GPUARR_A = 1 } x;": "'enum gpuarr_e",
    "/** U. */\ntypedef union gpuarr_u gpuarr_u;": "'typedef union",
    "typedef struct gpuarr_y gpuarr_y;": "without a comment",
    "/** T. */\ntypedef long gpuarr_long;": "another name of long",
    FUNCTION + "void gpuarr_x(void);\n" + FUNCTION + "void gpuarr_x(void);": "a second gpuarr_x",
}


def read(text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "gpuarr/x.h"
        path.parent.mkdir()
        path.write_text(text)
        return header.read(pathlib.Path(folder))


def expect(got, wanted):
    if got != wanted:
        sys.exit(f"got {got!r}; wanted {wanted!r}")


def good():
    api = read(GOOD)
    expect([(c.name, c.value, c.type, c.doc) for c in api.constants],
           [("GPUARR_A", 1, "int32_t", "the first, in two lines"),
            ("GPUARR_B", -2, "int32_t", "The second."),
            ("GPUARR_NONE", -2**63, "int64_t", "None.")])
    expect([(d.kind, d.name) for d in api.declarations],
           [("handle", "gpuarr_thing"), ("foreign", "Foreign"), ("number", "gpuarr_code"),
            ("struct", "gpuarr_pair"), ("callback", "gpuarr_fn"), ("function", "gpuarr_make")])
    make = api.find("gpuarr_make")
    expect([str(p.type) for p in make.parameters],
           ["gpuarr_thing**", "const char*", "gpuarr_thing* const*", "gpuarr_pair", "gpuarr_fn",
            "Foreign*"])
    expect([p.type.nullable for p in make.parameters], [False, True, False, False, False, False])
    expect([p.is_out for p in make.parameters], [True, False, False, False, False, False])
    expect((make.doc, make.more, make.returns, make.threads, make.parameters[1].doc),
           ("Make it from `name`. More\ntext.", "Others are as they are.", "GPUARR_A",
            "threadsafe mostly", "its name, not [`out`] or `a<b>`"))
    expect(rust.documentation(make, ""),
           ["/// Make it from `name`. More", "/// text.", "///",
            "/// * `out`: the thing, owned by the caller",
            "/// * `name`: its name, not \\[`out`\\] or `a<b>`",
            "///", "/// Others are as they are.", "///", "/// Returns GPUARR_A", "///",
            "/// Threads: threadsafe mostly"])
    pair = api.find("gpuarr_pair").parameters
    expect([(p.name, str(p.type), p.count, p.doc) for p in pair],
           [("thing", "const gpuarr_thing*", 0, "borrowed"), ("bytes", "uint8_t", 16, "")])


def bad():
    marker = "#ifdef __cplusplus\n}"
    for text, complaint in BAD.items():
        try:
            read(GOOD.replace(marker, f"{text}\n{marker}"))
        except header.OutsideTheSubset as problem:
            if complaint not in str(problem) or "gpuarr/x.h" not in str(problem):
                sys.exit(f"{text!r} was refused with '{problem}'; wanted '{complaint}' in it")
        else:
            sys.exit(f"{text!r} was taken")


good()
bad()
print(f"{len(BAD)} declarations outside of the subset were refused")
