# Views and streams: add a vector to the rows of a matrix, block by block, on two streams, without
# copying any part of it.
using GPUArr, Printf

const ROWS, COLUMNS, BLOCK = 1000, 257, 64

matrix = Float32[i - j for i in 0:ROWS-1, j in 0:COLUMNS-1]
vector = Float32[j * j for _ in 1:1, j in 0:COLUMNS-1]       # a row

whole, row = GArray(matrix), GArray(vector)
even_columns, even_row = view(whole, :, 1:2:COLUMNS), view(row, :, 1:2:COLUMNS)

# The elements come in the current stream: the two streams wait for that point of it.
streams = (Stream(), Stream())
copied = GPUArr.record(Event(timing = false))
foreach(stream -> GPUArr.wait_for(stream, copied), streams)

for (k, start) in enumerate(1:BLOCK:ROWS)
    block = view(even_columns, start:min(start + BLOCK - 1, ROWS), :)
    GPUArr.with_stream(streams[mod1(k, 2)]) do
        block .+= even_row
    end
end
foreach(synchronize, streams)

wanted = copy(matrix)
wanted[:, 1:2:end] .+= vector[:, 1:2:end]
Array(whole) == wanted || error("a plain loop gives something else")
@printf("ok: a vector added to every second column of %d rows, %d at a time on two streams, ",
    ROWS, BLOCK)
println("on ", GPUArr.name(Device()))
