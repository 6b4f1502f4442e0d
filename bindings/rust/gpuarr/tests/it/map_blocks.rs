//! Closures, kernels and expressions for each block, and reductions of the user's own.
use std::panic::{catch_unwind, AssertUnwindSafe};

use gpuarr::{
    args, block_args, map_blocks, map_blocks_eval, map_overlap, thread, AnyBlocked, Array,
    BlockArg, Blocked, Blocks, Boundary, Elementwise, Error, Expr, Fused, Halo, MapBlocks, Options,
    RawKernel, Reduction, Status, Stream, Team, ALL,
};

use crate::support::{device, refused, Quiet, Random};

crate::tests! {
    what_a_closure_sees many_arrays positions closures_that_fail closures_that_panic
    elementwise_kernels raw_kernels kernels_in_rust reductions_of_each_block texts
    functions_of_expressions stencils
    reductions_of_the_whole arrays_that_do_not_go_together
}

fn team(places: usize) -> Team {
    Team::local(&vec![device(); places]).unwrap()
}

fn what_a_closure_sees() {
    let team = team(3);
    let halo = Halo::sides([1, 1], [0, 0]);
    let x = team.full(&Blocks::new([5, 4]).chunk([2, 2]).halo(halo), 0i64).unwrap();
    let (mut seen, mut places) = (Vec::new(), Vec::new());
    map_blocks(&mut x.clone(), &x, |block, out, x| {
        assert_eq!(out.shape(), x.shape());
        assert_eq!(block.stop(0) - block.start(0), out.shape()[0]);
        assert_eq!(block.number() as i64, block.location(0) * 2 + block.location(-1));
        assert_eq!((block.location(2), block.start(-3), block.stop(7)), (-1, -1, -1));
        assert_eq!(block.stream().native(), Stream::current(device())?.native());
        assert_eq!(block.stream().native(), team.stream(block.place())?.native());
        seen.push(block.start(0) * 10 + block.start(1));
        places.push(block.place());
        Ok(())
    })
    .unwrap();
    assert_eq!((seen, places), (vec![0, 2, 20, 22, 40, 42], vec![0, 0, 1, 1, 2, 2]));
    let mut rows = 0;
    MapBlocks::new()
        .with_halo()
        .call(&mut x.clone(), &x, |_, _, x| {
            rows += x.shape()[0];
            Ok(())
        })
        .unwrap();
    assert_eq!(rows, 10 + 4); // none before the first rows
}

fn many_arrays() {
    let x = team(2).arange::<i32>(&Blocks::new(10).chunk(3), 0, 1).unwrap();
    let (mut up, mut down) = (x.empty_like().unwrap(), x.empty_like_of::<f64>().unwrap());
    let both = Elementwise::new("T x", "T up, U down", "up = x + 1; down = -x;").unwrap();
    map_blocks((&mut up, &mut down), (&x,), |_, (up, down), (x,)| {
        both.call_into(args![x], (up, down))
    })
    .unwrap();
    assert_eq!(up.read(8..).unwrap(), [9, 10]);
    assert_eq!(down.read(8..).unwrap(), [-8.0, -9.0]);
    map_blocks(&mut up, (), |block, up, ()| up.fill(block.number() as i32)).unwrap();
    assert_eq!(up.to_vec().unwrap(), [0, 0, 0, 1, 1, 1, 2, 2, 2, 3]);
    let mut outputs: Vec<AnyBlocked> = vec![up.clone().into_any(), down.clone().into_any()];
    let inputs: Vec<AnyBlocked> = vec![x.clone().into_any()];
    map_blocks(&mut outputs[..], &inputs[..], |_, outputs, inputs| {
        outputs.iter_mut().try_for_each(|out| out.assign(&inputs[0]))
    })
    .unwrap();
    assert_eq!(up.to_vec().unwrap(), x.to_vec().unwrap());
    assert_eq!(down.read(9..).unwrap(), [9.0]);
    // A block may be kept: it is an array like others.
    let mut kept: Vec<Array<i32>> = Vec::new();
    map_blocks(&mut x.clone(), &x, |_, _, x| {
        kept.push(x.clone());
        Ok(())
    })
    .unwrap();
    drop((x, up, down, outputs, inputs));
    assert_eq!(kept[3].to_vec().unwrap(), [9]);
}

fn positions() {
    let team = team(2);
    let x = team.arange::<i64>(&Blocks::new(10).chunk(4), 0, 1).unwrap();
    let mut sums = team.empty::<i64>(&Blocks::new(3).chunk(1)).unwrap();
    let sum = |_: &gpuarr::Block<'_>, sum: &mut Array<i64>, x: &Array<i64>| {
        x.sum(0).expand(0).eval_into(sum)
    };
    refused(map_blocks(&mut sums, &x, sum), Status::SHAPE, &["inputs[0]"]);
    MapBlocks::new().by_position().call(&mut sums, &x, sum).unwrap();
    assert_eq!(sums.to_vec().unwrap(), [6, 22, 17]);
}

fn closures_that_fail() {
    let mut x = team(2).full(&Blocks::new(4).chunk(1), 0i32).unwrap();
    let mut calls = 0;
    let failed = map_blocks(&mut x, (), |block, _, ()| {
        calls += 1;
        match block.number() {
            1 => Err(Error::new(Status::NOT_FINITE, "block 1 went wrong")),
            _ => Ok(()),
        }
    });
    refused(failed, Status::NOT_FINITE, &["block 1 went wrong"]);
    assert_eq!(calls, 2);

    let mut x = team(2).full(&Blocks::new(4), 0i32).unwrap();
    let add = Elementwise::new("T x, T y", "T z", "z = x + y;").unwrap();
    let failed = map_blocks(&mut x, (), |_, x, ()| add.call_into(args![1.5f64, 1.0f32], x));
    refused(failed, Status::DTYPE, &["gpuarr_elementwise_call"]);

    let mut x = team(2).full(&Blocks::new(4), 0i32).unwrap();
    let mut other = x.clone();
    let nested = map_blocks(&mut x, (), |_, _, ()| other.fill(1));
    refused(nested, Status::ARGUMENT, &["gpuarr_blocked_fill"]);
}

fn closures_that_panic() {
    let mut x = team(2).full(&Blocks::new(4), 0i32).unwrap();
    let mut y = x.clone();
    let quiet = Quiet::new();
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        map_blocks(&mut x, (), |block, _, ()| panic!("in block {}", block.number()))
    }));
    drop(quiet);
    assert_eq!(*panicked.unwrap_err().downcast::<String>().unwrap(), "in block 0");
    y.fill(1).unwrap(); // no other process could have missed something
    assert_eq!(x.to_vec().unwrap(), [1; 4]);
}

fn elementwise_kernels() {
    let team = team(3);
    let x = team.arange::<f32>(&Blocks::new([5, 6]).chunk([2, 4]), 0, 1).unwrap();
    let y = team.array(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], &Blocks::new(6).chunk(4).replicated());
    let (y, mut z) = (y.unwrap(), x.empty_like().unwrap());
    let by = device().array(&[10.0f32], 1).unwrap();
    let kernel =
        Elementwise::new("T x, T y, raw T by, int64 row", "T z", "z = x * by[0] + y + 1000 * row;")
            .unwrap();
    kernel.map_blocks(block_args![&x, &y, &by, BlockArg::start(0)], &mut z).unwrap();
    assert_eq!(z.read((3..4, ..)).unwrap(), [2181.0, 2192.0, 2203.0, 2214.0, 2225.0, 2236.0]);
    let twice = Elementwise::new("T x", "T z", "z = 2 * x;").unwrap();
    twice.map_blocks(block_args![&z], &mut z.clone()).unwrap();
    assert_eq!(z.read((3..4, ..1)).unwrap(), [4362.0]);
    refused(twice.map_blocks(block_args![1.5f32, 2], &mut z), Status::ARGUMENT, &["2"]);
}

fn raw_kernels() {
    let source = "#include <gpuarr.cuh>
extern \"C\" __global__ void count(gpuarr_view<long long, 2> z, long long row, long long column,
    long long rows, long long columns, long long size, int width) {
  long long i = blockIdx.y * (long long)blockDim.y + threadIdx.y;
  long long j = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < rows && j < columns && size == rows * columns) z(i, j) = (row + i) * width + column + j;
}";
    let count = RawKernel::new(source, "count").unwrap();
    let mut random = Random::new(31);
    for _ in 0..10 {
        let chunk = [random.between(5, 37), random.between(5, 41)];
        let blocks = Blocks::new([37, 41]).chunk(chunk).halo(Halo::new([1, 2]));
        let z = team(random.between(1, 4) as usize).full(&blocks, -1i64).unwrap();
        let threads = Some([8, 4].into());
        let arguments = block_args![
            BlockArg::view(&z),
            BlockArg::start(0),
            BlockArg::start(-1),
            BlockArg::extent(0),
            BlockArg::extent(1),
            BlockArg::size(),
            41
        ];
        unsafe { count.map_blocks(&z, threads, arguments) }.unwrap();
        assert_eq!(z.to_vec().unwrap(), (0..37 * 41).collect::<Vec<i64>>());
    }
}

#[gpuarr::kernel]
fn triple(x: &[f32], y: &mut [f32]) {
    let i = thread::index();
    if i < x.len() {
        y[i] = 3.0 * x[i];
    }
}

/// Kernels of functions of this program are launched in a closure; those of closures are objects.
fn kernels_in_rust() {
    let x = team(2).arange::<f32>(&Blocks::new(1000).chunk(300), 0, 1).unwrap();
    let mut y = x.empty_like().unwrap();
    map_blocks(&mut y, &x, |_, y, x| {
        // SAFETY: y is as long as x, and each thread writes its own element.
        unsafe { triple(x, y).elements(x.len()).launch() }
    })
    .unwrap();
    assert_eq!(y.read(998..).unwrap(), [2994.0, 2997.0]);
    let squared = Elementwise::new("float32 x", "float32 y", "y = x * x;").unwrap();
    map_blocks(&mut y.clone(), &y, |_, out, y| squared.call_into(args![y], out)).unwrap();
    assert_eq!(y.read(1..2).unwrap(), [9.0]);
}

fn reductions_of_each_block() {
    let team = team(3);
    let x = team.arange::<i64>(&Blocks::new([5, 6]).chunk([2, 3]), 0, 1).unwrap();
    let mut sums = team.empty::<i64>(&Blocks::new([5, 2]).chunk([2, 1])).unwrap();
    let sum = Reduction::new("T x", "T y", "x", "a + b", "y = a", Some("0")).unwrap();
    sum.map_blocks(block_args![&x], 1, &mut sums).unwrap();
    let expected: Vec<i64> = (0..10).map(|k| 3 * (k / 2 * 6 + k % 2 * 3) + 3).collect();
    assert_eq!(sums.to_vec().unwrap(), expected);
}

fn texts() {
    let x = team(2).arange::<f64>(&Blocks::new([4, 6]).chunk([3, 4]), 0, 1).unwrap();
    let (mut y, mut z) = (x.empty_like().unwrap(), x.empty_like().unwrap());
    let names = [("a", 0.5.into()), ("x", BlockArg::from(&x))];
    map_blocks_eval("a * x, x - sum(x)", &names, (&mut y, &mut z)).unwrap();
    assert_eq!(y.read((3.., 4..)).unwrap(), [11.0, 11.5]);
    assert_eq!(z.read((3.., 4..)).unwrap(), [-23.0, -22.0]); // less the sum of its block
    refused(map_blocks_eval("x +", &names, &mut y), Status::SYNTAX, &["x +"]);
    refused(map_blocks_eval("x\0", &names, &mut y), Status::ARGUMENT, &["NUL"]);
}

fn functions_of_expressions() {
    let team = team(3);
    let x = team.arange::<f64>(&Blocks::new([4, 6]).chunk([3, 4]), 0, 1).unwrap();
    let y = team.full(&Blocks::new(6).chunk(4).replicated(), 2.0f64).unwrap();
    let (mut z, mut w) = (x.empty_like().unwrap(), x.empty_like().unwrap());
    let both = Fused::new(|[x, y, by]| (&x * y + by, &x - x.sum(ALL))).unwrap();
    both.map_blocks(block_args![&x, &y, 0.5], (&mut z, &mut w)).unwrap();
    let doubled: Vec<f64> = (0..24).map(|k| f64::from(k) * 2.0 + 0.5).collect();
    assert_eq!(z.to_vec().unwrap(), doubled);
    assert_eq!(w.read((3.., 4..)).unwrap(), [-23.0, -22.0]); // less the sum of its block
    let failed = both.map_blocks(block_args![&x, &y], (&mut z, &mut w));
    refused(failed, Status::ARGUMENT, &["input_count is 2", "3 inputs"]);
    let failed = both.map_blocks(block_args![&x, &y, 0.5], &mut z);
    refused(failed, Status::ARGUMENT, &["output_count is 1", "2 outputs"]);
}

fn stencils() {
    let mut random = Random::new(13);
    for _ in 0..10 {
        let halo = Halo::new(1).boundary(Boundary::Periodic);
        let blocks = Blocks::new(50).chunk(random.between(1, 50)).halo(halo);
        let data: Vec<i64> = (0..50).map(|_| random.between(-99, 99)).collect();
        let x = team(random.between(1, 5) as usize).array(&data, &blocks).unwrap();
        let mut y = x.empty_like().unwrap();
        map_overlap(&mut y, &x, |_, y, x| {
            let x = Expr::from(x);
            (x.slice(0, ..-2) + x.slice(0, 1..).slice(0, ..-1) + x.slice(0, 2..)).eval_into(y)
        })
        .unwrap();
        let expected = (0..50).map(|k| data[(k + 49) % 50] + data[k] + data[(k + 1) % 50]);
        assert_eq!(y.to_vec().unwrap(), expected.collect::<Vec<i64>>());
    }
}

/// The largest element and where it is, at any number of places.
fn reductions_of_the_whole() {
    let options = Options::new()
        .preamble("struct found { double value; long long at; };")
        .reduce_type("found");
    let kernel = Reduction::with_options(
        "float64 x, float64 y",
        "float64 largest, int64 at",
        "found{(x - y) * (x - y), (long long)i}",
        "a.value > b.value || (a.value == b.value && a.at < b.at) ? a : b",
        "largest = sqrt(a.value); at = a.at;",
        None,
        &options,
    )
    .unwrap();
    for places in 1..5 {
        let team = team(places);
        let x = team.arange::<f64>(&Blocks::new([100, 70]).chunk([30, 70]), 0, 1).unwrap();
        let (largest, at): (Blocked<f64>, Blocked<i64>) =
            kernel.reduce(block_args![&x, 4000.0], ALL).unwrap();
        assert_eq!((largest.item().unwrap(), at.item().unwrap()), (4000.0, 0));
        let rows = Blocks::new(100).chunk(40);
        let mut largest: Blocked<f64> = team.empty(&rows).unwrap();
        let mut at: Blocked<i64> = team.empty(&rows).unwrap();
        kernel.reduce_into(block_args![&x, 4000.0], 1, (&mut largest, &mut at)).unwrap();
        assert_eq!(
            (largest.read(57..58).unwrap(), at.read(57..58).unwrap()),
            (vec![59.0], vec![4059])
        );
        let wrong = kernel.reduce::<(Blocked<f64>, Blocked<i32>)>(block_args![&x, 0.0], ALL);
        refused(wrong, Status::DTYPE, &["int32", "int64"]);
        refused(kernel.reduce::<Blocked<f64>>(block_args![&x, 0.0], ALL), Status::ARGUMENT, &["1"]);
    }
}

fn arrays_that_do_not_go_together() {
    let team = team(2);
    let x = team.full(&Blocks::new(8).chunk(2), 1i32).unwrap();
    let mut z = team.full(&Blocks::new(8).chunk(2).cyclic(), 1i32).unwrap();
    let nothing = |_: &gpuarr::Block<'_>, _: &mut Array<i32>, _: &Array<i32>| Ok(());
    refused(map_blocks(&mut z, &x, nothing), Status::LAYOUT, &["inputs[0]", "redistribute"]);
    let other = Team::local(&[device()]).unwrap().full(&Blocks::new(8).chunk(2), 1i32).unwrap();
    refused(map_blocks(&mut z, &other, nothing), Status::ARGUMENT, &["team"]);
}
