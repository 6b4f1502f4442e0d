//! A kernel of your own for each block of a chunked array: Dask's map_blocks, on several devices or
//! processes. The same program runs by itself, by `gpuarr run -n 4`, and by mpirun.
use gpuarr::{block_args, BlockArg, Blocks, RawKernel, Result, Team};

const SOURCE: &str = "
extern \"C\" __global__ void add(const float* x, const float* y, float* z, long long n,
                               long long width) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) z[i] = x[i] + y[i % width];
}";

const ROWS: usize = 4096;
const COLUMNS: usize = 1024;

fn main() -> Result<()> {
    let team = Team::world(None)?; // all processes; by itself, this one
    if team.first() == 0 {
        println!("{}", team);
    }

    // x and z are 4 x 2 blocks of 1024 x 512; y has two blocks, which every place has.
    let x = team.arange::<f32>(&Blocks::new([ROWS, COLUMNS]).chunk([1024, 512]), 0, 1)?;
    let y = team.arange::<f32>(&Blocks::new(COLUMNS).chunk(512).replicated(), 0, 10)?;
    let z = x.empty_like()?;

    let add = RawKernel::new(SOURCE, "add")?;
    let arguments = block_args![&x, &y, &z, BlockArg::size(), BlockArg::extent(1)];
    // SAFETY: blocks without ghost cells are contiguous, and have as many elements as are told.
    unsafe { add.map_blocks(&z, None, arguments) }?;

    let row = z.read(3000..3001)?; // every process gets row 3000
    for (j, z) in row.into_iter().enumerate() {
        assert_eq!(z, (3000 * COLUMNS + j) as f32 + (10 * j) as f32, "z, element {}", j);
    }
    Ok(())
}
