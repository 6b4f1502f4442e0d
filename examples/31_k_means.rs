//! Lloyd's algorithm: points go to the nearest center, centers to the middle of their points. The
//! distances are a reduction of one's own, which broadcasts; all else is ready-made.
use gpuarr::{args, random::Generator, Array, Axes, Device, Reduction, Result};

const POINTS: usize = 20000;
const CLUSTERS: usize = 4;
const ROUNDS: usize = 15;
const TRUTH: [f32; 2 * CLUSTERS] = [0.0, 0.0, 6.0, 1.0, -2.0, 5.0, 4.0, 7.0];
const FIRST: [f32; 2 * CLUSTERS] = [1.0, 1.0, 5.0, 0.0, 0.0, 5.0, 5.0, 5.0];

/// Points around the true centers, the same ones on every device.
fn make_points(device: Device) -> Result<Array<f32>> {
    let random = Generator::new(device, 7)?;
    let labels: Array<i32> = random.integers(0, CLUSTERS as u64, POINTS)?;
    let noise: Array<f32> = random.normal(0, 1, [POINTS, 2])?;
    (device.array(&TRUTH, [CLUSTERS, 2])?.take(&labels, 0)? + noise).eval()
}

/// One round.
fn moved(centers: &Array<f32>, points: &Array<f32>, squared: &Reduction) -> Result<Array<f32>> {
    let distances: Array<f32> = squared.call(args![&points.expand(1)?, &centers.expand(0)?], -1)?;
    let labels = distances.argmin(Axes::keepdims(-1));

    // A matrix that is true where a point belongs to a cluster: its product with the points adds
    // them up by cluster.
    let members = labels.equal(points.device().arange::<i64>(0, CLUSTERS as u64, 1)?).eval()?;
    let sums = members.transpose()?.matmul(points)?;
    (sums / members.sum(0).expand(1)).astype().eval()
}

/// The same by plain loops.
fn moved_by_loops(centers: &[f64], points: &[f32]) -> Vec<f64> {
    let mut sums = [[0.0; 3]; CLUSTERS];
    for point in points.chunks(2).map(|point| [f64::from(point[0]), f64::from(point[1])]) {
        let distance = |c: &usize| {
            let (x, y) = (point[0] - centers[2 * c], point[1] - centers[2 * c + 1]);
            x * x + y * y
        };
        let nearest = (0..CLUSTERS).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let sum = &mut sums[nearest.unwrap_or(0)];
        *sum = [sum[0] + point[0], sum[1] + point[1], sum[2] + 1.0];
    }
    sums.iter().flat_map(|[x, y, count]| [x / count, y / count]).collect()
}

fn main() -> Result<()> {
    let device = Device::default()?;
    let (map, reduce, post) = ("(x - y) * (x - y)", "a + b", "z = a");
    let squared = Reduction::new("T x, T y", "T z", map, reduce, post, Some("0"))?;
    let points = make_points(device)?;
    let mut centers = device.array(&FIRST, [CLUSTERS, 2])?;
    for _ in 0..ROUNDS {
        centers = moved(&centers, &points, &squared)?;
    }

    let (host, found) = (points.to_vec()?, centers.to_vec()?);
    let start = FIRST.map(f64::from).to_vec();
    let wanted = (0..ROUNDS).fold(start, |centers, _| moved_by_loops(&centers, &host));
    for (k, found) in found.iter().enumerate() {
        // A point halfway may go either way.
        assert!((f64::from(*found) - wanted[k]).abs() <= 2e-3, "{} {}", found, wanted[k]);
        assert!((found - TRUTH[k]).abs() <= 0.1, "{} {}", found, TRUTH[k]);
    }
    for (c, center) in found.chunks(2).enumerate() {
        println!("center {}: {:.2} {:.2}", c, center[0], center[1]);
    }
    println!("ok: {} clusters of {} points on {}", CLUSTERS, POINTS, device);
    Ok(())
}
