//! Gufuncs, against plain loops.
use gpuarr::{args, Array, Group, Gufunc, Options, Order, Status, Stream};

use crate::support::device;

crate::tests! { a_cross_product groups_and_orders prepared_calls what_is_refused }

const SUM: &str = "T s = 0;\n\
    for (int j = group.rank(); j < n; j += group.size()) s += x(j);\n\
    y = a * group.sum(s);";

fn a_cross_product() {
    let body = "for (int j = 0; j < 3; ++j)\n\
        c(j) = a((j + 1) % 3) * b((j + 2) % 3) - a((j + 2) % 3) * b((j + 1) % 3);";
    let cross = Gufunc::new("(3),(3)->(3)", "T a, T b", "T c", body).unwrap();
    let x = Array::from_slice(&[1.0f64, 0.0, 0.0, 0.0, 1.0, 0.0], [2, 3]).unwrap();
    let y = Array::from_slice(&[0.0f64, 1.0, 0.0], 3).unwrap();
    let z: Array<f64> = cross.call(args![&x, &y]).unwrap();
    assert_eq!(z.to_vec().unwrap(), [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    let mut given = Array::<f64>::zeros([2, 3]).unwrap();
    let stream = Stream::new(device()).unwrap();
    device().synchronize().unwrap();
    cross.on(&stream).call_into(args![&y, &x], &mut given).unwrap();
    stream.synchronize().unwrap();
    assert_eq!(given.to_vec().unwrap(), [0.0, 0.0, -1.0, 0.0, 0.0, 0.0]);
}

fn groups_and_orders() {
    let elements: Vec<i32> = (0..200).map(|k| k * k % 17).collect();
    let sums: Vec<i32> = elements.chunks(50).map(|row| 2 * row.iter().sum::<i32>()).collect();
    let rows = Array::from_slice(&elements, [4, 50]).unwrap();
    let columns = rows.transpose().unwrap();
    for group in [Group::Auto, Group::Thread, Group::Warp, Group::Block, Group::Threads(64)] {
        for (order, x) in [(Order::C, &rows), (Order::F, &columns)] {
            let options = Options::new().name("sums");
            let (lists, cores) = (("T x, T a", "T y"), "(n),()->()");
            let f = Gufunc::with_options(cores, lists.0, lists.1, SUM, group, order, &options);
            let y: Array<i32> = f.unwrap().call(args![x, 2]).unwrap();
            assert_eq!(y.to_vec().unwrap(), sums, "{group:?} {order:?}");
        }
    }
}

fn prepared_calls() {
    let f = Gufunc::new("(n),()->()", "T x, T a", "T y", SUM).unwrap();
    let x = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0], [2, 2]).unwrap();
    let mut y = Array::<f32>::zeros(2).unwrap();
    let call = f.prepare(args![&x, 2.0f32], &mut y).unwrap();
    assert!(f.source(args![&x, 2.0f32], &mut y).unwrap().contains("y = a * group.sum(s);"));
    drop(f);
    call.launch().unwrap();
    assert_eq!(y.to_vec().unwrap(), [6.0, 14.0]);
}

fn what_is_refused() {
    let refused = |group| {
        let options = Options::new();
        Gufunc::with_options("()->()", "T x", "T y", "", group, Order::C, &options).unwrap_err()
    };
    for count in [2, 100, 1056] {
        let error = refused(Group::Threads(count));
        assert_eq!(error.status, Status::ARGUMENT);
        assert!(error.message.contains("a multiple of 32 from 64 to 1024"), "{error}");
    }
    let error = Gufunc::new("(n->()", "T x", "T y", "").unwrap_err();
    assert_eq!(error.status, Status::SYNTAX);
    let f = Gufunc::new("(4)->()", "T x", "T y", "y = x(0);").unwrap();
    let x = Array::from_slice(&[1.0f32, 2.0, 3.0], 3).unwrap();
    let error = f.call::<Array<f32>>(args![&x]).unwrap_err();
    assert_eq!(error.status, Status::SHAPE);
    assert!(error.message.contains("with 3 where its core (4) says 4"), "{error}");
}
