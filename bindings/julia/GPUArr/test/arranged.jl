# Sorting, scans, statistics by order, arrays joined and turned round.
a, b, v = rand(3, 4), rand(3, 4), rand(5)
m = GArray(a)

@testset "sorted" begin
    ties, holes = [3, 1, 3, 1, 2], [3.0, NaN, 1, 3, 1, 2]
    @test agrees(sort, v) && agrees(x -> sort(x; rev = true), holes) && agrees(sortperm, ties)
    @test agrees(x -> sortperm(x; rev = true), ties) && agrees(x -> sortperm(x; rev = true), holes)
    @test a[Array(sortperm(m; dims = 2))] == sort(a; dims = 2)
    @test a[Array(sortperm(m; dims = 1))] == sort(a; dims = 1)
    @test argmin(m; dims = 1) == argmin(a; dims = 1)
    @test findmax(m; dims = 2)[2] == findmax(a; dims = 2)[2]
    @test agrees(x -> sort(x; dims = 2), a) && agrees(x -> sort(x; dims = 1, rev = true), a)
    @test agrees(x -> sort!(copy(x); rev = true), v)
    @test agrees(x -> sort(x; by = abs), [-3.0, 2, -1])
    @test agrees(x -> partialsort(x, 2), v) && agrees(x -> partialsort(x, 2:3; rev = true), v)
    @test agrees(x -> partialsortperm(x, 1:3), v) && agrees(x -> partialsort!(copy(x), 4), v)
    @test agrees(issorted, v) && agrees(issorted, sort(v)) && agrees(unique, ties)
    @test agrees((x, y) -> searchsortedfirst.(Ref(x), y), sort(v), [0.1, 0.5, 2])
    @test agrees((x, y) -> searchsortedlast.(Ref(x), y), [1, 2, 2, 3], [0, 2, 5])
    @test agrees(x -> searchsortedfirst(x, 2), [1, 2, 2, 3])
    values, places = GPUArr.topk(GArray(a), 2; dims = 2, rev = true)
    @test Array(values) == sort(a; dims = 2, rev = true)[:, 1:2]
    @test Array(GPUArr.take_along(GArray(a), places; dims = 2)) == Array(values)
    found = GPUArr.unique_all(GArray([3 1; 3 2]))
    @test map(Array, found) ==
        (values = [1, 2, 3], indices = [3, 4, 1], inverse = [3 1; 3 2], counts = [1, 1, 2])
    @test_throws ArgumentError sort(GArray(a))
    @test_throws ArgumentError sort(GArray(a); dims = 3)
    @test_throws BoundsError partialsort(GArray(v), 6)
    @test mentions(message_of(() -> GPUArr.topk(GArray(v), 9), ArgumentError), "9", "5")
end

@testset "by order" begin
    @test agrees(median, v) && agrees(x -> median(x; dims = 2), a)
    @test agrees(x -> quantile(x, 0.3), v) && agrees(x -> quantile(x, [0.3, 0.5]), v)
    @test agrees(cov, a) && agrees((x, y) -> cor(x, y), v, reverse(v) .^ 2)
    @test size(quantile(GArray(rand(3, 4, 2)), [0.1, 0.5]; dims = 2)) == (3, 2, 2)
    @test quantile(GArray([1.0, 2]), 0.3; method = :higher) == 2
    holes = GArray([1, NaN, 3.0, 7])
    @test isnan(median(holes)) && GPUArr.nanmedian(holes) == 3 && GPUArr.nansum(holes) == 11
    @test GPUArr.logsumexp(GArray([1000.0, 1000])) ≈ 1000 + log(2)
    counts, edges = GPUArr.histogram(GArray([0, 0.1, 0.7, 1]); bins = 2, range = (0, 1))
    @test Array(counts) == [2, 2] && Array(edges) == [0, 0.5, 1]
    @test Array(GPUArr.histogram(GArray([0, 0.1, 0.7]), [0, 0.5, 1])) == [2, 1]
    @test Array(GPUArr.bincount(GArray([1, 1, 3]); minlength = 5)) == [0, 2, 0, 1, 0]
    @test_throws ArgumentError median(GPUArr.zeros(0))
    @test_throws ArgumentError quantile(GArray(v), 1.5)
    @test mentions(message_of(() -> quantile(GArray(v), 0.5; method = :odd), ArgumentError), ":odd",
        ":linear")
    @test mentions(message_of(() -> GPUArr.bincount(GArray([-1]))), "-1", "GPUARR_ERR_ARGUMENT")
end

@testset "running" begin
    @test agrees(cumsum, v) && agrees(x -> cumsum(x; dims = 2), a) && agrees(cumsum, Int32[1, 2, 3])
    @test agrees(cumprod, v) && agrees(x -> accumulate(+, x), Int8[100, 100])
    @test agrees(x -> accumulate(max, x), v)
    @test agrees(x -> accumulate((p, q) -> p * q % 7, x), [3, 5, 6, 2])
    @test agrees(x -> cumsum!(similar(x), x; dims = 1), a) && agrees(x -> diff(x; dims = 1), a)
    @test agrees(x -> accumulate(+, x; init = 5), v)
    @test Array(GPUArr.exclusive(+, GArray([1.0, 2]))) == [0, 1]
    rows = ScanKernel("T x, T y", "T z", "x * y", "a + b", "z = 2 * a", "0"; name = "rows")
    @test Array(rows(GArray(a), GArray(v[1:3]); dims = 2)) ≈ 2 .* cumsum(a .* v[1:3]; dims = 2)
    @test Array(rows(GArray([1.0, 2]), 3.0; exclusive = true)) == [0, 6]
    @test mentions(message_of(() -> rows(GArray(a)), ArgumentError), "rows", "given for 2")
    @test agrees(diff, v) && agrees(diff, [true, false])
    @test_throws ArgumentError cumsum(GArray(a))
    @test_throws DimensionMismatch cumsum!(GArray(v), GArray(v[1:2]))
end

@testset "joined and turned" begin
    @test agrees(vcat, v, [1, 2]) && agrees(hcat, v, v) && agrees(hcat, a, v[1:3])
    @test agrees((x, y) -> [x y; y x], a, b) && agrees((x, y) -> cat(x, y; dims = 3), a, a)
    @test agrees(reverse, v) && agrees(x -> reverse(x; dims = 2), a)
    @test agrees(x -> circshift(x, (1, -1)), a) && agrees(rotl90, a) && agrees(rotr90, a)
    @test agrees(x -> repeat(x, 2, 3), a) && agrees(x -> repeat(x, 1, 2), v)
    @test agrees(x -> repeat(x; inner = (2, 1), outer = (1, 2)), a)
    x, y = GArray([1, 2]), GArray([3, 4])
    @test Array(GPUArr.stack(x, y)) == [1 3; 2 4] && Array(GPUArr.pad(x, 1, 2)) == [0, 1, 2, 0, 0]
    @test Array(GPUArr.pad(GArray([1, 2, 3]), 2; mode = :reflect)) == [3, 2, 1, 2, 3, 2, 1]
    @test map(Array, GPUArr.sections(x, [2]; dims = 1)) == [[1], [2]]
    @test map(Array, GPUArr.sections(m, 2; dims = 2)) == [a[:, 1:2], a[:, 3:4]]
    @test map(Array, GPUArr.meshgrid(x, y)) == ([1 1; 2 2], [3 4; 3 4])
    @test Array(GPUArr.repeat_each(x, y)) == [1, 1, 1, 2, 2, 2, 2]
    @test_throws DimensionMismatch vcat(GArray(a), GArray(ones(2, 3)))
    @test mentions(message_of(() -> GPUArr.pad(x, 1; mode = :odd), ArgumentError), ":odd", ":wrap")
end
