# Linear algebra: as the host's, and what can be wrong with a matrix.
a, b, v, s = rand(3, 4), rand(4, 2), rand(4), rand(4, 4)
h, p, z = s + s', s * s' + I, rand(ComplexF64, 4, 4)

@testset "products" begin
    @test agrees(*, a, b) && agrees(*, a, v)
    @test agrees((x, y) -> x' * y[1:3], a, v)
    @test agrees((x, y) -> view(x, 3:-1:1, 2:4) * y', a, a[:, 1:3])
    @test agrees(*, z, z)
    @test agrees(*, [true true; false true], [true false; true true])
    @test agrees((x, y, c) -> mul!(copy(c), x, y, 2, 3), a, b, ones(3, 2))
    @test agrees((x, y) -> mul!(similar(y, 3), x, y), a, v)
    @test agrees(kron, a, b) && agrees(x -> x^3, s) && agrees(x -> x^-2, s) && agrees(tr, s)
    @test agrees(x -> diag(x, 1), s) && agrees(x -> triu(x, 1), s) && agrees(tril, s)
    @test agrees(diagm, v) && agrees(x -> x + 2I, s) && agrees(x -> I - x, s)
    @test agrees(normalize, v) && agrees((x, y) -> axpy!(2, x, copy(y)), v, v)
    @test agrees((x, y) -> Diagonal(y) * x .+ UpperTriangular(x), s, v)
    @test agrees(issymmetric, h) && agrees(istriu, triu(s)) && agrees(istril, s)
    x, y = GArray(rand(2, 3, 5)), GArray(rand(3, 2, 5))
    @test Array(GPUArr.batched_mul(x, y))[:, :, 4] ≈ Array(x)[:, :, 4] * Array(y)[:, :, 4]
    @test Array(GPUArr.einsum("ij,jk->ik", GArray(a), GArray(b))) ≈ a * b
    @test GPUArr.tensordot(GArray(a), GArray(a), (1, 2), (1, 2)) ≈ dot(a, a)
    @test_throws DimensionMismatch GArray(a) * GArray(a)
    @test_throws DimensionMismatch mul!(GArray(zeros(2, 2)), GArray(a), GArray(b))
end

@testset "equations" begin
    @test !isempty(GPUArr.blas()) && !isempty(GPUArr.solver())
    @test agrees(\, s, v) && agrees(\, a, v[1:3]) && agrees(\, b, v) && agrees(/, a, s)
    @test agrees(/, z, z + I) && agrees(inv, s) && agrees(pinv, a) && agrees(det, s)
    @test agrees(logdet, p) && agrees(x -> logabsdet(x)[1], s) && agrees(rank, a)
    @test agrees(x -> opnorm(x, 1), a) && agrees(opnorm, a) && agrees(cond, s)
    @test agrees((x, y) -> UpperTriangular(x) \ y, s, v) && agrees((x, y) -> Diagonal(y) \ y, s, v)
    @test agrees((x, y) -> UnitLowerTriangular(x) * y, s, v)
    @test agrees((x, y) -> Symmetric(x, :L) * y, s, v) && agrees((x, y) -> Hermitian(x) * y, z, z)
    x, y = rand(3, 3, 4), rand(3, 2, 4)
    @test Array(GArray(x) \ GArray(y))[:, :, 3] ≈ x[:, :, 3] \ y[:, :, 3]
    @test Array(det(GArray(x)))[2] ≈ det(x[:, :, 2])
    fit = GPUArr.least_squares(GArray(b), GArray(v))
    @test Array(fit.rank)[] == 2 && Array(fit.residuals)[] ≈ sum(abs2, v - b * (b \ v))
end

@testset "factorisations" begin
    for (f, m) in ((lu, s), (cholesky, p))
        ours, theirs, right = f(GArray(m)), f(m), GArray(v)
        @test typeof(ours).name === typeof(theirs).name
        @test Array(GArray(ours.L)) ≈ theirs.L && Array(GArray(ours.U)) ≈ theirs.U
        @test Array(ours \ right) ≈ theirs \ v && Array(inv(ours)) ≈ inv(theirs)
        @test det(ours) ≈ det(theirs)
    end
    @test logdet(cholesky(GArray(p))) ≈ logdet(p) && logabsdet(lu(GArray(s)))[2] == sign(det(s))
    @test lu(GArray(s)).p == lu(s).p && Array(lu(GArray(s)).P) == lu(s).P
    @test Array(lu(GArray(s))' \ GArray(v)) ≈ s' \ v
    U, S, V = svd(GArray(a))
    @test Array(U * Diagonal(S) * V') ≈ a && Array(S) ≈ svdvals(a)
    @test Array(svd(GArray(b)) \ GArray(v)) ≈ b \ v
    Q, R = qr(GArray(b))
    @test Array(Q * R) ≈ b && Array(Q' * Q) ≈ Array(GArray{Float64}(I, 2))
    @test Array(qr(GArray(b)) \ GArray(v)) ≈ b \ v
    @test size(qr(GArray(b); full = true).Q) == (4, 4) == size(svd(GArray(a); full = true).Vt)
    for m in (s, h, z)
        values, vectors = eigen(GArray(m))
        @test Array(values) ≈ eigvals(m) && Array(eigvals(GArray(m))) ≈ eigvals(m)
        values, vectors = Array(values), Array(vectors)
        @test m * vectors ≈ vectors .* transpose(values)
    end
    @test Array(eigvals(Symmetric(GArray(s)))) ≈ eigvals(Symmetric(s))
    stack, x3 = GArray(rand(4, 3, 2)), rand(3, 3, 2)
    @test svd(stack).Vt |> size == (3, 3, 2) && size(svdvals(stack)) == (3, 2)
    parts = map(Array, lu(GArray(x3)))
    @test x3[parts.p[:, 2], :, 2] ≈ parts.L[:, :, 2] * parts.U[:, :, 2]
    for part in (svd(GArray(a)), lu(GArray(s)), cholesky(GArray(p)), qr(GArray(a)))
        @test occursin("GArray", repr("text/plain", part))
    end
end

@testset "what is wrong with a matrix" begin
    none, bad = GArray(zeros(3, 3)), GArray([1.0 NaN; 2 3])
    @test_throws SingularException none \ GArray(zeros(3))
    @test_throws SingularException lu(none)
    @test_throws SingularException inv(none)
    @test_throws SingularException UpperTriangular(none) \ GArray(zeros(3))
    @test !issuccess(lu(none; check = false)) && !issuccess(cholesky(-GArray(p); check = false))
    @test message_of(() -> cholesky(GArray([1.0 2; 2 1])), PosDefException) ==
        sprint(showerror, PosDefException(2))
    @test_throws PosDefException cholesky(GArray(s))
    @test mentions(message_of(() -> svd(bad), ArgumentError), "NaN")
    @test_throws ArgumentError eigvals(bad)
    @test_throws DimensionMismatch inv(GArray(a))
    @test_throws DimensionMismatch GArray(s) \ GArray(ones(3))
    @test mentions(message_of(() -> svd(GArray(Float16[1 2; 3 4]))), "float16", "GPUARR_ERR_DTYPE")
    @test size(GPUArr.zeros(0, 3) * GPUArr.zeros(3, 0)) == (0, 0) && det(GPUArr.zeros(0, 0)) == 1
end
