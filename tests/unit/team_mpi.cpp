// What an MPI is called, by what it says of itself.
#include "check.hpp"
#include "team/transport/mpi_library.hpp"

using gpuarr::team::mpi_name;

int main() {
  CHECK_EQ(mpi_name("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4"),
           "Open MPI 4.1.4");
  CHECK_EQ(mpi_name("MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7 2022\n"),
           "MPICH 4.0.2");
  CHECK_EQ(mpi_name("MPICH Version:      4.3.0\nMPICH Release date: Mon Feb  3\n"), "MPICH 4.3.0");
  CHECK_EQ(mpi_name("Intel(R) MPI Library 2021.9 for Linux* OS\n"), "Intel(R) MPI Library 2021.9");
  CHECK_EQ(mpi_name("MVAPICH2 Version      :\t2.3.7\nMVAPICH2 Release date"), "MVAPICH2 2.3.7");
  CHECK_EQ(mpi_name("MPI VERSION    : CRAY MPICH version 8.1.25.17 (ANL base 3.4a2)\n"),
           "MPI CRAY MPICH 8.1.25.17");
  CHECK_EQ(mpi_name("SMPI Version 3.32. Copyright The SimGrid Team 2007-2022"), "SMPI 3.32.");
  CHECK_EQ(mpi_name("venerable"), "venerable");
  CHECK_EQ(mpi_name(""), "an MPI without a name");
  CHECK_EQ(mpi_name("\n\n"), "an MPI without a name");
  return check::result();
}
