// What --help prints.
#include "cli/usage.hpp"

namespace cli {

const char* const main_usage =
    R"(gpuarr - N-dimensional arrays and user-written kernels, on NVIDIA GPUs and on the CPU

usage: gpuarr COMMAND ...

  info          show devices, compilers, the kernel cache and settings
  cache         show, fill or clear the cache of compiled kernels
  elementwise   run an elementwise kernel over .npy files
  gufunc        run a kernel of rows, matrices or other cores over .npy files
  reduce        run a reduction kernel over .npy files
  raw           launch a __global__ function of a CUDA C++ file over .npy files
  op            run a ready-made operation over .npy files: exp, sort, matmul, svd and the like
  eval          compute an expression over .npy files: 'sqrt(mean((x - y)**2, axis=1))'
  embed         make a C header of CUDA C++ files, and what editors need to read them
  check         compile CUDA C++ files for the CPU and for GPUs that need not be here
  fortran       make kernels of loops and elemental procedures in Fortran
  run           start several processes of a program, which work together as a team
  bench         time copies, kernels and allocations of many sizes, and plot them

  gpuarr COMMAND --help   explains a command
  gpuarr --version        prints the library's version

Exit status: 0 success, 1 failure, 2 an invalid command line.
)";

const char* const info_usage =
    R"(usage: gpuarr info [--json]

Shows the devices with their memory, compilers and drivers, and why something is missing;
the kernel cache; and the settings with their values from the environment.

  --json   the same as one JSON object; sizes in bytes
)";

const char* const cache_usage =
    R"(usage: gpuarr cache info [--json]
       gpuarr cache list [--json]
       gpuarr cache warm [--device D]
       gpuarr cache clear

  info     the directory of the cache of compiled kernels, how much is in it, and its limit
  list     its entries, the most recently used first
  warm     compile operations whose first call takes long: scans, selection, sorting, ranks
  clear    remove all of them

  --device D   whose kernels: host, cuda or cuda:N; else $GPUARR_DEVICE, the first GPU, or the CPU
  --json   as JSON; sizes in bytes, times in seconds since 1970
)";

const char* const elementwise_usage =
    R"(usage: gpuarr elementwise IN_PARAMS OUT_PARAMS BODY ARG... -o OUT.npy...

Runs BODY, CUDA C++ text, for every element of the arguments, and saves the outputs.

  gpuarr elementwise 'T x, T y' 'T z' 'z = (x - y) * (x - y)' x.npy y.npy -o z.npy
  gpuarr elementwise 'float32 x, float32 a' 'float32 x' 'x *= a' x.npy 2.5 -o scaled.npy
  gpuarr elementwise 'T x' 'T s, T c' 's = sin(x); c = cos(x)' x.npy -o s.npy c.npy
  gpuarr elementwise '' 'int64 z' 'z = i * i' --size 10 -o squares.npy

  IN_PARAMS, OUT_PARAMS   "TYPE NAME, TYPE NAME, ...", each optionally with "raw" or "const" before
                 it. A TYPE of one letter stands for the arrays' type. A name in both lists is one
                 variable that is worked on in place; OUT still gets the result.
  ARG            for each input a .npy file or a scalar: 3 is int64, 2.5, 1e-3, inf and nan are
                 float64, 1+2i is complex128, true and false are bool; f32:2.5, i8:-3, c64:1+2i
                 have the given type. A file called 3 is ./3
  -o OUT.npy...  a file for each output, written completely or not at all. The list ends at the
                 next option or at --. Not needed with --time or --show-source.

  --preamble TEXT   functions and types for BODY to use
  -DNAME=VALUE      a macro for BODY and the preamble; any number of them
  --size N          number of elements, needed if no argument is an array that is not raw
  --device D        host, cuda or cuda:N; else $GPUARR_DEVICE, the first GPU, or the CPU
  --time            also run it many times and print the median time and the bytes moved
  --show-source     print the source that would be compiled, and run nothing
  --                what follows is not an option
)";

const char* const gufunc_usage =
    R"(usage: gpuarr gufunc SIGNATURE IN_PARAMS OUT_PARAMS BODY ARG... -o OUT.npy...

Runs BODY, CUDA C++ text, for every place of the arguments' outer axes, with a core of each of them
there, and saves the outputs.

  gpuarr gufunc '(n)->()' 'T x' 'T y' 'y = x(n - 1) - x(0)' x.npy -o range.npy
  gpuarr gufunc '(n),(n)->()' 'T x, T y' 'T z' \
    'T s = 0; for (int j = 0; j < n; ++j) s += x(j) * y(j); z = s;' x.npy y.npy -o z.npy

  SIGNATURE      NumPy's: a core for each input and output; (3,3)->(3) has fixed sizes, and n? may
                 be missing. Cores are the last axes of the arrays, the others broadcast.
  IN_PARAMS, OUT_PARAMS, ARG, -o   as for "gpuarr elementwise", without "raw"
  BODY           sees x(i, j), x.shape()[d] of a core, and the value of one that is (); n is a size

  --group G         who runs BODY for a place: thread, warp, block, or a block of so many threads;
                    else auto: a thread, or what suits the cores if BODY names `group`
  --preamble TEXT   functions and types for BODY to use
  -DNAME=VALUE      a macro for BODY and the preamble; any number of them
  --device D        host, cuda or cuda:N; else $GPUARR_DEVICE, the first GPU, or the CPU
  --time            also run it many times and print the median time and the bytes moved
  --show-source     print the source that would be compiled, and run nothing
  --                what follows is not an option
)";

const char* const reduce_usage =
    R"(usage: gpuarr reduce IN_PARAMS OUT_PARAMS MAP REDUCE POST ARG... -o OUT.npy...

Computes MAP for every element of the arguments, combines the results by REDUCE along axes, turns
each combined value into outputs by POST, and saves them. The three are CUDA C++ text.

  gpuarr reduce 'T x, T y' 'T z' '(x - y) * (x - y)' 'a + b' 'z = a / n' x.npy y.npy -o mse.npy
  gpuarr reduce 'T x' 'T norm' 'x * x' 'a + b' 'norm = sqrt(a)' x.npy --axis -1 -o norms.npy
  gpuarr reduce 'T x' 'T low' x 'a < b ? a : b' 'low = a' x.npy --axis 0,2 --keepdims -o low.npy
  gpuarr reduce 'T x' 'int64 hits' 'x > 0 ? 1 : 0' 'a + b' 'hits = a' x.npy --identity 0 -o hits.npy

  IN_PARAMS, OUT_PARAMS, ARG, -o   as for "gpuarr elementwise", except that outputs are not raw
                 and that no name may be in both lists
  MAP            an expression of the inputs; also of _J, the element's index along the reduced
                 axes, and of i, its index in the inputs' common shape
  REDUCE         an expression of a and b, two partial results; it must be associative
  POST           an expression or statements that set the outputs from a, the reduced value; n is
                 the total number of elements, _out_ind.size() the number of results

  --axis AXES       0,2 or -1: reduce along these axes; "none": along none; else along all
  --keepdims        keep the reduced axes, with extent 1
  --identity E      an expression for the initial value of each result; without it, reducing no
                    elements is an error
  --reduce-type T   the type of partial results: float64, a letter of the lists, a type of the
                    preamble; else the first output's, or float32 if that has 16 bits
  --ordered         REDUCE is not commutative: keep elements in order, which is slower
  --preamble TEXT   functions and types for the three to use
  -DNAME=VALUE      a macro for them and the preamble; any number of macros
  --device D        host, cuda or cuda:N; else $GPUARR_DEVICE, the first GPU, or the CPU
  --time            also run it many times and print the median time and the bytes moved
  --show-source     print the source that would be compiled, and run nothing
  --                what follows is not an option, as for a MAP like -x
)";

const char* const raw_usage =
    R"(usage: gpuarr raw FILE KERNEL --grid X[,Y[,Z]] --block X[,Y[,Z]] ARG...
       gpuarr raw FILE KERNEL --elements N ARG...

Launches a kernel of FILE: CUDA C++, or for a GPU PTX, a cubin or a fatbin.

  gpuarr raw saxpy.cu saxpy --elements 1000 f32:2 x.npy inout:y.npy:z.npy i32:1000
  gpuarr raw matrix.cu 'product<16>' --grid 4,4 --block 16,16 a.npy b.npy out:f32:64,64:c.npy i32:64
  gpuarr raw sum.cu sum --grid 8 --block 256 --shared 1024 x.npy out:f32:8:sums.npy --check race

  KERNEL         a kernel's name, or a template's as C++ writes it: scale<float, 4>
  ARG            one for each parameter:
    x.npy                 an array to read, as a pointer to its first element
    inout:x.npy:y.npy     an array to change, loaded from one file and saved to the other
    out:f32:10,20:y.npy   an array of zeros of that type and shape, saved to the file
    view:...              one of these three, as a gpuarr_view
    i32:7, c64:1+2i       a scalar of that type, which must be the parameter's: nothing is
                          converted. 7 alone is int64, 2.5 float64, 1+2i complex128, true bool
    null                  NULL

  --grid, --block   blocks of the grid, threads of a block
  --shared BYTES    dynamic shared memory of a block; 0 if not given
  --elements N      at least one thread for each of N elements, in blocks of the size with the best
                    occupancy
  --check LIST      checks while it runs: memory, race, sync, or several with commas in between
  -DNAME=VALUE, -IFOLDER, --option OPTION   options of the compiler, any number of them
  --device D        host, cuda or cuda:N; else $GPUARR_DEVICE, the first GPU, or the CPU
  --time            also run it many times and print the median time
  --list            print the names of FILE's kernels, and run nothing; KERNEL may be omitted here
                    and with --listing
  --signature       print KERNEL's parameters, and run nothing
  --listing KIND    print what FILE compiles to, ptx or assembly, and run nothing
  --                what follows is not an option

Ctrl-C ends the command, and with it a kernel that never ends.
)";

const char* const op_usage =
    R"(usage: gpuarr op NAME ARG... -o OUT.npy... [OPTION...]
       gpuarr op --list

Runs a ready-made operation over the arguments, and saves its results.

  gpuarr op hypot x.npy y.npy -o h.npy
  gpuarr op power x.npy 2 -o squares.npy
  gpuarr op mean x.npy --axis 0 -o means.npy
  gpuarr op divmod x.npy 10 -o quotients.npy remainders.npy
  gpuarr op random_normal 0 1 --shape 1000,3 --seed 7 -o noise.npy

  NAME           one of the operations that --list shows with their arguments
  ARG            a .npy file or a scalar, as for "gpuarr elementwise". Beside an array only a
                 scalar's kind counts: a float32 array and 2.5 make float32
  -o OUT.npy...  a file for each output; those of the last outputs may be omitted

  --axis AXES    0,2 or -1: along these axes, as the operation has it
  --keepdims     keep the axes that a reduction removes, with extent 1
  --shape N,...  of random numbers, how many along each axis
  --dtype D      their type: float32, or int64 for integers, if not given
  --seed N       the seed of random numbers; 0 if not given
  --device D     host, cuda or cuda:N; else $GPUARR_DEVICE, the first GPU, or the CPU
  --time         also run it many times and print the median time of a whole call; -o may be
                 omitted
  --list         print all operations, a line for each
  --             what follows is not an option
)";

const char* const eval_usage =
    R"(usage: gpuarr eval TEXT NAME=VALUE... [-o OUT.npy...] [OPTION...]

Computes an expression, in as few passes over the arrays as can be, and prints or saves its results.

  gpuarr eval 'sqrt(mean((x - y)**2))' x=a.npy y=b.npy
  gpuarr eval 'd = x - y; sum(d*d, axis=1), max(abs(d))' x=a.npy y=b.npy -o sums.npy largest.npy
  gpuarr eval 'x[1:] - x[:-1]' x=a.npy -o steps.npy
  gpuarr eval 'where(x > t, x, 0).T' x=a.npy t=0.5 -o high.npy

  TEXT           Python's operators; NumPy's functions of elements, and clip, round, where, astype;
                 sum, prod, min, max, argmin, argmax, any, all, mean, var, std, norm, logsumexp and
                 the like, with axis=, keepdims=, ddof=, ord=; indices as x[1:-1, ..., 0, None], .T,
                 transpose, reshape, flip; pi, e, inf, nan. Names are given to values by
                 d = x - y; several results have commas in between; # begins a comment
  NAME=VALUE     what a name stands for: a .npy file, or a number as for "gpuarr elementwise"
  -o OUT.npy...  a file for each result, written completely or not at all; without it, the results
                 are printed

  --explain      print which kernels it becomes, and what they read and write; compute it only if
                 there is -o
  --device D     host, cuda or cuda:N; else $GPUARR_DEVICE, the first GPU, or the CPU
  --             what follows is not an option, as for a TEXT like -x
)";

const char* const embed_usage =
    R"(usage: gpuarr embed FILE.cu... -o HEADER.h [OPTION...]
       gpuarr embed --editor [FOLDER]

Makes a header for C and C++ that has each file as a string, heat_cu for heat.cu, to be given to
gpuarr_module_create or gpuarr_raw_create. Errors name the file and its lines.

  gpuarr embed heat.cu flux.cu -o kernels.h
  gpuarr embed --editor kernels/

  FILE.cu          CUDA C++. What it includes in quotes from beside it, or from a folder of -I,
                   becomes a part of the string
  -o HEADER.h      the header
  -I FOLDER        where else included files may be; any number of folders
  --depfile FILE   also write what the header was made of, as a rule of make
  --depfile-target NAME   what that rule makes, if it is not HEADER.h
  --editor         write FOLDER/.clangd and FOLDER/.gpuarr, by which clangd understands .cu files
                   where there is no CUDA
)";

const char* const check_usage =
    R"(usage: gpuarr check FILE.cu... [OPTION...]

Compiles the files, runs nothing, and prints errors as compilers do. No GPU is needed, but NVRTC for
GPUs and a C++ compiler for the CPU; what is missing is said, and is no error.

  gpuarr check heat.cu --target host,sm_80,sm_90
  gpuarr check scale.cu --kernel 'scale<float, 4>'

  --target LIST    host and GPUs' architectures, with commas in between; host,sm_90 if not given
  --kernel NAME    an instance of a template to compile; any number of them
  -DNAME=VALUE, -IFOLDER, --option OPTION   options of the compiler, any number of them
)";

const char* const fortran_usage =
    R"(usage: gpuarr fortran FILE.f90... [-o KERNELS.f90]

Makes kernels of what modules in Fortran have: loops marked by !$gpuarr kernel, do concurrent, and
elemental procedures. Writes for each module M a module M_kernels, to be used in its place: its
procedures take arrays of a device too. docs/kernels-in-fortran.md says what can be written.

  gpuarr fortran heat.f90 -o heat_kernels.f90
  gpuarr fortran heat.f90 --show-source
  gpuarr fortran heat.f90 --test -o heat_test.f90

  -o FILE         where the modules go; standard output without it
  --uses FILE     a file whose modules the others use; any number of them
  --show-source   print the kernels' CUDA C++ instead
  --test          write a program instead, which compares the kernels with the procedures
  --size N        of --test: extents of arrays, and what integers are; 24 if not given
  --check         only see whether python3 and fparser are there

Runs python3 with fparser 0.1.4 or newer (Debian 13's python3-fparser, or pip install fparser);
what is wrong with a file is an error at its line.
)";

const char* const run_usage =
    R"(usage: gpuarr run [-n N] [--gpus] PROGRAM ARGUMENT...

Starts N processes of PROGRAM on this machine, which find each other as a team: what mpirun does,
where there is none. Waits for all of them.

  gpuarr run ./heat 8192
  gpuarr run -n 4 ./heat 8192

  -n N     how many processes, 1 to 256; else one for each GPU, or where there is none (or
           GPUARR_DEVICE is host) one for each NUMA node, whose CPUs share memory
  --gpus   one for each GPU; an error where there is none
  --       what follows is the program

Each process has its number in $GPUARR_RUN_RANK, from 0, and how many there are in $GPUARR_RUN_SIZE.
The CPUs are divided among them: GPUARR_NUM_THREADS and OMP_NUM_THREADS are set where they are not.
Process 0 has this command's standard input unless that is a terminal; the others have none. What
they write is left as it is. Signals go to all of them.

When a process fails, the others get SIGTERM, and 5 seconds later SIGKILL.
Exit status: that of the first process that failed, or 128 and the signal that ended it; else 0.
)";

const char* const bench_usage =
    R"(usage: gpuarr bench [OPTION...]

Times the built-in benchmarks on float32 arrays of many sizes: a copy, the elementwise kernels saxpy
and squared difference, a sum, saxpy as a raw kernel, that one also with blocks of many shapes, and
an allocation. Prints for each the median times of a call on the CPU and on the device, and the
bytes that it must read and write by the latter.

  gpuarr bench --device cuda --svg h200.svg --json h200.json
  gpuarr bench --sizes 1000,1000000 --repeat 1000

  --device D      host, cuda or cuda:N; else $GPUARR_DEVICE, the first GPU, or the CPU
  --sizes N,...   numbers of elements; else every fourth power of two from 1024 on
  --max N         up to this many elements
  --repeat N      maximum number of runs of each; 100 if not given. Fewer if they take long
  --quick         few runs of few and small sizes, to see that it works
  --json FILE     all numbers, times in microseconds
  --svg FILE      charts of time and bandwidth by size and by block
)";

}  // namespace cli
