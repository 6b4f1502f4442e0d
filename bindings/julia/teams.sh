#!/usr/bin/env bash
# Passes the tests of teams over two processes: under `gpuarr run` with the examples, and under each
# MPI there is, of which the program makes the communicator.
# usage: teams.sh JULIA_DIR LIBRARY WORK_DIR [GPUARR]: as test.sh; and the command
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
julia=$("$here/../../tests/support/julia.sh" "$1")
export GPUARR_LIBRARY=$2
[ -e "$GPUARR_LIBRARY" ] || { echo "skipped: no $GPUARR_LIBRARY"; exit 77; }
export GPUARR_CACHE_DIR=${GPUARR_CACHE_DIR:-$3/cache}
export JULIA_DEPOT_PATH=$3/depot JULIA_LOAD_PATH="@:$here:@stdlib"
command=${4:-}

program=("$julia" --startup-file=no --compile=min "$here/GPUArr/test/processes.jl")
"$julia" --startup-file=no -e "using GPUArr"  # compiled once, not by two at a time
passed=0
if [ -x "$command" ]; then
  echo "-- gpuarr run"
  "$command" run -n 2 "${program[@]}" world 2
  # Compiled, since they compare with loops.
  "$command" run -n 2 "$julia" --startup-file=no -O1 -e \
    'foreach(file -> Base.include(Module(), file), splice!(ARGS, 2:length(ARGS)))' \
    "$3/larger_than_memory.zarr" "$here"/../../examples/4[0123]_*.jl
  passed=1
fi
# Root and more processes than CPUs are refused by Open MPI unless it is told; in a container one
# process may not read another's memory.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export OMPI_MCA_btl_vader_single_copy_mechanism=none
names=(mpirun.openmpi mpirun.mpich)
command -v "${names[@]}" >/dev/null || names=(mpirun)
for run in "${names[@]}"; do
  command -v "$run" >/dev/null || continue
  mpi=openmpi
  if [[ $("$run" --version) == *HYDRA* ]]; then mpi=mpich; fi
  echo "-- $run, $mpi"
  "$run" -n 2 "${program[@]}" $mpi 2
  passed=1
done
[ $passed = 1 ] || { echo "skipped: neither the command gpuarr nor an MPI is here"; exit 77; }
