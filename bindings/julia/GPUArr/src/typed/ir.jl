# Julia's typed code in the form that the translator reads. All that differs between versions of
# Julia is in this file:
#
# 1.5        :gotoifnot, :return and :unreachable are expressions; arguments are slots. Tested.
# 1.6-1.11   ReturnNode, GotoIfNot and Core.Argument in place of them; Const is Core.Const; keyword
#            functions are called by Core.kwcall from 1.9. Written from their sources, not tested.
# 1.12       debuginfo in place of codelocs and linetable: places are those of the method until
#            lines_of reads it. Not tested.

# Statements beside calls. Operands are SSAValues, SlotNumbers (arguments too) and values.
struct Jump
    target::Int
end
struct Branch
    condition::Any
    target::Int            # where it goes if the condition is false
end
struct Return
    value::Any
end
struct Unreachable end
struct Skip end
struct Assign
    slot::Int
    value::Any
end
struct Phi
    edges::Vector{Int}
    values::Vector{Any}
end
struct Pi
    value::Any
end
struct Narrow              # a slot where its type is known better
    slot::Int
    type::Any
end

struct Place
    file::String
    line::Int
    name::String
end
const NOWHERE = Place("", 0, "")

# The typed code of one method for certain types of arguments.
mutable struct Source
    code::Vector{Any}
    types::Vector{Any}       # of each statement's value
    constants::Vector{Any}   # Some(value) where inference knows it, else nothing
    names::Vector{String}    # of slots
    slots::Vector{Any}       # types of slots
    places::Vector{Place}
    result::Any
    method::Method
    static_parameters::Core.SimpleVector
end

const Const = isdefined(Core, :Const) ? Core.Const : Core.Compiler.Const
const has_nodes = isdefined(Core, :ReturnNode)
const has_typed_slots = isdefined(Core, :TypedSlot)

widen(@nospecialize(T)) = T isa Type ? T : Core.Compiler.widenconst(T)
constant_of(@nospecialize(T)) = T isa Const ? Some(T.val) :
    T isa DataType && isdefined(T, :instance) ? Some(T.instance) :
    T isa DataType && T.name === Type.body.name && !(T.parameters[1] isa TypeVar) ?
        Some(T.parameters[1]) : nothing

function operand(@nospecialize(x))
    has_typed_slots && x isa Core.TypedSlot && return Narrow(x.id, widen(x.typ))
    x isa QuoteNode && return Some(x.value)
    has_nodes && x isa Core.Argument && return Core.SlotNumber(x.n)
    x
end
operands(list) = Any[operand(x) for x in list]

function statement(@nospecialize(s))
    if has_nodes
        s isa Core.ReturnNode && return isdefined(s, :val) ? Return(operand(s.val)) : Unreachable()
        s isa Core.GotoIfNot && return Branch(operand(s.cond), s.dest)
    end
    s isa Core.GotoNode && return Jump(s.label)
    s isa Core.PhiNode && return Phi(Int[e for e in s.edges],
        Any[isassigned(s.values, k) ? operand(s.values[k]) : nothing
            for k in 1:length(s.values)])
    s isa Core.PiNode && return Pi(operand(s.val))
    s isa Const && return Unreachable()           # what inference has found to be dead
    (s isa Core.NewvarNode || s isa LineNumberNode || s === nothing) && return Skip()
    s isa Expr || return operand(s)
    h = s.head
    h === :gotoifnot && return Branch(operand(s.args[1]), s.args[2])
    h === :return && return Return(operand(s.args[1]))
    h === :unreachable && return Unreachable()
    h === :(=) && s.args[1] isa GlobalRef && return Expr(:global_set, s.args[1].name)
    h === :(=) && return Assign(s.args[1].id, statement(s.args[2]))
    h in (:meta, :inbounds, :loopinfo, :gc_preserve_begin, :gc_preserve_end, :coverageeffect,
        :aliasscope, :popaliasscope) && return Skip()
    Expr(h, operands(s.args)...)
end

# The function and the arguments of a :call or an :invoke.
call_parts(s::Expr) = s.head === :invoke ? s.args[2:end] : s.args

function lines_of(ci, method::Method)
    hasfield(Core.CodeInfo, :linetable) ||
        return [Place(string(method.file), method.line, string(method.name)) for _ in ci.code]
    map(ci.codelocs) do k
        k == 0 && return NOWHERE
        info = ci.linetable[k]
        while info.inlined_at > 0
            info = ci.linetable[info.inlined_at]
        end
        name = info.method isa Union{Method,Core.MethodInstance} ? method.name : info.method
        Place(string(info.file), Int(info.line), string(name))
    end
end

# The methods that Tuple{typeof(f), types...} may mean: each with its part of the types.
matches_of(@nospecialize(signature)) =
    Base._methods_by_ftype(signature, -1, Base.get_world_counter())

method_of(match) = match isa Core.SimpleVector ? match[3] : match.method
static_parameters_of(match) = match isa Core.SimpleVector ? match[2] : match.sparams

# Types come from inference with its usual settings. Without inlining it would leave behind callees
# that cannot be inlined, in the user's own compiled code too; without optimising it leaves nothing.
if isdefined(Base, :code_typed_by_type)
    function infer(@nospecialize(signature), optimize::Bool)
        found = Base.code_typed_by_type(signature; optimize = optimize, debuginfo = :source)
        found[1][1], found[1][2]
    end
else
    # By the parts of code_typed, which itself would be compiled for seconds.
    function infer(@nospecialize(signature), optimize::Bool)
        types, static, method = matches_of(signature)[1]
        world = Base.get_world_counter()
        mi = compiler(:specialize_method, method, types, static)
        if optimize
            ci = compiler(:typeinf_ext, mi, world)
            return ci, ci.rettype
        end
        ccall(:jl_typeinf_begin, Cvoid, ())
        frame = try
            made = compiler(:InferenceState, compiler(:InferenceResult, mi), false,
                compiler(:Params, world))
            compiler(:typeinf, made)
            made
        finally
            ccall(:jl_typeinf_end, Cvoid, ())
        end
        frame.inferred ? (frame.src, widen(frame.result.result)) : (nothing, Any)
    end
    # In the world that inference itself runs in: packages invalidate its code in all later ones.
    function compiler(name::Symbol, arguments...)
        list = Any[getfield(Core.Compiler, name), arguments...]
        GC.@preserve list ccall(:jl_call_in_typeinf_world, Any, (Ptr{Any}, Cint), list,
            length(list))
    end
end

function typed_source(@nospecialize(signature), optimize::Bool)
    ci, result = infer(signature, optimize)
    ci === nothing && return nothing
    match = matches_of(signature)[1]
    method = method_of(match)
    types = ci.ssavaluetypes isa Vector ? ci.ssavaluetypes : Any[Any for _ in ci.code]
    slots = ci.slottypes === nothing ? Any[Any for _ in ci.slotnames] : ci.slottypes
    Source(Any[statement(s) for s in ci.code], Any[widen(T) for T in types],
        Any[constant_of(T) for T in types], String[string(name) for name in ci.slotnames],
        Any[widen(T) for T in slots], lines_of(ci, method), widen(result), method,
        static_parameters_of(match))
end
