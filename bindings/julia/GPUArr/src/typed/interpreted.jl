# Running the translator without compiling it first. It runs once for each kernel, and compiling all
# of it takes seconds, so Julia's interpreter does: 20 times faster. From 1.9 on packages keep native
# code, and this is a plain call.

# Of a running Julia: 1 is to compile, 3 to interpret what has no native code yet.
const COMPILING = findfirst(==(:compile_enabled), fieldnames(Base.JLOptions))

# Calls f, which must call no function of the user's: what is first called in there stays
# interpreted where it is called by dynamic dispatch. Other threads would compile meanwhile.
function interpreted(@nospecialize(f), @nospecialize(arguments...))
    VERSION < v"1.9-" && COMPILING !== nothing && Threads.nthreads() == 1 ||
        return f(arguments...)
    mode = Ptr{Int8}(cglobal(:jl_options)) + fieldoffset(Base.JLOptions, COMPILING)
    outer = unsafe_load(mode)
    unsafe_store!(mode, Int8(3))
    try
        return Base.invokelatest(f, arguments...)
    finally
        unsafe_store!(mode, outer)
    end
end
