# A stencil over blocks: heat in a plate with cold edges. Each block has a frame of ghost cells,
# which neighbours fill while it works on its inner part. The same program runs by itself, by
# `gpuarr run -n 4`, and by mpirun.
using GPUArr, Printf

const HEIGHT, WIDTH, STEPS, RATE = 200, 320, 50, 0.2f0

# `now` has ghost cells, so cell (y, x) of the block is at (y + 1, x + 1) there.
@kernel function spread!(next, now, rate, is_border)
    y, x = global_index(2)
    height, width = size(next)
    if y <= height && x <= width &&
       is_border == (y == 1 || x == 1 || y == height || x == width)
        around = now[y, x+1] + now[y+2, x+1] + now[y+1, x] + now[y+1, x+2]
        next[y, x] = now[y+1, x+1] + rate * (around - 4 * now[y+1, x+1])
    end
end

function step!(next, now)
    update_halo!(now) do                  # ghost cells are under way ...
        map_blocks!(spread!, next, GPUArr.Halo(now), RATE, false)
    end                                   # ... and there
    map_blocks!(spread!, next, GPUArr.Halo(now), RATE, true)
end

# The same in plain Julia, in an array with a frame of zeros.
function plain_step!(next, now)
    for x in 2:WIDTH+1, y in 2:HEIGHT+1
        around = now[y-1, x] + now[y+1, x] + now[y, x-1] + now[y, x+1]
        next[y, x] = now[y, x] + RATE * (around - 4 * now[y, x])
    end
end

function spread_heat(team)
    plate = zeros(Float32, HEIGHT, WIDTH)
    plate[81:120, 131:190] .= 1           # a hot square in the middle, where four blocks meet
    now = blocked(plate, team; chunk = (100, 160), halo = 1, boundary = :constant)
    next = similar(now)
    plain = zeros(Float32, HEIGHT + 2, WIDTH + 2)
    plain[2:end-1, 2:end-1] = plate
    plain_next = copy(plain)
    for _ in 1:STEPS
        step!(next, now)
        plain_step!(plain_next, plain)
        now, next, plain, plain_next = next, now, plain_next, plain
    end
    Array(now), plain[2:end-1, 2:end-1]
end

team = team_world()
heat, wanted = spread_heat(team)
maximum(abs, heat .- wanted) <= 1e-5 || error("a plain loop gives something else")
if first(GPUArr.local_places(team)) == 0
    @printf("after %d steps the middle has %.4f of its heat\n", STEPS, heat[101, 161])
end
