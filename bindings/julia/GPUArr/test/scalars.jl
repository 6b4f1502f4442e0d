a = rand(3, 4)
x = GArray(a)
message = message_of(() -> x[2, 3], ErrorException)
@test mentions(message, "@allowscalar", "Array(x)")
@test_throws ErrorException x[1] = 2
@test_throws ErrorException sum(v for v in x)
@test @allowscalar(x[2, 3]) == a[2, 3] && @allowscalar(x[7]) == a[7]
@allowscalar x[3, 1] = 9
a[3, 1] = 9
@test allowscalar(() -> [v for v in x]) == a
@test_throws ErrorException x[1]
allowscalar()
@test x[12] == a[12]
@test_throws BoundsError x[13]
@test_throws BoundsError x[4, 1]
allowscalar(false)
@test_throws ErrorException x[1]
