/* An MPI that nobody knows, as far as its name. */
#include <string.h>

int MPI_Get_library_version(char* version, int* length);

int MPI_Get_library_version(char* version, int* length) {
  strcpy(version, "Moon MPI v3.1, with craters");
  *length = (int)strlen(version);
  return 0;
}
