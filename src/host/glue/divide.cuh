// Integers divided by zero. On a GPU that gives some value; x86 processors end the process, also
// for the least integer divided by -1. Compiled with all kernels: the assembler is told to put
// tests around divisions. A quotient by zero has all bits set, and the remainder is the dividend;
// by -1 the quotient wraps. Other processors do not trap.
//
// Names with a suffix are macros here, so a macro itself names the register instead. A prefix such
// as {load} kept older assemblers from expanding what follows; that of binutils 2.44 does.

#if defined(__x86_64__)
asm(R"(
.macro gpuarr_divide op, suffix, low, high, signed, src:vararg
  cmp\suffix $0, \src
  je .Lgpuarr_zero\@
  .if \signed
  cmp\suffix $-1, \src
  je .Lgpuarr_minus\@
  .endif
  \op \src, %\low
.Lgpuarr_done\@:
  .subsection 1
.Lgpuarr_zero\@:
  mov\suffix %\low, %\high
  mov\suffix $-1, %\low
  jmp .Lgpuarr_done\@
  .if \signed
.Lgpuarr_minus\@:
  neg\suffix %\low
  xor\suffix %\high, %\high
  jmp .Lgpuarr_done\@
  .endif
  .previous
.endm
.macro idivb src:vararg
  gpuarr_divide idiv, b, al, ah, 1, \src
.endm
.macro idivw src:vararg
  gpuarr_divide idiv, w, ax, dx, 1, \src
.endm
.macro idivl src:vararg
  gpuarr_divide idiv, l, eax, edx, 1, \src
.endm
.macro idivq src:vararg
  gpuarr_divide idiv, q, rax, rdx, 1, \src
.endm
.macro divb src:vararg
  gpuarr_divide div, b, al, ah, 0, \src
.endm
.macro divw src:vararg
  gpuarr_divide div, w, ax, dx, 0, \src
.endm
.macro divl src:vararg
  gpuarr_divide div, l, eax, edx, 0, \src
.endm
.macro divq src:vararg
  gpuarr_divide div, q, rax, rdx, 0, \src
.endm
)");
#endif
