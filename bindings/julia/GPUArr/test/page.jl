# The pieces of the page docs/julia.md, which is beside the package in its own tree only.
page = normpath(joinpath(@__DIR__, "../../../../docs/julia.md"))
if isfile(page)
    text = read(page, String)
    pieces = [m[1] for m in eachmatch(r"(?<!-->\n)```julia\n(.*?)```"s, text)]
    place = Module()
    Core.eval(place, :(using GPUArr, Statistics, LinearAlgebra))
    Core.eval(place, :((x, y, z) = (GArray(rand(Float32, 1000, 20)) for _ in 1:3)))
    @test length(pieces) > 4
    for piece in pieces
        @test (include_string(place, piece, page); true)
    end
    forget_globals(place)
end
