//! A stencil over blocks: heat in a plate with cold edges. Each block has a frame of ghost cells,
//! which neighbours fill while it works on its inner part. The same program runs by itself, by
//! `gpuarr run -n 4`, and by mpirun.
use gpuarr::{block_args, BlockArg, Blocked, Blocks, Boundary, Halo, RawKernel, Result, Team};

const HEIGHT: usize = 200;
const WIDTH: usize = 320;
const STEPS: usize = 50;
const RATE: f32 = 0.2;

/// `now` has ghost cells, so cell (y, x) of the block is at (y + 1, x + 1) there.
const SOURCE: &str = "#include <gpuarr.cuh>
__global__ void spread(gpuarr_view<const float, 2> now, gpuarr_view<float, 2> next,
                       float rate, int border) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int height = next.shape()[0], width = next.shape()[1];
  if (y >= height || x >= width) return;
  bool at_border = y == 0 || x == 0 || y == height - 1 || x == width - 1;
  if (at_border != (border != 0)) return;
  float around = now(y, x + 1) + now(y + 2, x + 1) + now(y + 1, x) + now(y + 1, x + 2);
  next(y, x) = now(y + 1, x + 1) + rate * (around - 4 * now(y + 1, x + 1));
}";

/// The same by plain loops.
fn plain_steps(mut now: Vec<f32>) -> Vec<f32> {
    for _ in 0..STEPS {
        let at = |y: Option<usize>, x: Option<usize>| match (y, x) {
            (Some(y), Some(x)) if y < HEIGHT && x < WIDTH => now[y * WIDTH + x],
            _ => 0.0,
        };
        let next = (0..HEIGHT * WIDTH).map(|k| {
            let (y, x) = (k / WIDTH, k % WIDTH);
            let (up, left) = (at(y.checked_sub(1), Some(x)), at(Some(y), x.checked_sub(1)));
            let around = up + at(Some(y + 1), Some(x)) + left + at(Some(y), Some(x + 1));
            now[k] + RATE * (around - 4.0 * now[k])
        });
        now = next.collect();
    }
    now
}

fn step(spread: &RawKernel, from: &Blocked<f32>, to: &Blocked<f32>) -> Result<()> {
    let launch = |border: i32| {
        let arguments = block_args![BlockArg::halo_view(from), BlockArg::view(to), RATE, border];
        // SAFETY: each thread writes its own element, and reads its neighbours, which are there.
        unsafe { spread.map_blocks(to, Some([32, 8].into()), arguments) }
    };
    let exchange = from.begin_halo()?; // ghost cells are under way ...
    launch(0)?;
    exchange.end()?; // ... and there
    launch(1)
}

fn main() -> Result<()> {
    let team = Team::world(None)?;
    let cold = Halo::new([1, 1]).boundary(Boundary::Constant);
    let blocks = Blocks::new([HEIGHT, WIDTH]).chunk([100, 160]).halo(cold);
    let spread = RawKernel::new(SOURCE, "spread")?;

    // A hot square in the middle, where four blocks meet.
    let is_hot = |y: usize, x: usize| (80..120).contains(&y) && (130..190).contains(&x);
    let plate = (0..HEIGHT * WIDTH).map(|k| is_hot(k / WIDTH, k % WIDTH) as u8 as f32);
    let plate: Vec<f32> = plate.collect();
    let (mut now, mut next) = (team.array(&plate, &blocks)?, team.empty(&blocks)?);
    for _ in 0..STEPS {
        step(&spread, &now, &next)?;
        std::mem::swap(&mut now, &mut next);
    }

    let found = now.to_vec()?;
    for (k, (found, wanted)) in found.iter().zip(plain_steps(plate)).enumerate() {
        assert!((found - wanted).abs() <= 1e-5, "heat, element {}: {} {}", k, found, wanted);
    }
    if team.first() == 0 {
        let middle = found[100 * WIDTH + 160];
        println!("after {} steps the middle has {:.4} of its heat", STEPS, middle);
    }
    Ok(())
}
