# Kernels of rows and small matrices: the principal stresses of many stress tensors, by one thread
# each, and running means of columns, by whatever their length suits. Cores are the first
# dimensions.
using GPUArr, LinearAlgebra, Printf

const POINTS, ROWS, COLUMNS, WIDTH = 20_000, 2000, 50, 7

# Eigenvalues of a symmetric matrix, by the angle that its characteristic polynomial gives.
eigen = GufuncKernel("(3,3)->(3)", "T a", "T w", """
    const T q = (a(0, 0) + a(1, 1) + a(2, 2)) / 3;
    const T d0 = a(0, 0) - q, d1 = a(1, 1) - q, d2 = a(2, 2) - q;
    const T s = a(0, 1), t = a(0, 2), u = a(1, 2);
    const T p = sqrt((d0 * d0 + d1 * d1 + d2 * d2 + 2 * (s * s + t * t + u * u)) / 6);
    const T det = d0 * (d1 * d2 - u * u) - s * (s * d2 - u * t) + t * (s * u - d1 * t);
    const T r = p > 0 ? det / (2 * p * p * p) : 0;
    const T angle = acos(r > 1 ? T(1) : r < -1 ? T(-1) : r) / 3;
    w(2) = q + 2 * p * cos(angle);
    w(0) = q + 2 * p * cos(angle + T(2.0943951023931954923)); // 2/3 pi
    w(1) = 3 * q - w(0) - w(2);
    """; group = :thread)

# Each thread of the group has some of a column's elements.
running_mean = GufuncKernel("(n),()->(n)", "T x, int32 width", "T y", """
    for (int j = group.rank(); j < n; j += group.size()) {
      const int first = j < width ? 0 : j - width + 1;
      T sum = 0;
      for (int k = first; k <= j; ++k) sum += x(k);
      y(j) = sum / (j - first + 1);
    }""")

stress = [sin(k + 3 * max(i, j) + min(i, j)) + 2 * (i == j)
    for i in 0:2, j in 0:2, k in 0:POINTS-1]
series = Float32[(i + j * ROWS) * 7 % 31 for i in 1:ROWS, j in 1:COLUMNS]
principal = Array(eigen(GArray(stress)))
means = Array(running_mean(GArray(series), Int32(WIDTH)))

for k in 1:POINTS
    wanted = eigvals(Symmetric(stress[:, :, k]))
    isapprox(principal[:, k], wanted; atol = 1e-7) || error("$(principal[:, k]), not $wanted")
end
for j in 1:ROWS
    wanted = vec(sum(series[max(1, j - WIDTH + 1):j, :]; dims = 1)) ./ min(j, WIDTH)
    isapprox(means[j, :], wanted; rtol = 1e-5) || error("running means are $(means[j, :])")
end
@printf("the first: %.4f %.4f %.4f\n", principal[:, 1]...)
@printf("ok: principal stresses of %d tensors and running means of %d series on %s\n", POINTS,
    COLUMNS, GPUArr.name(Device()))
