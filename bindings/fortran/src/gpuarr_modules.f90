!> Modules: CUDA C++ with kernels and variables of your own, or its compiled form.
module gpuarr_modules
  use, intrinsic :: iso_c_binding
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_devices
  use gpuarr_errors
  use gpuarr_options
  use gpuarr_raw_kernels
  implicit none
  private
  public :: gpuarr_module

  !> CUDA C++ text or its compiled form. It is compiled for a device when a kernel or variable is
  !> first used there. An assignment makes another reference to the same module.
  type :: gpuarr_module
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: create => module_create
    procedure :: open => module_open
    procedure :: load => module_load
    procedure :: build => module_build
    procedure :: kernel => module_kernel
    procedure :: kernel_count => module_kernel_count
    procedure :: kernel_name => module_kernel_name
    procedure :: global => module_global
    procedure :: listing => module_listing
    procedure :: release => module_release
    procedure :: is_set => module_is_set
    procedure :: c_handle => module_c_handle
    procedure :: adopt => module_adopt
    procedure, private :: module_assign
    generic :: assignment(=) => module_assign
    final :: module_final
  end type

contains

  !> Make a module from CUDA C++.
  !> @param source    the text, copied; gpuarr/module.h says what may be in it
  !> @param preamble  text that stands before it
  !> @param options   options of the compiler, ["-DN=4"]
  !> @param kernels   templates' instances that are needed, ["scale<float, 4>"]
  !> @param checks    GPUARR_CHECK_MEMORY, ..._RACE, ..._SYNC added up: what is checked as they run
  !> Fails with GPUARR_ERR_ARGUMENT; a text that does not compile fails when it is used.
  !> Thread-safe.
  subroutine module_create(self, source, preamble, options, kernels, checks, stat, errmsg)
    class(gpuarr_module), intent(inout) :: self
    character(*), intent(in) :: source
    character(*), intent(in), optional :: preamble, options(:), kernels(:)
    integer, intent(in), optional :: checks
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made
    call self%release()
    state%status = make_options(made, preamble=preamble, options=options, kernels=kernels, &
        checks=checks)
    if (is_ok(state)) &
      state%status = gpuarr_module_create_c(self%handle, c_text(source), made)
    call gpuarr_kernel_options_release_c(made)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Make a module from a file: CUDA C++, PTX, cubin or fatbin, distinguished by what is in it.
  !> @param path  the file, read now
  !> Other arguments as `create`, for text only. Fails as `create`, and with GPUARR_ERR_IO,
  !> GPUARR_ERR_FORMAT. Thread-safe.
  subroutine module_open(self, path, preamble, options, kernels, checks, stat, errmsg)
    class(gpuarr_module), intent(inout) :: self
    character(*), intent(in) :: path
    character(*), intent(in), optional :: preamble, options(:), kernels(:)
    integer, intent(in), optional :: checks
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made
    call self%release()
    made = c_null_ptr  ! what is compiled already takes no options, not even none
    if (present(preamble) .or. present(options) .or. present(kernels) .or. present(checks)) &
      state%status = make_options(made, preamble=preamble, options=options, kernels=kernels, &
          checks=checks)
    if (is_ok(state)) state%status = gpuarr_module_open_c(self%handle, c_text(path), made)
    call gpuarr_kernel_options_release_c(made)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Make a module from PTX, a cubin or a fatbin in memory; it runs on GPUs only.
  !> @param image  the bytes, copied
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_FORMAT; whether it fits a GPU shows when it is used.
  !> Thread-safe.
  subroutine module_load(self, image, stat, errmsg)
    class(gpuarr_module), intent(inout) :: self
    integer(c_int8_t), contiguous, target, intent(in) :: image(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: bytes
    call self%release()
    bytes = c_null_ptr
    if (size(image) > 0) bytes = c_loc(image)
    state%status = gpuarr_module_load_c(self%handle, bytes, size(image, kind=c_int64_t))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Compile and load the module for a device now, the default one without it.
  !> Fails with GPUARR_ERR_COMPILE (the message shows your lines and the whole log),
  !> GPUARR_ERR_NO_COMPILER and others of gpuarr_module_build. Thread-safe.
  subroutine module_build(self, device, stat, errmsg)
    class(gpuarr_module), intent(in) :: self
    type(gpuarr_device), intent(in), optional :: device
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call check_device(device, state)
    if (is_ok(state)) state%status = gpuarr_module_build_c(self%handle, device_handle(device))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Get a kernel of the module, which it keeps alive.
  !> @param out     the kernel
  !> @param name    its name, or a template expression, "scale<float, 4>"
  !> @param params  what the parameters are, to be checked at each launch: "const float* x, int n"
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_SYNTAX, GPUARR_ERR_NOT_FOUND. Thread-safe.
  subroutine module_kernel(self, out, name, params, stat, errmsg)
    class(gpuarr_module), intent(in) :: self
    type(gpuarr_raw), intent(inout) :: out
    character(*), intent(in) :: name
    character(*), intent(in), optional :: params
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    character(:), allocatable :: declared  ! left out where it is not allocated
    type(c_ptr) :: made
    made = c_null_ptr
    if (present(params)) declared = c_text(params)
    state%status = gpuarr_module_kernel_c(made, self%handle, c_text(name), declared)
    call out%adopt(made)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Count the kernels that the module has on a device, the default one without it.
  !> @param count  the number; 0 on failure
  !> Fails as `build`. Thread-safe.
  subroutine module_kernel_count(self, count, device, stat, errmsg)
    class(gpuarr_module), intent(in) :: self
    integer(c_int32_t), intent(out) :: count
    type(gpuarr_device), intent(in), optional :: device
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    count = 0
    call check_device(device, state)
    if (is_ok(state)) state%status = gpuarr_module_kernel_count_c(count, self%handle, &
        device_handle(device))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Name a kernel that the module has on a device, the default one without it.
  !> @param name   the name, as `kernel` takes it; "" on failure
  !> @param index  which of kernel_count, from 1
  !> Fails as `build`, and with GPUARR_ERR_ARGUMENT for an index out of range. Thread-safe.
  subroutine module_kernel_name(self, name, index, device, stat, errmsg)
    class(gpuarr_module), intent(in) :: self
    character(:), allocatable, intent(out) :: name
    integer, intent(in) :: index
    type(gpuarr_device), intent(in), optional :: device
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: found
    found = c_null_ptr
    name = ""
    call check_device(device, state)
    if (is_ok(state)) state%status = gpuarr_module_kernel_name_c(found, self%handle, &
        int(index - 1, c_int32_t), &
        device_handle(device))
    name = f_text(found)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Look at a __device__ or __constant__ variable of the module as an array of one dim.
  !> @param out     the array, over the variable's own memory
  !> @param name    the variable's name, "inner::table" in a namespace
  !> @param dtype   dtype of its elements; that of its declaration without it
  !> @param device  the default one without it
  !> Fails as `build`, and with GPUARR_ERR_NOT_FOUND, GPUARR_ERR_DTYPE. Thread-safe.
  subroutine module_global(self, out, name, dtype, device, stat, errmsg)
    class(gpuarr_module), intent(in) :: self
    type(gpuarr_array), intent(inout) :: out
    character(*), intent(in) :: name
    integer(c_int32_t), intent(in), optional :: dtype
    type(gpuarr_device), intent(in), optional :: device
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made
    integer(c_int32_t) :: wanted
    wanted = 0
    if (present(dtype)) wanted = dtype
    call check_device(device, state)
    if (is_ok(state)) state%status = gpuarr_module_global_c(made, self%handle, c_text(name), &
        wanted, device_handle(device))
    call give(out, made, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Show what the module was compiled to.
  !> @param text     the listing; "" on failure
  !> @param listing  GPUARR_LISTING_PTX or GPUARR_LISTING_ASSEMBLY
  !> @param device   the default one without it
  !> Fails as `build`, and with GPUARR_ERR_UNSUPPORTED, GPUARR_ERR_NO_LIBRARY. Thread-safe.
  subroutine module_listing(self, text, listing, device, stat, errmsg)
    class(gpuarr_module), intent(in) :: self
    character(:), allocatable, intent(out) :: text
    integer, intent(in) :: listing
    type(gpuarr_device), intent(in), optional :: device
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: shown
    shown = c_null_ptr
    text = ""
    call check_device(device, state)
    if (is_ok(state)) state%status = gpuarr_module_listing_c(shown, self%handle, int(listing, &
        c_int32_t), &
        device_handle(device))
    text = f_text(shown)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Drop the reference. Kernels and arrays that came of the module keep it alive. More than once is
  !> fine. Thread-safe.
  impure elemental subroutine module_release(self)
    class(gpuarr_module), intent(inout) :: self
    if (c_associated(self%handle)) call gpuarr_module_release_c(self%handle)
    self%handle = c_null_ptr
  end subroutine

  !> Whether this holds a module. Thread-safe.
  elemental logical function module_is_set(self)
    class(gpuarr_module), intent(in) :: self
    module_is_set = c_associated(self%handle)
  end function

  !> The gpuarr_module* for calls of gpuarr_c, borrowed. Thread-safe.
  pure function module_c_handle(self) result(handle)
    class(gpuarr_module), intent(in) :: self
    type(c_ptr) :: handle
    handle = self%handle
  end function

  !> Take over a reference to a gpuarr_module* that a call of gpuarr_c made.
  subroutine module_adopt(self, handle)
    class(gpuarr_module), intent(inout) :: self
    type(c_ptr), intent(in) :: handle
    call self%release()
    self%handle = handle
  end subroutine

  impure elemental subroutine module_assign(self, other)
    class(gpuarr_module), intent(inout) :: self
    type(gpuarr_module), intent(in) :: other
    type(c_ptr) :: held
    held = gpuarr_module_retain_c(other%handle)
    call self%release()
    self%handle = held
  end subroutine

  impure elemental subroutine module_final(self)
    type(gpuarr_module), intent(inout) :: self
    call self%release()
  end subroutine

end module
