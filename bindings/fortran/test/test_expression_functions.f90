!> Functions of expressions, called with arrays and for each block of blocked ones.
program test_expression_functions
  use, intrinsic :: iso_c_binding
  use gpuarr
  use gpuarr_intrinsics, only: exp, maxval
  use checks
  implicit none
  call start()
  call called()
  call refused()
  call finish()

contains

  subroutine called()
    type(gpuarr_team) :: team
    type(gpuarr_function) :: softmax, both, same
    type(gpuarr_expr) :: x, y, e
    type(gpuarr_array) :: a, z, outs(2)
    type(gpuarr_blocked) :: p, q, r
    real(c_double) :: values(5, 4), got(5, 4), wanted(5, 4)
    integer :: j, k
    values = reshape([(sin(real(k, c_double)), k = 1, 20)], [5, 4])
    do j = 1, 4
      wanted(:, j) = exp(values(:, j)) / sum(exp(values(:, j)))
    end do
    x = gpuarr_input(1)
    y = gpuarr_input(2)
    e = exp(x - maxval(x, 1))
    call softmax%create(e / gpuarr_reduced("sum", e, dim=1))
    call a%from_host(values)
    call softmax%call(z, a)
    call z%to_host(got)
    call expect(distance(got - wanted), 0d0, 1d-14, "a function of arrays")
    call make_local_team(team, 3)
    call p%empty(team, [5, 4], GPUARR_F64, chunk=[5, 1])
    call p%write(values)
    call q%empty_like(p)
    call gpuarr_map_blocks(softmax, q, p)
    call q%to_host(got)
    call expect(distance(got - wanted), 0d0, 1d-14, "for each block")
    call both%create(x + y, x * y)
    same = both
    call both%release()
    call expect(same%is_set() .and. .not. both%is_set(), "a function has two references")
    call r%empty_like(p)
    call gpuarr_map_blocks(same, [arg(q), arg(r)], [arg(p), arg(3d0)])
    call q%to_host(got)
    call expect(all(got == values + 3), "two outputs: the first")
    call r%to_host(got)
    call expect(all(got == values * 3), "and the second")
    call same%call(outs, [arg(a), arg(2d0)])
    call outs(2)%to_host(got)
    call expect(all(got == values * 2), "two outputs of arrays")
    call both%create(x * wanted)
    call both%call(z, a)
    call z%to_host(got)
    call expect(all(got == values * wanted), "with a Fortran array")
  end subroutine

  real(c_double) function distance(differences)
    real(c_double), intent(in) :: differences(:, :)
    distance = norm2(differences)
  end function

  subroutine refused()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: p, q
    type(gpuarr_function) :: sum_of, none
    type(gpuarr_expr) :: x, y, no_expr
    type(gpuarr_array) :: z
    integer :: stat
    character(:), allocatable :: message
    call make_local_team(team, 2)
    call p%empty(team, [4], GPUARR_F64)
    call q%empty(team, [4], GPUARR_F64, chunk=[1])
    x = gpuarr_input(1)
    y = gpuarr_input(2)
    call sum_of%create(no_expr, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "a gpuarr_expr that is not set")
    call expect(.not. sum_of%is_set(), "no function of nothing")
    call sum_of%create(x + y)
    call sum_of%call(z, 1, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_function_call")
    call gpuarr_map_blocks(sum_of, p, p, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_map_blocks_function")
    call gpuarr_map_blocks(sum_of, p, p, q, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_LAYOUT, "gpuarr_map_blocks_function")
    call gpuarr_map_blocks(sum_of, [arg(1)], [arg(p), arg(p)], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "outs(1) is no blocked array")
    call gpuarr_map_blocks(none, p, p, p, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "function is NULL")
  end subroutine

end program
