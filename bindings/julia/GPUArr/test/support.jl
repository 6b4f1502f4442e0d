# What the tests share: the same expression on the host and on the device.

const SEED = parse(Int, get(ENV, "GPUARR_TEST_SEED", "1"))
println("seed ", SEED)
Random.seed!(SEED)

# Elements of any type, small enough for sums and products to stay in range.
elements(::Type{T}, dims...) where {T<:AbstractFloat} = T.(4 .* rand(dims...) .- 2)
elements(::Type{T}, dims...) where {T<:Complex} =
    T.(elements(real(T), dims...) .+ im .* elements(real(T), dims...))
elements(::Type{Bool}, dims...) = rand(Bool, dims...)
elements(::Type{T}, dims...) where {T<:Unsigned} = rand(T(0):T(9), dims...)
elements(::Type{T}, dims...) where {T<:Signed} = rand(T(-9):T(9), dims...)

tolerance(::Type{T}) where {T<:Integer} = 0.0
tolerance(::Type{T}) where {T} = real(T) === Float64 ? 1e-13 : real(T) === Float32 ? 1e-5 : 2e-2

close_enough(a, b, tol) = isequal(a, b) || abs(a - b) <= tol * max(1, abs(a), abs(b))
same_numbers(a, b, tol = tolerance(eltype(a))) =
    size(a) == size(b) && eltype(a) == eltype(b) && all(close_enough.(a, b, tol))

on_device(x::AbstractArray) = GArray(x)
on_device(x) = x
on_host(x::GArray) = Array(x)
on_host(x) = x

# f gives the same on the host's arrays and on the device's, element types included.
function agrees(f, inputs...)
    wanted, got = f(inputs...), f(map(on_device, inputs)...)
    (got isa GArray) == (wanted isa AbstractArray) || return false
    same = same_numbers(on_host(got), wanted)
    same || println(stderr, "on the host:\n", wanted, "\non the device:\n", on_host(got))
    same
end

# Lets the collector have what a module's variables refer to.
function forget_globals(part)
    for name in names(part; all = true)
        isdefined(part, name) && !isconst(part, name) && Core.eval(part, :($name = nothing))
    end
end

# Launches that f makes, by the library's own count.
function launches(f)
    report = GPUArr.profile(f; json = true)
    sum(Int[parse(Int, m[1]) for m in eachmatch(r"\"launches\": *(\d+)", report)])
end

# Kernels that lazy expressions become, by what the library tells of them.
kernels(text::String) = parse(Int, match(r"(\d+) kernels move", text)[1])
kernels(lazies::GPUArr.Lazy...) = kernels(GPUArr.explain(lazies...))

# The message of the error of type T that f throws.
function message_of(f, ::Type{T} = GPUArrError) where {T}
    problem = try
        f()
        return "no error"
    catch thrown
        thrown
    end
    problem isa T ? sprint(showerror, problem) : "$(typeof(problem)), not $T: $problem"
end
mentions(message, words...) = all(word -> occursin(word, message), words) ||
    (println(stderr, message); false)
