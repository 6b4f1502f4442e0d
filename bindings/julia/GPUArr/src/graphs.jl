# Graphs: work of a stream, noted once and launched again and again.

"""
    Graph(f, stream)

Note the work that `f()` gives to `stream`, which is current meanwhile, without doing it; call the
graph to do it:

    graph = Graph(stream) do
        z .= x .* y .+ s
    end
    graph()                       # or graph(stream = other)

It keeps the memory and code that it uses. Numbers are those of the time of noting. What waits for
work, such as `Array(x)` or a `sum` to a number, fails inside. Kernels may be compiled there. One
task at a time may launch it.
"""
mutable struct Graph
    pointer::Ptr{Lib.gpuarr_graph_exec}
    Graph(pointer::Ptr{Lib.gpuarr_graph_exec}) = finalizer(release!, new(pointer))
end
release!(graph::Graph) = Lib.gpuarr_graph_exec_release(graph.pointer)

function Graph(f, stream::Stream)
    graph, exec = Ref{Ptr{Lib.gpuarr_graph}}(C_NULL), Ref{Ptr{Lib.gpuarr_graph_exec}}(C_NULL)
    check(Lib.gpuarr_stream_begin_capture(stream))
    try
        with_stream(f, stream)
    catch
        Lib.gpuarr_stream_end_capture(graph, stream)
        Lib.gpuarr_graph_release(graph[])
        rethrow()
    end
    check(Lib.gpuarr_stream_end_capture(graph, stream))
    status = Lib.gpuarr_graph_instantiate(exec, graph[])
    Lib.gpuarr_graph_release(graph[])
    check(status)
    Graph(exec[])
end

(graph::Graph)(; stream::AnyStream = nothing) = GC.@preserve graph stream begin
    check(Lib.gpuarr_graph_exec_launch(graph.pointer, stream_pointer(stream)))
end
