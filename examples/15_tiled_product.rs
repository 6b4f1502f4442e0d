//! A kernel from a file, 15_tiled_product.cu: a matrix product in tiles of shared memory.
//! 15_tiled_product [FILE.cu]
use gpuarr::{args, Array, Device, Module, Options, Result};

const ROWS: usize = 200;
const INNER: usize = 300;
const COLUMNS: usize = 250;
const TILE: usize = 16;

fn main() -> Result<()> {
    let a: Vec<f32> = (0..ROWS * INNER)
        .map(|at| ((7 * (at / INNER) + 3 * (at % INNER)) % 11) as f32 - 5.0)
        .collect();
    let b: Vec<f32> = (0..INNER * COLUMNS)
        .map(|at| ((at / COLUMNS + 5 * (at % COLUMNS)) % 13) as f32 - 6.0)
        .collect();

    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/15_tiled_product.cu");
    let file = std::env::args().nth(1).unwrap_or_else(|| beside.to_string());
    let module = Module::open(file, &Options::new())?;
    let product = module.kernel("tiled_product")?;
    drop(module); // the kernel keeps it
    let a_array = Array::from_slice(&a, [ROWS, INNER])?;
    let b_array = Array::from_slice(&b, [INNER, COLUMNS])?;
    let mut c_array = Array::<f32>::empty([ROWS, COLUMNS])?;

    // A block for each tile of the result, a thread for each of its elements; x is the column.
    let grid = [(COLUMNS + TILE - 1) / TILE, (ROWS + TILE - 1) / TILE];
    let sizes = (ROWS as i32, INNER as i32, COLUMNS as i32);
    let arguments = args![&a_array, &b_array, &mut c_array, sizes.0, sizes.1, sizes.2];
    // SAFETY: the arrays are contiguous and of these sizes, which is all that the kernel goes by.
    unsafe { product.grid(grid).block([TILE, TILE]).launch(arguments)? };

    for (at, c) in c_array.to_vec()?.into_iter().enumerate() {
        let (i, j) = (at / COLUMNS, at % COLUMNS);
        let wanted: f32 = (0..INNER).map(|k| a[i * INNER + k] * b[k * COLUMNS + j]).sum();
        assert_eq!(c, wanted, "product, element {}", at); // small integers: exact
    }
    println!(
        "ok: a product of ({}, {}) and ({}, {}) in tiles of {} x {} on {}",
        ROWS,
        INNER,
        INNER,
        COLUMNS,
        TILE,
        TILE,
        Device::default()?
    );
    Ok(())
}
