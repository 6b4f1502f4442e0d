# Equations, inverses, determinants, ranks; and Julia's wrappers of matrices around GArrays.

const Singular = LinearAlgebra.SingularException
const GVecOrMat{T} = Union{GVector{T},GMatrix{T}}

kind_of(b) = ndims(b) == 1 ? :vector : :matrix
function check_rows(A, b)
    size(A, 1) == size(b, 1) || throw(DimensionMismatch(
        "A \\ b: A of size $(size(A)) has $(size(A, 1)) rows, b of size $(size(b)) $(size(b, 1))"))
end

"""
    A \\ b, A / B

Solve equations: by LU of a square `A`, which is a `SingularException` if it is singular, else by
least squares, and of several solutions the shortest. Stacks of matrices are in the first two
dimensions of arrays with more.
"""
function Base.:\(A::GArray, b::GArray)
    check_rows(A, b)
    size(A, 1) == size(A, 2) || return least_squares(A, b).x
    only_of(decomposed_checked(Singular, (kind_of(b),), alike(A, b)...) do out, info, a, b
        Lib.gpuarr_solve(out, a, b, info, C_NULL)
    end)
end
Base.:/(B::GMatrix, A::GMatrix) = transpose(transpose(A) \ transpose(B))

# What counts as 0 beside the greatest singular value.
precision_of(A) = min(size(A, 1), size(A, 2)) * eps(real(float(eltype(A))))

"""
    GPUArr.least_squares(A, b; rtol = eps * min(size(A)...))

The shortest `x` that makes the norm of `b - A * x` least, as `(x = ..., residuals = ..., rank =
..., S = ...)`: with squares of norms for each column of `b`, the rank of `A` and its singular
values, of which those below `rtol` times the greatest count as 0.
"""
function least_squares(A::GArray, b::GArray; rtol::Real = precision_of(A))
    check_rows(A, b)
    x, residuals, rank, S = decomposed_checked(not_finished,
        (kind_of(b), :vector, :vector, :vector), alike(A, b)...) do x, rest, rank, s, info, a, b
        Lib.gpuarr_lstsq(x, rest, rank, s, a, b, rtol, info, C_NULL)
    end
    (x = x, residuals = residuals, rank = rank, S = S)
end

LinearAlgebra.inv(A::GArray) = (check_square(A, "inv");
    only_of(decomposed_checked(Singular, (:matrix,), A) do out, info, a
        Lib.gpuarr_inv(out, a, info, C_NULL)
    end))

relative(A, atol, rtol) = atol > 0 ? max(rtol, atol / maximum(LinearAlgebra.svdvals(A))) : rtol
LinearAlgebra.pinv(A::GArray; atol::Real = 0.0,
                   rtol::Real = precision_of(A) * iszero(atol)) =
    only_of(decomposed_checked(not_finished, (:matrix,), A) do out, info, a
        Lib.gpuarr_pinv(out, a, relative(A, atol, rtol), info, C_NULL)
    end)
function LinearAlgebra.rank(A::GMatrix; atol::Real = 0.0,
                            rtol::Real = precision_of(A) * iszero(atol))
    isempty(A) && return 0
    S = Array(LinearAlgebra.svdvals(A))
    count(s -> s > max(atol, rtol * S[1]), S)
end

"""
    det(A), logdet(A), logabsdet(A)

Determinants: numbers, or of stacks of matrices arrays.
"""
LinearAlgebra.det(A::GArray) = (check_square(A, "det");
    number_or_array(only_of(decomposed((:vector,), A) do out, a
        Lib.gpuarr_det(out, a, C_NULL)
    end)))
LinearAlgebra.logabsdet(A::GArray) = (check_square(A, "logabsdet");
    map(number_or_array, reverse(decomposed((:vector, :vector), A) do sign, logdet, a
        Lib.gpuarr_slogdet(sign, logdet, a, C_NULL)
    end)))
function LinearAlgebra.logdet(A::GMatrix)
    logarithm, sign = LinearAlgebra.logabsdet(A)
    sign isa Complex && return logarithm + log(sign)
    sign < 0 && throw(DomainError(sign, "the determinant is negative: logabsdet(A) takes it"))
    logarithm
end

"""
    opnorm(A, p = 2)

The norm of a matrix as an operator, for `p` of 1, 2 or `Inf`.
"""
function LinearAlgebra.opnorm(A::GMatrix, p::Real = 2)
    number = p == 1 ? Lib.GPUARR_NORM_1 : p == 2 ? Lib.GPUARR_NORM_2 :
        p == Inf ? Lib.GPUARR_NORM_INF : throw(ArgumentError("opnorm: p is $p; take 1, 2 or Inf"))
    isempty(A) && return zero(real(float(eltype(A))))
    numbers(made(out -> Lib.gpuarr_matrix_norm(out, A, number, 0, C_NULL)))
end

# Julia's factorisations of GArrays.
function solve_cholesky!(out, F::GCholesky{T}, b) where {T}
    check_rows(F.factors, b)
    right = as_elements(T, b)
    check(Lib.gpuarr_cholesky_solve(out, F.factors, right, F.uplo == 'U', C_NULL))
end
function solve_lu!(out, F::GLU{T}, b, op) where {T}
    check_rows(F.factors, b)
    LinearAlgebra.issuccess(F) || throw(Singular(Int(getfield(F, :info))))
    pivots = GArray(Int32.(getfield(F, :ipiv)) .- Int32(1); device = device(F.factors))
    check(Lib.gpuarr_lu_solve(out, F.factors, pivots, as_elements(T, b), op, C_NULL))
end
for (F, call!, op) in ((:GCholesky, :solve_cholesky!, ()),
                       (:GLU, :solve_lu!, (Lib.GPUARR_MATRIX_AS_IT_IS,)))
    @eval function Base.:\(F::$F, b::GVecOrMat)
        out = no_array()
        $call!(out, F, b, $(op...))
        taken(out[])
    end
    @eval LinearAlgebra.ldiv!(F::$F, b::GVecOrMat) = ($call!(given(b), F, b, $(op...)); b)
    @eval LinearAlgebra.inv(F::$F{T}) where {T} =
        F \ GArray{T}(LinearAlgebra.I, size(F, 1); device = device(F.factors))
end
for (W, op) in ((:Transpose, Lib.GPUARR_MATRIX_TRANSPOSED),
                (:Adjoint, Lib.GPUARR_MATRIX_CONJUGATE_TRANSPOSED))
    for Wrapper in (W, Symbol(W, :Factorization))
        isdefined(LinearAlgebra, Wrapper) || continue
        @eval function Base.:\(F::LinearAlgebra.$Wrapper{<:Any,<:GLU}, b::GVecOrMat)
            out = no_array()
            solve_lu!(out, parent(F), b, $op)
            taken(out[])
        end
    end
end
LinearAlgebra.det(F::GCholesky) = abs2(with_diagonal(prod, F.factors))
LinearAlgebra.logdet(F::GCholesky) = 2 * with_diagonal(d -> sum(x -> log(real(x)), d), F.factors)
odd_exchanges(F::GLU) = isodd(count(k -> F.ipiv[k] != k, 1:length(F.ipiv)))
function LinearAlgebra.det(F::GLU)
    product = with_diagonal(prod, F.factors)
    odd_exchanges(F) ? -product : product
end
function LinearAlgebra.logabsdet(F::GLU)
    logarithm = with_diagonal(d -> sum(x -> log(abs(x)), d), F.factors)
    signs = with_diagonal(d -> prod(sign, d), F.factors)
    logarithm, odd_exchanges(F) ? -signs : signs
end

# Wrappers of Julia's around GArrays: plain matrices of them, on the device.
const TRIANGLES = (:UpperTriangular, :LowerTriangular, :UnitUpperTriangular, :UnitLowerTriangular)
for W in TRIANGLES
    upper, unit = occursin("Upper", string(W)), startswith(string(W), "Unit")
    triangle, k = upper ? :triu : :tril, unit ? (upper ? 1 : -1) : 0
    plain = :(LinearAlgebra.$triangle(parent(A), $k))
    @eval GArray(A::LinearAlgebra.$W{T,<:GMatrix}) where {T} =
        $(unit ? :($plain + LinearAlgebra.I) : plain)
    @eval function Base.:\(A::LinearAlgebra.$W{T,<:GMatrix}, b::GVecOrMat) where {T}
        check_rows(A, b)
        only_of(decomposed_checked(Singular, (kind_of(b),), alike(parent(A), b)...) do x, info, a, b
            Lib.gpuarr_solve_triangular(x, a, b, $upper, Lib.GPUARR_MATRIX_AS_IT_IS, $unit, info,
                C_NULL)
        end)
    end
    @eval LinearAlgebra.ldiv!(A::LinearAlgebra.$W{<:Any,<:GMatrix}, b::GVecOrMat) =
        copyto!(b, A \ b)
end
for (W, other) in ((:Symmetric, :transpose), (:Hermitian, :adjoint))
    @eval function GArray(A::LinearAlgebra.$W{T,<:GMatrix}) where {T}
        upper = A.uplo == 'U'
        a = upper ? LinearAlgebra.triu(parent(A)) : LinearAlgebra.tril(parent(A))
        b = upper ? LinearAlgebra.triu(parent(A), 1) : LinearAlgebra.tril(parent(A), -1)
        $(W === :Hermitian ? :(with_diagonal(d -> d .= real.(d), a)) : nothing)
        a .+ $other(b)
    end
    @eval Base.:\(A::LinearAlgebra.$W{T,<:GMatrix}, b::GVecOrMat) where {T} = GArray(A) \ b
end
GArray(A::LinearAlgebra.Adjoint{T,<:GArray}) where {T} = adjoint(parent(A))
GArray(A::LinearAlgebra.Transpose{T,<:GArray}) where {T} = transpose(parent(A))
GArray(D::LinearAlgebra.Diagonal{T,<:GVector}) where {T} = LinearAlgebra.diagm(D.diag)

for W in (TRIANGLES..., :Symmetric, :Hermitian, :Adjoint, :Transpose)
    @eval Base.Array(A::LinearAlgebra.$W{<:Any,<:GMatrix}) = Array(GArray(A))
    @eval Base.:*(A::LinearAlgebra.$W{<:Any,<:GMatrix}, B::GMatrix) = GArray(A) * B
    @eval Base.:*(A::LinearAlgebra.$W{<:Any,<:GMatrix}, x::GVector) = GArray(A) * x
    @eval Base.:*(B::GMatrix, A::LinearAlgebra.$W{<:Any,<:GMatrix}) = B * GArray(A)
    @eval Base.show(io::IO, ::MIME"text/plain", A::LinearAlgebra.$W{<:Any,<:GMatrix}) =
        (summary(io, A); print(io, ":\n");
            Base.print_array(IOContext(io, :typeinfo => eltype(A), :compact => true), Array(A)))
end
for W in TRIANGLES, V in TRIANGLES
    @eval Base.:*(A::LinearAlgebra.$W{<:Any,<:GMatrix}, B::LinearAlgebra.$V{<:Any,<:GMatrix}) =
        GArray(A) * GArray(B)
end
# Beside other arrays, in dotted expressions and sums, they are plain too.
for W in (TRIANGLES..., :Symmetric, :Hermitian)
    @eval Broadcast.broadcastable(A::LinearAlgebra.$W{<:Any,<:GMatrix}) = GArray(A)
end
Base.:*(D::LinearAlgebra.Diagonal{<:Any,<:GVector}, x::GVector) = D.diag .* x
Base.:*(D::LinearAlgebra.Diagonal{<:Any,<:GVector}, A::GMatrix) = D.diag .* A
function Base.:\(D::LinearAlgebra.Diagonal{<:Any,<:GVector}, b::GVecOrMat)
    check_rows(D, b)
    k = findfirst(==(0), D.diag)
    k === nothing ? b ./ D.diag : throw(Singular(k))
end
Base.:*(A::GMatrix, D::LinearAlgebra.Diagonal{<:Any,<:GVector}) = A .* transpose(D.diag)
