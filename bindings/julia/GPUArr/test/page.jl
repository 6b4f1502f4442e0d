# The pieces of the pages on Julia, which are beside the package in its own tree only.
pages = normpath(joinpath(@__DIR__, "../../../../docs"))
for name in ("julia.md", "kernels-in-julia.md")
    page = joinpath(pages, name)
    isfile(page) || continue
    text = read(page, String)
    pieces = [m[1] for m in eachmatch(r"(?<!-->\n)```julia\n(.*?)```"s, text)]
    place = Module()
    Core.eval(place, :(using GPUArr, Statistics, LinearAlgebra))
    Core.eval(place, :((x, y, z) = (GArray(rand(Float32, 1000, 20)) for _ in 1:3)))
    @test length(pieces) > 3
    for piece in pieces
        @test (include_string(place, piece, page); true)
    end
    forget_globals(place)
end
