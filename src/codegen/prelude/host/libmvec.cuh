// libm's functions by libmvec, for one element as for many. The bits of the two libraries differ,
// and those of libmvec's forms for narrow and for wide vectors do: an element's value would depend
// on where a loop's vectors end. Here stand functions of the names that the compiler calls for
// single elements and for narrow vectors. They call the form that whole vectors get, with their
// arguments in all of its lanes, which do not depend on each other. They are the assembler's: the
// compiler knows nothing of them, and makes vectors as before.
//
// GPUARR_LIBMVEC1(1, exp): a function of one argument, of those that libmvec always had;
// GPUARR_LIBMVEC2(2, hypot): one of two, of those that came with glibc 2.35.

#if !defined(__x86_64__) || GPUARR_LIBMVEC < 1

#define GPUARR_LIBMVEC1(arguments, name)
#define GPUARR_LIBMVEC2(arguments, name)

#else

#define GPUARR_LIBMVEC1(arguments, name) \
  GPUARR_FORMS(name, GPUARR_LETTERS##arguments, GPUARR_EACH##arguments)
#if GPUARR_LIBMVEC >= 2 && !defined(__clang__)  // clang++ calls the first six alone
#define GPUARR_LIBMVEC2(arguments, name) GPUARR_LIBMVEC1(arguments, name)
#else
#define GPUARR_LIBMVEC2(arguments, name)
#endif

#define GPUARR_LETTERS1 "v_"
#define GPUARR_LETTERS2 "vv_"
#define GPUARR_EACH1(move) move("0")
#define GPUARR_EACH2(move) move("0") move("1")

#define GPUARR_FUNCTION(symbol, text)                                                           \
  __asm__(".pushsection .text\n.type " symbol ", @function\n" symbol ":\n.cfi_startproc\n" text \
          ".cfi_endproc\n.size " symbol ", .-" symbol "\n.popsection");
#define GPUARR_WITH_STACK(bytes, text)                                            \
  "subq $" bytes ", %rsp\n.cfi_adjust_cfa_offset " bytes "\n" text "addq $" bytes \
  ", %rsp\n"                                                                      \
  ".cfi_adjust_cfa_offset -" bytes "\nret\n"
#define GPUARR_CALL(symbol, moves, form) \
  GPUARR_FUNCTION(symbol, GPUARR_WITH_STACK("8", moves "call " form "@PLT\n" GPUARR_LEAVE))

// _ZGVdN8v_expf has 8 lanes and is for AVX2; b is for SSE, c for AVX and calls b, e for AVX-512.
// The compiler prefers vectors of 64 bytes from AVX512-VBMI2 on (host/compile/toolchain.cpp), where
// clang++ still calls forms of 32.
#if defined(__AVX512VBMI2__) && !defined(__clang__)

#define GPUARR_WHOLE_FLOAT "_ZGVeN16"
#define GPUARR_WHOLE_DOUBLE "_ZGVeN8"
#define GPUARR_SPREAD_FLOAT(r) "vbroadcastss %xmm" r ", %zmm" r "\n"
#define GPUARR_SPREAD_DOUBLE(r) "vbroadcastsd %xmm" r ", %zmm" r "\n"
#define GPUARR_SPREAD_16(r) "vshuff32x4 $0, %zmm" r ", %zmm" r ", %zmm" r "\n"
#define GPUARR_SPREAD_32(r) "vshuff64x2 $0x44, %zmm" r ", %zmm" r ", %zmm" r "\n"
#define GPUARR_LEAVE "vzeroupper\n"
#define GPUARR_OTHERS(lanes16, lanes32, lanes64, name, each, form) \
  GPUARR_CALL("_ZGVbN" lanes16 name, each(GPUARR_SPREAD_16), form) \
  GPUARR_FUNCTION("_ZGVdN" lanes32 name, each(GPUARR_SPREAD_32) "jmp " form "@PLT\n")

#elif defined(__AVX2__)

#define GPUARR_WHOLE_FLOAT "_ZGVdN8"
#define GPUARR_WHOLE_DOUBLE "_ZGVdN4"
#define GPUARR_SPREAD_FLOAT(r) "vbroadcastss %xmm" r ", %ymm" r "\n"
#define GPUARR_SPREAD_DOUBLE(r) "vbroadcastsd %xmm" r ", %ymm" r "\n"
#define GPUARR_SPREAD_16(r) "vinsertf128 $1, %xmm" r ", %ymm" r ", %ymm" r "\n"
#define GPUARR_LEAVE "vzeroupper\n"
#if defined(__AVX512F__)
#define GPUARR_KEEP_UPPER(r) "vextractf64x4 $1, %zmm" r ", 32*" r "(%rsp)\n"
#define GPUARR_TAKE_UPPER(r) "vmovups 32*" r "(%rsp), %ymm" r "\n"
#define GPUARR_TWO_CALLS(keep, take, form)                              \
  keep "call " form "@PLT\nvmovups %ymm0, 64(%rsp)\n" take "call " form \
       "@PLT\nvmovups 64(%rsp), %ymm1\nvinsertf64x4 $1, %ymm0, %zmm1, %zmm0\n"
#define GPUARR_BOTH_HALVES(symbol, each, form)                                       \
  GPUARR_FUNCTION(symbol,                                                            \
                  GPUARR_WITH_STACK("104", GPUARR_TWO_CALLS(each(GPUARR_KEEP_UPPER), \
                                                            each(GPUARR_TAKE_UPPER), form)))
#else
#define GPUARR_BOTH_HALVES(symbol, each, form)
#endif
#define GPUARR_OTHERS(lanes16, lanes32, lanes64, name, each, form) \
  GPUARR_CALL("_ZGVbN" lanes16 name, each(GPUARR_SPREAD_16), form) \
  GPUARR_BOTH_HALVES("_ZGVeN" lanes64 name, each, form)

#else

#define GPUARR_WHOLE_FLOAT "_ZGVbN4"
#define GPUARR_WHOLE_DOUBLE "_ZGVbN2"
#define GPUARR_SPREAD_FLOAT(r) "shufps $0, %xmm" r ", %xmm" r "\n"
#define GPUARR_SPREAD_DOUBLE(r) "unpcklpd %xmm" r ", %xmm" r "\n"
#define GPUARR_LEAVE
#define GPUARR_OTHERS(lanes16, lanes32, lanes64, name, each, form)

#endif

#define GPUARR_FORMS(name, letters, each)                                                      \
  GPUARR_CALL(#name "f", each(GPUARR_SPREAD_FLOAT), GPUARR_WHOLE_FLOAT letters #name "f")      \
  GPUARR_CALL(#name, each(GPUARR_SPREAD_DOUBLE), GPUARR_WHOLE_DOUBLE letters #name)            \
  GPUARR_OTHERS("4", "8", "16", letters #name "f", each, GPUARR_WHOLE_FLOAT letters #name "f") \
  GPUARR_OTHERS("2", "4", "8", letters #name, each, GPUARR_WHOLE_DOUBLE letters #name)

#endif
