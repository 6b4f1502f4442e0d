# The texts of device.jl's functions.

const AXES = ("x", "y", "z")
effect(f) = EFFECTS[f] = true

integers(b::Body, arguments) = Value[whole(b.unit, v) for v in arguments]

# Indices as the array's own call takes them: from 1, one for each dimension or one for all.
function indices_of(b::Body, x::Value, arguments)
    length(arguments) == 1 && arguments[1].type <: CartesianIndex &&
        (arguments = Value[field(b.unit, field(b.unit, arguments[1], 1), k)
                           for k in 1:length(arguments[1].type.parameters[1] === 0 ? () :
                               fieldtype(arguments[1].type, 1).parameters)])
    all(v -> v.type <: Union{Whole,Bool}, arguments) || refuse(place(b), "indexes an array by ",
        join((v.type for v in arguments), ", "), ": indices are integers; for a part of it write ",
        "a loop, or @view")
    n = ndims(x.type)
    n > 4 && length(arguments) > 1 && refuse(place(b), "indexes an array of ", n, " dimensions by ",
        "several indices: up to 4 have them")
    length(arguments) == n || length(arguments) == 1 || refuse(place(b), "has ",
        length(arguments), " indices for an array of ", n, " dimensions")
    arguments
end
function element(b::Body, x::Value, arguments, @nospecialize(T))
    indices = indices_of(b, x, arguments)
    from_shared(x, expression(T, text_of_element(x, indices), x, indices...; atom = true,
        memory = true))
end
# Complex numbers of shared memory are pairs, as in structs.
from_shared(x::Value, v::Value) = x.type <: SharedArray ? from_member(v) : v
place_of_element(b::Body, x::Value, arguments) = text_of_element(x, indices_of(b, x, arguments))
as_stored(b::Body, x::Value, v::Value) = (v = whole(b.unit, v);
    (x.type <: SharedArray ? as_member(b.unit, v, Nothing) : v).text)
function text_of_element(x::Value, indices)
    name = length(indices) == ndims(x.type) ? inner(x) : string(inner(x), ".linear")
    own = match(r"^gpuarr_julia_raw::shared<(.*)>\{(\w+)\}$", name)
    own === nothing ||
        return string(own[2], '[', shared_place(x.type.parameters[3], indices), ']')
    array = own_array(x)
    array === nothing || length(indices) != ndims(x.type) || (name = array)
    string(name, '(', join((plain_index(v) for v in indices), ", "), ')')
end
# The name of an array that is an argument of the kernel.
function own_array(x::Value)
    found = match(r"^gpuarr_julia_raw::array<.*>\((\w+)_view, \"\w*\"\)$", x.text)
    found === nothing ? nothing : String(found[1])
end
# In the kernel's own shared memory, as one would write it.
function shared_place(dims, indices)
    steps = length(indices) == 1 ? (1,) : (1, cumprod(collect(dims))...)
    join((v.known !== nothing ? string(steps[k] * (something(v.known) - 1)) : k == 1 ?
        string(plain_index(v), " - 1") : string(steps[k], " * (", plain_index(v), " - 1)")
        for (k, v) in enumerate(indices)), " + ")
end
# An index that wraps around is out of range anyhow: sums of indices are C's own.
plain_index(v::Value) = v.known !== nothing ? string(something(v.known)) :
    replace_calls(v.text)
function replace_calls(text::String)
    found = match(r"^gpuarr_julia::(add|sub)\((\w+), (\w+)\)$", text)
    found === nothing ? text : string(found[2], found[1] == "add" ? " + " : " - ", found[3])
end

KNOWN[getindex] = function (b, arguments, T)
    x = arguments[1]
    x.type <: InKernel && return (b.memory = true; element(b, x, arguments[2:end], eltype(x.type)))
    x.type <: Tuple && length(arguments) == 2 ? tuple_element(b, x, arguments[2], T) : nothing
end
KNOWN[setindex!] = function (b, arguments, T)
    x = arguments[1]
    x.type <: InKernel || return nothing
    E = eltype(x.type)
    v = converted(b, arguments[2], E)
    v === nothing && refuse(place(b), "stores a ", arguments[2].type, " in an array of ", E)
    store!(b, string(place_of_element(b, x, arguments[3:end]), " = ", as_stored(b, x, v)))
    x
end
KNOWN[Base.materialize!] = function (b, arguments, T)
    x = arguments[1]
    x.type <: InKernel && any(v -> has_arrays(v.type), arguments[2:end]) && refuse(place(b),
        "assigns a whole array by dots, in each thread: let each write its element, y[i] = x[i], ",
        "or write a loop")
    nothing
end
function store!(b::Body, text::String)
    flush!(b, v -> true)
    b.effects = true
    write!(b, Node(:do, place(b); text = text))
end
KNOWN[size] = function (b, arguments, T)
    x = arguments[1]
    x.type <: InKernel || return nothing
    length(arguments) == 2 && return extent(b, x, arguments[2])
    in_parts(NTuple{ndims(x.type),Int}, Any[extent(b, x, literal(b.unit, d))
                                            for d in 1:ndims(x.type)])
end
function extent(b::Body, x::Value, d::Value)
    d.known === nothing && refuse(place(b), "size(x, d): d is a literal")
    k = something(d.known)
    1 <= k <= ndims(x.type) || return literal(b.unit, 1)
    name = own_array(x)
    expression(Int, name === nothing ? string(inner(x), ".size(", k - 1, ')') :
        string(name, "_view.shape()[", k - 1, ']'), x; atom = true)
end
KNOWN[length] = (b, arguments, T) -> arguments[1].type <: InKernel ?
    whole_size(arguments[1]) :
    arguments[1].type <: Tuple && isconcretetype(arguments[1].type) ?
    literal(b.unit, fieldcount(arguments[1].type)) : nothing

function whole_size(x::Value)
    name = own_array(x)
    is_plain_array = name !== nothing && x.type.parameters[1] <: GPUArr.Element
    expression(Int, is_plain_array ? name * "_view.size()" : inner(x) * ".size()", x; atom = true)
end

# Places of threads. The first index of all is written so that the CPU sees a plain loop in it.
place_of(name::String, d::Int) = string("(long long)", name, '.', AXES[d])
global_text(d::Int) = string("(long long)blockIdx.", AXES[d], " * blockDim.", AXES[d],
    " + threadIdx.", AXES[d], " + 1")
for (f, name, shift) in ((thread_index, "threadIdx", " + 1"), (block_index, "blockIdx", " + 1"),
                         (block_size, "blockDim", ""), (grid_size, "gridDim", ""))
    KNOWN[f] = function (b, arguments, T)
        only_in_raw(b, f)
        d = isempty(arguments) ? 1 : arguments[1].known === nothing ?
            refuse(place(b), f, "(d): d is a literal") : something(arguments[1].known)
        d in 1:3 || refuse(place(b), f, '(', d, "): there are dimensions 1 to 3")
        expression(Int, place_of(name, d) * shift)
    end
    effect(f)
end
only_in_raw(b::Body, f) = b.unit.kernel || refuse(place(b), "calls ", f,
    ": threads and blocks are known in a @kernel only, not in dotted expressions")
KNOWN[global_index] = (b, arguments, T) -> isempty(arguments) ?
    (only_in_raw(b, global_index); expression(Int, global_text(1))) :
    arguments[1].known === nothing ? refuse(place(b), "global_index(n): n is a literal") :
    globals(b, something(arguments[1].known))
function globals(b::Body, n)
    only_in_raw(b, global_index)
    n in 1:3 || refuse(place(b), "global_index(", n, "): there are dimensions 1 to 3")
    in_parts(NTuple{n,Int}, Any[expression(Int, global_text(d)) for d in 1:n])
end
foreach(effect, (global_index, sync_threads, sync_warp, atomic!, print_values, shared))

function effect_call(b::Body, f, text::String)
    only_in_raw(b, f)
    store!(b, text)
    ghost(Nothing, Some(nothing))
end
KNOWN[sync_threads] = (b, arguments, T) -> effect_call(b, sync_threads, "__syncthreads()")
KNOWN[sync_warp] = (b, arguments, T) -> effect_call(b, sync_warp, "__syncwarp()")

# What depends on other threads stays where it is.
function together(b::Body, f, @nospecialize(T), text::String)
    only_in_raw(b, f)
    flush!(b, v -> true)
    b.effects = true
    acted(b, expression(T, text; atom = true, memory = true))
end
KNOWN[lane] = (b, arguments, T) -> (only_in_raw(b, lane); expression(Int, "(long long)(" *
    "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32) + 1"))
for (f, name, shift) in ((shuffle, "__shfl_sync", " - 1"), (shuffle_up, "__shfl_up_sync", ""),
                         (shuffle_down, "__shfl_down_sync", ""),
                         (shuffle_xor, "__shfl_xor_sync", ""))
    KNOWN[f] = function (b, arguments, T)
        x, n = integers(b, arguments)
        E = x.type
        E <: Union{Int32,Int64,UInt32,UInt64,Floating} || refuse(place(b), "exchanges a ", E,
            " in a warp: integers and floats of 32 and 64 bits are")
        together(b, f, E, string(name, "(~0u, ", x.text, ", (int)", inner(n), shift, ')'))
    end
    effect(f)
end
for (f, name, R) in ((vote_any, "__any_sync(~0u, ", Bool), (vote_all, "__all_sync(~0u, ", Bool),
                     (ballot, "__ballot_sync(~0u, ", UInt32))
    KNOWN[f] = (b, arguments, T) -> together(b, f, R, string(name, arguments[1].text, ')',
        R === Bool ? " != 0" : ""))
    effect(f)
end

# Shared memory is declared at the top of the kernel.
KNOWN[shared] = function (b, arguments, T)
    only_in_raw(b, Symbol("@shared"))
    id, E, dims = something(arguments[1].known), something(arguments[2].known),
        something(arguments[3].known)
    D = typeof(dims).parameters[1]
    D isa Tuple || (D = (D,))
    all(n -> n isa Integer && n > 0, D) || refuse(place(b), "@shared of sizes ", D)
    S = SharedArray{E,length(D),D}
    name = string("shared_", length(b.unit.shared) + 1)
    key = typeof(id).parameters[1]
    haskey(b.unit.shared, key) || (b.unit.shared[key] = string("__shared__ ",
        stored_name(b.unit, E), ' ', name, '[', prod(D), "];"))
    b.kernel || refuse(place(b), "@shared stands in the @kernel itself: give the array to the ",
        "functions that it calls")
    name = first(split(last(split(b.unit.shared[key], ' ')), '['))
    expression(S, string(type_name(b.unit, S), '{', name, '}'); atom = true)
end

const ATOMICS = IdDict{Any,String}((+) => "add", (-) => "sub", (&) => "and", (|) => "or",
    xor => "xor", max => "max", min => "min", identity => "exchange")
KNOWN[atomic!] = function (b, arguments, T)
    only_in_raw(b, Symbol("@atomic"))
    f, x = something(arguments[1].known), arguments[2]
    name = get(ATOMICS, f, nothing)
    name === nothing && refuse(place(b), "@atomic by ", f, ": it takes +, -, &, |, ⊻, max, min")
    E = eltype(x.type)
    v = converted(b, arguments[3], E)
    (v === nothing || !(E <: Union{Int32,Int64,UInt32,UInt64,Floating})) && refuse(place(b),
        "@atomic on an array of ", E, " with a ", arguments[3].type,
        ": elements are integers and floats of 32 and 64 bits")
    at = element(b, x, arguments[4:end], E)
    text = string("gpuarr_julia_raw::atomic_", name, "(&", at.text, ", ", whole(b.unit, v).text,
        ')')
    flush!(b, v -> true)
    b.effects = true
    acted(b, expression(E, text; atom = true), "old")
end

# printf: a text and each number by the widest type of its kind.
KNOWN[print_values] = function (b, arguments, T)
    format, values = "", String[]
    for v in arguments
        known = v.known === nothing ? nothing : something(v.known)
        if known isa AbstractString
            format *= replace(escape_string(known), '%' => "%%")
        elseif v.type <: Union{AbstractFloat,Bool,Whole} && isconcretetype(v.type)
            code, as = v.type <: AbstractFloat ? ("%g", "double") : v.type <: Unsigned ?
                ("%llu", "unsigned long long") : ("%lld", "long long")
            format *= code
            push!(values, string("(", as, ')', inner(whole(b.unit, v))))
        else
            refuse(place(b), "prints a ", v.type, ": texts and real numbers can be printed")
        end
    end
    b.unit.kernel || refuse(place(b), "prints: that is for a @kernel only")
    store!(b, string("printf(\"", format, "\\n\"", (", " * value for value in values)..., ')'))
    ghost(Nothing, Some(nothing))
end
