# More data than memory: an array in a Zarr directory is made, mapped and summed slab by slab; only
# one slab is in memory at a time. The same program runs by itself, by `gpuarr run -n 4`, and by
# mpirun: 43_larger_than_memory.jl [DIRECTORY]
using GPUArr, Printf

const ROWS, COLUMNS, SLAB = 500, 2000, 500

function fill_file(path, x)
    GPUArr.create_file(path, Float64, GPUArr.team(x), (ROWS, COLUMNS); chunk = (ROWS, 100))
    for column in 1:SLAB:COLUMNS
        GPUArr.arange!(x, ROWS * (column - 1))
        GPUArr.save_part(path, x, 1, column)
    end
end

function map_and_sum!(path, x)
    total = 0.0
    for column in 1:SLAB:COLUMNS
        GPUArr.load_part!(x, path, 1, column)
        x .= 2 .* x .+ 1
        GPUArr.save_part(path, x, 1, column)
        total += sum(x)
    end
    total
end

path = isempty(ARGS) ? "larger_than_memory.zarr" : ARGS[1]
team = team_world()
slab = blocked(Float64, team, (ROWS, SLAB); chunk = (ROWS, 100))
fill_file(path, slab)
total = map_and_sum!(path, slab)
total == (ROWS * COLUMNS)^2 || error("the sum is $total; the numbers make $((ROWS * COLUMNS)^2)")
if first(GPUArr.local_places(team)) == 0
    @printf("the sum of %s is %.0f\n", path, total)
end
