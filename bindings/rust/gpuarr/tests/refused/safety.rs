//! A launch says `unsafe`: the line with a mark has an error.
use gpuarr::{thread, Array};

#[gpuarr::kernel]
fn fill(x: &mut [f32]) {
    let i = thread::index();
    if i < x.len() {
        x[i] = 1.0;
    }
}

fn main() {
    let mut x = Array::<f32>::ones(3).unwrap();
    fill(&mut x).elements(3).launch().unwrap(); //~ is unsafe and requires unsafe
}
