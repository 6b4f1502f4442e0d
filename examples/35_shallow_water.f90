! Kernels out of a code for OpenMP: fortran/shallow_water.f90 with its loops marked, run by gfortran
! and on a device. fortran/shallow_water_kernels.f90 is what `gpuarr fortran` makes of it.
program shallow_water_35
  use gpuarr
  use shallow_water_kernels
  implicit none
  type(basin), parameter :: lake = basin(nx=160, ny=120, dx=0.5_wp, dy=0.5_wp, gravity=9.81_wp, &
      drag=0.02_wp)
  integer, parameter :: steps = 200
  call main()

contains

  subroutine main()
    type(gpuarr_device) :: device
    type(gpuarr_array) :: h_array, hu_array, hv_array
    real(wp), allocatable, dimension(:, :) :: h, hu, hv, h_device, hu_device
    real(wp) :: time, time_device, mass_before
    call device%open()

    ! On the host: arrays of Fortran's own, and the procedures as they always were.
    allocate(h(0:lake%nx + 1, 0:lake%ny + 1))
    allocate(hu, hv, mold=h)
    call fill(lake, h, hu, hv)
    mass_before = mass(lake, h)
    call run(lake, steps, h, hu, hv, time)

    ! On the device: the same calls, with its arrays.
    call h_array%empty(shape(h), GPUARR_F64)
    call hu_array%empty(shape(h), GPUARR_F64)
    call hv_array%empty(shape(h), GPUARR_F64)
    call fill(lake, h_array, hu_array, hv_array)
    call run(lake, steps, h_array, hu_array, hv_array, time_device)

    call h_array%to_allocatable(h_device)
    call hu_array%to_allocatable(hu_device)
    call expect(maxval(abs(h_device - h)), 1e-10_wp, "heights differ")
    call expect(maxval(abs(hu_device - hu)), 1e-10_wp, "momenta differ")
    call expect(abs(time_device - time), 1e-10_wp, "times differ")
    call expect(abs(mass(lake, h_array) / mass_before - 1), 1e-12_wp, "water is lost")
    call expect(abs(energy(lake, h_array, hu_array, hv_array) / energy(lake, h, hu, hv) - 1), &
        1e-12_wp, "energies differ")
    print "(a, i0, a, f0.2, 2a)", "ok: ", steps, " steps of shallow water, ", time, " s, on ", &
        device%name()
  end subroutine

  subroutine expect(error, most, what)
    real(wp), intent(in) :: error, most
    character(*), intent(in) :: what
    if (error <= most) return
    print *, what, ": by", error
    error stop 1
  end subroutine

end program
