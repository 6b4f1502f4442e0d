# Julia's types as types of CUDA C++. What has no data (nothing, functions, types) has none.

const NUMBERS = IdDict{Any,String}(Bool => "bool", Int8 => "signed char", Int16 => "short",
    Int32 => "int", Int64 => "long long", UInt8 => "unsigned char", UInt16 => "unsigned short",
    UInt32 => "unsigned", UInt64 => "unsigned long long", Float16 => "float16",
    BFloat16 => "bfloat16", Float32 => "float", Float64 => "double", ComplexF32 => "complex64",
    ComplexF64 => "complex128")

const Whole = Union{Int8,Int16,Int32,Int64,UInt8,UInt16,UInt32,UInt64}
const Half = Union{Float16,BFloat16}
const Floating = Union{Float32,Float64}
const Plain = Union{Bool,Whole,Half,Floating}

is_plain(@nospecialize(T)) = T isa DataType && T <: Plain && isconcretetype(T)
is_ghost(@nospecialize(T)) = Base.issingletontype(T) || T <: Type
is_array_tuple(@nospecialize(T)) = T isa DataType && T <: Tuple && length(T.parameters) > 0 &&
    !is_ghost(T.parameters[1]) && all(S -> S === T.parameters[1], T.parameters)

# The other type of a Union{Nothing, T}, whose values are a flag and a T.
maybe_of(@nospecialize(T)) = T isa Union && T.a === Nothing ? T.b :
    T isa Union && T.b === Nothing ? T.a : nothing

# What all functions of one text share: names of types, functions that are translated, and where
# the one that is being translated stands.
mutable struct Unit
    type_names::IdDict{Any,String}
    definitions::Vector{Pair{String,String}}   # names of types and their texts
    functions::IdDict{Any,Any}     # signature => Translated
    texts::Vector{Pair{String,String}}         # of functions
    active::Vector{Any}
    shared::Dict{Symbol,String}    # declarations of shared memory
    count::Int
    place::Place
    kernel::Bool                   # whether there are threads and blocks
    tells_lines::Bool              # whether the text names the user's lines
end
Unit(kernel::Bool) = Unit(IdDict{Any,String}(), Pair{String,String}[],
    IdDict{Any,Any}(), Pair{String,String}[], Any[],
    Dict{Symbol,String}(), 0, NOWHERE, kernel, true)

# Of functions and types; variables, which may have their names too, end in a bare number.
fresh!(unit::Unit, name::String) = string(name, "_f", unit.count += 1)

# A name of Julia's as one of C++.
function plain_name(name::AbstractString)
    occursin(r"^[A-Za-z](_?[A-Za-z0-9])*_?$", name) && return String(name)
    text = join(c in '0':'9' || c in 'a':'z' || c in 'A':'Z' || c == '_' ? c :
        isascii(c) ? "" : string("u", string(UInt32(c); base = 16)) for c in name)
    text = replace(lstrip(text, ['_']), r"_+" => "_")
    isempty(text) || isdigit(text[1]) ? string("t", text) : text
end

function type_name(unit::Unit, @nospecialize(T))
    haskey(NUMBERS, T) && return NUMBERS[T]
    haskey(unit.type_names, T) && return unit.type_names[T]
    name = own_type_name(unit, T)
    unit.type_names[T] = name
    name
end

array_type(unit::Unit, @nospecialize(T)) = string("gpuarr_julia_raw::array<",
    type_name(unit, T.parameters[1]), ", ", T.parameters[2], ", ", T.parameters[3], '>')
shared_type(unit::Unit, @nospecialize(T)) = string("gpuarr_julia_raw::shared<",
    stored_name(unit, T.parameters[1]), ", ", join(T.parameters[3], ", "), '>')

function own_type_name(unit::Unit, @nospecialize(T))
    other = maybe_of(T)
    other === nothing ||
        return string("gpuarr_julia::maybe<", is_ghost(other) ? "bool" : type_name(unit, other),
            '>')
    T isa DataType && T <: KernelArray && return array_type(unit, T)
    T isa DataType && T <: SharedArray && return shared_type(unit, T)
    T isa DataType && isbitstype(T) && !(T <: Ptr) && !(T <: Union{Int128,UInt128,Char}) &&
        fieldcount(T) > 0 || has_arrays(T) || refuse(unit.place, why_no_type(T))
    is_array_tuple(T) && return string("gpuarr_julia::tuple<",
        stored_name(unit, T.parameters[1]), ", ", length(T.parameters), '>')
    members = [string("  ", stored_name(unit, fieldtype(T, k)), ' ', field_name(T, k), ";\n")
               for k in 1:fieldcount(T) if !is_ghost(fieldtype(T, k))]
    name = fresh!(unit, T <: Tuple ? "tuple" : plain_name(string(nameof(T))))
    push!(unit.definitions, name => string("struct ", name, " {\n", members..., "};\n",
        has_arrays(T) ? "" :
        string("static_assert(sizeof(", name, ") == ", sizeof(T), ", \"as in Julia\");\n")))
    name
end
# In structs complex numbers are aligned as their parts are, in Julia.
stored_name(unit::Unit, @nospecialize(T)) = T <: ComplexF32 ? "gpuarr_julia::pair<float>" :
    T <: ComplexF64 ? "gpuarr_julia::pair<double>" : type_name(unit, T)
# Arrays of a kernel may be parts of tuples and closures.
has_arrays(@nospecialize(T)) = T isa DataType && (T <: KernelArray || T <: SharedArray ||
    (isconcretetype(T) && isstructtype(T) && !is_mutable(T) &&
     any(k -> has_arrays(fieldtype(T, k)), 1:fieldcount(T))))

field_name(@nospecialize(T), k::Int) =
    T <: Complex ? (k == 1 ? "re" : "im") :
    T <: Tuple ? string("f", k) : string(plain_name(string(fieldname(T, k))), '_', k)
