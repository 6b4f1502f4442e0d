//! A reduction of your own over all places: the largest element and where it is, in one pass.
//! Blocks are combined in their order, so that the result is the same for any number of places. The
//! same program runs by itself, by `gpuarr run -n 4`, and by mpirun.
use gpuarr::{block_args, Blocked, Blocks, Options, Reduction, Result, Team, ALL};

const ROWS: usize = 1000;
const COLUMNS: usize = 700;

/// `i` is an element's index in the whole array.
fn make_kernel() -> Result<Reduction> {
    let options = Options::new()
        .preamble("struct found { double value; long long at; };")
        .reduce_type("found");
    Reduction::with_options(
        "float64 x, float64 y",
        "float64 largest, int64 at",
        "found{(x - y) * (x - y), (long long)i}",
        "a.value > b.value || (a.value == b.value && a.at < b.at) ? a : b",
        "largest = sqrt(a.value); at = a.at;",
        None,
        &options,
    )
}

fn main() -> Result<()> {
    let team = Team::world(None)?;
    let x = team.arange::<f64>(&Blocks::new([ROWS, COLUMNS]).chunk([300, COLUMNS]), 0, 1)?;
    let mut y = x.empty_like()?;
    y.fill(400000.0)?;

    // One number on every place.
    let (largest, at): (Blocked<f64>, Blocked<i64>) =
        make_kernel()?.reduce(block_args![&x, &y], ALL)?;
    let (largest, at) = (largest.item()?, at.item()?);
    assert_eq!((largest, at), (400000.0, 0));

    let means = x.mean(0)?.to_vec()?; // ready-made ones are methods
    for (j, mean) in means.into_iter().enumerate() {
        let wanted = (ROWS - 1) as f64 / 2.0 * COLUMNS as f64 + j as f64;
        assert!((mean - wanted).abs() <= 1e-9, "mean of column {}: {} {}", j, mean, wanted);
    }
    if team.first() == 0 {
        println!("largest difference {:.0}, at element {}", largest, at);
    }
    Ok(())
}
