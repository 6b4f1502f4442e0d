//! What tests share: the device, random numbers, and arrays beside what plain loops say of them.
use gpuarr::{Array, Device, Element, Error, Result, Slice, Status};

pub fn device_name() -> String {
    std::env::var("GPUARR_TEST_DEVICE").unwrap_or_else(|_| "host".to_string())
}

pub fn device() -> Device {
    Device::open(&device_name()).unwrap()
}

/// That a call failed with a status and a message that has all of some texts in it.
#[track_caller]
pub fn refused<T>(result: Result<T>, status: Status, texts: &[&str]) -> Error {
    let error = match result {
        Ok(_) => panic!("it succeeded; {:?} was expected", status),
        Err(error) => error,
    };
    assert_eq!(error.status, status, "{}", error);
    for text in texts {
        assert!(error.message.contains(text), "no {:?} in: {}", text, error);
    }
    error
}

/// Leaves a kernel's text in `$GPUARR_TEST_TEXTS`, where it is compiled for GPUs that are not here.
pub fn keep_text(name: &str, text: Result<String>) {
    if let Some(folder) = std::env::var_os("GPUARR_TEST_TEXTS") {
        let path = std::path::Path::new(&folder).join(format!("{}.cu", name));
        std::fs::write(path, text.unwrap()).unwrap();
    }
}

/// George Marsaglia's xorshift; `$GPUARR_TEST_SEED` picks another sequence.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        let chosen = std::env::var("GPUARR_TEST_SEED").ok().and_then(|text| text.parse().ok());
        Random(chosen.unwrap_or(seed) * 2 + 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low + 1) as u64) as i64
    }
}

/// An array, and its elements in C order by plain loops.
pub struct Seen<T> {
    pub array: Array<T>,
    pub shape: Vec<i64>,
    pub values: Vec<T>,
}

/// Goes through all indices of a shape in C order.
pub fn indices(shape: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![vec![]];
    for extent in shape {
        all = all
            .into_iter()
            .flat_map(|index| {
                (0..*extent).map(move |i| index.iter().copied().chain([i]).collect::<Vec<i64>>())
            })
            .collect();
    }
    all
}

/// Number of an index in C order.
pub fn place(shape: &[i64], index: &[i64]) -> usize {
    shape.iter().zip(index).fold(0, |at, (extent, i)| at * extent + i) as usize
}

impl<T: Element> Seen<T> {
    pub fn new(shape: &[i64], values: Vec<T>) -> Seen<T> {
        let array = device().array(&values, shape).unwrap();
        Seen { array, shape: shape.to_vec(), values }
    }

    /// Another shape, where `old` says of each index which one of this array it shows.
    fn shown(&self, array: Array<T>, shape: Vec<i64>, old: impl Fn(&[i64]) -> Vec<i64>) -> Seen<T> {
        let value = |index: Vec<i64>| self.values[place(&self.shape, &old(&index))];
        let values = indices(&shape).into_iter().map(value).collect();
        Seen { array, shape, values }
    }

    /// Every `step`-th index from `start`, as many as there are.
    pub fn strided(&self, axis: usize, start: i64, step: i64) -> Seen<T> {
        let extent = self.shape[axis];
        let mut shape = self.shape.clone();
        shape[axis] = if step > 0 { (extent - start + step - 1) / step } else { start / -step + 1 };
        let slice = Slice::step(start.., step);
        let array = self.array.slice(axis as i32, slice).unwrap();
        self.shown(array, shape, |index| {
            let mut old = index.to_vec();
            old[axis] = start + step * old[axis];
            old
        })
    }

    pub fn transposed(&self) -> Seen<T> {
        let shape = self.shape.iter().rev().copied().collect();
        self.shown(self.array.transpose().unwrap(), shape, |index| {
            index.iter().rev().copied().collect()
        })
    }

    pub fn selected(&self, axis: usize, at: i64) -> Seen<T> {
        let mut shape = self.shape.clone();
        shape.remove(axis);
        self.shown(self.array.select(axis as i32, at).unwrap(), shape, |index| {
            let mut old = index.to_vec();
            old.insert(axis, at);
            old
        })
    }

    /// A view that some steps lead to.
    pub fn random_view(&self, random: &mut Random) -> Seen<T> {
        let mut seen = self.shown(self.array.clone(), self.shape.clone(), |index| index.to_vec());
        for _ in 0..random.between(0, 3) {
            let axis = random.between(0, seen.shape.len() as i64 - 1) as usize;
            let extent = seen.shape[axis];
            seen = match random.between(0, 2) {
                0 => seen.transposed(),
                1 if extent > 1 => seen.strided(axis, random.between(0, 1), random.between(1, 3)),
                _ if extent > 0 => seen.strided(axis, extent - 1, -random.between(1, 2)),
                _ => seen,
            };
        }
        seen
    }

    #[track_caller]
    pub fn check(&self) {
        assert_eq!(self.array.shape(), &self.shape[..]);
        assert_eq!(self.array.to_vec().unwrap(), self.values);
    }
}

/// Keeps the panic hook silent, for panics that a test means.
pub struct Quiet;

impl Quiet {
    pub fn new() -> Quiet {
        std::panic::set_hook(Box::new(|_| ()));
        Quiet
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        drop(std::panic::take_hook());
    }
}
