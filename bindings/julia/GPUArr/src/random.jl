# Random numbers: a generator, and Julia's names for what is drawn from it.

"""
    GPUArr.Generator(seed = random; stream = 0, device = Device())

A source of random numbers, Philox 4x32-10: the same ones on every device. `stream` picks one of the
seed's sequences; `g.seed`, `g.stream` and `g.position`, which can be set, in steps of 128 bits, say
where it is. Arrays are filled by columns. `Random.seed!(g, seed)` begins anew.

    g = GPUArr.Generator(1)
    x = rand(g, Float32, 1000); randn!(g, x); randexp!(g, x); rand!(g, x, 1:6)
    rand!(g, x, GPUArr.Gamma(2, 1)); p = randperm(g, 1000); y = shuffle(g, x)

A [`BlockedArray`](@ref) gets what an undivided array would, in any blocks; every process has a
generator of its own, of the same seed.

Several tasks may draw from one: no number is used twice, but which one gets which is luck.
"""
mutable struct Generator <: Random.AbstractRNG
    pointer::Ptr{Lib.gpuarr_generator}
    device::Device
end
function Generator(seed::Integer = random_seed(); stream::Integer = 0, device::Device = Device())
    finalizer(release!, Generator(new_generator(seed, stream, device), device))
end
function new_generator(seed, stream, device)
    out = Ref{Ptr{Lib.gpuarr_generator}}(C_NULL)
    check(Lib.gpuarr_generator_create(out, device.pointer, seed % UInt64, stream))
    out[]
end
function random_seed()
    out = Ref(UInt64(0))
    check(Lib.gpuarr_random_seed(out))
    out[]
end
release!(g::Generator) = Lib.gpuarr_generator_release(pointer_of(g))
pointer_of(g::Generator) = getfield(g, :pointer)
Base.unsafe_convert(::Type{Ptr{Lib.gpuarr_generator}}, g::Generator) = pointer_of(g)

const GENERATOR_FIELDS = (:seed, :stream, :position)
Base.propertynames(::Generator, private::Bool = false) = (GENERATOR_FIELDS..., :device)
Base.getproperty(g::Generator, name::Symbol) =
    name === :seed ? Lib.gpuarr_generator_seed(g) :
    name === :stream ? Lib.gpuarr_generator_stream(g) :
    name === :position ? Lib.gpuarr_generator_position(g) : getfield(g, name)
Base.setproperty!(g::Generator, name::Symbol, value) = name === :position ?
    (check(Lib.gpuarr_generator_set_position(g, value)); value) :
    throw(ArgumentError("a generator's $name is not set; its position can be"))
Base.show(io::IO, g::Generator) = print(io, "GPUArr.Generator(", repr(g.seed), "; stream = ",
    Int(g.stream), ") at ", Int128(g.position))
function Random.seed!(g::Generator, seed::Integer = random_seed())
    old = pointer_of(g)
    setfield!(g, :pointer, new_generator(seed, g.stream, g.device))
    Lib.gpuarr_generator_release(old)
    g
end

"""
    GPUArr.advance!(g, steps)

Skip steps of a generator.
"""
advance!(g::Generator, steps::Integer) = (check(Lib.gpuarr_generator_advance(g, steps)); g)

# The generator that is used where none is given: one for each device, seeded by the system.
const DEFAULT_GENERATORS = Dict{Ptr{Lib.gpuarr_device},Generator}()
const GENERATORS_LOCK = ReentrantLock()
default_generator(device::Device) = lock(GENERATORS_LOCK) do
    get!(() -> Generator(; device = device), DEFAULT_GENERATORS, device.pointer)
end
"""
    GPUArr.seed!(seed; device = Device())

Seed the generator that is used on a device where none is given.
"""
seed!(seed::Integer; device::Device = Device()) = Random.seed!(default_generator(device), seed)

# Distributions: their parameters, which may be arrays that broadcast, and the library's function.
for (name, fields, call, type, about) in (
    (:Uniform, (:low, :high), :uniform, Float64, "Real numbers from `low` to `high`, not included"),
    (:Normal, (:mean, :std), :normal, Float64, "The normal distribution"),
    (:LogNormal, (:mean, :std), :lognormal, Float64, "Numbers whose logarithm is normal"),
    (:Exponential, (:scale,), :exponential, Float64, "The exponential distribution of that mean"),
    (:Gamma, (:shape, :scale), :gamma, Float64, "The gamma distribution"),
    (:Poisson, (:mean,), :poisson, Int64, "The Poisson distribution"),
    (:Binomial, (:trials, :p), :binomial, Int64, "Successes among trials"),
    (:Bernoulli, (:p,), :bernoulli, Bool, "`true` as likely as `p`"))
    types, text = [gensym() for _ in fields], """
        GPUArr.$name($(join(fields, ", ")))

    $about; for `rand!(g, x, GPUArr.$name(...))` and `rand(g, GPUArr.$name(...), dims...)`.
    Parameters are numbers, or arrays that broadcast with the result.
    """
    @eval begin
        @doc $text struct $name{$(types...)}
            $((:($f::$t) for (f, t) in zip(fields, types))...)
        end
        drawn_type(::$name) = $type
        fill_random!(g, z::BlockedArray, d::$name) =
            draw_blocks!(g, z, $(string(call)), $((:(d.$f) for f in fields)...))
        fill_random!(g, z, d::$name) = random_call!(z, $((:(d.$f) for f in fields)...)) do out,
                parameters...
            Lib.$(Symbol(:gpuarr_random_, call))(out, g, parameters...,
                $((call in (:poisson, :binomial, :bernoulli) ? () : (Int32(0),))...), Int32(0),
                C_NULL, C_NULL)
        end
    end
end

# Element k, by columns, is the same whatever the shape is: in C order of reversed axes.
function random_call!(call, z::GArray, parameters...)
    views = map(p -> p isa GArray ? broadcast_view(p, ndims(z)) : p, parameters)
    in_columns(z, views...) do z, views...
        check(call(given(z), map(by_value, views)...))
    end
    z
end
broadcast_view(p::GArray, ndim) = owned(expanded(p, ndim))
by_value(x::Real) = to_lib(argument(x isa Element ? x : Float64(x)))
function draw_blocks!(g, z::BlockedArray, name, parameters...)
    all(p -> p isa Real, parameters) || throw(ArgumentError("the parameters of random numbers in " *
        "blocked arrays are numbers, not $(map(typeof, parameters))"))
    numbers = Lib.gpuarr_arg[by_value(p) for p in parameters]
    GC.@preserve z check(z.team, Lib.gpuarr_blocked_random(axes_reversed(z), g, name, numbers,
        length(numbers)))
    z
end
const Fillable{T} = Union{GArray{T},BlockedArray{T}}

# Whole numbers of a range; the end of one of 2^64 numbers is given as a float.
function fill_random!(g, z::Fillable{T}, range::AbstractUnitRange{<:Integer}) where {T<:Integer}
    isempty(range) && throw(ArgumentError("rand: the range $range is empty"))
    low, stop = T(first(range)), T(last(range))
    high = stop == typemax(T) ? Float64(stop) + 1 : stop + one(T)
    fill_integers!(g, z, low, high)
end
fill_integers!(g, z::BlockedArray, low, high) = draw_blocks!(g, z, "integers", low, high)
fill_integers!(g, z::GArray, low, high) = random_call!(z, low, high) do out, low, high
    Lib.gpuarr_random_integers(out, g, low, high, 0, 0, C_NULL, C_NULL)
end
fill_random!(g, z::Fillable{<:AbstractFloat}, range::AbstractUnitRange{<:Integer}) =
    (k = fill_random!(g, similar(z, Int), range); z .= k; unsafe_free!(k); z)
fill_random!(g, z::Fillable{Bool}, ::Type{Bool}) = fill_random!(g, z, Bernoulli(0.5))
fill_random!(g, z::Fillable{T}, ::Type{T}) where {T<:Integer} =
    fill_random!(g, z, typemin(T):typemax(T))
fill_random!(g, z::Fillable{T}, ::Type{T}) where {T<:AbstractFloat} =
    fill_random!(g, z, Uniform(0, 1))
fill_random!(g, z::Fillable{Complex{T}}, ::Type{Complex{T}}) where {T} = fill_parts!(g, z, T)
function fill_parts!(g, z::Fillable{Complex{T}}, what) where {T}
    re, im = fill_random!(g, similar(z, T), what), fill_random!(g, similar(z, T), what)
    z .= complex.(re, im)
    foreach(unsafe_free!, (re, im))
    z
end

const Drawable = Union{Uniform,Normal,LogNormal,Exponential,Gamma,Poisson,Binomial,Bernoulli,
    AbstractUnitRange{<:Integer}}
Random.rand!(g::Generator, z::Fillable{T}) where {T} = fill_random!(g, z, T)
Random.rand!(g::Generator, z::Fillable, what::Drawable) = fill_random!(g, z, what)
Random.rand!(g::Generator, z::Fillable{T}, ::Type{T}) where {T} = fill_random!(g, z, T)
Random.randn!(g::Generator, z::Fillable{<:AbstractFloat}) = fill_random!(g, z, Normal(0, 1))
Random.randn!(g::Generator, z::Fillable{<:Complex}) = fill_parts!(g, z, Normal(0, sqrt(0.5)))
Random.randexp!(g::Generator, z::Fillable{<:AbstractFloat}) = fill_random!(g, z, Exponential(1))
for f! in (:rand!, :randn!, :randexp!)
    @eval Random.$f!(z::GArray) = Random.$f!(default_generator(device(z)), z)
    @eval Random.$f!(z::BlockedArray, ::Any...) = throw(ArgumentError($(string(
        f!, " of a blocked array takes a generator, which must be alike in all processes: ", f!,
        "(GPUArr.Generator(seed), x)"))))
end
Random.rand!(z::GArray, what::Drawable) = Random.rand!(default_generator(device(z)), z, what)

# What Julia asks of a generator for numbers one by one, and for arrays of the host.
Random.rng_native_52(::Generator) = throw(ArgumentError(
    "a GPUArr.Generator fills GArrays: rand(g, 3), rand!(g, x); for single numbers and Arrays " *
    "take one of Julia's own generators"))
drawn_type(range::AbstractUnitRange) = eltype(range)


"""
    GPUArr.rand(g, T = Float64, dims...), GPUArr.randn(...), GPUArr.randexp(...)
    GPUArr.rand(g, what, dims...)

New arrays of random numbers, on the generator's device: uniform, of all of an integer type, normal,
exponential; or of a range or a distribution, such as `1:6` or `GPUArr.Poisson(3)`. Without `g` it
is the device's own generator. With one Julia's own `rand`, `randn`, `randexp` do as well.
"""
rand(g::Generator, ::Type{T}, dims::Dims) where {T<:Element} =
    Random.rand!(g, allocate(T, dims, g.device))
rand(g::Generator, what::Drawable, dims::Dims) =
    Random.rand!(g, allocate(drawn_type(what), dims, g.device), what)
for f in (:randn, :randexp)
    @eval $f(g::Generator, ::Type{T}, dims::Dims) where {T<:Element} =
        Random.$(Symbol(f, :!))(g, allocate(T, dims, g.device))
end
for f in (:rand, :randn, :randexp)
    kinds = f === :rand ? (:(Type{<:Element}), :Drawable) : (:(Type{<:Element}),)
    for Kind in kinds
        @eval $f(g::Generator, what::$Kind, n::Integer, dims::Integer...) =
            $f(g, what, map(Int, (n, dims...)))
        @eval $f(what::$Kind, dims::Dims; device::Device = Device()) =
            $f(default_generator(device), what, dims)
        @eval $f(what::$Kind, n::Integer, dims::Integer...; kw...) =
            $f(what, map(Int, (n, dims...)); kw...)
    end
    @eval $f(g::Generator, n::Integer, dims::Integer...) = $f(g, Float64, n, dims...)
    @eval $f(n::Integer, dims::Integer...; kw...) = $f(Float64, n, dims...; kw...)
    Own = f === :rand ? :Element : :(Union{AbstractFloat,Complex})
    @eval Random.$f(g::Generator, ::Type{T}, dims::Dims) where {T<:$Own} = $f(g, T, dims)
    @eval Random.$f(g::Generator, ::Type{T}, n::Integer, dims::Integer...) where {T<:$Own} =
        $f(g, T, n, dims...)
    @eval Random.$f(g::Generator, dims::Dims) = $f(g, Float64, dims)
    @eval Random.$f(g::Generator, n::Integer, dims::Integer...) = $f(g, n, dims...)
end
Random.rand(g::Generator, what::Drawable, dims::Dims) = rand(g, what, dims)
Random.rand(g::Generator, what::Drawable, n::Integer, dims::Integer...) = rand(g, what, n, dims...)

"""
    GPUArr.randperm(g, n), GPUArr.shuffle(g, x; dims), GPUArr.shuffle!(g, x; dims)

The numbers 1 to `n`, or what an array has along a dimension, in a random order. Without `g` it is
the device's own generator. With a generator Julia's own functions do as well.
"""
function randperm(g::Generator, n::Integer)
    order = made(out -> Lib.gpuarr_random_permutation(out, g, n, C_NULL))
    order .+= 1
end
shuffle!(g::Generator, x::GArray; dims = nothing) = shuffle_into!(x, g, x, dims)
shuffle(g::Generator, x::GArray; dims = nothing) = shuffle_into!(similar(x), g, x, dims)
function shuffle_into!(z, g, x, dims)
    check(Lib.gpuarr_random_shuffle(given(z), g, x, sorted_axis(x, dims), C_NULL))
    z
end
for f in (:shuffle, :shuffle!)
    @eval $f(x::GArray; dims = nothing) = $f(default_generator(device(x)), x; dims = dims)
    @eval Random.$f(g::Generator, x::GArray; dims = nothing) = $f(g, x; dims = dims)
    @eval Random.$f(x::GArray; dims = nothing) = $f(x; dims = dims)
end
randperm(n::Integer; device::Device = Device()) = randperm(default_generator(device), n)
Random.randperm(g::Generator, n::Integer) = randperm(g, n)

"""
    GPUArr.sample(g, from, dims...; weights = nothing, replace = true)

Choose among the numbers `1:n`, or the elements of a vector: each as likely as any other or as its
weight says, and, without `replace`, each once at most.
"""
function sample(g::Generator, n::Base.OneTo, dims::Integer...; weights = nothing,
                replace::Bool = true)
    on = weights === nothing ? C_NULL : on_device_at(g.device, weights)
    places = allocate(Int, map(Int, dims), g.device)
    in_columns(places) do places
        check(Lib.gpuarr_random_choice(given(places), g, length(n), on, replace, 0, C_NULL, C_NULL))
    end
    places .+= 1
end
on_device_at(device::Device, x::GArray) = x
on_device_at(device::Device, a::AbstractArray) = GArray(a; device = device)
sample(g::Generator, from::UnitRange, dims::Integer...; kw...) =
    (places = sample(g, Base.OneTo(length(from)), dims...; kw...); places .+= first(from) - 1)
sample(g::Generator, from::GVector, dims::Integer...; kw...) =
    from[sample(g, Base.OneTo(length(from)), dims...; kw...)]
sample(from::Union{UnitRange,GVector}, dims::Integer...; kw...) =
    sample(default_generator(from isa GArray ? device(from) : Device()), from, dims...; kw...)
