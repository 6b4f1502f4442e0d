//! Blocked arrays of one process, against undivided ones.
use gpuarr::{
    AnyBlocked, Array, Blocked, Blocks, Boundary, Combine, DType, Halo, Region, Shape, Slice,
    Status, Team, ALL,
};

use crate::support::{device, indices, place, refused, Random};

crate::tests! {
    grids_and_blocks regions columns_first orders_of_axes other_blocks adopted ghost_cells
    exchange_under_way reductions_by_name combined_copies of_any_type refusals
}

fn team(places: usize) -> Team {
    Team::local(&vec![device(); places]).unwrap()
}

fn grids_and_blocks() {
    let team = team(2);
    let x = team.empty::<f32>(&Blocks::new([1000, 300]).chunk([400, 100])).unwrap();
    assert_eq!((x.dtype(), x.ndim(), x.len()), (DType::F32, 2, 300_000));
    assert_eq!((x.shape(), x.grid()), (vec![1000, 300], vec![3, 3]));
    assert_eq!((x.start(8), x.stop(8)), (vec![800, 200], vec![1000, 300]));
    assert_eq!((x.start(9), x.stop(usize::MAX)), (vec![-1, -1], vec![-1, -1]));
    assert_eq!((x.owner(0), x.owner(8), x.owner(9)), (Some(0), Some(1), None));
    assert_eq!((x.local_count(), x.local_number(8), x.local_place(8)), (9, Some(8), Some(1)));
    assert_eq!((x.local_number(9), x.local_place(9)), (None, None));
    assert_eq!(x.local(8).unwrap().shape(), [200, 100]);
    refused(x.local(9), Status::ARGUMENT, &["index is 9", "9 blocks"]);
    assert_eq!(format!("{:?}", x), "Blocked(float32, [1000, 300] in [3, 3] blocks)");
    let cyclic = team.empty::<i8>(&Blocks::new(5).chunk(1).cyclic()).unwrap();
    assert_eq!(
        (0..5).map(|k| cyclic.owner(k)).collect::<Option<Vec<_>>>().unwrap(),
        [0, 1, 0, 1, 0]
    );
    let chosen = team.empty::<i8>(&Blocks::new(3).chunk(1).owners(&[1, 1, 0])).unwrap();
    assert_eq!((chosen.owner(0), chosen.owner(2)), (Some(1), Some(0)));
    let everywhere = x.empty_like_of::<u8>().unwrap();
    assert_eq!((everywhere.grid(), everywhere.dtype()), (x.grid(), DType::U8));
    assert_eq!(team.empty::<u8>(&Blocks::new(7)).unwrap().grid(), [2]);
}

/// A random grid of a team of 1 to 5, and its elements.
fn random_array(random: &mut Random) -> (Team, Blocked<i64>, Vec<i64>) {
    let team = team(random.between(1, 5) as usize);
    let shape: Vec<i64> = (0..random.between(1, 3)).map(|_| random.between(1, 9)).collect();
    let chunk: Vec<i64> = shape.iter().map(|extent| random.between(1, *extent)).collect();
    let blocks = Blocks::new(&shape).chunk(&chunk);
    let blocks = match random.between(0, 2) {
        0 => blocks.cyclic(),
        1 => blocks.replicated(),
        _ => blocks,
    };
    let data: Vec<i64> = (0..shape.iter().product()).map(|_| random.between(-99, 99)).collect();
    let x = team.array(&data, &blocks).unwrap();
    (team, x, data)
}

fn regions() {
    let mut random = Random::new(211);
    for _ in 0..60 {
        let (_team, mut x, mut data) = random_array(&mut random);
        assert_eq!(x.to_vec().unwrap(), data);
        let shape = x.shape();
        let starts: Vec<i64> = shape.iter().map(|n| random.between(0, *n)).collect();
        let stops: Vec<i64> =
            starts.iter().zip(&shape).map(|(start, n)| random.between(*start, *n)).collect();
        let ranges = starts.iter().zip(&stops).map(|(start, stop)| Slice::between(*start, *stop));
        let ranges: Vec<Slice> = ranges.collect();
        let extents: Vec<i64> =
            starts.iter().zip(&stops).map(|(start, stop)| stop - start).collect();
        let at = |index: Vec<i64>| {
            place(
                &shape,
                &index.iter().zip(&starts).map(|(i, start)| i + start).collect::<Vec<_>>(),
            )
        };
        let places: Vec<usize> = indices(&extents).into_iter().map(at).collect();
        let part: Vec<i64> = places.iter().map(|at| data[*at]).collect();
        assert_eq!(x.read(&ranges[..]).unwrap(), part);
        let mut same = vec![0; part.len()];
        x.read_into(&ranges[..], &mut same).unwrap();
        assert_eq!(same, part);
        let other: Vec<i64> = (0..part.len() as i64).collect();
        x.write(&ranges[..], &other).unwrap();
        places.iter().zip(&other).for_each(|(at, value)| data[*at] = *value);
        assert_eq!(x.to_vec().unwrap(), data);
    }
    let x = team(2).arange::<i32>(&Blocks::new([4, 3]), 0, 1).unwrap();
    assert_eq!(x.read(1..2).unwrap(), [3, 4, 5]);
    assert_eq!(x.read(-1..).unwrap(), [9, 10, 11]);
    assert_eq!(x.read(0..=0).unwrap(), [0, 1, 2]);
    assert_eq!(x.read([0..2, 1..2]).unwrap(), [1, 4]);
    assert_eq!(x.read((.., ..1)).unwrap(), [0, 3, 6, 9]);
    assert_eq!(x.read((.., 3..)).unwrap(), []);
}

fn columns_first() {
    let shape = Shape::column_major([2, 3]);
    let x = team(2).array(&[1, 2, 3, 4, 5, 6], &Blocks::new(shape).chunk([2, 2])).unwrap();
    assert_eq!(x.to_vec().unwrap(), [1, 3, 5, 2, 4, 6]);
    assert_eq!(x.local(0).unwrap().strides(), [1, 2]);
}

fn orders_of_axes() {
    let team = team(3);
    let x = team.arange::<i64>(&Blocks::new([3, 4, 5]).chunk([2, 2, 2]), 0, 1).unwrap();
    let whole = device().arange::<i64>(0, 60, 1).unwrap().reshape([3, 4, 5]).unwrap();
    let turned = x.transpose().unwrap();
    assert_eq!((turned.shape(), turned.grid()), (vec![5, 4, 3], vec![3, 2, 2]));
    assert_eq!(turned.to_vec().unwrap(), whole.transpose().unwrap().to_vec().unwrap());
    let moved = x.permute([1, -1, 0]).unwrap();
    assert_eq!(moved.to_vec().unwrap(), whole.permute([1, -1, 0]).unwrap().to_vec().unwrap());
    assert_eq!(x.permute(ALL).unwrap().shape(), [5, 4, 3]);
    refused(x.permute([0, 0, 1]), Status::AXIS, &["axes[1] is 0"]);
}

fn other_blocks() {
    let mut random = Random::new(5);
    for _ in 0..20 {
        let (team, x, data) = random_array(&mut random);
        let chunk: Vec<i64> = x.shape().iter().map(|extent| random.between(1, *extent)).collect();
        let mut y = team.empty(&Blocks::new(&x.shape()).chunk(&chunk).cyclic()).unwrap();
        y.redistribute_from(&x).unwrap();
        assert_eq!(y.to_vec().unwrap(), data);
    }
    let (x, mut y) =
        (team(1).full(&Blocks::new(3), 1).unwrap(), team(1).full(&Blocks::new(3), 1).unwrap());
    refused(y.redistribute_from(&x), Status::ARGUMENT, &["different teams"]);
}

fn adopted() {
    let team = team(4);
    let parts: Vec<Array<i32>> = [(0, 2, 3), (10, 2, 1), (20, 1, 3), (30, 1, 1)]
        .into_iter()
        .map(|(first, rows, columns)| {
            let numbers = device().arange::<i32>(first, first + rows * columns, 1);
            numbers.unwrap().reshape([rows, columns]).unwrap()
        })
        .collect();
    let mut x = team.adopt(&parts, [2, 2], None).unwrap();
    assert_eq!((x.shape(), x.grid()), (vec![3, 4], vec![2, 2]));
    assert_eq!(x.to_vec().unwrap(), [0, 1, 2, 10, 3, 4, 5, 11, 20, 21, 22, 30]);
    x.fill(7).unwrap();
    assert_eq!(parts[3].to_vec().unwrap(), [7]); // the same memory
    refused(team.adopt(&parts, 4, None), Status::SHAPE, &["the grid is [4]", "[2, 3]"]);
    refused(team.adopt(&parts[..3], [2, 2], None), Status::ARGUMENT, &["count is 3"]);
    let framed = Array::from_slice(&[0, 5, 6, 0], 4).unwrap().to_device(device()).unwrap();
    let halo = Halo::new(1).boundary(Boundary::Nearest);
    let one = Team::local(&[device()]).unwrap();
    let mut x = one.adopt(std::slice::from_ref(&framed), 1, Some(&halo)).unwrap();
    x.exchange_halo().unwrap();
    assert_eq!((x.len(), framed.to_vec().unwrap()), (2, vec![5, 5, 6, 6]));
}

fn ghost_cells() {
    let edges = |halo: Halo| {
        let mut x = team(2).arange::<i32>(&Blocks::new(6).chunk(3).halo(halo), 1, 1).unwrap();
        x.exchange_halo().unwrap();
        [0, 1].map(|k| x.local_with_halo(k).unwrap().to_vec().unwrap())
    };
    let two = || Halo::new(2);
    assert_eq!(edges(two()), [vec![1, 2, 3, 4, 5], vec![2, 3, 4, 5, 6]]);
    let around = edges(two().boundary(Boundary::Periodic));
    assert_eq!(around, [[5, 6, 1, 2, 3, 4, 5], [2, 3, 4, 5, 6, 1, 2]]);
    let value = edges(two().boundary(Boundary::Constant).fill(-4));
    assert_eq!(value, [[-4, -4, 1, 2, 3, 4, 5], [2, 3, 4, 5, 6, -4, -4]]);
    let last = edges(two().boundaries(&[Boundary::Nearest]));
    assert_eq!(last, [[1, 1, 1, 2, 3, 4, 5], [2, 3, 4, 5, 6, 6, 6]]);
    let back = edges(Halo::sides(2, 1).boundary(Boundary::Reflect));
    assert_eq!(back, [[2, 1, 1, 2, 3, 4], [2, 3, 4, 5, 6, 6]]);
    assert_eq!(edges(two().boundary(Boundary::None)), edges(two()));
}

fn exchange_under_way() {
    let halo = Halo::new([1, 1]).boundary(Boundary::Periodic);
    let mut x = team(4).arange::<i32>(&Blocks::new([4, 4]).chunk([2, 2]).halo(halo), 0, 1).unwrap();
    let framed = |x: &Blocked<i32>| x.local_with_halo(0).unwrap().to_vec().unwrap();
    let exchange = x.begin_halo().unwrap();
    assert_eq!(x.local(3).unwrap().to_vec().unwrap(), [10, 11, 14, 15]);
    exchange.end().unwrap();
    assert_eq!(framed(&x), [15, 12, 13, 14, 3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10]);
    x.fill(7).unwrap();
    drop(x.begin_halo().unwrap());
    assert_eq!(framed(&x), [7; 16]);
}

fn reductions_by_name() {
    let mut random = Random::new(77);
    for _ in 0..4 {
        let (team, x, data) = random_array(&mut random);
        let whole = device().array(&data, &x.shape()).unwrap();
        let axis = random.between(0, x.ndim() as i64 - 1) as i32;
        macro_rules! same {
            ($($name:ident)*) => {$(
                assert_eq!(
                    x.$name(axis).unwrap().to_vec().unwrap(),
                    whole.$name(axis).to_vec().unwrap(), stringify!($name)
                );
            )*};
        }
        same! { sum prod nansum argmin argmax count_nonzero any all min max nanmin nanmax mean }
        let far = |a: f64, b: f64| assert!((a - b).abs() <= 1e-12 * b.abs(), "{} {}", a, b);
        let only = |x: Blocked<f64>| x.item().unwrap();
        far(only(x.var(0.0, ALL).unwrap()), whole.var(0.0, ALL).item().unwrap());
        far(only(x.std(0.0, ALL).unwrap()), whole.std(0.0, ALL).item().unwrap());
        far(only(x.norm_1(ALL).unwrap()), whole.norm(1.0, ALL).item().unwrap());
        far(only(x.norm_2(ALL).unwrap()), whole.norm(2.0, ALL).item().unwrap());
        far(only(x.norm_inf(ALL).unwrap()), whole.norm(f64::INFINITY, ALL).item().unwrap());
        far(only(x.logsumexp(ALL).unwrap()), whole.logsumexp(ALL).item().unwrap());
        assert_eq!(x.fast().sum(ALL).unwrap().item(), whole.sum(ALL).item());
        let mut sum = team.empty::<i64>(&Blocks::new(()).chunk(())).unwrap();
        x.reduce_into("sum", ALL, &mut sum).unwrap();
        assert_eq!(sum.item().unwrap(), whole.sum(ALL).item().unwrap());
        let mut wrong = team.empty::<f32>(&Blocks::new(())).unwrap();
        refused(x.reduce_into("sum", ALL, &mut wrong), Status::DTYPE, &["float32", "int64"]);
        refused(x.reduce_into("total", ALL, &mut sum), Status::ARGUMENT, &["total"]);
        refused(x.sum(x.ndim() as i32), Status::AXIS, &["axes[0]"]);
    }
}

fn combined_copies() {
    let team = team(3);
    let blocks = Blocks::new(2).replicated();
    let combined = |combine| {
        let mut x = team.array(&[2i32, 3], &blocks).unwrap();
        for index in 0..x.local_count() {
            let (mut block, place) = (x.local(index).unwrap(), x.local_place(index).unwrap());
            block.copy_from_slice(&vec![place as i32 + 1; block.len()]).unwrap();
        }
        x.all_reduce(combine).unwrap();
        x.to_vec().unwrap()
    };
    assert_eq!(combined(Combine::Sum), [6, 6]);
    assert_eq!(combined(Combine::Prod), [6, 6]);
    assert_eq!(combined(Combine::Min), [1, 1]);
    assert_eq!(combined(Combine::Max), [3, 3]);
    let mut divided = team.full(&Blocks::new(2), 1).unwrap();
    refused(divided.all_reduce(Combine::Sum), Status::ARGUMENT, &["blocked is not replicated"]);
}

fn of_any_type() {
    let x: AnyBlocked = team(2).full(&Blocks::new(3), 1.5f64).unwrap().into_any();
    refused(x.clone().downcast::<f32>(), Status::DTYPE, &["float32", "float64"]);
    let y = x.clone().downcast::<f64>().unwrap();
    assert_eq!(y.to_vec().unwrap(), [1.5; 3]);
    let raw = y.into_raw();
    let again = unsafe { Blocked::<f64>::from_raw(raw) }.unwrap();
    assert_eq!(again.read(1..2).unwrap(), [1.5]);
    let made = team(1).empty_of(DType::I16, &Blocks::new(2)).unwrap();
    assert_eq!(made.dtype(), DType::I16);
    let sum = x.sum(ALL).unwrap().downcast::<f64>().unwrap();
    assert_eq!(sum.item().unwrap(), 4.5);
}

fn refusals() {
    let team = team(2);
    let failed = |blocks: Blocks| team.empty::<f32>(&blocks);
    refused(failed(Blocks::new([4, 4]).chunk(2)), Status::SHAPE, &["[4, 4]", "chunk [2]"]);
    refused(failed(Blocks::new(4).chunk(0)), Status::SHAPE, &["chunk[0] is 0"]);
    refused(failed(Blocks::new(4).owners(&[0, 1, 0])), Status::SHAPE, &["owners"]);
    refused(failed(Blocks::new(4).owners(&[])), Status::ARGUMENT, &["owners"]);
    refused(failed(Blocks::new([4, 4]).halo(Halo::new(1))), Status::SHAPE, &["halo"]);
    refused(
        failed(Blocks::new(4).halo(Halo::sides(1, [1, 1]))),
        Status::ARGUMENT,
        &["high is of 2"],
    );
    let boundaries = Halo::new([1, 1]).boundaries(&[Boundary::Periodic]);
    refused(
        failed(Blocks::new([4, 4]).halo(boundaries)),
        Status::ARGUMENT,
        &["boundaries is of 1"],
    );
    refused(
        team.full(&Blocks::new(4), 300).and_then(|mut x| x.fill(0.5)),
        Status::DTYPE,
        &["value"],
    );
    refused(team.array(&[1, 2], &Blocks::new(3)), Status::SHAPE, &["2 elements", "takes 3"]);

    let mut x = team.arange::<i32>(&Blocks::new([4, 3]), 0, 1).unwrap();
    refused(x.read(2..5), Status::AXIS, &["stop[0] is 5", "extent 4"]);
    refused(x.read((Slice::between(3, 2),)), Status::AXIS, &["start[0] is 3"]);
    refused(x.read(..i64::MAX - 1), Status::AXIS, &["extent 4"]);
    refused(x.read((.., .., 1..)), Status::AXIS, &["3 axes", "[4, 3]"]);
    refused(x.read([Slice::step(.., 2)]), Status::ARGUMENT, &["step of axis 0 is 2"]);
    refused(x.write(..1, &[1, 2]), Status::SHAPE, &["2 elements", "[0, 0] to [1, 3]", "takes 3"]);
    refused(x.read_into(.., &mut [0; 5]), Status::SHAPE, &["5 elements"]);
    refused(x.read(Region::all().on(&team, 2)), Status::ARGUMENT, &["place is 2", "0 to 1"]);
    refused(x.item(), Status::SHAPE, &["[4, 3]"]);
    // A region of another team's place: nothing is read that was not there.
    let large = Team::local(&[device(); 3]).unwrap();
    refused(x.read(Region::all().on(&large, 2)), Status::ARGUMENT, &["place is 2"]);
}
