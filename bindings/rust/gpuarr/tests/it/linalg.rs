//! Linear algebra: products against plain loops, what matrices are taken apart into put together.
use gpuarr::num_complex::Complex;
use gpuarr::{einsum, einsum_of, Array, MatrixNorm, Product, Status, Stream};
use gpuarr::{Triangle, Triangular};

use crate::support::{device, refused, Random};

crate::tests! {
    products products_of_axes with_options norms_and_powers put_together equations
    more_equations_than_numbers determinants types stacks refused_matrices
}

fn matrix(rows: usize, columns: usize, seed: u64) -> (Array<f64>, Vec<f64>) {
    let mut random = Random::new(seed);
    let values: Vec<f64> =
        (0..rows * columns).map(|_| random.between(-9, 9) as f64 / 2.0).collect();
    (device().array(&values, [rows, columns]).unwrap(), values)
}

fn times(x: &[f64], y: &[f64], n: usize) -> Vec<f64> {
    let (rows, columns) = (x.len() / n, y.len() / n);
    let element = |at: usize| {
        (0..n).map(|k| x[at / columns * n + k] * y[k * columns + at % columns]).sum::<f64>()
    };
    (0..rows * columns).map(element).collect()
}

/// The first column of a matrix of five.
fn column(values: &[f64]) -> Vec<f64> {
    values.iter().copied().step_by(5).collect()
}

#[track_caller]
fn close(x: &Array<f64>, y: &Array<f64>) {
    assert_eq!(x.shape(), y.shape());
    let (x, y) = (x.to_vec().unwrap(), y.to_vec().unwrap());
    let near = |(x, y): (&f64, &f64)| (x - y).abs() <= 1e-10 + 1e-5 * y.abs();
    assert!(x.iter().zip(&y).all(near), "{:?}\n{:?}", x, y);
}

fn products() {
    let ((x, host_x), (y, host_y)) = (matrix(3, 4, 1), matrix(4, 5, 2));
    assert_eq!(x.matmul(&y).unwrap().to_vec().unwrap(), times(&host_x, &host_y, 4));
    let left = y.transpose().unwrap().matmul(&x.transpose().unwrap()).unwrap();
    assert_eq!(left.transpose().unwrap().to_vec().unwrap(), times(&host_x, &host_y, 4));
    assert_eq!(x.matmul(&y.select(1, 0).unwrap()).unwrap().shape(), [3]);
    let (x, y) = (x.select(0, 0).unwrap(), y.select(1, 0).unwrap());
    assert_eq!(x.outer(&y).unwrap().to_vec().unwrap(), times(&host_x[..4], &column(&host_y), 1));
    assert_eq!(x.kron(&y).unwrap().to_vec().unwrap(), times(&host_x[..4], &column(&host_y), 1));
    let product = times(&host_x[..4], &column(&host_y), 4)[0];
    assert_eq!(x.inner(&y).unwrap().item().unwrap(), product);
    let z = device().array(&[Complex::new(0.0f32, 2.0)], 1).unwrap();
    assert_eq!(z.vdot(&z).unwrap().item().unwrap(), Complex::new(4.0, 0.0));
}

fn products_of_axes() {
    let ((x, host_x), (y, host_y)) = (matrix(3, 4, 3), matrix(4, 5, 4));
    let wanted = times(&host_x, &host_y, 4);
    assert_eq!(x.tensordot(&y, 1).unwrap().to_vec().unwrap(), wanted);
    assert_eq!(x.tensordot(&y, ([-1], [0])).unwrap().to_vec().unwrap(), wanted);
    assert_eq!(x.tensordot(&y, 0).unwrap().shape(), [3, 4, 4, 5]);
    assert_eq!(einsum("ij,jk->ik", &x, &y).unwrap().to_vec().unwrap(), wanted);
    let sums = einsum_of("ij->j", &x).unwrap().to_vec().unwrap();
    assert_eq!(sums, x.sum(0).to_vec().unwrap());
    refused(einsum("ij,jk->il", &x, &y), Status::SYNTAX, &["gpuarr_einsum", "l"]);
    refused(x.tensordot(&y, ([0], [0])), Status::SHAPE, &["gpuarr_tensordot", "3", "4"]);
}

fn with_options() {
    let (x, _) = matrix(4, 4, 5);
    let wanted = x.matmul(&x).unwrap();
    let mut y = device().zeros::<f64>([4, 4]).unwrap();
    device().synchronize().unwrap();
    let stream = Stream::new(device()).unwrap();
    Product::new().on(&stream).matmul_into(&x, &x, &mut y).unwrap();
    stream.synchronize().unwrap();
    close(&y, &wanted);
    let mut wrong = device().zeros::<f64>([4, 3]).unwrap();
    let failed = Product::new().tf32().matmul_into(&x, &x, &mut wrong);
    refused(failed, Status::SHAPE, &["gpuarr_matmul", "(4, 3)", "(4, 4)"]);
}

fn norms_and_powers() {
    let x = device().array(&[1.0f64, -2.0, 3.0, 4.0], [2, 2]).unwrap();
    let norm = |which| x.matrix_norm(which).unwrap().item().unwrap();
    let wanted = [30f64.sqrt(), 6.0, 7.0];
    let kinds = [MatrixNorm::Frobenius, MatrixNorm::One, MatrixNorm::Infinity];
    for (which, wanted) in kinds.into_iter().zip(wanted) {
        assert!((norm(which) - wanted).abs() < 1e-12, "{:?}", which);
    }
    let (most, least) = (norm(MatrixNorm::Two), norm(MatrixNorm::MinusTwo));
    assert!((most * least - 10.0).abs() < 1e-12); // the determinant
    assert!((norm(MatrixNorm::Nuclear) - most - least).abs() < 1e-12);
    assert_eq!(x.trace(0).unwrap().item().unwrap(), 5.0);
    assert_eq!(x.trace(1).unwrap().item().unwrap(), -2.0);
    let cube = x.matmul(&x).unwrap().matmul(&x).unwrap();
    close(&x.matrix_power(3).unwrap(), &cube);
    close(&x.matrix_power(-1).unwrap(), &x.inv().unwrap());
    let whole = x.astype::<i32>().unwrap();
    refused(whole.matrix_power(-1), Status::DTYPE, &["int32 is wanted", "float64"]);
}

fn put_together() {
    let (a, _) = matrix(4, 3, 6);
    let svd = a.svd().unwrap();
    close(&(&svd.u * &svd.s).eval().unwrap().matmul(&svd.vh).unwrap(), &a);
    close(&svd.s, &a.svdvals().unwrap());
    assert_eq!(a.svd_full().unwrap().u.shape(), [4, 4]);
    let qr = a.qr().unwrap();
    close(&qr.q.matmul(&qr.r).unwrap(), &a);
    close(&qr.r, &a.qr_r().unwrap());
    assert_eq!(a.qr_complete().unwrap().q.shape(), [4, 4]);
    let lu = a.lu().unwrap();
    close(&lu.l.matmul(&lu.u).unwrap().take(&lu.p, 0).unwrap(), &a);

    let square = a.transpose().unwrap().matmul(&a).unwrap();
    let square = (square + device().eye::<f64>([3, 3], 0).unwrap()).eval().unwrap();
    for triangle in [Triangle::Lower, Triangle::Upper] {
        let factor = square.cholesky(triangle).unwrap().factor;
        let other = factor.transpose().unwrap();
        let product = match triangle {
            Triangle::Lower => factor.matmul(&other),
            Triangle::Upper => other.matmul(&factor),
        };
        close(&product.unwrap(), &square);
        let eigh = square.eigh(triangle).unwrap();
        close(&square.matmul(&eigh.v).unwrap(), &(&eigh.v * &eigh.w).eval().unwrap());
        close(&eigh.w, &square.eigvalsh(triangle).unwrap());
    }
    let turn = device().array(&[0.0f64, -1.0, 1.0, 0.0], [2, 2]).unwrap();
    let eig = turn.eig().unwrap();
    let left = turn.matmul(&eig.v).unwrap().to_vec().unwrap();
    let right = (&eig.v * &eig.w).to_vec().unwrap();
    assert!(left.iter().zip(&right).all(|(left, right)| (left - right).norm_sqr() < 1e-24));
    let values = turn.eigvals().unwrap().to_vec().unwrap();
    assert!(values.iter().all(|value| (value.im.abs() - 1.0).abs() < 1e-12));
}

fn equations() {
    let (a, _) = matrix(4, 4, 7);
    let (x, _) = matrix(4, 2, 8);
    let b = a.matmul(&x).unwrap();
    close(&a.solve(&b).unwrap(), &x);
    close(&a.solve(&b.select(1, 1).unwrap()).unwrap(), &x.select(1, 1).unwrap());
    close(&a.inv().unwrap().matmul(&b).unwrap(), &x);
    let factor = a.lu_factor().unwrap();
    close(&factor.solve(&b).unwrap(), &x);
    let transposed = a.transpose().unwrap().matmul(&x).unwrap();
    close(&factor.solve_transposed(&transposed).unwrap(), &x);
    close(&factor.solve_conjugate_transposed(&transposed).unwrap(), &x);
    assert_eq!(factor.lu.shape(), [4, 4]);
    let mut wrong = factor.clone();
    wrong.pivots = (&factor.pivots + 1).eval().unwrap();
    let solved = wrong.solve(&b).and_then(|x| x.to_vec());
    refused(solved, Status::INDEX, &["gpuarr_lu_solve", "4"]);
    let lu = a.lu().unwrap();
    let lower = Triangular::new(Triangle::Lower);
    close(&lu.l.solve_triangular(&lu.l.matmul(&x).unwrap(), lower.unit_diagonal()).unwrap(), &x);
    let upper = Triangular::new(Triangle::Upper);
    let product = lu.u.transpose().unwrap().matmul(&x).unwrap();
    close(&lu.u.solve_triangular(&product, upper.transposed()).unwrap(), &x);
    close(&lu.u.solve_triangular(&product, upper.conjugate_transposed()).unwrap(), &x);
    let square = a.matmul(&a.transpose().unwrap()).unwrap();
    let cholesky = square.cholesky(Triangle::Upper).unwrap();
    close(&square.matmul(&cholesky.solve(&b).unwrap()).unwrap(), &b);
}

fn more_equations_than_numbers() {
    let a = device().array(&[1.0f64, 0.0, 1.0, 1.0, 1.0, 2.0], [3, 2]).unwrap();
    let b = device().array(&[1.0f64, 3.0, 5.5], 3).unwrap();
    let fit = a.lstsq(&b, None).unwrap();
    let normal = a.transpose().unwrap().matmul(&a).unwrap();
    close(&fit.x, &normal.solve(&a.transpose().unwrap().matmul(&b).unwrap()).unwrap());
    assert_eq!(fit.rank.item().unwrap(), 2);
    close(&fit.s, &a.svdvals().unwrap());
    let rest = (&b - a.matmul(&fit.x).unwrap()).eval().unwrap();
    assert!(
        (fit.residuals.item().unwrap() - rest.dot(&rest).unwrap().item().unwrap()).abs() < 1e-12
    );
    close(&a.pinv(None).unwrap().matmul(&b).unwrap(), &fit.x);
    assert_eq!(a.matrix_rank(None).unwrap().item().unwrap(), 2);
    assert_eq!(a.matrix_rank(1.5).unwrap().item().unwrap(), 1);
    assert_eq!(a.lstsq(&b, 0.9).unwrap().rank.item().unwrap(), 1);
}

fn determinants() {
    let a = device().array(&[1i32, 2, 3, 4], [2, 2]).unwrap();
    assert!((a.det().unwrap().item().unwrap() + 2.0).abs() < 1e-14);
    let parts = a.slogdet().unwrap();
    assert_eq!(parts.sign.item().unwrap(), -1.0);
    assert!((parts.logdet.item().unwrap() - 2f64.ln()).abs() < 1e-14);
}

/// What is computed has the type that is promised, or the binding would refuse it.
fn types() {
    fn of<T: gpuarr::Element>() {
        let a = device().eye::<T>([2, 2], 0).unwrap();
        a.svd().unwrap();
        a.eig().unwrap();
        a.eigh(Triangle::Lower).unwrap();
        a.slogdet().unwrap();
    }
    of::<i8>();
    of::<Complex<f32>>();
    let a = device().eye::<f32>([2, 2], 0).unwrap();
    let b = device().array(&[1.0f64, 2.0], 2).unwrap();
    assert_eq!(a.solve(&b).unwrap().to_vec().unwrap(), [1.0f64, 2.0]);
    assert_eq!(a.lstsq(&b, None).unwrap().x.to_vec().unwrap(), [1.0f64, 2.0]);
    assert_eq!(a.as_any().svd().unwrap().s.dtype(), gpuarr::DType::F32);
}

fn stacks() {
    let a = device().array(&[2.0, 1.0, 0.0, 1.0, 1.0, 0.0, 3.0, 1.0], [2, 2, 2]).unwrap();
    assert_eq!(a.det().unwrap().to_vec().unwrap(), [2.0, 1.0]);
    let ones = device().eye::<f64>([2, 2], 0).unwrap().broadcast([2, 2, 2]).unwrap();
    close(&a.matmul(&a.inv().unwrap()).unwrap(), &ones);
    assert_eq!(a.svd().unwrap().s.shape(), [2, 2]);
}

fn refused_matrices() {
    let a = device().array(&[1.0, 2.0, 2.0, 4.0], [2, 2]).unwrap();
    refused(a.inv(), Status::SINGULAR, &["gpuarr_inv", "2"]);
    refused(a.solve(&device().ones::<f64>(3).unwrap()), Status::SHAPE, &["gpuarr_solve", "3"]);
    let failed = (-&a).eval().unwrap().cholesky(Triangle::Lower);
    refused(failed, Status::NOT_POSITIVE_DEFINITE, &["gpuarr_cholesky", "1"]);
    let infinite = &a / 0.0;
    refused(infinite.eval().unwrap().svd(), Status::NOT_FINITE, &["gpuarr_svd"]);
    refused(a.slice(0, ..1).unwrap().det(), Status::SHAPE, &["gpuarr_det", "(1, 2)"]);
    refused(a.select(0, 0).unwrap().qr(), Status::SHAPE, &["gpuarr_qr"]);
    let half = device().zeros::<gpuarr::half::f16>([2, 2]).unwrap();
    refused(half.svd(), Status::DTYPE, &["gpuarr_svd", "float16"]);
    refused(a.matmul(&device().ones::<f64>([3, 2]).unwrap()), Status::SHAPE, &["gpuarr_matmul"]);
}
