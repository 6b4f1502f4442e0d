@testset "there and back" begin
    for T in (Bool, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64, Float16, Float32,
              Float64, ComplexF32, ComplexF64)
        a = elements(T, 3, 4)
        x = GArray(a)
        @test x isa GArray{T,2} && size(x) == (3, 4) && strides(x) == (1, 3)
        @test Array(x) == a
    end
    b = BFloat16.(Float32[1.5 -2.25; 3 1e30])
    @test Array(GArray(b)) == b
    @test Float32(BFloat16(1.00390625f0)) == 1.0f0 && isnan(BFloat16(NaN32))
    @test eltype(GArray(1:4)) == Int && Array(GArray(1:4)) == 1:4
    @test Array(GArray(trues(5))) == fill(true, 5)
    @test Array(GArray{Float64}(Float32[1, 2])) == [1.0, 2.0]
    host = rand(6, 5)
    @test Array(GArray(view(host, 5:-2:1, 2:2:4))) == host[5:-2:1, 2:2:4]
    @test Array(GArray(host')) == host'
end

@testset "made" begin
    @test Array(GPUArr.zeros(Float32, 2, 3)) == zeros(2, 3)
    @test Array(GPUArr.ones(Int16, 4)) == ones(4)
    @test Array(GPUArr.fill(2.5f0, 2, 2)) == fill(2.5f0, 2, 2)
    @test size(GArray{Float64}(undef, 2, 0, 3)) == (2, 0, 3)
    @test GArray{Int8,1}(undef, 7) isa GArray{Int8,1}
    x = similar(GPUArr.zeros(3), Float32, (4, 2))
    @test x isa GArray{Float32,2} && size(x) == (4, 2) && device(x) == Device()
    @test Array(fill!(x, 3)) == fill(3.0f0, 4, 2)
    @test_throws ArgumentError GArray{Float32}(undef, -1)
    @test_throws InexactError fill!(GPUArr.zeros(Int32, 2), 1.5)
end

@testset "copies" begin
    a, b = rand(Float32, 3, 2), rand(Float32, 3, 2)
    x = GArray(a)
    y = copy(x)
    copyto!(x, b)
    @test Array(x) == b && Array(y) == a
    @test copyto!(zeros(Float32, 3, 2), x) == b
    @test copyto!(zeros(Float64, 3, 2), x) == b
    @test Array(copyto!(y, x)) == b
    @test Array(copyto!(GPUArr.zeros(8), x)) == [vec(b); 0; 0]  # converted, in columns
    @test Array(copyto!(GPUArr.zeros(Float32, 6), 2, x, 3, 4)) == [0; vec(b)[3:6]; 0]
    @test copyto!(zeros(4), 1, x, 2, 4) == vec(b)[2:5]
    @test Array(copy!(y, a)) == a
    @test_throws DimensionMismatch copy!(y, vec(a))
    @test_throws BoundsError copyto!(GPUArr.zeros(2), x)
    part = zeros(Float32, 6, 4)
    copyto!(view(part, 1:2:5, 2:3), x)
    @test part[1:2:5, 2:3] == b && sum(part) ≈ sum(b)
    z = deepcopy(x)
    fill!(x, 0)
    @test Array(z) == b
    @test convert(Array, z) == b && collect(z) == b && Array{Float64}(z) == b
    @test convert(GArray{Float32,2}, z) === z
end

@testset "printed" begin
    x = GArray([1.5 2.0; 3.0 4.0])
    text = repr(MIME"text/plain"(), x)
    @test text == "2×2 GArray{Float64,2} on $(GPUArr.name(device(x))):\n 1.5  2.0\n 3.0  4.0"
    @test repr(x) == "[1.5 2.0; 3.0 4.0]"
    @test mentions(repr(MIME"text/plain"(), GArray(3.5f0)), "GArray{Float32,0}", "3.5")
    large = GPUArr.zeros(Int32, 100_001)
    shown = sprint() do io
        show(IOContext(io, :limit => true, :displaysize => (10, 40)), MIME"text/plain"(), large)
    end
    @test mentions(shown, "100001-element GArray{Int32,1}", "⋮") && length(shown) < 300
    @test repr(MIME"text/plain"(), GPUArr.zeros(0)) == "0-element GArray{Float64,1} on " *
          GPUArr.name(Device())
    unsafe_free!(x)
    @test mentions(repr(MIME"text/plain"(), x), "released")
end

@testset "files" begin
    path = tempname() * ".npy"
    a = rand(Float32, 3, 5)
    GPUArr.save_npy(path, GArray(a))
    @test GPUArr.load_npy(path) isa GArray{Float32,2} && Array(GPUArr.load_npy(path)) == a
    rm(path)
    @test mentions(message_of(() -> GPUArr.load_npy(path)), path, "GPUARR_ERR_IO")
end
