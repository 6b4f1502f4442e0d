# A function of the text from a method and the types of its arguments.

function new_body(unit::Unit, source::Source, has_places::Bool, kernel::Bool)
    graph = make_graph(source)
    uses, use_blocks = count_uses(source, graph)
    n = length(source.code)
    Body(unit, source, graph, uses, use_blocks, Base.fill!(Vector{Any}(undef, n), nothing), Int[],
        Variable[], Base.zeros(Int, length(source.names)), Dict{Int,Any}(), Set{Int}(), String[],
        Dict{Int,Int}(), Node[], LoopEnds[], Set{Int}(), Set{Int}(), 0, 1, false, false, has_places,
        kernel, String[])
end

# Names for arguments; the texts of the parameters. Of a last argument that takes what is left,
# each is a parameter.
function add_parameters!(b::Body, @nospecialize(signature))
    parameters, method, types = String[], b.source.method, signature.parameters
    function parameter!(name, @nospecialize(T))
        is_ghost(T) && return ghost(T, constant_of(T))
        k = new_variable!(b, name, T, 0)
        name = b.variables[k].name
        if b.kernel && T <: KernelArray
            push!(parameters, array_parameter!(b, k, T))
            return expression(T, type_name(b.unit, T) * array_value(name); atom = true)
        end
        push!(parameters, string(type_name(b.unit, T), ' ', name))
        variable_value(b, k)
    end
    fixed = method.isva ? method.nargs - 1 : method.nargs
    for slot in 1:fixed
        b.ranges[slot] = parameter!(slot == 1 ? "self" : b.source.names[slot], types[slot])
    end
    if method.isva
        rest = types[fixed+1:end]
        b.ranges[fixed+1] = in_parts(Tuple{rest...},
            Any[parameter!(b.source.names[fixed+1], T) for T in rest])
    end
    parameters
end

# Arrays arrive as views, those of structs as views of words with an axis of their own. A kernel's
# own arrays are read and written without a call, which the CPU's way of running barriers would
# cost half of the speed; under checks by one that knows the place.
function array_parameter!(b::Body, k::Int, @nospecialize(T))
    name, (E, N, unit) = b.variables[k].name, T.parameters
    words = haskey(NUMBERS, E) ? 1 : GPUArr.words_of(E)
    word = words == 1 && haskey(NUMBERS, E) ? NUMBERS[E] : NUMBERS[GPUArr.word_type(E)]
    view, type = name * "_view", haskey(NUMBERS, E) ? NUMBERS[E] : type_name(b.unit, E)
    data = haskey(NUMBERS, E) ? view * ".data()" : string("((", type, "*)", view, ".data())")
    stride(d) = string(view, ".strides()[", d - 1, ']', words == 1 ? "" : " / $words")
    offset = join((d == 1 && unit ? "(i1) - 1" : string("((i", d, ") - 1) * (", stride(d), ')')
                   for d in 1:N), " + ")
    # Of one axis by a pointer to where element 0 would be, which vectorises best.
    is_line = N == 1 && unit
    first = is_line ? string("  ", type, "* const ", name, "_at = ", data, " - 1;\n") : ""
    element = is_line ? name * "_at[i1]" : string(data, '[', N == 0 ? "0" : offset, ']')
    push!(b.heads, string("#ifdef GPUARR_CHECK_MEMORY\n  const ", type_name(b.unit, T), ' ', name,
        array_value(name), ";\n#else\n", first, "#define ", name, '(',
        join(("i$d" for d in 1:N), ", "), ") ", element, "\n#endif"))
    string("gpuarr_view<", word, ", ", haskey(NUMBERS, E) ? N : N + 1, "> ", view)
end
array_value(name) = string("(", name, "_view, \"", replace(name, r"_\d+$" => ""), "\")")

# Variables for what the source assigns to, and for phis.
function add_variables!(b::Body)
    sets = Base.zeros(Int, length(b.slots))
    for k in b.graph.order, i in b.graph.blocks[k].first:b.graph.blocks[k].last
        s = b.source.code[i]
        s isa Assign && (sets[s.slot] += 1)
        s isa Phi && (T = b.source.types[i]; is_ghost(T) || add_phi!(b, i, T))
    end
    for (slot, count) in enumerate(sets)
        count == 0 && continue
        T = b.source.slots[slot]
        T isa Union && maybe_of(T) === nothing && (T = stored_type(b.source, slot, T))
        (is_ghost(T) || !can_hold(T)) && continue
        name = b.source.names[slot]
        b.slots[slot] = new_variable!(b, isempty(name) || startswith(name, '@') ? "t" : name, T,
            count)
        haskey(b.ranges, slot) || continue
        set!(b, b.slots[slot], b.ranges[slot])        # an argument that is assigned to
        delete!(b.ranges, slot)
    end
end
add_phi!(b::Body, i::Int, @nospecialize(T)) = (can_hold(T) || refuse(place(b), why_no_type(T));
    b.phis[i] = new_variable!(b, "t", T, 2))
can_hold(@nospecialize(T)) = (isconcretetype(T) && (isbitstype(T) || has_arrays(T))) ||
    (maybe_of(T) !== nothing && can_hold(maybe_of(T)))

function translate_source(unit::Unit, @nospecialize(signature), optimize::Bool, from::Place,
                          kernel::Bool = false)
    source = typed_source(signature, optimize)
    source === nothing && refuse(from, call_of_signature(signature), " cannot be inferred")
    method = source.method
    is_users = is_users_signature(signature) && method.module !== @__MODULE__
    own = Place(string(method.file), method.line, string(method.name))
    unit.place = is_users ? own : from
    source.result === Union{} && refuse_always(unit, source)
    kernel && (source.result = Nothing)
    T = source.result
    is_ghost(T) || can_hold(T) || refuse_result(unit, source, signature)
    b = new_body(unit, source, is_users, kernel)
    parameters = add_parameters!(b, signature)
    add_variables!(b)
    write_tree!(b, 1, 0)
    name = kernel ? plain_name(string(method.name)) : fresh!(unit, plain_name(string(method.name)))
    result = is_ghost(T) ? "void" : type_name(unit, T)
    head = string(kernel ? "extern \"C\" __global__ " : "__device__ inline ", result, ' ', name,
        '(', join(parameters, ", "), ')')
    kernel && pushfirst!(b.nodes, (Node(:lines, NOWHERE; text = line)
        for line in [["  " * line for line in values(unit.shared)]; b.heads])...)
    push!(unit.texts, name => function_text(b, head))
    Translated(name, T, b.effects, b.memory)
end

# The text of all that `roots` uses: types, then functions, each behind those that it calls.
function unit_text(unit::Unit, roots::String)
    functions = used_of(unit.texts, roots)
    string(used_of(unit.definitions, functions * roots), functions)
end
function used_of(list::Vector{Pair{String,String}}, roots::String)
    text = ""
    for (name, part) in reverse(list)
        (count_of(roots, name) > 0 || count_of(text, name) > 0) && (text = part * text)
    end
    text
end

text_with_callees(unit::Unit, @nospecialize(signature)) =
    unit_text(unit, translate!(unit, signature, NOWHERE).name)

applied(f, arguments...) = f(arguments...)
# A call from outside: of a function of type F, with what it has caught.
function call_text(unit::Unit, @nospecialize(F), self, arguments::Vector{Any})
    types = Any[type_of_argument(v) for v in arguments]
    is_known = isdefined(F, :instance) && haskey(KNOWN, F.instance)
    translated = translate!(unit, is_known ? Tuple{typeof(applied),F,types...} :
        Tuple{F,types...}, NOWHERE)
    given = self === nothing || is_ghost(F) ? arguments : Any[self; arguments]
    passed = Value[whole(unit, v) for v in given if !is_ghost(v.type)]
    is_ghost(translated.result) ? ghost(translated.result, constant_of(translated.result)) :
        called(translated.result, translated.name, passed...)
end

# A function that never returns: often because a call has no method.
function refuse_always(unit::Unit, source::Source)
    for (i, s) in enumerate(source.code)
        source.types[i] === Union{} && s isa Expr && s.head === :call || continue
        parts = Any[operand_type(source, x) for x in s.args]
        any(part -> part === nothing, parts) && continue
        signature = Tuple{parts...}
        parts[1] in (typeof(throw), typeof(error), typeof(rethrow)) && break
        name = s.args[end] isa Some ? something(s.args[end]) : s.args[end]
        parts[1] === typeof(getproperty) && name isa Symbol && refuse(source.places[i], "a ",
            parts[2], " has no field `", name, '`')
        refuse(source.places[i], "calls ", call_of_signature(signature), isempty(matches_of(
            signature)) ? ", for which there is no method" : ", which always throws an exception")
    end
    throws = any(i -> source.types[i] === Union{} && source.code[i] isa Expr, 1:length(source.code))
    refuse(unit.place, throws ? "always throws an exception" : "never ends: a loop has no way out")
end
function operand_type(source::Source, @nospecialize(x))
    x isa Core.SSAValue && return source.types[x.id]
    x isa Core.SlotNumber && return source.slots[x.id]
    x isa Narrow && return x.type
    x isa GlobalRef &&
        return isdefined(x.mod, x.name) ? Core.Typeof(getfield(x.mod, x.name)) : nothing
    x isa Some ? Core.Typeof(something(x)) : x isa Expr ? nothing : Core.Typeof(x)
end

# A function whose result has no certain type: often because of a variable of a module.
function refuse_result(unit::Unit, source::Source, @nospecialize(signature))
    at = findfirst(s -> changing_global(s) !== nothing, source.code)
    if at === nothing
        F, found = signature.parameters[1], GPUArr.Global[]
        isdefined(F, :instance) && GPUArr.find_globals(found, F.instance, Any[])
        isempty(found) || refuse_global(unit.place, GlobalRef(found[1][1], found[1][2]))
        source.result isa Union || refuse_unknown(source)
        message = string(call_of_signature(signature), " gives ", why_no_type(source.result))
        throw(Refusal(message, unit.place, !(source.result isa Union)))
    end
    refuse_global(source.places[at], changing_global(source.code[at]))
end
# The first call of which inference knows no type, though it does of its arguments.
function refuse_unknown(source::Source)
    for (i, s) in enumerate(source.code)
        s = s isa Union{Assign,Return} ? s.value : s
        undefined = undefined_name(s)
        undefined === nothing ||
            refuse(source.places[i], "`", undefined, "` is not defined")
        s isa Expr && s.head === :call && !isconcretetype(source.types[i]) || continue
        parts = Any[operand_type(source, x) for x in s.args]
        parts[1] isa Union && refuse(source.places[i], "calls ", why_no_type(parts[1]))
        all(part -> part isa Type && (isconcretetype(part) || part <: Type), parts) || continue
        source.types[i] <: Type || throw(Refusal(string("calls ", call_of_signature(
            Tuple{parts...}), ", which gives ", why_no_type(source.types[i])), source.places[i],
            true))
    end
end
undefined_name(s::GlobalRef) = isdefined(s.mod, s.name) ? nothing : s.name
undefined_name(s::Expr) = (k = findfirst(part -> undefined_name(part) !== nothing, s.args);
    k === nothing ? nothing : undefined_name(s.args[k]))
undefined_name(@nospecialize(s)) = nothing
function changing_global(@nospecialize(s))
    s isa GlobalRef && return isdefined(s.mod, s.name) && !isconst(s.mod, s.name) ? s : nothing
    s isa Union{Assign,Return} && return changing_global(s.value)
    s isa Expr || return nothing
    for part in s.args
        found = changing_global(part)
        found === nothing || return found
    end
    nothing
end

# The text of a kernel, and its name.
function kernel_text(@nospecialize(signature))
    unit = Unit(true)
    made = translate_twice(unit, signature, NOWHERE, true)
    text = unit_text(unit, made.name)
    occursin(r"\b(complex64|complex128|float16|bfloat16)\b", text) &&
        (text = "#include <gpuarr.cuh>\n" * text)
    text, made.name
end
