//! Views and streams: add a vector to the rows of a matrix, block by block, on two streams, without
//! copying any part of it.
use gpuarr::{args, Array, Device, Elementwise, Event, Result, Slice, Stream};

const ROWS: usize = 1000;
const COLUMNS: usize = 257;
const BLOCK: usize = 64;

fn main() -> Result<()> {
    let matrix: Vec<f32> =
        (0..ROWS * COLUMNS).map(|k| (k / COLUMNS) as f32 - (k % COLUMNS) as f32).collect();
    let vector: Vec<f32> = (0..COLUMNS).map(|j| (j * j) as f32).collect();

    let device = Device::default()?;
    let add = Elementwise::new("T x, T v", "T x", "x += v;")?;
    let whole = Array::from_slice(&matrix, [ROWS, COLUMNS])?;
    let row = Array::from_slice(&vector, COLUMNS)?;

    // Every second column, as whole[:, ::2] in Python.
    let even_columns = whole.slice(1, Slice::step(.., 2))?;
    let even_row = row.slice(0, Slice::step(.., 2))?;

    // The elements come in the current stream: the two streams wait for that point of it.
    let mut copied = Event::untimed(device)?;
    copied.record()?;
    let streams = [Stream::new(device)?, Stream::new(device)?];
    for stream in &streams {
        stream.wait(&copied)?;
    }

    for (k, start) in (0..ROWS).step_by(BLOCK).enumerate() {
        // BLOCK rows of those columns; the last block is clipped at the end.
        let block = even_columns.slice(0, start..start + BLOCK)?;
        let stream = &streams[k % 2];
        // In place: another handle of the same elements is the output. Both go at once, the memory
        // stays.
        add.on(stream).call_into(args![&block, &even_row], &mut block.clone())?;
    }
    for stream in &streams {
        stream.synchronize()?;
    }

    for (k, x) in whole.to_vec()?.into_iter().enumerate() {
        let j = k % COLUMNS;
        let added = if j % 2 == 0 { vector[j] } else { 0.0 };
        assert_eq!(x, matrix[k] + added, "x, element {}", k);
    }
    println!(
        "ok: a vector added to every second column of {} rows, {} at a time on two streams, on {}",
        ROWS, BLOCK, device
    );
    Ok(())
}
