# NumPy's files.

"""
    GPUArr.load_npy(path; device = Device())

Load a `.npy` file into an array, in the file's memory order.
"""
function load_npy(path::AbstractString; device::Device = Device())
    out = Ref{Ptr{Lib.gpuarr_array}}(C_NULL)
    check(Lib.gpuarr_npy_load(out, device.pointer, path, C_NULL))
    owned(out[])
end

"""
    GPUArr.save_npy(path, x)

Save an array to a `.npy` file, in columns where its elements lie so. A call that fails leaves what
was there before.
"""
save_npy(path::AbstractString, x::GArray) = check(Lib.gpuarr_npy_save(path, x, C_NULL))
