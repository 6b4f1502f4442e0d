# Kernels in Julia itself: functions with branches and loops in dotted expressions, and @kernel for
# shared memory and barriers. Each is compared with the same function on the host.
using GPUArr
using GPUArr: erfc

function factor_sum(n)
    total, rest, d = zero(n), n, oftype(n, 2)
    while d * d <= rest
        while rest % d == 0
            total += d
            rest ÷= d
        end
        d += one(d)
    end
    rest > 1 ? total + rest : total
end

function escape(c)
    z, n = zero(c), 0
    while n < 100 && abs2(z) < 4
        z = z^2 + c
        n += 1
    end
    n
end

struct Option{T}
    spot::T
    strike::T
    years::T
end
below(x) = erfc(-x / sqrt(oftype(x, 2))) / 2
function price(option, rate, volatility)
    spread = volatility * sqrt(option.years)
    d = (log(option.spot / option.strike) + (rate + volatility^2 / 2) * option.years) / spread
    value = option.strike * exp(-rate * option.years)
    option.spot * below(d) - value * below(d - spread)
end

@kernel function heat!(u, v, c)
    i, j = global_index(2)
    if 1 < i < size(u, 1) && 1 < j < size(u, 2)
        v[i, j] = u[i, j] + c * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1] - 4u[i, j])
    end
end
function heat_on_host(u, c)
    v = copy(u)
    for j in 2:size(u, 2)-1, i in 2:size(u, 1)-1
        v[i, j] = u[i, j] + c * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1] - 4u[i, j])
    end
    v
end

const TILE = 16
@kernel function product!(c, a, b)
    s, t = @shared(Float32, (TILE, TILE)), @shared(Float32, (TILE, TILE))
    i, j = thread_index(1), thread_index(2)
    row, column = global_index(2)
    total = 0.0f0
    for k in 0:TILE:size(a, 2)-1
        s[i, j] = row <= size(a, 1) && k + j <= size(a, 2) ? a[row, k+j] : 0.0f0
        t[i, j] = k + i <= size(b, 1) && column <= size(b, 2) ? b[k+i, column] : 0.0f0
        sync_threads()
        for l in 1:TILE
            total += s[i, l] * t[l, j]
        end
        sync_threads()
    end
    if row <= size(c, 1) && column <= size(c, 2)
        c[row, column] = total
    end
end

@kernel function tree_sum!(result, x)
    part = @shared Float32 256
    i = thread_index()
    sum = 0.0f0
    for k in global_index():block_size()*grid_size():length(x)
        sum += x[k]
    end
    part[i] = sum
    half = block_size() ÷ 2
    while half > 0
        sync_threads()
        i <= half && (part[i] += part[i+half])
        half ÷= 2
    end
    i == 1 && @atomic result[1] += part[1]
end

function compare(name, got, wanted)
    got ≈ wanted || error("$name: the host gives something else")
    println(name, ": ok")
end

function main()
    numbers = collect(Int32, 2:10_000)
    compare("prime factor sums", Array(factor_sum.(GArray(numbers))), factor_sum.(numbers))

    plane = ComplexF32[complex(x, y) for x in -2:0.02f0:0.5f0, y in -1.2f0:0.02f0:1.2f0]
    counts, wanted = Array(escape.(GArray(plane))), escape.(plane)
    # Fused multiply-add may decide otherwise at the edge of the set.
    count(counts .!= wanted) < length(plane) ÷ 500 || error("Mandelbrot: others on the host")
    println("Mandelbrot: ok")

    u = Float32[sin(0.1f0 * i) * cos(0.2f0 * j) for i in 1:200, j in 1:150]
    x = GArray(u)
    y = copy(x)
    heat!(x, y, 0.1f0; elements = size(x))
    compare("heat", Array(y), heat_on_host(u, 0.1f0))

    options = [Option(50.0 + k % 101, 60.0 + k % 89, 0.1 + (k % 37) / 12) for k in 0:9999]
    compare("Black-Scholes", Array(price.(GArray(options), 0.03, 0.25)),
        price.(options, 0.03, 0.25))

    a = Float32[(7 * i + 3 * k) % 11 - 5 for i in 0:199, k in 0:299]
    b = Float32[(k + 5 * j) % 13 - 6 for k in 0:299, j in 0:249]
    c = GArray{Float32}(undef, 200, 250)
    product!(c, GArray(a), GArray(b); grid = (cld(200, TILE), cld(250, TILE)), block = (TILE, TILE))
    compare("tiled product", Array(c), a * b)

    result = GPUArr.zeros(Float32, 1)
    tree_sum!(result, vec(x); grid = 8, block = 256)
    compare("tree reduction", Array(result)[1], sum(u))
    println("ok: six kernels on ", GPUArr.name(Device()))
end

main()
