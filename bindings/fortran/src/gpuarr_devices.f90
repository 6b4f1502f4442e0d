!> The machine's devices: its CPU and its GPUs.
module gpuarr_devices
  use, intrinsic :: iso_c_binding
  use gpuarr_c
  use gpuarr_errors
  implicit none
  private
  public :: gpuarr_device, gpuarr_device_count, device_from_c, device_handle, locate, check_device

  !> A device. There is one for each name and process, for as long as the process lives: copies of
  !> this type are the same device, and nothing is released.
  type :: gpuarr_device
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: open => device_open
    procedure :: is_open => device_is_open
    procedure :: name => device_name
    procedure :: description => device_description
    procedure :: kind => device_kind
    procedure :: attribute => device_attribute
    procedure :: memory => device_memory
    procedure :: compiler => device_compiler
    procedure :: driver => device_driver
    procedure :: blas => device_blas
    procedure :: solver => device_solver
    procedure :: can_access_peer => device_can_access_peer
    procedure :: enable_peer => device_enable_peer
    procedure :: synchronize => device_synchronize
    procedure :: c_handle => device_c_handle
  end type

contains

  !> Count the devices of a kind.
  !> @param count  how many; 0 GPUs where there is no driver, which is not an error
  !> @param kind   GPUARR_DEVICE_HOST or GPUARR_DEVICE_CUDA
  !> Fails with GPUARR_ERR_ARGUMENT. Thread-safe.
  subroutine gpuarr_device_count(count, kind, stat, errmsg)
    integer, intent(out) :: count
    integer, intent(in) :: kind
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_device_count_c(count, int(kind, c_int32_t))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Open a device.
  !> @param name  "host", "cuda" (the first GPU) or "cuda:1"; without it $GPUARR_DEVICE if that is
  !>              set, else the first GPU, else the CPU
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_NO_DEVICE, GPUARR_ERR_NO_DRIVER and others of
  !> gpuarr_device_open. Thread-safe.
  subroutine device_open(self, name, stat, errmsg)
    class(gpuarr_device), intent(inout) :: self
    character(*), intent(in), optional :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    if (present(name)) then
      state%status = gpuarr_device_open_c(self%handle, c_text(name))
      if (present(errmsg)) call tell(state, errmsg)
      call finish(state, stat)
    else
      state%status = gpuarr_device_open_c(self%handle)
      if (present(errmsg)) call tell(state, errmsg)
      call finish(state, stat)
    end if
  end subroutine

  !> Whether this is a device: it was opened, or came from an array or stream. Thread-safe.
  logical function device_is_open(self)
    class(gpuarr_device), intent(in) :: self
    device_is_open = c_associated(self%handle)
  end function

  !> Name by which the device opens: "host" or "cuda:N"; "" if it is not open. Thread-safe.
  function device_name(self) result(name)
    class(gpuarr_device), intent(in) :: self
    character(:), allocatable :: name
    name = f_text(gpuarr_device_name_c(self%handle))
  end function

  !> What the device is called by its maker, "NVIDIA H200". Thread-safe.
  function device_description(self) result(description)
    class(gpuarr_device), intent(in) :: self
    character(:), allocatable :: description
    description = f_text(gpuarr_device_description_c(self%handle))
  end function

  !> GPUARR_DEVICE_HOST or GPUARR_DEVICE_CUDA; 0 if it is not open. Thread-safe.
  integer function device_kind(self)
    class(gpuarr_device), intent(in) :: self
    device_kind = gpuarr_device_kind_c(self%handle)
  end function

  !> Read one of the device's numbers.
  !> @param value      the number; 0 on failure
  !> @param attribute  GPUARR_DEVICE_PROCESSORS, ...
  !> Fails with GPUARR_ERR_ARGUMENT. Thread-safe.
  subroutine device_attribute(self, value, attribute, stat, errmsg)
    class(gpuarr_device), intent(in) :: self
    integer(c_int64_t), intent(out) :: value
    integer, intent(in) :: attribute
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_device_attribute_c(value, self%handle, int(attribute, c_int32_t))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Memory of the device, in bytes.
  !> @param free   what no process has taken
  !> @param total  what the device has
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER. Thread-safe.
  subroutine device_memory(self, free, total, stat, errmsg)
    class(gpuarr_device), intent(in) :: self
    integer(c_int64_t), intent(out) :: free, total
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_device_memory_c(free, total, self%handle)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Name, version and path of the compiler that kernels of the device go through.
  !> @param text  "NVRTC 13.0 (/usr/lib/libnvrtc.so.13)", say; "" on failure
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_NO_COMPILER, GPUARR_ERR_NO_LIBRARY. Thread-safe.
  subroutine device_compiler(self, text, stat, errmsg)
    class(gpuarr_device), intent(in) :: self
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: found
    found = c_null_ptr
    state%status = gpuarr_device_compiler_c(found, self%handle)
    text = f_text(found)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Name, version and path of the library that multiplies matrices of the device.
  !> @param text  "cuBLAS 13.0.0 (/usr/lib/libcublas.so.13)", say; "" on failure
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_NO_LIBRARY. Thread-safe.
  subroutine device_blas(self, text, stat, errmsg)
    class(gpuarr_device), intent(in) :: self
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: found
    found = c_null_ptr
    state%status = gpuarr_device_blas_c(found, self%handle)
    text = f_text(found)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The same of the library that factorises matrices: cuSOLVER, or a LAPACK.
  subroutine device_solver(self, text, stat, errmsg)
    class(gpuarr_device), intent(in) :: self
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: found
    found = c_null_ptr
    state%status = gpuarr_device_solver_c(found, self%handle)
    text = f_text(found)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Name, version and path of the device's driver.
  !> @param text  "CUDA 13.0 (libcuda.so.1)", say; "" on the CPU
  !> Fails with GPUARR_ERR_ARGUMENT. Thread-safe.
  subroutine device_driver(self, text, stat, errmsg)
    class(gpuarr_device), intent(in) :: self
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: found
    found = c_null_ptr
    state%status = gpuarr_device_driver_c(found, self%handle)
    text = f_text(found)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Ask whether the device's kernels could read and write the memory of another.
  !> @param answer  .true. if they could, or if both are one device
  !> @param peer    whose memory it is
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER. Thread-safe.
  subroutine device_can_access_peer(self, answer, peer, stat, errmsg)
    class(gpuarr_device), intent(in) :: self
    logical, intent(out) :: answer
    type(gpuarr_device), intent(in) :: peer
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int32_t) :: found
    state%status = gpuarr_device_can_access_peer_c(found, self%handle, peer%handle)
    answer = found /= 0
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Let the device's kernels read and write the memory of another, until the process ends.
  !> @param peer  whose memory it is
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_UNSUPPORTED, GPUARR_ERR_DRIVER. Thread-safe.
  subroutine device_enable_peer(self, peer, stat, errmsg)
    class(gpuarr_device), intent(in) :: self
    type(gpuarr_device), intent(in) :: peer
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_device_enable_peer_c(self%handle, peer%handle)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Wait until all work given to the device is done, and report what went wrong in it.
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER. Thread-safe.
  subroutine device_synchronize(self, stat, errmsg)
    class(gpuarr_device), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_device_synchronize_c(self%handle)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The gpuarr_device* for calls of gpuarr_c; c_null_ptr if it is not open. Thread-safe.
  pure function device_c_handle(self) result(handle)
    class(gpuarr_device), intent(in) :: self
    type(c_ptr) :: handle
    handle = self%handle
  end function

  !> The device of a gpuarr_device*.
  pure function device_from_c(handle) result(device)
    type(c_ptr), intent(in) :: handle
    type(gpuarr_device) :: device
    device%handle = handle
  end function

  !> The handle of a device that may be left out, when it is the default one; returns a status.
  function locate(handle, device) result(status)
    type(c_ptr), intent(out) :: handle
    type(gpuarr_device), intent(in), optional :: device
    integer(c_int32_t) :: status
    if (present(device)) then
      status = GPUARR_OK
      handle = device%handle
    else
      handle = c_null_ptr
      status = gpuarr_device_open_c(handle)
    end if
  end function

  !> The handle of a device that may be left out, c_null_ptr without it.
  pure function device_handle(device) result(handle)
    type(gpuarr_device), intent(in), optional :: device
    type(c_ptr) :: handle
    handle = c_null_ptr
    if (present(device)) handle = device%handle
  end function

  !> Refuse a device that was given and is not open: it must not pass for the default one.
  subroutine check_device(device, state)
    type(gpuarr_device), intent(in), optional :: device
    type(call_state), intent(inout) :: state
    if (.not. present(device)) return
    if (.not. device%is_open()) call refuse(state, GPUARR_ERR_ARGUMENT, &
        "device was never opened; open it, or leave it out for the default one")
  end subroutine

end module
