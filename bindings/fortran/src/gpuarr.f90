!> Arrays and kernels of your own, on NVIDIA GPUs and on the CPU.
!>
!>     type(gpuarr_array) :: x, y, z
!>     type(gpuarr_elementwise) :: kernel
!>     call x%from_host(a)
!>     call y%from_host(b)
!>     call kernel%create("T x, T y", "T z", "z = (x - y) * (x - y);")
!>     call kernel%call(z, x, y)
!>     call z%to_host(c)
!>
!> Ready-made operations need no kernel of yours: `z = (x - y)**2` is made one, and so are whole
!> formulas of `exp(x)`, `sum(x)` and what else Fortran has names for, with the module
!> gpuarr_intrinsics; `call gpuarr_solve(x, a, b)`.
!>
!> Errors     Every procedure that can fail takes `stat` and `errmsg`. With `stat` a failure is a
!>            number, GPUARR_ERR_..., and `errmsg`, a deferred-length character, has the library's
!>            whole message; without `stat` it is an error stop with that message.
!> Ownership  Objects are references that are counted: an assignment makes another one, and one that
!>            goes out of scope, or is released, drops it. Program variables live until the program
!>            ends, and `stop` does not end their references: release those, or put all into a
!>            subroutine.
!> Dims       count from 1, and slices take their last element. In kernels' texts indices count from
!>            0: x(i, j) there is element (i+1, j+1) here. No array is transposed on its way.
!> Streams    Work runs in streams, in order; without `stream` it is the thread's current one.
!> Teams      Several devices and processes share blocked arrays: gpuarr_team, gpuarr_blocked,
!>            gpuarr_map_blocks. Their places count from 0, as MPI's ranks do.
!> Text       Trailing blanks do not count, and a c_null_char is not needed.
!>
!> docs/fortran.md has more; gpuarr_c has the C functions themselves.
module gpuarr
  use gpuarr_constants
  use gpuarr_errors, only: gpuarr_last_native_error, gpuarr_set_last_error, gpuarr_status_name
  use gpuarr_scalars, only: gpuarr_arg, arg, arg_bytes, arg_pointer
  use gpuarr_devices, only: gpuarr_device, gpuarr_device_count
  use gpuarr_streams, only: gpuarr_stream, gpuarr_event
  use gpuarr_tasks, only: gpuarr_task
  use gpuarr_arrays, only: gpuarr_operand, gpuarr_array, gpuarr_result, gpuarr_expr, arg, &
      gpuarr_dtype_name, gpuarr_dtype_size, gpuarr_dtype_from_name
  use gpuarr_calls, only: gpuarr_call
  use gpuarr_elementwise_kernels, only: gpuarr_elementwise
  use gpuarr_gufuncs, only: gpuarr_gufunc
  use gpuarr_reduction_kernels, only: gpuarr_reduction
  use gpuarr_raw_kernels, only: gpuarr_raw
  use gpuarr_modules, only: gpuarr_module
  use gpuarr_graphs, only: gpuarr_graph, gpuarr_graph_exec
  use gpuarr_memory
  use gpuarr_allocators, only: gpuarr_allocator
  use gpuarr_evaluation, only: gpuarr_evaluate, gpuarr_explain
  use gpuarr_expression_functions
  use gpuarr_operators
  use gpuarr_functions
  use gpuarr_named
  use gpuarr_elements
  use gpuarr_matrices
  use gpuarr_joins
  use gpuarr_masks
  use gpuarr_scans
  use gpuarr_random
  use gpuarr_reduce
  use gpuarr_places
  use gpuarr_benchmarks, only: gpuarr_benchmark, gpuarr_work
  use gpuarr_tools
  use gpuarr_teams, only: gpuarr_team, gpuarr_progress
  use gpuarr_blocked_arrays, only: gpuarr_blocked, arg, arg_view, arg_halo, arg_halo_view, &
      arg_block_start, arg_block_extent, arg_block_size, gpuarr_redistribute, gpuarr_file_create
  use gpuarr_block_maps, only: gpuarr_block, gpuarr_block_work, gpuarr_block_procedure, &
      gpuarr_map_overlap
  use gpuarr_block_kernels, only: gpuarr_map_blocks
  use gpuarr_blocked_reductions, only: gpuarr_blocked_reduce
  use gpuarr_blocked_computations
  implicit none
  public
end module
