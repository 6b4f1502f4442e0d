# What cannot become a kernel: each reason, with the place in the source and what to do.
x = GArray(Float32[0.5, 1.5])
const HERE = basename(@__FILE__)

# The message for f.(x) names the line that is `below` the head of f, or of another function.
function refused(f, words...; below = 0, of = f)
    message = message_of(() -> f.(x), ArgumentError)
    mentions(message, string(HERE, ':', first(methods(of)).line + below, ':'), words...)
end

allocates(v) = [v, v][1]
makes_text(v) = length(string(v))
const TABLE = [1.0f0, 2.0f0]
reads_array(v) = v + TABLE[1]
@testset "memory and text" begin
    @test refused(allocates, "`allocates`", "vect", "memory", "tuple")
    @test refused(makes_text, "string", "text")
    @test refused(reads_array, "array of the host", "GArray")
end

two_types(v) = v > 1 ? v : 1
function changes_type(v)
    total = 0
    for k in 1:3
        total += v
    end
    total
end
@testset "types that change" begin
    @test refused(two_types, "Union{Float32, Int64}", "oftype")
    @test refused(changes_type, "`total`", "Union{Float32, Int64}", "zero(x)"; below = 1)
end

calls_itself(v) = v < 1 ? v : calls_itself(v - 1)
even(v) = v < 1 ? true : odd(v - 1)
odd(v) = v < 1 ? false : even(v - 1)
no_method(v) = only_text(v)
only_text(v::String) = 1
setting = 2.0f0
many = Any[1, 2]
reads_many(v) = v > 1 ? v : many[1]
reads_setting(v) = v > 1 ? v * setting : v
draws(v) = v * rand(Float32)
prints(v) = (println(v); v)
guarded(v) = try sqrt(v) catch; v end
always(v) = error("never")
large(v) = Int128(round(Int, v)) + 1
mutable struct Counter
    n::Float32
end
counts(v) = Counter(v).n
@noinline look(c) = c.n
keeps(v) = look(Counter(v))
calls_c(v) = ccall(:getpid, Cint, ()) + v
@testset "calls" begin
    @test refused(calls_itself, "calls itself", "loop")
    @test refused(even, "even(Float32)", "calls itself"; of = odd)
    @test refused(no_method, "only_text(Float32)", "no method")
    @test mentions(message_of(() -> reads_many.(x), ArgumentError), "`many`", "const")
    @test refused(reads_setting, "`setting`", "const")
    @test refused(draws, "rand", "Generator")
    @test refused(prints, "println", "print_values")
    @test refused(guarded, "try")
    @test refused(always, "always throws")
    @test refused(large, "Int128", "64 bits")
    @test Array(counts.(x)) == Array(x)              # it is never made
    @test refused(keeps, "Counter", "immutable"; of = Counter)
    @test refused(calls_c, "getpid")
end

named(v) = v > 0 ? "a" : "b"
may_miss(v) = v > 1 ? v : missing
misspelt(v) = v > 1 ? v : no_such_function(v)
sets_global(v) = (global last_seen = v; v)
by_number(v) = v ? 1 : 2
no_field(v) = v.weight + 1
endless(v) = while true end
two_functions(v) = (f = v > 1 ? sin : cos; f(v))
of_some_length(v) = sum(ntuple(identity, trunc(Int, v)))
over_mixed(v) = (s = 0.0f0; for u in (v, 1, 2.0); u > v && (s += Float32(u)); end; s)
listed(v) = [v]
listed_or(v) = v > 1 ? [v] : [2v]
typed_list(v) = sum(Float32[v * k for k in 1:3])
@testset "what is said" begin
    @test refused(named, "String", "no text")
    @test refused(may_miss, "missing", "NaN")
    @test refused(misspelt, "`no_such_function` is not defined")
    @test refused(sets_global, "`last_seen`", "global", "array of a @kernel")
    @test refused(by_number, "Float32", "Bool", "x != 0")
    @test refused(no_field, "Float32 has no field `weight`")
    @test refused(endless, "never ends")
    @test refused(two_functions, "sin", "cos", "branch of its own")
    @test refused(of_some_length, "ntuple", "Val(3)")
    @test refused(over_mixed, "different types", "foldl")
    @test refused(listed, "memory cannot be allocated")
    @test refused(listed_or, "memory cannot be allocated")
    message = message_of(() -> typed_list.(x), ArgumentError)
    @test mentions(message, "array of the host") && !occursin("``", message)
end

@testset "captured" begin
    total = 0.0f0
    add(v) = (total += v)
    @test mentions(message_of(() -> add.(x), ArgumentError), "total", "more than once")
    table = [1.0f0]
    @test mentions(message_of(() -> (v -> v > 1 ? v : table[1]).(x), ArgumentError), "table",
        "numbers only")
end

threads(v) = v > 1 ? v : Float32(global_index())
waits(v) = (sync_threads(); v)
@testset "only in kernels" begin
    @test refused(threads, "global_index", "@kernel")
    @test refused(waits, "sync_threads", "@kernel")
    @test mentions(message_of(() -> global_index(), ErrorException), "host")
    @test mentions(message_of(() -> sync_threads(), ErrorException), "host")
end

@kernel stores_text!(y) = (y[1] = "text")
@kernel three_indices!(y) = (y[1, 2, 3] = 1)
@kernel variable_size!(y, n) = (t = @shared(Float32, n); y[1] = t[1])
@kernel from_zero!(y) = (y[thread_index(4)] = 1)
@kernel by_float!(y) = (y[1.5] = 1)
@kernel by_division!(y) = GPUArr.atomic!(/, y, 2, 1)
@kernel narrow!(y::AbstractArray{Float64}) = (y[1] = 1)
@kernel dotted!(y) = (y .= y .* 2)
@kernel part_of!(y) = (y[1] = y[1:2][1])
@kernel allocating!(y) = (y[1] = sum(zeros(3)))
@testset "kernels" begin
    said(f, words...) = mentions(message_of(() -> f(x; elements = 1), ArgumentError),
        string(HERE), words...)
    @test said(stores_text!, "String", "Float32")
    @test said(three_indices!, "3 indices", "1 dimension")
    @test said(from_zero!, "dimensions 1 to 3")
    @test said(by_float!, "setindex!", "Float64", "always throws")
    @test said(by_division!, "@atomic", "+, -")
    @test said(allocating!, "zeros", "memory")
    @test said(dotted!, "whole array by dots", "y[i] = x[i]")
    @test said(part_of!, "UnitRange", "integers", "loop")
    @test mentions(message_of(() -> dotted!((x, x); elements = 1), ArgumentError),
        "each array as an argument of its own")
    @test mentions(message_of(() -> variable_size!(x, 3; elements = 1), ArgumentError), HERE)
    @test_throws MethodError narrow!(x; elements = 1)
    @test_throws MethodError narrow!(x, x; elements = 1)
    @test_throws ArgumentError three_indices!(x)
    @test_throws ArgumentError three_indices!(x; elements = 1, grid = 1, block = 1)
    @test mentions(message_of(() -> three_indices!([1]; elements = 1), ArgumentError), "GArray(a)")
    @test mentions(message_of(() -> three_indices!("x"; elements = 1), ArgumentError), "String")
    bad(e) = try macroexpand(Main, e) catch problem
        sprint(showerror, problem isa LoadError ? problem.error : problem)
    end
    @test occursin("function with a name", bad(:(@kernel x + 1)))
    @test occursin("keyword", bad(:(@kernel f(x; y = 1) = x)))
    @test occursin("plain name", bad(:(@kernel function A.f(x) end)))
    @test occursin("x[i] += v", bad(:(GPUArr.@atomic x += 1)))
end
