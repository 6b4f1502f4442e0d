/* gpuarr_mpi.h, compiled with an MPI's own header. */
#include <gpuarr_mpi.h>
#include <string.h>

#include "checks.h"

/* What a failing call says of MPI's code. */
static int32_t code_after_finalize(MPI_Comm* comm) {
  void* request = NULL;
  int32_t from = 0;
  char byte = 0;
  return gpuarr_mpi_send(&request, &byte, 1, 0, 0, comm) != MPI_SUCCESS &&
         gpuarr_mpi_receive(&request, &byte, 1, 0, 0, comm) != MPI_SUCCESS &&
         gpuarr_mpi_test(&from, NULL, comm) != MPI_SUCCESS &&
         gpuarr_mpi_probe(&from, 0, comm) != MPI_SUCCESS;
}

int main(int argc, char** argv) {
  gpuarr_transport* transport = NULL;
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (gpuarr_transport_from_mpi(&transport, comm) != GPUARR_OK) return 1;
  check_table(transport);
  gpuarr_transport_release(transport);
  if (gpuarr_live_objects() != 0) return 2;
  MPI_Comm_free(&comm);
  MPI_Finalize();
  if (!code_after_finalize(&comm)) return 3;
  return checks_result();
}
