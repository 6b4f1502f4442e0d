! Principal components of a picture: each of its rows is a point, and a few singular vectors say
! nearly all of them. 29_principal_components [FILE.pgm]
program principal_components
  use gpuarr
  implicit none
  integer, parameter :: width = 120, height = 80, kept = 12
  integer, parameter :: double = kind(1d0)
  call main()

contains

  !> An 8-bit PGM file: https://netpbm.sourceforge.net/doc/pgm.html
  subroutine read_picture(path, pixels)
    character(*), intent(in) :: path
    real, intent(out) :: pixels(width, height)
    character(1) :: bytes(width, height)
    integer :: unit, size(2), greatest, place
    character(2) :: magic
    open (newunit=unit, file=path, access="stream", form="formatted", action="read")
    read (unit, "(a)") magic
    read (unit, *) size, greatest
    inquire (unit, pos=place)
    close (unit)
    if (magic /= "P5" .or. any(size /= [width, height])) error stop "this is no such picture"
    open (newunit=unit, file=path, access="stream", form="unformatted", action="read")
    read (unit, pos=place) bytes
    close (unit)
    pixels = iachar(bytes)
  end subroutine

  subroutine write_picture(path, pixels)
    character(*), intent(in) :: path
    real, intent(in) :: pixels(width, height)
    character(20) :: head
    integer :: unit
    write (head, "(a, i0, 1x, i0, a)") "P5 ", width, height, " 255"
    open (newunit=unit, file=path, access="stream", form="unformatted", status="replace")
    write (unit) trim(head), new_line("a"), achar(nint(min(max(pixels, 0.0), 255.0)))
    close (unit)
  end subroutine

  subroutine main()
    real :: pixels(width, height), restored(width, height), values(height)
    real(double) :: errors, left_out, part
    character(1000) :: path
    logical :: there
    type(gpuarr_device) :: device
    type(gpuarr_array) :: picture, mean, u, s, vh, some_u, some_s, some_vh, back
    call get_command_argument(0, path)
    path = path(:index(path, "/", back=.true.)) // "mandelbrot.pgm"
    inquire (file=path, exist=there)
    if (.not. there) path = "examples/mandelbrot.pgm"
    call read_picture(trim(path), pixels)
    call device%open()
    call picture%from_host(pixels)

    ! A row of the picture is a column here. The mean one is taken away; what is left is
    ! u diag(s) vh, with the greatest values first.
    call gpuarr_mean(mean, picture, dim=2, keepdims=.true.)
    back = picture - mean
    call gpuarr_svd(u, s, vh, back)

    ! The first components alone: columns of u, each times its value, by rows of vh.
    call u%slice(some_u, 2, last=kept)
    call s%slice(some_s, 1, last=kept)
    call vh%slice(some_vh, 1, last=kept)
    call gpuarr_matmul(back, some_u * some_s, some_vh)
    back = back + mean

    ! The squares of the values that were left out are the squares of all errors.
    call s%to_host(values)
    call back%to_host(restored)
    errors = sum((real(restored, double) - pixels)**2)
    left_out = sum(real(values(kept + 1:), double)**2)
    part = left_out / sum(real(values, double)**2)
    if (abs(errors - left_out) > 1d-4 * left_out) error stop "the squared error is wrong"
    if (part > 0.05d0) error stop "too much is left out"

    if (command_argument_count() > 0) then
      call get_command_argument(1, path)
      call write_picture(trim(path), restored)
    end if
    print "(2(i0, a), f5.2, a, f3.1, 2(a, i0), a)", kept, " of ", height, " components: ", &
        100 * (1 - part), " % of the variance, ", sqrt(errors / size(pixels)), &
        " grey levels off, ", kept * (height + width + 1) + width, " of ", size(pixels), " numbers"
    print "(2a)", "ok: principal components of a picture, on ", device%name()
  end subroutine

end program
