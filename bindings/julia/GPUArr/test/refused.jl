# Bad input: each is an error that says what was wrong, and nothing breaks.
a = GArray(elements(Float32, 3, 4))
add = ElementwiseKernel("T x, T y", "T z", "z = x + y;"; name = "add")

@test mentions(message_of(() -> add(a, GPUArr.zeros(Float32, 4, 4))), "(3, 4)", "(4, 4)",
    "GPUARR_ERR_BROADCAST")
@test_throws DimensionMismatch a .+ GPUArr.zeros(Float32, 4, 4)
@test mentions(message_of(() -> add(a, GPUArr.zeros(Float64, 3, 4))), "float32", "float64",
    "GPUARR_ERR_DTYPE")
@test mentions(message_of(() -> add(a, 1; out = GPUArr.zeros(Float32, 3))), "output 0", "(3,)")
@test mentions(message_of(() -> add(a), ArgumentError), "add", "1 inputs given for 2")
@test mentions(message_of(() -> add(a, rand(Float32, 3, 4)), ArgumentError), "GArray(a)")
@test mentions(message_of(() -> ElementwiseKernel("T x", "T", "z = x")), "GPUARR_ERR_SYNTAX")
@test mentions(message_of(() -> GArray(["text"]), ArgumentError), "String", "Float32")
@test mentions(message_of(() -> GArray(Any[1, 2]), ArgumentError), "Any")

broken = ElementwiseKernel("T x", "T z", "z = x +;\nz = \"größer\" + y;"; name = "broken")
@test mentions(message_of(() -> broken(a)), "z = x +;", "größer", "GPUARR_ERR_COMPILE")
quoted = ElementwiseKernel("T x", "T z", "z = x + (sizeof(\"ä\\\"\") - 4); // ±'\"";
    name = "quoted")
@test Array(quoted(a)) == Array(a)

@test mentions(message_of(() -> sum(a; dims = 0), ArgumentError), "dims = 0")
@test mentions(message_of(() -> view(a, 1:2), Exception), "") &&
    Array(view(a, 1:2)) == Array(a)[1:2]
@test_throws BoundsError view(a, 1:5, 1)
@test_throws ArgumentError view(a, 1, 2, 3)
@test_throws ArgumentError view(a, [1, 3], :)

b = copy(a)
part = view(b, :, 2)
unsafe_free!(b)
unsafe_free!(b)
message = message_of(() -> b .+ 1, ArgumentError)
@test mentions(message, "3×4 GArray{Float32,2}", "unsafe_free!")
for use in (() -> Array(b), () -> add(b, 1), () -> sum(b), () -> a .= b, () -> view(b, 1, :),
            () -> fill!(b, 1))
    @test_throws ArgumentError use()
end
@test Array(part) == Array(a)[:, 2]                     # the memory lasts as long as a view of it

empty = GPUArr.zeros(Float32, 0, 4)
@test size(empty .+ 1) == (0, 4) && size(add(empty, empty)) == (0, 4) &&
    Array(empty) == zeros(Float32, 0, 4)
none = GArray(2.5f0)
@test ndims(none) == 0 && none .* 2 == 5.0f0 && GPUArr.number(add(none, none)) == 5.0f0
@test Array(none)[] == 2.5f0 && sum(none) == 2.5f0
strided = view(a, 3:-2:1, 2:2:4)
@test Array(add(strided, 1)) == Array(a)[3:-2:1, 2:2:4] .+ 1 &&
    Array(strided .* 2) == Array(a)[3:-2:1, 2:2:4] .* 2
