//! More data than memory: an array in a Zarr directory is made, mapped and summed slab by slab;
//! only one slab is in memory at a time. The same program runs by itself, by `gpuarr run -n 4`, and
//! by mpirun: 43_larger_than_memory [DIRECTORY]
use gpuarr::{map_blocks_eval, Blocks, FileFormat, Result, Team, ALL};

const ROWS: usize = 2000;
const COLUMNS: usize = 500;
const SLAB: usize = 500;

fn main() -> Result<()> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "larger_than_memory.zarr".to_string());
    let team = Team::world(None)?;
    let chunked = |rows| Blocks::new([rows, COLUMNS]).chunk([100, COLUMNS]);
    let mut x = team.empty::<f64>(&chunked(SLAB))?;

    team.create_file::<f64>(&path, FileFormat::Zarr, &chunked(ROWS))?;
    for row in (0..ROWS).step_by(SLAB) {
        x.arange((row * COLUMNS) as i64, 1)?;
        x.save_part(&path, [row, 0])?;
    }

    let mut total = 0.0;
    for row in (0..ROWS).step_by(SLAB) {
        x.load_part(&path, [row, 0])?;
        map_blocks_eval("2 * x + 1", &[("x", (&x).into())], &mut x.clone())?;
        x.save_part(&path, [row, 0])?;
        total += x.sum(ALL)?.item()?;
    }
    assert_eq!(total, ((ROWS * COLUMNS) as f64).powi(2), "sum");
    if team.first() == 0 {
        println!("the sum of {} is {:.0}", path, total);
    }
    Ok(())
}
