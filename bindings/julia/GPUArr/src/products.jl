# Products of matrices and vectors, and what is made of matrices' parts.

const GVector{T} = GArray{T,1}
const GMatrix{T} = GArray{T,2}

# Sums of products are of the type that Julia gives them: those of Bools are numbers.
product_type(::Type{T}, ::Type{S}) where {T,S} =
    Base.promote_op(LinearAlgebra.matprod, T, S)

function check_product(x, y)
    size(x, ndims(x)) == size(y, 1) || throw(DimensionMismatch(
        "$(summary_of(x)) * $(summary_of(y)): the left one has $(size(x, ndims(x))) columns, " *
        "the right one $(size(y, 1)) rows"))
end

function multiply!(z::GArray{T}, x::GArray, y::GArray, flags = 0) where {T}
    check(Lib.gpuarr_matmul(given(z), as_elements(T, x), as_elements(T, y), flags, C_NULL))
    z
end

function multiplied(x::GArray{T}, y::GArray{S}, dims) where {T,S}
    check_product(x, y)
    multiply!(allocate(product_type(T, S), dims, device(x)), x, y)
end

"""
    A * B, A * x, mul!(C, A, B), mul!(C, A, B, α, β)

Products by BLAS, of the system's library or of cuBLAS; `A'` and views are multiplied as they lie
where BLAS takes them. Types meet by Julia's promotion, 16-bit floats are added up as `Float32`.
`v'` is a matrix of one row, so `v' * w` is a vector of one element, and `dot(v, w)` the number.
"""
Base.:*(A::GMatrix, B::GMatrix) = multiplied(A, B, (size(A, 1), size(B, 2)))
Base.:*(A::GMatrix, x::GVector) = multiplied(A, x, (size(A, 1),))
Base.:*(x::GVector, A::GMatrix) = reshape(x, length(x), 1) * A

# Where one is lazy, and inside of `@lazy` and `@fused`, the product is: a node of the library's, to
# which matrices are transposed.
function multiplied_lazily(x::Viewed, y::Viewed)
    check_product(x, y)
    T, out = product_type(eltype(x), eltype(y)), ExprPlace(C_NULL)
    check(Lib.gpuarr_expr_matmul(out, converted(T, Lazy(y)), converted(T, Lazy(x))))
    Lazy(T, (size(x)[1:end-1]..., size(y)[2:end]...), out[], device(x))
end

const AnyMatrix = Union{GMatrix,Lazy{<:Any,2}}
const AnyVector = Union{GVector,Lazy{<:Any,1}}
lazily(::typeof(*), A::AnyMatrix, B::Union{AnyMatrix,AnyVector}) = multiplied_lazily(A, B)
lazily(::typeof(*), x::AnyVector, A::AnyMatrix) =
    multiplied_lazily(reshape(Lazy(x), length(x), 1), A)
lazily(f::Union{typeof(+),typeof(*)}, x, y, z, more...) = lazily(f, lazily(f, x, y), z, more...)
for N in 1:2, M in 1:2
    N == M == 1 && continue
    @eval Base.:*(A::Lazy{<:Any,$N}, B::GArray{<:Any,$M}) = lazily(*, A, B)
    @eval Base.:*(A::GArray{<:Any,$N}, B::Lazy{<:Any,$M}) = lazily(*, A, B)
    @eval Base.:*(A::Lazy{<:Any,$N}, B::Lazy{<:Any,$M}) = lazily(*, A, B)
end

function multiply!(C, A, B, α, β)
    check_product(A, B)
    dims = (size(A, 1), size(B)[2:end]...)
    size(C) == dims || throw(DimensionMismatch(
        "mul!: the result has size $dims, the array given for it $(size(C))"))
    T = product_type(eltype(A), eltype(B))
    α === true && β === false && eltype(C) === T && return multiply!(C, A, B)
    product = multiply!(similar(C, T), A, B)
    iszero(β) ? (C .= product .* α) : (C .= product .* α .+ C .* β)
    unsafe_free!(product)
    C
end
for (C, A, B) in ((:GMatrix, :GMatrix, :GMatrix), (:GVector, :GMatrix, :GVector))
    @eval LinearAlgebra.mul!(C::$C, A::$A, B::$B, α::Number, β::Number) = multiply!(C, A, B, α, β)
    @eval LinearAlgebra.mul!(C::$C, A::$A, B::$B) = multiply!(C, A, B, true, false)
end

# The library's stacks of matrices have their matrices in the last two axes, and meet by the last
# of the others; in Julia it is the first ones.
stack_order(ndim) = ndim < 3 ? Base.OneTo(ndim) : (ndim:-1:3..., 1, 2)
unstack_order(ndim) = ndim < 3 ? Base.OneTo(ndim) : (ndim - 1, ndim, ndim-2:-1:1...)
stacked(x::GArray) = ndims(x) < 3 ? x : transposed(x, stack_order(ndims(x)))
function unstacked(x::GArray)
    ndims(x) < 3 && return x
    view = transposed(x, unstack_order(ndims(x)))
    unsafe_free!(x)
    view
end
function on_stacks(f, arrays::GArray...)
    views = map(stacked, arrays)
    try
        f(views...)
    finally
        foreach(drop_view, views, arrays)
    end
end

"""
    GPUArr.batched_mul(A, B; tf32 = false)

Products of the matrices in the first two dimensions of `A` and `B`, whose other dimensions
broadcast. With `tf32` a GPU may round `Float32` to 10 bits of fraction, where it is faster for it.
"""
function batched_mul(A::GArray, B::GArray; tf32::Bool = false)
    x, y = alike(A, B)
    flags = tf32 ? Lib.GPUARR_MATMUL_TF32 : Int32(0)
    unstacked(on_stacks((x, y) -> made(out -> Lib.gpuarr_matmul(out, x, y, flags, C_NULL)), x, y))
end

"""
    GPUArr.einsum(subscripts, A), GPUArr.einsum(subscripts, A, B)

Add up products along dimensions that are named by letters, as `np.einsum`: `"ij,jk->ik"` is the
product of matrices, `"ii->i"` the diagonal, `"ij->"` the sum of all.
"""
einsum(subscripts::AbstractString, A::GArray) =
    number_or_array(made(out -> Lib.gpuarr_einsum(out, subscripts, A, C_NULL, 0, C_NULL)))
function einsum(subscripts::AbstractString, A::GArray, B::GArray)
    x, y = alike(A, B)
    number_or_array(made(out -> Lib.gpuarr_einsum(out, subscripts, x, y, 0, C_NULL)))
end

"""
    GPUArr.tensordot(A, B, A_dims, B_dims)

Add up products along pairs of dimensions; the result has the other dimensions of `A`, then of `B`,
or is a number where there are none.
"""
function tensordot(A::GArray, B::GArray, A_dims, B_dims)
    length(A_dims) == length(B_dims) || throw(ArgumentError(
        "tensordot: $(length(A_dims)) dimensions of A and $(length(B_dims)) of B are no pairs"))
    x, y = alike(A, B)
    x_axes, y_axes = Int32[one_axis(x, d) for d in A_dims], Int32[one_axis(y, d) for d in B_dims]
    number_or_array(made() do out
        Lib.gpuarr_tensordot(out, x, y, x_axes, y_axes, length(x_axes), 0, C_NULL)
    end)
end

function kronecker(A, B)
    x, y = alike(A, B)
    made(out -> Lib.gpuarr_kron(out, x, y, C_NULL))
end
for (A, B) in ((:GMatrix, :GMatrix), (:GVector, :GVector))
    @eval LinearAlgebra.kron(A::$A, B::$B) = kronecker(A, B)
end
LinearAlgebra.kron(A::GMatrix, x::GVector) = kronecker(A, reshape(x, length(x), 1))
LinearAlgebra.kron(x::GVector, A::GMatrix) = kronecker(reshape(x, length(x), 1), A)

Base.:^(A::GMatrix, n::Integer) = (LinearAlgebra.checksquare(A);
    n < 0 ? LinearAlgebra.inv(A)^-n : made(out -> Lib.gpuarr_matrix_power(out, A, n, 0, C_NULL)))

LinearAlgebra.dot(x::GVector, A::GMatrix, y::GVector) = LinearAlgebra.dot(x, A * y)
LinearAlgebra.normalize(x::GArray, p::Real = 2) = x ./ LinearAlgebra.norm(x, p)
LinearAlgebra.normalize!(x::GArray, p::Real = 2) = (x ./= LinearAlgebra.norm(x, p))
LinearAlgebra.rmul!(x::GArray, number::Number) = (x .*= number)
LinearAlgebra.lmul!(number::Number, x::GArray) = (x .= number .* x)
LinearAlgebra.axpy!(number::Number, x::GArray, y::GArray) = (y .+= number .* x)
LinearAlgebra.axpby!(a::Number, x::GArray, b::Number, y::GArray) = (y .= a .* x .+ b .* y)

# Diagonals and triangles.
diagonal(A::GMatrix, k::Integer = 0) = viewed(out -> Lib.gpuarr_array_diagonal(out, A, k, 0, 1))
function with_diagonal(f, A::GMatrix, k::Integer = 0)
    view = diagonal(A, k)
    result = f(view)
    unsafe_free!(view)
    result
end
LinearAlgebra.diag(A::GMatrix, k::Integer = 0) = with_diagonal(copy, A, k)
LinearAlgebra.tr(A::GMatrix) = (LinearAlgebra.checksquare(A); with_diagonal(sum_of, A))
sum_of(x) = mapreduce(identity, +, x; init = zero(eltype(x)))

for f in (:triu, :tril)
    call, f! = Symbol(:gpuarr_, f), Symbol(f, :!)
    @eval LinearAlgebra.$f(A::GMatrix, k::Integer = 0) =
        made(out -> Lib.$call(out, A, k, C_NULL))
    @eval LinearAlgebra.$f!(A::GMatrix, k::Integer = 0) =
        (check(Lib.$call(given(A), A, k, C_NULL)); A)
end
LinearAlgebra.diagm(x::GVector) = LinearAlgebra.diagm(0 => x)
LinearAlgebra.diagm(pair::Pair{<:Integer,<:GVector}) =
    made(out -> Lib.gpuarr_diag(out, last(pair), first(pair), C_NULL))

# The identity, times a number, beside matrices.
function add_to_diagonal(A::GMatrix{T}, number) where {T}
    B = copy(as_elements(Base.promote_op(+, T, typeof(number)), A))
    with_diagonal(d -> d .+= number, B)
    B
end
const Scaling = LinearAlgebra.UniformScaling
Base.:+(A::GMatrix, J::Scaling) = (LinearAlgebra.checksquare(A); add_to_diagonal(A, J.λ))
Base.:-(A::GMatrix, J::Scaling) = A + (-J)
Base.:+(J::Scaling, A::GMatrix) = A + J
Base.:-(J::Scaling, A::GMatrix) = .-A + J
GArray{T}(J::Scaling, m::Integer, n::Integer = m; kw...) where {T} =
    (A = zeros(T, m, n; kw...); with_diagonal(d -> fill!(d, J.λ), A); A)

LinearAlgebra.ishermitian(A::GMatrix) = size(A, 1) == size(A, 2) && A == A'
LinearAlgebra.issymmetric(A::GMatrix) = size(A, 1) == size(A, 2) && A == transpose(A)
LinearAlgebra.istriu(A::GMatrix, k::Integer = 0) = !any(!=(0), LinearAlgebra.tril(A, k - 1))
LinearAlgebra.istril(A::GMatrix, k::Integer = 0) = !any(!=(0), LinearAlgebra.triu(A, k + 1))
