# A kernel of your own for each block of an array: Dask's map_blocks, on several devices or
# processes. The same program runs by itself, by `gpuarr run -n 4`, and by mpirun.
using GPUArr

const ROWS, COLUMNS = 4096, 1024

@kernel function add!(z, x, y)
    i, j = global_index(2)
    if i <= size(z, 1) && j <= size(z, 2)
        z[i, j] = x[i, j] + y[1, j]
    end
end

team = team_world()                       # all processes; by itself, this one
is_first = first(GPUArr.local_places(team)) == 0
is_first && println(GPUArr.description(team))

# x and z are 4 x 2 blocks of 1024 x 512; y, a row, has two blocks, which every place has.
x = blocked(Float32, team, (ROWS, COLUMNS); chunk = (1024, 512))
y = blocked(Float32, team, (1, COLUMNS); chunk = (1, 512), placement = :replicated)
z = similar(x)
GPUArr.arange!(x)
GPUArr.arange!(y, 0, 10)
map_blocks!(add!, z, x, y)

row = z[3000, :]                          # every process gets it
wanted = [Float32(2999 + ROWS * j) + 10 * j for j in 0:COLUMNS-1]
row == wanted || error("row 3000 is $row; a plain loop gives $wanted")

# A function that is given the blocks does as well; so does a dotted expression.
map_blocks!(z, x, y) do block, z, x, y
    z .= x .+ y
end
z[3000, :] == wanted || error("map_blocks! of a function gives something else")
z .= x .+ y
z[3000, :] == wanted || error("a dotted expression gives something else")
