# A kernel of your own: z = (x - y)^2, with broadcasting, and for any type.
using GPUArr, Printf

const ROWS, COLUMNS = 2, 5

# Float32 only: the types are written out.
function with_fixed_types()
    x = reshape(Float32.(0:ROWS*COLUMNS-1), ROWS, COLUMNS)
    y = reshape(Float32.(0:COLUMNS-1), 1, COLUMNS)

    # y is a row and is used for every row of x, as in Julia. The output is made by the call.
    kernel = ElementwiseKernel("float32 x, float32 y", "float32 z", "z = (x - y) * (x - y);")
    z = Array(kernel(GArray(x), GArray(y)))
    z == (x .- y) .^ 2 || error("z is $z; a plain loop gives $((x .- y) .^ 2)")
end

# T is a placeholder: one kernel object, compiled once for each type that it meets.
function with_any_type()
    kernel = ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y);")
    for T in (Int32, Float64)
        x = T.(0:COLUMNS-1)
        z = Array(kernel(GArray(x), 3))                 # a scalar broadcasts too
        z == (x .- 3) .^ 2 || error("z is $z; a plain loop gives $((x .- 3) .^ 2)")
    end
end

# A dotted expression is a kernel as well, made from Julia's own functions.
function without_a_text()
    x = Float32.(0:COLUMNS-1)
    g = GArray(x)
    Array((g .- 3) .^ 2) == (x .- 3) .^ 2 || error("a dotted expression gives something else")
end

with_fixed_types()
with_any_type()
without_a_text()
@printf("ok: (x - y)^2 of shapes (2, 5) and (5), and of int32 and float64, on %s\n",
    GPUArr.name(Device()))
