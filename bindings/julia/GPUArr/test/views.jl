a = rand(Float32, 6, 5, 4)
x = GArray(a)

@testset "views share memory" begin
    for indices in ((2:4, :, 3), (:, 5:-2:1, :), (6:-1:1, 2, 1:2:4), (3, 4, 2), (:, :, 1),
                    (4:3, :, :), (1:0, 1, 1), (5:-3:2, 1:1, 4:-1:1))
        v = view(x, indices...)
        @test v isa GArray && size(v) == size(view(a, indices...))
        @test Array(v) == a[indices...] isa AbstractArray ? Array(v) == a[indices...] :
              Array(v)[] == a[indices...]
    end
    y, b = copy(x), copy(a)
    view(y, 2:3, :, 1) .= 7
    b[2:3, :, 1] .= 7
    @test Array(y) == b
    y[1:2, 5, 2:3] .+= 1
    b[1:2, 5, 2:3] .+= 1
    @test Array(y) == b
    v = view(view(x, :, 2:5, :), 1:2:6, 3:-1:1, 2)
    @test Array(v) == a[1:2:6, 4:-1:2, 2]
    @test Array(view(x, 7:20)) == a[7:20]
end

@testset "indexing copies" begin
    y = x[2:3, :, 1]
    fill!(y, 0)
    @test y isa GArray{Float32,2} && Array(x) == a
    @test Array(x[:]) == vec(a) && Array(x[:, 2, 3]) == a[:, 2, 3]
    b, z = copy(a), copy(x)
    b[:, 1, 2:3] = rand(Float32, 6, 2)
    z[:, 1, 2:3] = b[:, 1, 2:3]
    @test Array(z) == b
    z[:, 1, 2] = view(x, :, 1, 1)
    b[:, 1, 2] = a[:, 1, 1]
    @test Array(z) == b
    @test_throws DimensionMismatch z[:, 1, 2] = rand(Float32, 5)
    @test_throws ArgumentError z[:, 1, 2] = 5
end

@testset "other shapes" begin
    @test Array(reshape(x, 10, :)) == reshape(a, 10, :)
    @test Array(vec(x)) == vec(a)
    fill!(view(reshape(x, 30, 4), 30, 4), 5)
    @test Array(x)[6, 5, 4] == 5
    a[6, 5, 4] = 5
    @test Array(permutedims(x, (3, 1, 2))) == permutedims(a, (3, 1, 2))
    @test strides(permutedims(x, (3, 1, 2))) == (1, 4, 24)
    m, v = view(x, :, :, 1), view(x, 2, :, 3)
    @test Array(transpose(m)) == transpose(a[:, :, 1]) && Array(m') == a[:, :, 1]'
    @test Array(v') == a[2, :, 3]' && Array(permutedims(v)) == permutedims(a[2, :, 3])
    c = elements(ComplexF64, 2, 3)
    @test Array(GArray(c)') == c' && Array(transpose(GArray(c))) == transpose(c)
    @test size(dropdims(view(x, 1:1, :, 2:2); dims = (1, 3))) == (5,)
    @test_throws DimensionMismatch reshape(x, 7, 7)
    @test_throws ArgumentError permutedims(x, (1, 1, 2))
    @test mentions(message_of(() -> vec(view(x, 2:5, :, :))), "array_reshape", "copy")
end
