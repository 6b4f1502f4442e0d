# Random numbers: the same ones by every name, and what Julia's own names give.
g = GPUArr.Generator(7; stream = 3)

@testset "a generator" begin
    x = rand(g, Float32, 6)
    @test g.position == 2 && g.seed == 7 && g.stream == 3
    g.position = 0
    drawn(g) = Array(rand(g, Float32, 6))
    @test vec(Array(rand(g, Float32, 2, 3))) == Array(x) == drawn(GPUArr.Generator(7; stream = 3))
    @test Array(x) != drawn(GPUArr.Generator(7))
    Random.seed!(g, 8)
    @test g.seed == 8 && g.position == 0 && drawn(g) != Array(x)
    GPUArr.advance!(GPUArr.advance!(g, 3), 1)
    @test g.position == 6 && occursin("stream = 3", repr(g))
    # The generator's first words: the published answer of Philox 4x32-10 for a key of zeros.
    words = [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]
    @test Array(rand(GPUArr.Generator(0), UInt32, 4)) == words
    @test_throws ArgumentError g.seed = 3
    @test mentions(message_of(() -> GPUArr.advance!(g, typemax(UInt64))), "GPUARR_ERR_ARGUMENT")
end

@testset "drawn" begin
    for (x, center) in ((rand(g, Float32, 4000), 0.5), (randn(g, Float32, 4000), 0),
                        (GPUArr.randexp(Float32, 4000), 1), (rand(g, 1:6, 4000), 3.5),
                        (imag.(Array(randn(g, ComplexF32, 4000))), 0))
        x = Array(x)
        @test abs(mean(x) - center) < 5 * std(x) / sqrt(4000) && std(x) > 0
    end
    # Those of no elements compile nothing.
    for (what, T) in ((GPUArr.Gamma(2, 3), Float64), (GPUArr.Binomial(20, 0.3), Int64),
                      (GPUArr.LogNormal(0, 0.5), Float64), (GPUArr.Bernoulli(0.5), Bool),
                      (GPUArr.Poisson(12), Int64), (GPUArr.Exponential(2), Float64),
                      (0x01:0xff, UInt8), (Bool, Bool),
                      (ComplexF32, ComplexF32), (Int64, Int64))
        @test eltype(rand(g, what, 0, 2)) == T && size(rand(g, what, 0, 2)) == (0, 2)
    end
    x = GPUArr.zeros(Float32, 3, 2)
    for fill! in (rand!, randn!, randexp!, z -> rand!(g, z, GPUArr.Uniform(2, 3)))
        @test fill!(x) === x && !any(isnan, Array(x))
    end
    @test all(2 .<= Array(x) .< 3)
    means = Array(rand!(g, GPUArr.zeros(Float32, 2, 50), GPUArr.Normal(GArray([0.0f0, 1000]), 1)))
    @test maximum(means[1, :]) < 500 < minimum(means[2, :])
    GPUArr.seed!(5)
    first_ones = Array(GPUArr.rand(Float32, 4))
    GPUArr.seed!(5)
    @test Array(GPUArr.rand(Float32, 4)) == first_ones
    @test_throws ArgumentError rand(g, 5:4, 3)
    @test mentions(message_of(() -> rand(g), ArgumentError), "GArrays", "rand!(g, x)")
    @test mentions(message_of(() -> rand(g, GPUArr.Poisson(-1), 3)), "-1", "GPUARR_ERR_ARGUMENT")
end

@testset "orders and choices" begin
    @test sort(Array(randperm(g, 100))) == 1:100 && isperm(Array(GPUArr.randperm(2000)))
    x = GArray(collect(1:50))
    for y in (shuffle(g, x), shuffle!(copy(x)))
        @test sort(Array(y)) == 1:50 != Array(y)
    end
    m = GArray(reshape(collect(1:12), 3, 4))
    @test sort(Array(shuffle(g, m; dims = 2)); dims = 2) == Array(m)
    @test isperm(Array(GPUArr.sample(g, 1:9, 9; replace = false)))
    @test all(==(2.0), Array(GPUArr.sample(g, GArray([1.0, 2]), 3, 2; weights = [0, 1.0])))
    @test mentions(message_of(() -> GPUArr.sample(g, 1:2, 3; replace = false)),
        "GPUARR_ERR_ARGUMENT")
end
