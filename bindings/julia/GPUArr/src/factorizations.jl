# Factorisations of matrices, and of stacks of them: those in the first two dimensions of an array.

# decomposed(call, kinds, arrays): what call(outs..., arrays...) makes of stacks, as the library has
# them. A kind is :matrix, or :vector for what the library has in its last axis, or one number each.
function decomposed(call, kinds::Tuple, arrays::GArray...)
    outs = on_stacks((x...) -> made((outs...) -> call(outs..., x...), length(kinds)), arrays...)
    map((kind, x) -> kind === :matrix ? unstacked(x) : turned(x), kinds, outs)
end

# The same of a call that also tells by a code, 0 if all is well, how each matrix fared.
function decomposed_checked(call, problem, kinds::Tuple, arrays::GArray...)
    results = decomposed(call, (kinds..., :vector), arrays...)
    check_codes(problem, last(results))
    results[1:end-1]
end
function check_codes(problem, codes::GArray)
    found = Array(codes)
    unsafe_free!(codes)
    foreach(code -> code == 0 || throw(problem(Int(code))), found)
end
not_finished(code) = code < 0 ? ArgumentError("matrix contains Infs or NaNs") :
    LinearAlgebra.LAPACKException(code)

# A number that the library has left in an array without dimensions; arrays of several stay.
number_or_array(x::GArray) = ndims(x) == 0 ? numbers(x) : x

function check_square(A::GArray, what)
    ndims(A) >= 2 && size(A, 1) == size(A, 2) || throw(DimensionMismatch(
        "$what: matrix is not square: dimensions are $(size(A))"))
end

"""
    svd(A; full = false)

Singular values of the matrix, or of each of a stack (in the first two dimensions), as a
`GPUArr.SVD` with `U`, `S`, `V`, `Vt`; also `U, S, V = svd(A)`, and `svd(A) \\ b`.
"""
struct SVD{T,N,R,M} <: LinearAlgebra.Factorization{T}
    U::GArray{T,N}
    S::GArray{R,M}
    Vt::GArray{T,N}
end
function LinearAlgebra.svd(A::GArray; full::Bool = false)
    SVD(decomposed_checked(not_finished, (:matrix, :vector, :matrix), A) do u, s, vh, info, a
        Lib.gpuarr_svd(u, s, vh, a, full, info, C_NULL)
    end...)
end
adjoint_of(x::GMatrix) = x'
adjoint_of(x::GArray) =
    conj_of(transposed(x, (2, 1, 3:ndims(x)...)))
conj_of(x::GArray{<:Real}) = x
conj_of(x::GArray) = conj.(x)
Base.getproperty(F::SVD, name::Symbol) =
    name === :V ? adjoint_of(getfield(F, :Vt)) : getfield(F, name)
Base.propertynames(::SVD, private::Bool = false) = (:U, :S, :V, :Vt)
Base.size(F::SVD) = (size(F.U, 1), size(F.Vt, 2))
Base.size(F::SVD, d::Integer) = d <= 2 ? size(F)[d] : 1
Base.iterate(F::SVD, k = 1) = k > 3 ? nothing : (getproperty(F, (:U, :S, :V)[k]), k + 1)
LinearAlgebra.svdvals(F::SVD) = F.S
function Base.:\(F::SVD{T}, b::Union{GVector,GMatrix}) where {T}
    least = eps(real(T)) * maximum(F.S)
    F.V[:, 1:length(F.S)] * ((F.U[:, 1:length(F.S)]' * b) .*
        GPUArr.select.(F.S .> least, inv.(F.S), zero(real(T))))
end
LinearAlgebra.svdvals(A::GArray) = only_of(decomposed_checked(not_finished, (:vector,), A) do s,
        info, a
    Lib.gpuarr_svdvals(s, a, info, C_NULL)
end)
only_of(results::Tuple) = results[1]

"""
    qr(A; full = false)

The factors of `A = Q * R`, of a matrix or of each of a stack, as a `GPUArr.QR`; also `Q, R =
qr(A)`, and `qr(A) \\ b`. `Q` is an array, with as many columns as `A` has, or square if `full`.
"""
struct QR{T,N} <: LinearAlgebra.Factorization{T}
    Q::GArray{T,N}
    R::GArray{T,N}
end
LinearAlgebra.qr(A::GArray; full::Bool = false) =
    QR(decomposed((:matrix, :matrix), A) do q, r, a
        Lib.gpuarr_qr(q, r, a, full, C_NULL)
    end...)
Base.size(F::QR) = (size(F.Q, 1), size(F.R, 2))
Base.iterate(F::QR, k = 1) = k > 2 ? nothing : (getfield(F, k), k + 1)
function Base.:\(F::QR, b::Union{GVector,GMatrix})
    size(F, 1) >= size(F, 2) || throw(DimensionMismatch(
        "qr(A) \\ b: A has size $(size(F)), more columns than rows; A \\ b solves such equations"))
    k = size(F, 2)
    LinearAlgebra.UpperTriangular(F.R[1:k, :]) \ (F.Q[:, 1:k]' * b)
end
Base.size(F::QR, d::Integer) = d <= 2 ? size(F)[d] : 1

# As Julia's own print, element by element: these by their parts.
for F in (:SVD, :QR)
    @eval function Base.show(io::IO, ::MIME"text/plain", F::$F)
        print(io, summary(F))
        for name in fieldnames($F)
            print(io, '\n', name, ": ")
            show(io, MIME("text/plain"), getfield(F, name))
        end
    end
end

"""
    cholesky(A; check = true), lu(A; check = true)

Julia's own `Cholesky` and `LU` of a `GArray`, with `F.U`, `F.L`, `F.p`, `F \\ b`, `det(F)`,
`inv(F)`. A matrix that is not positive definite is a `PosDefException`, a singular one a
`SingularException`; with `check = false` `issuccess(F)` tells. Of stacks of matrices `cholesky`
gives `(U = ...,)` and `lu` `(L = ..., U = ..., p = ...)`.
"""
function LinearAlgebra.cholesky(A::GMatrix; check::Bool = true)
    check_square(A, "cholesky")
    if !LinearAlgebra.ishermitian(A)
        check && throw(LinearAlgebra.PosDefException(-1))
        return LinearAlgebra.Cholesky(as_elements(float(eltype(A)), A), 'U', -1)
    end
    factored_cholesky(A, 'U', check)
end
for H in (:Symmetric, :Hermitian)
    @eval LinearAlgebra.cholesky(A::LinearAlgebra.$H{<:Any,<:GMatrix}; check::Bool = true) =
        factored_cholesky(parent(A), A.uplo, check)
end
function factored_cholesky(A::GMatrix, uplo::Char, check::Bool)
    factors, codes = decomposed((:matrix, :vector), A) do out, info, a
        Lib.gpuarr_cholesky(out, a, uplo == 'U', info, C_NULL)
    end
    code = Int(numbers(codes))
    check && code != 0 && throw(LinearAlgebra.PosDefException(code))
    LinearAlgebra.Cholesky(factors, uplo, code)
end
LinearAlgebra.cholesky(A::GArray) = (U = only_of(
    decomposed_checked(LinearAlgebra.PosDefException, (:matrix,), A) do out, info, a
        Lib.gpuarr_cholesky(out, a, 1, info, C_NULL)
    end),)

function LinearAlgebra.lu(A::GMatrix; check::Bool = true)
    factors, pivots, codes = decomposed((:matrix, :vector, :vector), A) do lu, pivots, info, a
        Lib.gpuarr_lu_factor(lu, pivots, a, info, C_NULL)
    end
    code = Int(numbers(codes))
    check && code != 0 && throw(LinearAlgebra.SingularException(code))
    exchanges = LinearAlgebra.BlasInt.(Array(pivots)) .+ 1
    unsafe_free!(pivots)
    LinearAlgebra.LU(factors, exchanges, LinearAlgebra.BlasInt(code))
end
function LinearAlgebra.lu(A::GArray)
    rows, L, U = decomposed((:vector, :matrix, :matrix), A) do p, l, u, a
        Lib.gpuarr_lu(p, l, u, a, C_NULL)
    end
    (L = L, U = U, p = sorted_places(rows, Int32(0), false, identity))
end

const GCholesky{T} = LinearAlgebra.Cholesky{T,<:GMatrix}
const GLU{T} = LinearAlgebra.LU{T,<:GMatrix}

function Base.getproperty(F::GLU{T}, name::Symbol) where {T}
    name in (:L, :U, :p, :P) || return getfield(F, name)
    factors = getfield(F, :factors)
    m, k = size(factors, 1), minimum(size(factors))
    name === :U && return LinearAlgebra.triu(view(factors, 1:k, :))
    name === :L && return LinearAlgebra.tril(view(factors, :, 1:k), -1) + GArray{T}(
        LinearAlgebra.I, m, k; device = device(factors))
    p = LinearAlgebra.ipiv2perm(getfield(F, :ipiv), m)
    name === :p ? p : GArray(Matrix{T}(LinearAlgebra.I, m, m)[:, invperm(p)];
        device = device(factors))
end

"""
    eigen(A), eigvals(A), eigvecs(A)

Eigenvalues and eigenvectors as Julia's `Eigen`, of arrays on the device. As in Julia those of
symmetric or Hermitian matrices are real and ascending; `eigen(Symmetric(A))` reads one triangle
and does not look whether it is. Others are complex, unless all turn out to be real. Of stacks of
matrices they are `(values = ..., vectors = ...)`, complex, in LAPACK's order.
"""
function LinearAlgebra.eigen(A::GMatrix)
    check_square(A, "eigen")
    LinearAlgebra.ishermitian(A) && return eigen_of_hermitian(A, 'U')
    values, vectors = eigen_of_any(A)
    order = sortperm(Array(values); by = z -> (real(z), imag(z)))
    if eltype(A) <: Real && all(isreal, values)
        values, vectors = real.(values), real.(vectors)
    end
    LinearAlgebra.Eigen(values[order], vectors[:, order])
end
function LinearAlgebra.eigen(A::GArray)
    check_square(A, "eigen")
    values, vectors = eigen_of_any(A)
    (values = values, vectors = vectors)
end
eigen_of_any(A) = decomposed_checked(not_finished, (:vector, :matrix), A) do w, v, info, a
    Lib.gpuarr_eig(w, v, a, info, C_NULL)
end
eigen_of_hermitian(A, uplo) = LinearAlgebra.Eigen(
    decomposed_checked(not_finished, (:vector, :matrix), A) do w, v, info, a
        Lib.gpuarr_eigh(w, v, a, uplo == 'U', info, C_NULL)
    end...)

values_of_any(A) = only_of(decomposed_checked(not_finished, (:vector,), A) do w, info, a
    Lib.gpuarr_eigvals(w, a, info, C_NULL)
end)
values_of_hermitian(A, uplo) =
    only_of(decomposed_checked(not_finished, (:vector,), A) do w, info, a
        Lib.gpuarr_eigvalsh(w, a, uplo == 'U', info, C_NULL)
    end)
function LinearAlgebra.eigvals(A::GMatrix)
    check_square(A, "eigvals")
    LinearAlgebra.ishermitian(A) && return values_of_hermitian(A, 'U')
    values = values_of_any(A)
    order = sortperm(Array(values); by = z -> (real(z), imag(z)))
    (eltype(A) <: Real && all(isreal, values) ? real.(values) : values)[order]
end
LinearAlgebra.eigvals(A::GArray) = (check_square(A, "eigvals"); values_of_any(A))
LinearAlgebra.eigvecs(A::GMatrix) = LinearAlgebra.eigen(A).vectors

# Of a real Symmetric or a Hermitian matrix one triangle is read.
const GHermitian = Union{LinearAlgebra.Symmetric{<:Real,<:GMatrix},
    LinearAlgebra.Hermitian{<:Any,<:GMatrix}}
LinearAlgebra.eigen(A::GHermitian) = eigen_of_hermitian(parent(A), A.uplo)
LinearAlgebra.eigvals(A::GHermitian) = values_of_hermitian(parent(A), A.uplo)
LinearAlgebra.eigvecs(A::GHermitian) = LinearAlgebra.eigen(A).vectors
