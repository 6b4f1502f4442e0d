# Blocked arrays in files: NumPy's .npy, and Zarr, which has a file for each chunk.

const FORMATS = (npy = Lib.GPUARR_FILE_NPY, zarr = Lib.GPUARR_FILE_ZARR,
    zarr3 = Lib.GPUARR_FILE_ZARR3)
file_format(path, format) = choice("format", FORMATS, format)
file_format(path, ::Nothing) = endswith(path, ".npy") ? Lib.GPUARR_FILE_NPY :
    endswith(path, ".zarr") ? Lib.GPUARR_FILE_ZARR : throw(ArgumentError(
        "$(repr(path)) ends neither with .npy nor with .zarr: give format = :npy, :zarr or :zarr3"))

"""
    GPUArr.save(path, x; format = nothing)

Save a [`BlockedArray`](@ref), every process its own blocks, so the file must be where all processes
see it: as NumPy's `.npy`, or as a Zarr directory, uncompressed, of version 2 (`:zarr`) or 3
(`:zarr3`), whose chunks are the blocks. Without `format` the name's end says which. Indices and
dimensions are the same in Python, elements in columns. A call that fails leaves what was there.

Zarr.jl has dimensions in reverse, and wants elements in rows: for it save
`PermutedDimsArray(x, ndims(x):-1:1)`.
"""
save(path::AbstractString, x::BlockedArray; format = nothing) =
    check(x.team, Lib.gpuarr_blocked_save(path, x, file_format(path, format)))

"""
    GPUArr.load(path, team; chunk = nothing, placement = :balanced, halo = 0, boundary = :none,
                fill = 0)

Load a `.npy` file or a Zarr directory into a [`BlockedArray`](@ref), in blocks as
[`blocked`](@ref) makes them. Without `chunk` they are the chunks of a Zarr array; of a `.npy` file
the first dimension is divided by the number of places. Ghost cells, for which `chunk` must be
given, are not filled.
"""
function load(path::AbstractString, team::Team; chunk = nothing, kw...)
    chunk === nothing && haskey(kw, :halo) && throw(ArgumentError(
        "load: with ghost cells give chunk, too, which says how many dimensions there are"))
    N = chunk === nothing ? 0 : length(chunk)
    sizes = chunk === nothing ? C_NULL : Int64[chunk...]
    x = with_blocked_options(N; kw...) do options, ghosts
        made_blocked(out -> Lib.gpuarr_blocked_load(out, team, path, N, sizes, options), team,
            ghosts)
    end
    chunk === nothing && (x.handle.ghosts = no_ghosts(ndims(x)))
    x
end

"""
    GPUArr.create_file(path, T, team, dims; chunk = nothing, format = nothing)
    GPUArr.save_part(path, x, indices...)
    GPUArr.load_part!(x, path, indices...)

For more data than there is memory: make an array of zeros in a file, write a
[`BlockedArray`](@ref) to a part of it, and read one from there. `indices` say where in the file the
first element of `x` is; without them it is the first one of the file. A Zarr array needs `chunk`;
blocks are written to it that are whole chunks. `load_part!` returns `x`.
"""
function create_file(path::AbstractString, ::Type{T}, team::Team, dims::Tuple{Vararg{Integer}};
                     chunk = nothing, format = nothing) where {T}
    N = length(dims)
    sizes = chunk === nothing ? C_NULL : Int64[each_dimension("chunk", chunk, N)...]
    check(team, Lib.gpuarr_file_create(team, path, file_format(path, format), dtype(T), N,
        Int64[dims...], sizes))
end
save_part(path::AbstractString, x::BlockedArray, indices::Integer...) =
    check(x.team, Lib.gpuarr_blocked_save_part(path, x, start_in_file(x, indices)))
function load_part!(x::BlockedArray, path::AbstractString, indices::Integer...)
    check(x.team, Lib.gpuarr_blocked_load_part(x, path, start_in_file(x, indices)))
    x
end
function start_in_file(x::BlockedArray, indices)
    isempty(indices) || length(indices) == ndims(x) || throw(ArgumentError(
        "$(length(indices)) indices for $(summary_of(x)), which has $(ndims(x)) dimensions"))
    isempty(indices) ? C_NULL : Int64[index - 1 for index in indices]
end
