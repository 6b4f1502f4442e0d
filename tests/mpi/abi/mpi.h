/* Of the binary interface of MPI 5.0 as much as program.c and adapter.c need, with the types and
 * values of mpi.h in the MPI Forum's mpi-abi-stubs. */
#ifndef GPUARR_TEST_MPI_ABI_H
#define GPUARR_TEST_MPI_ABI_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct MPI_ABI_Comm* MPI_Comm;
typedef struct MPI_ABI_Datatype* MPI_Datatype;
typedef struct MPI_ABI_Errhandler* MPI_Errhandler;
typedef struct MPI_ABI_Request* MPI_Request;

typedef struct {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
  int MPI_internal[5];
} MPI_Status;

#define MPI_COMM_NULL ((MPI_Comm)0x100)
#define MPI_COMM_WORLD ((MPI_Comm)0x101)
#define MPI_COMM_SELF ((MPI_Comm)0x102)
#define MPI_ERRORS_ARE_FATAL ((MPI_Errhandler)0x141)
#define MPI_ERRORS_RETURN ((MPI_Errhandler)0x142)
#define MPI_REQUEST_NULL ((MPI_Request)0x180)
#define MPI_INT ((MPI_Datatype)0x209)
#define MPI_BYTE ((MPI_Datatype)0x247)
#define MPI_STATUS_IGNORE ((MPI_Status*)0)
#define MPI_SUCCESS 0
#define MPI_ERR_OTHER 16
#define MPI_ANY_SOURCE (-1)
#define MPI_ANY_TAG (-2)
#define MPI_THREAD_SINGLE 0
#define MPI_THREAD_FUNNELED 1024
#define MPI_THREAD_SERIALIZED 2048
#define MPI_THREAD_MULTIPLE 4096

typedef int MPI_Comm_copy_attr_function(MPI_Comm, int, void*, void*, void*, int*);
typedef int MPI_Comm_delete_attr_function(MPI_Comm, int, void*, void*);

int MPI_Abi_get_version(int*, int*);
int MPI_Abort(MPI_Comm, int);
int MPI_Cancel(MPI_Request*);
int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function*, MPI_Comm_delete_attr_function*, int*,
                           void*);
int MPI_Comm_dup(MPI_Comm, MPI_Comm*);
int MPI_Comm_free(MPI_Comm*);
MPI_Comm MPI_Comm_fromint(int);
int MPI_Comm_get_attr(MPI_Comm, int, void*, int*);
int MPI_Comm_rank(MPI_Comm, int*);
int MPI_Comm_set_attr(MPI_Comm, int, void*);
int MPI_Comm_set_errhandler(MPI_Comm, MPI_Errhandler);
int MPI_Comm_size(MPI_Comm, int*);
int MPI_Comm_split(MPI_Comm, int, int, MPI_Comm*);
int MPI_Comm_test_inter(MPI_Comm, int*);
int MPI_Comm_toint(MPI_Comm);
int MPI_Error_string(int, char*, int*);
int MPI_Finalize(void);
int MPI_Finalized(int*);
int MPI_Get_count(const MPI_Status*, MPI_Datatype, int*);
int MPI_Get_library_version(char*, int*);
int MPI_Init(int*, char***);
int MPI_Init_thread(int*, char***, int, int*);
int MPI_Initialized(int*);
int MPI_Intercomm_create(MPI_Comm, int, MPI_Comm, int, int, MPI_Comm*);
int MPI_Iprobe(int, int, MPI_Comm, int*, MPI_Status*);
int MPI_Irecv(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
int MPI_Is_thread_main(int*);
int MPI_Isend(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
int MPI_Query_thread(int*);
int MPI_Recv(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status*);
int MPI_Send(const void*, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Test(MPI_Request*, int*, MPI_Status*);
int MPI_Wait(MPI_Request*, MPI_Status*);
double MPI_Wtime(void);

/* Of mpi.h the standard has taken these out, but a program may ask for its Fortran handles so. */
#define MPI_Comm_c2f(comm) MPI_Comm_toint(comm)

#ifdef __cplusplus
}
#endif
#endif
