/** @file gpuarr/base.h  Version, status codes, the last error. */
#ifndef GPUARR_BASE_H
#define GPUARR_BASE_H

#include <stdint.h>

#define GPUARR_VERSION_MAJOR 0
#define GPUARR_VERSION_MINOR 1
#define GPUARR_VERSION_PATCH 0

/* On ELF an API symbol is always visible: archive and shared library have the same objects. */
#if defined(__GNUC__)
#define GPUARR_API __attribute__((visibility("default")))
#else
#define GPUARR_API
#endif

/** Marks a pointer that may be NULL. A pointer without the mark must not be. */
#define GPUARR_NULLABLE

#ifdef __cplusplus
extern "C" {
#endif

/** Result of a call; 0 means success. Later versions may add values: accept unknown ones. */
typedef int32_t gpuarr_status;

enum {
  GPUARR_OK = 0,

  /* 1xx: the caller's argument */
  GPUARR_ERR_ARGUMENT = 101,  /**< NULL where a value is needed, a count or flag out of range */
  GPUARR_ERR_SHAPE = 102,     /**< a shape, stride or size that is invalid or does not match */
  GPUARR_ERR_DTYPE = 103,     /**< a dtype that does not match, or a value that it cannot hold */
  GPUARR_ERR_AXIS = 104,      /**< an axis or index out of range, or given twice */
  GPUARR_ERR_BROADCAST = 105, /**< shapes that do not broadcast together */
  GPUARR_ERR_SYNTAX = 106,    /**< a text that does not parse, or C++ nested too deeply */
  GPUARR_ERR_TYPE = 107,      /**< an unknown type name, or a placeholder that no argument binds */
  GPUARR_ERR_DEVICE = 108,    /**< arrays, streams or events of different devices */
  GPUARR_ERR_OVERLAP = 109,   /**< outputs whose elements share memory */
  GPUARR_ERR_EMPTY = 110,     /**< a reduction of no elements and without an identity */
  GPUARR_ERR_NOT_FOUND = 111, /**< no kernel or variable of that name in a module */
  GPUARR_ERR_INDEX = 112,     /**< an index out of range in an array of indices */
  GPUARR_ERR_LAYOUT = 113,    /**< blocked arrays of other blocks or places: redistribute one */

  /* 2xx: memory */
  GPUARR_ERR_OUT_OF_MEMORY = 201,

  /* 3xx: compiling and loading kernels */
  GPUARR_ERR_COMPILE = 301,     /**< the kernel's text does not compile; the message shows where */
  GPUARR_ERR_NO_COMPILER = 302, /**< no C++ compiler for the CPU device */
  GPUARR_ERR_LOAD = 303,        /**< compiled code that cannot be loaded */

  /* 4xx: devices */
  GPUARR_ERR_NO_DEVICE = 401,      /**< no device of that name */
  GPUARR_ERR_NO_DRIVER = 402,      /**< no CUDA driver on this machine */
  GPUARR_ERR_DRIVER_TOO_OLD = 403, /**< a CUDA driver older than the library needs */
  GPUARR_ERR_DRIVER = 404,         /**< a driver call failed; see gpuarr_last_native_error() */
  GPUARR_ERR_FORKED = 405, /**< a GPU used in a forked child of the process that opened it */
  GPUARR_ERR_FAULT = 406,  /**< a kernel accessed invalid memory, or faulted otherwise */
  GPUARR_ERR_ASSERT = 407, /**< an assert() in a kernel failed */
  GPUARR_ERR_RACE = 408,   /**< a data race between threads of a kernel */
  GPUARR_ERR_SYNC = 409,   /**< a barrier that not all threads of a block reached */

  /* 5xx: not available */
  GPUARR_ERR_UNSUPPORTED = 501, /**< not supported by this device or build */
  GPUARR_ERR_NO_LIBRARY = 502,  /**< a library that is loaded at run time was not found */

  /* 6xx: files */
  GPUARR_ERR_IO = 601,     /**< a file cannot be opened, read or written */
  GPUARR_ERR_FORMAT = 602, /**< a file whose contents are not in the expected format */

  /* 7xx: numerical failures */
  GPUARR_ERR_SINGULAR = 701,              /**< a matrix without an inverse */
  GPUARR_ERR_NOT_POSITIVE_DEFINITE = 702, /**< a matrix that is not positive definite */
  GPUARR_ERR_NO_CONVERGENCE = 703,        /**< an iteration that did not converge */
  GPUARR_ERR_NOT_FINITE = 704, /**< an infinity or a NaN where finite values are needed */

  /* 8xx: other processes of a team */
  GPUARR_ERR_PEER = 801,     /**< a call failed on another place, or a process is gone */
  GPUARR_ERR_TIMEOUT = 802,  /**< no answer of other places within the deadline */
  GPUARR_ERR_MISMATCH = 803, /**< places made different calls at the same time */

  /* 9xx: the library's own */
  GPUARR_ERR_INTERNAL = 901 /**< a bug of the library: please report it */
};

/** Version of the linked library.
 *  @return "0.1.0", static
 *  @threadsafe */
GPUARR_API const char* gpuarr_version(void);

/** Name of a status.
 *  @return "GPUARR_ERR_SHAPE", static; "GPUARR_ERR_UNKNOWN" for an unknown value
 *  @threadsafe */
GPUARR_API const char* gpuarr_status_name(gpuarr_status status);

/** Message of the last call that failed on this thread.
 *
 *  It names the function, the argument and the value, and for text that does not compile shows the
 *  user's own lines. Reading does not clear it, nor does a call that succeeds.
 *  @return never NULL; "" before the first failure; valid until the next failure on this thread
 *  @threadsafe */
GPUARR_API const char* gpuarr_last_error(void);

/** Copy the message of the last failure on this thread.
 *  @param[out] buffer    receives at most @p capacity bytes, NUL-terminated; NULL to only get the
 *                        length
 *  @param      capacity  bytes of @p buffer, the NUL included
 *  @return length of the whole message in bytes without the NUL, even if less was copied
 *  @threadsafe */
GPUARR_API int64_t gpuarr_last_error_copy(char* GPUARR_NULLABLE buffer, int64_t capacity);

/** Set the message of the last failure on this thread: for functions of the program that the
 *  library calls, so that whoever is told of their failure, on other places too, learns why.
 *  @param  message  copied; NULL for ""
 *  @threadsafe */
GPUARR_API void gpuarr_set_last_error(const char* GPUARR_NULLABLE message);

/** Code of the driver, of the operating system or of MPI (a CUresult, an nvrtcResult, an errno)
 *  behind the last failure on this thread.
 *  @return 0 if there was none
 *  @threadsafe */
GPUARR_API int32_t gpuarr_last_native_error(void);

/** Number of objects of this library that were created and not yet released; 0 means no leak.
 *  @threadsafe */
GPUARR_API int64_t gpuarr_live_objects(void);

#ifdef __cplusplus
}
#endif
#endif
