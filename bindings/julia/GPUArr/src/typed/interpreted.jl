# Running the translator without compiling all of it first. It runs once for each kernel, and
# compiling it takes seconds, so before Julia 1.9 the interpreter runs it: packages keep native code
# from then on. Only what loops over a function's whole code or text is compiled, 0.3 s once, since
# it would be half of each kernel's time.

const LOOPS = ((lines_of, (Core.CodeInfo, Method)), (statement, (Any,)), (make_graph, (Source,)),
    (count_uses, (Source, Graph)), (add_variables!, (Body,)), (simplify!, (Vector{Node}, Body)),
    (drop_labels!, (Vector{Node}, Set{Int})), (declare!, (Body,)),
    (has_node, (Vector{Node}, Symbol, String)), (put_nodes!, (Printer, Vector{Node}, String, Bool)),
    (write!, (Body, Node)), (drop!, (Vector{Int}, Int)), (add!, (Vector{Value}, Value)),
    (all_reads, (Vector{Value},)), (all_plain, (Vector{Value},)), (comma_list, (Vector{Value},)))
const HAS_LOOPS = Ref(false)

# Of a running Julia: 1 is to compile, 3 to interpret what has no native code yet.
const COMPILING = findfirst(==(:compile_enabled), fieldnames(Base.JLOptions))

# Calls f, which must call no function of the user's: what is first called in there stays
# interpreted where it is called by dynamic dispatch. Other threads would compile meanwhile. Without
# invokelatest, inference of each function that makes kernels would go through all of f.
function interpreted(@nospecialize(f), @nospecialize(arguments...))
    VERSION < v"1.9-" && COMPILING !== nothing && Threads.nthreads() == 1 ||
        return Base.invokelatest(f, arguments...)
    is_first, HAS_LOOPS[] = !HAS_LOOPS[], true
    is_first && foreach(((f, types),) -> precompile(f, types), LOOPS)
    mode = Ptr{Int8}(cglobal(:jl_options)) + fieldoffset(Base.JLOptions, COMPILING)
    outer = unsafe_load(mode)
    unsafe_store!(mode, Int8(3))
    try
        is_first && Base.invokelatest(rehearse)
        return Base.invokelatest(f, arguments...)
    finally
        unsafe_store!(mode, outer)
    end
end
